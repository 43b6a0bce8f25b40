import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { archiveHeaderName } from '../../src/data/source/reply/archive-identity.js'
import { chances } from './chance.js'
import { listen } from './listen.js'
import type { Request } from './service.js'

/** How often each fault comes, of a hundred requests. */
const often = { reset: 1, half: 1, slower: 1, busy: 1, late: 2 }
type Fault = keyof typeof often

export interface FaultLine {
  readonly url: string
  /** The service behind it; it may come and go. */
  upstream: string
  isFaulty: boolean
  /** Requests that the service answered, and whose answer was sent on whole, in order. */
  readonly answered: readonly string[]
  readonly faults: ReadonlyMap<Fault, number>
  close(): Promise<void>
}

function pick(chance: number): Fault | undefined {
  let left = chance * 100
  return (Object.keys(often) as Fault[]).find((name) => {
    left -= often[name]
    return left < 0
  })
}

/** What a request asks for: without the key. */
function questionOf(body: Buffer): string {
  const { apiname, params, fields } = JSON.parse(body.toString()) as Request
  return JSON.stringify([apiname, params, fields])
}

/** A line to a service that resets, refuses, cuts off and delays at random, by a seed. */
export async function faultLine(upstream: string, seed: number): Promise<FaultLine> {
  const chance = chances(seed)
  const answered: string[] = []
  const faults = new Map<Fault, number>()
  const refuse = (response: ServerResponse, status: number): void =>
    void response.writeHead(status, { 'retry-after': '0' }).end()

  const pass = async (body: Buffer, response: ServerResponse): Promise<void> => {
    const fault = line.isFaulty ? pick(chance()) : undefined
    if (fault) faults.set(fault, (faults.get(fault) ?? 0) + 1)
    if (fault === 'reset') return void response.socket?.resetAndDestroy()
    if (fault === 'slower' || fault === 'busy') return refuse(response, fault === 'busy' ? 503 : 429)
    if (fault === 'late') await sleep(300 * chance())
    const answer = await fetch(`${line.upstream}/api`, { method: 'POST', body: body.toString() })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const told = answer.headers.get(archiveHeaderName)
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
    response.writeHead(answer.status, { ...headers, ...(told === null ? {} : { [archiveHeaderName]: told }) })
    if (fault !== 'half') {
      answered.push(questionOf(body))
      return void response.end(bytes)
    }
    response.write(bytes.subarray(0, bytes.length >> 1))
    await sleep(2)
    response.socket?.resetAndDestroy()
  }

  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      await pass(Buffer.concat(pieces), response)
    }
    // The service has gone, or whoever asked.
    answer().catch(() => response.destroy())
  })
  const { url, close } = await listen(server)
  const line: FaultLine = {
    url,
    upstream,
    isFaulty: true,
    answered,
    faults,
    close,
  }
  return line
}
