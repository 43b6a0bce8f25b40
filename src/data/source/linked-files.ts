import { sentence } from '../../contract/sentence.js'
import { SourceError } from './source-error.js'
import { type Clock, realClock } from './transport/clock.js'
import {
  type Deadlines,
  type GetOptions,
  HttpClient,
  type HttpOptions,
  type StreamOptions,
} from './transport/http-client.js'
import { isPassing } from './transport/http-headers.js'
import type { HttpResponse, HttpStream } from './transport/http-stream.js'
import { defaultRetry, type RetryPolicy, retryRequests, type TransportRequest } from './transport/middleware.js'
import type { RateLimiter } from './transport/rate-limiter.js'

/** Files behind links, of a service or of any server. */
export interface LinkedFiles {
  /** A whole answer, of any status but those that pass. */
  get(address: string, options?: GetOptions): Promise<HttpResponse>
  /** The same with its body as it comes. */
  open(address: string, options?: StreamOptions): Promise<HttpStream>
}

interface LinkedFilesOptions {
  readonly http: HttpClient
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly limiter?: RateLimiter | undefined
}

type LinkRequest = Pick<TransportRequest, 'operation' | 'signal'>

/** An answer, but for those of a server that is busy. @throws SourceError UNAVAILABLE */
function refuseBusy<T extends HttpResponse | HttpStream>(answer: T): T {
  const { node, status, retryAfter } = answer
  // Servers without WebDAV have 500 for it.
  if (!isPassing(status) || status === 500) return answer
  if ('discard' in answer) answer.discard()
  const details = { node, status, retryAfter, retryable: true }
  throw new SourceError('UNAVAILABLE', sentence`${node} answers with HTTP status ${status}`, details)
}

/**
 * Asks patiently: who is busy or can not be reached is asked again, after the time that it names.
 * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or UNAVAILABLE after patient attempts; QuotebookError FILE for no link
 */
export function linkedFiles({ http, retry, clock, limiter }: LinkedFilesOptions): LinkedFiles {
  const patient = <T extends HttpResponse | HttpStream>(
    signal: AbortSignal | undefined,
    ask: () => Promise<T>,
  ): Promise<T> => {
    const send = retryRequests<LinkRequest, T>(retry, clock)(async () => refuseBusy(await ask()))
    const request = { operation: 'share', signal }
    return limiter ? limiter.limit<LinkRequest, T>(send)(request) : send(request)
  }
  return {
    get: (address, options = {}) => patient(options.signal, () => http.get(address, options)),
    open: (address, options = {}) => patient(options.signal, () => http.open(address, options)),
  }
}

export interface LinksOptions extends Pick<HttpOptions, 'maxBytes'> {
  readonly deadlines?: Partial<Deadlines> | undefined
  /** Default: 8 attempts within 120,000 ms. */
  readonly retry?: Partial<RetryPolicy> | undefined
  readonly clock?: Clock | undefined
}

/** What opens links where there is no service: connections of its own, which `close` ends. */
export function openLinks(options: LinksOptions = {}): LinkedFiles & { close(): Promise<void> } {
  const { deadlines, maxBytes, clock = realClock } = options
  const http = new HttpClient({ deadlines, maxBytes })
  const policy = { ...defaultRetry, budgetMs: 120_000, ...options.retry }
  return { ...linkedFiles({ http, retry: policy, clock }), close: () => http.close() }
}
