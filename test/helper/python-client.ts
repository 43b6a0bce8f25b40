import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A reply as Python's http.client read it. */
export interface Told {
  readonly status: number
  /** Names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  /** As it came, still compressed where it was. */
  readonly body: Buffer
  /** The body parsed, numbers as `{ '#': text }` in the very digits of the wire; undefined when it is no JSON. */
  readonly json: unknown
  /** The connection goes on. */
  readonly kept: boolean
}

export interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
  /** Sent with Transfer-Encoding: chunked. */
  readonly chunks?: readonly (string | Uint8Array)[]
  /** On a connection of its own. */
  readonly fresh?: boolean
}

export interface PythonClient {
  ask(request: Ask): Promise<Told>
  /** `POST /api` with a JSON body. */
  post(body: unknown, more?: Ask): Promise<Told>
  /** Bytes on a socket of their own: every reply until the service closes it. */
  raw(message: string | Uint8Array): Promise<readonly Told[]>
  /** Pairs of decimal texts that are not the same number. */
  unequal(pairs: readonly (readonly [string, string])[]): Promise<readonly unknown[]>
  close(): Promise<void>
}

interface Line {
  readonly error?: string
  readonly unequal?: readonly unknown[]
  readonly replies?: readonly Reply[]
}

interface Reply extends Line {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly json?: unknown
  readonly kept?: boolean
}

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as string).toString('base64')

function told({ status, headers, body, json, kept }: Reply): Told {
  return { status, headers: new Map(headers), body: Buffer.from(body, 'base64'), json, kept: kept === true }
}

/** Starts `test/conformance/client.py`, which answers one job after the other. */
export function pythonClient(port: number): PythonClient {
  const child = spawn('/usr/bin/python3', [join('test', 'conformance', 'client.py'), String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting: ((line: string) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const job = async (about: object): Promise<Reply> => {
    const line = await new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      waiting.push((text) => {
        child.off('error', reject)
        resolve(text)
      })
      child.stdin.write(`${JSON.stringify(about)}\n`)
    })
    const answer = JSON.parse(line) as Reply
    if (answer.error !== undefined) throw new Error(`${answer.error} in ${JSON.stringify(about).slice(0, 300)}`)
    return answer
  }
  const ask = async ({ method = 'GET', path = '/', headers = [], body, chunks, fresh }: Ask): Promise<Told> =>
    told(
      await job({
        method,
        path,
        headers,
        body: body === undefined ? null : base64(body),
        ...(chunks ? { chunks: chunks.map(base64) } : {}),
        fresh: fresh === true,
      }),
    )
  return {
    ask,
    post: (body, more = {}) => ask({ method: 'POST', path: '/api', body: JSON.stringify(body), ...more }),
    raw: async (message) => ((await job({ raw: base64(message) })).replies ?? []).map(told),
    unequal: async (compare) => (await job({ compare })).unequal ?? [],
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}

/** A parsed body with its numbers as JavaScript has them. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const { '#': text } = value as { '#'?: unknown }
  if (typeof text === 'string') return Number(text)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

/** A value of JavaScript as a body that spells it right: each number in its shortest form. */
export function spelt(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return { '#': String(value) }
  if (Array.isArray(value)) return value.map(spelt)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spelt(inner)]))
}

/** The envelope of a reply. */
export function envelope({ json }: Told): { code: number; message: string; data: Record<string, unknown> | null } {
  return plain(json) as { code: number; message: string; data: Record<string, unknown> | null }
}

/** `data` of a reply that has some. */
export function dataOf(told: Told): Record<string, unknown> {
  const { code, message, data } = envelope(told)
  if (code !== 200 || data === null) throw new Error(`the reply is ${code} ${message}`)
  return data
}

/** The rows of a reply. */
export function itemsOf<Row = unknown[]>(told: Told): Row[] {
  return dataOf(told).items as Row[]
}
