import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { started } from './command.js'

/** What an installed `quotebook` runs. */
export const main = join(process.cwd(), 'dist', 'cli', 'quotebook.cjs')

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export interface Serving {
  readonly url: string
  readonly port: number
  /** What it said on stderr. */
  said(): string
  /** Lines of the access log. */
  log(): Record<string, unknown>[]
  /** Ends it by a signal; gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** `quotebook serve` on a free port. */
export async function serving(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  const child = started(['serve', '--port', '0', ...args], { env })
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
      const [, found] = /POST (http:\S+)\/api .*\n/.exec(err) ?? []
      if (found) resolve(found)
    })
    void closed.then(() => reject(new Error(err)))
  })
  return {
    url,
    port: Number(new URL(url).port),
    said: () => err,
    log: () =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return (await closed)[0]
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

interface Asked {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

/** One HTTP request on a connection of its own, with exactly these headers. */
export async function http(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  const sent = request(url, { method, headers, agent: false })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return { status: response.statusCode, headers: response.headers, body: bytes, text: bytes.toString() }
}

/** A request to `/api`, as an object or as it stands. */
export function api(url: string, body: object | string | Uint8Array, headers: OutgoingHttpHeaders = {}) {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return http(`${url}/api`, { method: 'POST', body: text, headers })
}

/** All that comes back for some bytes on a connection, until it is closed or `isEnough`. */
export function raw(port: number, bytes: string, isEnough: (text: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (isEnough(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}
