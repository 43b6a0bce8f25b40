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
import { defaultRetry, type RetryPolicy, retry } from './transport/middleware.js'
import type { RateLimiter } from './transport/rate-limiter.js'

/** Addresses beside a service: files behind links. */
export interface LinkedFiles {
  /** A whole answer, of any status but 429 and 502 to 504. */
  get(address: string, options?: GetOptions): Promise<HttpResponse>
  /** The same with its body as it comes. */
  open(address: string, options?: StreamOptions): Promise<HttpStream>
}

export interface BesideWiring {
  readonly http: HttpClient
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly pace?: RateLimiter | undefined
}

function isBusy(status: number): boolean {
  return status === 429 || (status >= 502 && status <= 504)
}

function busy({ node, status, retryAfter }: Pick<HttpResponse, 'node' | 'status' | 'retryAfter'>): SourceError {
  const about = { node, status, retryAfter, retryable: true }
  return new SourceError('UNAVAILABLE', `${node} answers with HTTP status ${status}`, about)
}

/**
 * Asks patiently: who is busy or can not be reached is asked again, after the time that it names.
 * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or UNAVAILABLE after patient attempts; QuotebookError FILE for no link
 */
export function linkedFiles({ http, retry: policy, clock, pace }: BesideWiring): LinkedFiles {
  const patiently = <T>(once: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    const asked = (): Promise<T> => retry(once, policy, clock, signal)
    return pace ? pace.run('share', asked, signal) : asked()
  }
  return {
    get(address, options = {}) {
      const once = async (): Promise<HttpResponse> => {
        const answer = await http.get(address, options)
        if (isBusy(answer.status)) throw busy(answer)
        return answer
      }
      return patiently(once, options.signal)
    },
    open(address, options = {}) {
      const once = async (): Promise<HttpStream> => {
        const answer = await http.open(address, options)
        if (!isBusy(answer.status)) return answer
        answer.discard()
        throw busy(answer)
      }
      return patiently(once, options.signal)
    },
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
