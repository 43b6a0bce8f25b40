import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientOf, type ProxyList } from './client-address.js'

/** Whose an address is: one of IPv4 itself, of IPv6 the first 64 bits, which one subscriber has. */
export function networkOf(address = ''): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...new Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .join(':')
}

/** What the server gives a client at most. Times in milliseconds. */
export const defaultLimits = {
  /** Bytes of a request body. */
  body: 2 ** 20,
  /** Bytes of all headers. */
  headers: 2 ** 14,
  /** Until the headers are there, and until the whole request is. */
  headersTime: 15_000,
  requestTime: 30_000,
  /** A connection on which nothing moves is closed. */
  idleTime: 120_000,
  /** Between the requests of a connection. */
  keepAlive: 65_000,
  /** Requests that are answered at the same time; a further one is answered "busy". */
  concurrentRequests: 256,
  /** Bytes of answers that their readers have not yet taken; beyond, further requests are answered "busy", and long ones wait. */
  unsentBytes: 2 ** 28,
  /** Of those, bytes of answers to one network: see `networkOf`. */
  networkUnsentBytes: 2 ** 26,
  /** Until there is room for a long answer. */
  roomTime: 30_000,
  connections: 1024,
  /** Of those, connections of one network. */
  networkConnections: 256,
  /** A connection on which nothing has come is closed. */
  silentTime: 5000,
  /** What is under way when the service ends may take so long to finish. */
  grace: 15_000,
}

export type ServiceLimits = Readonly<typeof defaultLimits>

/** A request, and where its answer goes. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A long answer whose bytes are not known yet counts as this share of all that may be held. */
const unknownShare = 1 / 4

/** Bytes, by network and in all. */
class Bytes {
  readonly #of = new Map<string, number>()
  all = 0

  of(network: string): number {
    return this.#of.get(network) ?? 0
  }

  add(network: string, more: number): void {
    this.all += more
    const own = this.of(network) + more
    if (own === 0) this.#of.delete(network)
    else this.#of.set(network, own)
  }
}

/** The requests that are being answered, and the large answers that their readers have not taken yet. */
export class ServiceLoad {
  readonly #limits: ServiceLimits
  readonly #proxies: ProxyList | undefined
  readonly #unsent = new Bytes()
  /** Rows out of which long answers are made while they are sent. */
  readonly #rows = new Bytes()
  /** Those who wait for room: each begins where there is some, and tells whether it did. */
  readonly #waiting = new Set<() => boolean>()
  /** Requests that are being answered; those whose body is still arriving are not. */
  requests = 0
  /** Those among them that the share answers, at the pace of their readers: they count against each other alone. */
  shareRequests = 0

  constructor(limits: ServiceLimits, proxies?: ProxyList) {
    this.#limits = limits
    this.#proxies = proxies
  }

  /** Whether a further request of a network would be one too many. */
  isBusy(request: IncomingMessage): boolean {
    const { concurrentRequests, unsentBytes, networkUnsentBytes } = this.#limits
    if (this.requests - this.shareRequests >= concurrentRequests || this.#unsent.all > unsentBytes) return true
    return this.#unsent.all > 0 && this.#unsent.of(this.#networkOf(request)) > networkUnsentBytes
  }

  get isShareBusy(): boolean {
    return this.shareRequests >= this.#limits.concurrentRequests
  }

  /** Counts an answer of so many bytes until its reader has taken it or is gone. */
  addUnsent({ request, response }: HttpExchange, bytes: number): void {
    if (response.closed) return
    const network = this.#networkOf(request)
    this.#unsent.add(network, bytes)
    response.once('close', () => this.#unsent.add(network, -bytes))
  }

  #networkOf(request: IncomingMessage): string {
    return networkOf(clientOf(request, this.#proxies))
  }

  /** Counts rows that an answer is made of, as many bytes as it is last told, until its reader has taken it or is gone. */
  hold({ request, response }: HttpExchange, first = 0): (bytes: number) => void {
    const network = this.#networkOf(request)
    let held = 0
    const hold = (told: number): void => {
      const bytes = response.closed ? 0 : told
      this.#rows.add(network, bytes - held)
      held = bytes
      for (const begins of this.#waiting) begins()
    }
    response.once('close', () => hold(0))
    hold(first)
    return hold
  }

  /** Waits until those before it leave room for a long answer; undefined when they have not for too long, or its reader is gone. */
  room(exchange: HttpExchange): Promise<((bytes: number) => void) | undefined> {
    const { unsentBytes, networkUnsentBytes, roomTime } = this.#limits
    const network = this.#networkOf(exchange.request)
    const own = unsentBytes * unknownShare
    return new Promise((resolve) => {
      const end = (hold?: (bytes: number) => void): void => {
        clearTimeout(timer)
        exchange.response.off('close', leave)
        resolve(hold)
      }
      const begins = (): boolean => {
        const rows = this.#rows.of(network)
        const isFull = this.#rows.all + own > unsentBytes || (rows > 0 && rows + own > networkUnsentBytes)
        if (isFull && this.#rows.all > 0) return false
        // Before it is held, since that looks at all who wait.
        this.#waiting.delete(begins)
        end(this.hold(exchange, own))
        return true
      }
      const leave = (): void => {
        this.#waiting.delete(begins)
        end()
      }
      const timer = setTimeout(leave, roomTime)
      exchange.response.once('close', leave)
      if (this.#waiting.size > 0 || !begins()) this.#waiting.add(begins)
    })
  }
}
