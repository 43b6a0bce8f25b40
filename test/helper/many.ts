import { execFileSync } from 'node:child_process'
import { Agent, request } from 'node:http'
import { formatKeys, hashOfKey, type KeyEntry } from '../../src/server/service/keys/key-file.js'
import type { Served } from './served.js'
import { tempFile } from './temp.js'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A request on a connection of its own, or of the agent. @throws when the connection breaks before the answer is whole */
export function send(
  url: string,
  {
    body,
    headers = {},
    agent = false,
  }: { body?: string; headers?: Record<string, string>; agent?: Agent | false } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      answer.on('error', reject).on('end', () => {
        if (answer.complete) resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        else reject(new Error('the answer was cut'))
      })
    })
    asked.on('error', reject).end(body)
  })
}

export const question = (apikey: string, more: object = { apiname: 'st' }): string =>
  JSON.stringify({ apikey, ...more })

/** Clients that ask on and on, each on a connection that it keeps while it may. */
export function asking(
  url: string,
  clients: number,
  body: string,
): { end(): Promise<(Reply | Error)[]>; count(): number } {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const replies: (Reply | Error)[] = []
  let isEnding = false
  const client = async (): Promise<void> => {
    while (!isEnding) replies.push(await send(url, { body, agent }).catch((error: Error) => error))
  }
  const all = Array.from({ length: clients }, client)
  return {
    count: () => replies.length,
    end: async () => {
      isEnding = true
      await Promise.all(all)
      agent.destroy()
      return replies
    },
  }
}

/** A key file of keys that are their own names. */
export function keyFile(...keys: readonly (Pick<KeyEntry, 'name'> & Partial<KeyEntry>)[]): string {
  return tempFile('keys.json', keysText(...keys))
}

export function keysText(...keys: readonly (Pick<KeyEntry, 'name'> & Partial<KeyEntry>)[]): string {
  const usual = { plan: 'flagship', expiry: null, rate: null, added: null } as const
  return formatKeys(keys.map((key) => ({ ...usual, sha256: hashOfKey(key.name), ...key })))
}

/** Ends when something holds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** A service that has said how many workers answer. */
export async function withWorkers(one: Served): Promise<Served> {
  await until(() => one.err().includes('workers answer'))
  return one
}

/** Process ids of the workers. */
export function workersOf({ child }: Served): number[] {
  return execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number)
}

/** What the log says that workers have answered, by worker. */
export function answeredBy({ out }: Pick<Served, 'out'>, route: string): ReadonlySet<number> {
  const lines = out().split('\n').slice(0, -1)
  return new Set(
    lines.flatMap((line) => {
      const entry = JSON.parse(line) as { worker: number; route: string; status: number }
      return entry.route === route && entry.status < 300 ? [entry.worker] : []
    }),
  )
}

/** A figure of `/metrics`, over all its labels. */
export async function figure(url: string, name: string): Promise<number> {
  const { text } = await send(`${url}/metrics`)
  const values = text.split('\n').flatMap((line) => {
    const [, value] = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`).exec(line) ?? []
    return value === undefined ? [] : [Number(value)]
  })
  if (values.length === 0) throw new Error(`/metrics has no ${name}`)
  return values.reduce((sum, value) => sum + value, 0)
}
