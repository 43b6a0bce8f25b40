import { SourceError } from './source-error.js'
import { type Clock, realClock } from './transport/clock.js'
import {
  type Deadlines,
  type GetOptions,
  HttpClient,
  type HttpOptions,
  type HttpResponse,
  type StreamOptions,
} from './transport/http-client.js'
import type { HttpStream } from './transport/http-stream.js'
import { compose, defaultRetry, type RetryPolicy, retryRequests } from './transport/middleware.js'
import type { RateLimiter } from './transport/rate-limiter.js'

/** Files behind links, of a service or of any server. */
export interface LinkedFiles {
  /** A whole answer, of any status but 429 and 502 to 504. */
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

interface LinkRequest<O> {
  readonly operation: 'share'
  readonly address: string
  readonly options: O
  readonly signal: AbortSignal | undefined
}

/** An answer, but for those of a server that is busy. @throws SourceError UNAVAILABLE */
function refuseBusy<T extends HttpResponse | HttpStream>(answer: T): T {
  const { node, status, retryAfter } = answer
  if (status !== 429 && (status < 502 || status > 504)) return answer
  if ('discard' in answer) answer.discard()
  const details = { node, status, retryAfter, retryable: true }
  throw new SourceError('UNAVAILABLE', `${node} answers with HTTP status ${status}`, details)
}

/**
 * Asks patiently: who is busy or can not be reached is asked again, after the time that it names.
 * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or UNAVAILABLE after patient attempts; QuotebookError FILE for no link
 */
export function linkedFiles({ http, retry, clock, limiter }: LinkedFilesOptions): LinkedFiles {
  const patient = <O extends GetOptions, T extends HttpResponse | HttpStream>(
    ask: (address: string, options: O) => Promise<T>,
  ): ((address: string, options?: O) => Promise<T>) => {
    const limits = limiter ? [limiter.limit<LinkRequest<O>, T>] : []
    const wrappers = [...limits, retryRequests<LinkRequest<O>, T>(retry, clock)]
    const send = compose(wrappers, async ({ address, options }) => refuseBusy(await ask(address, options)))
    return (address, options = {} as O) => send({ operation: 'share', address, options, signal: options.signal })
  }
  return {
    get: patient((address, options: GetOptions) => http.get(address, options)),
    open: patient((address, options: StreamOptions) => http.open(address, options)),
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
