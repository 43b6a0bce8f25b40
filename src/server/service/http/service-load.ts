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
  /** Bytes of answers that their readers have not yet taken; beyond, further requests are answered "busy". */
  unsentBytes: 2 ** 28,
  /** Of those, bytes of answers to one network: see `networkOf`. */
  networkUnsentBytes: 2 ** 26,
  connections: 1024,
  /** Of those, connections of one network. */
  networkConnections: 256,
  /** A connection on which nothing has come is closed. */
  silentTime: 5000,
  /** What is under way when the service ends may take so long to finish. */
  grace: 15_000,
}

export type ServiceLimits = Readonly<typeof defaultLimits>

/** The requests that are being answered, and the large answers that their readers have not taken yet. */
export class ServiceLoad {
  readonly #limits: ServiceLimits
  readonly #proxies: ProxyList | undefined
  /** By network. */
  readonly #unsent = new Map<string, number>()
  #unsentBytes = 0
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
    if (this.requests - this.shareRequests >= concurrentRequests || this.#unsentBytes > unsentBytes) return true
    return this.#unsent.size > 0 && (this.#unsent.get(this.#networkOf(request)) ?? 0) > networkUnsentBytes
  }

  get isShareBusy(): boolean {
    return this.shareRequests >= this.#limits.concurrentRequests
  }

  /** Counts an answer of so many bytes until its reader has taken it or is gone. */
  addUnsent(request: IncomingMessage, response: ServerResponse, bytes: number): void {
    if (response.closed) return
    const network = this.#networkOf(request)
    this.#count(network, bytes)
    response.once('close', () => this.#count(network, -bytes))
  }

  #networkOf(request: IncomingMessage): string {
    return networkOf(clientOf(request, this.#proxies))
  }

  #count(network: string, more: number): void {
    const bytes = (this.#unsent.get(network) ?? 0) + more
    if (bytes === 0) this.#unsent.delete(network)
    else this.#unsent.set(network, bytes)
    this.#unsentBytes += more
  }
}
