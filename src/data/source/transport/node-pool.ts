import { QuotebookError } from '../../../contract/error.js'
import { rewordError, SourceError } from '../source-error.js'
import { type Clock, realClock } from './clock.js'
import type { Send, TransportRequest } from './middleware.js'

interface CircuitBreaker {
  /** Failures since the last success. */
  failures: number
  /** When it opened, or its last trial failed; undefined while it is closed. */
  since: number | undefined
  /** A trial is under way. */
  trial: boolean
}

/** No whole answer came: another node may give one. */
function isSilence(error: unknown): error is SourceError {
  return error instanceof SourceError && ['UNREACHABLE', 'CUT_OFF', 'TIMEOUT'].includes(error.code)
}

/** Failures in a row that open a breaker, and milliseconds that it rests before a trial. */
const [mostFailures, rest] = [3, 30_000]

/**
 * Which node is asked. Another one is asked only where no whole answer came (UNREACHABLE, CUT_OFF, TIMEOUT): an answer that
 * refuses is an answer. A node that failed several times in a row is left alone for a while, then tried by one request.
 */
export class NodePool {
  readonly #breakers = new Map<string, CircuitBreaker>()
  readonly #clock: Clock

  constructor(clock: Clock = realClock) {
    this.#clock = clock
  }

  /**
   * Sends to the first node in order that is not left alone; where all are, to the first.
   * @throws the last node's error, naming all that were tried
   */
  readonly failOver =
    <R extends Pick<TransportRequest, 'nodes'>, T>(next: Send<R & { readonly node: string }, T>): Send<R, T> =>
    async (request) => {
      const nodes = [...new Set(request.nodes)]
      const [preferred] = nodes
      if (preferred === undefined) throw new QuotebookError('USAGE', 'there is no node to ask')
      const attempt = (node: string): Promise<T> => this.#attempt(node, () => next({ ...request, node }))
      const tried: string[] = []
      let last: SourceError | undefined
      for (const node of nodes) {
        if (!this.#admits(node)) continue
        tried.push(node)
        try {
          return await attempt(node)
        } catch (error) {
          if (!isSilence(error)) throw error
          last = error
        }
      }
      if (!last) return attempt(preferred)
      throw tried.length === 1 ? last : rewordError(last, `${last.message} (tried ${tried.join(', ')})`)
    }

  #breaker(node: string): CircuitBreaker {
    const known = this.#breakers.get(node)
    if (known) return known
    const breaker: CircuitBreaker = { failures: 0, since: undefined, trial: false }
    this.#breakers.set(node, breaker)
    return breaker
  }

  #admits(node: string): boolean {
    const { since, trial } = this.#breaker(node)
    return since === undefined || (!trial && this.#clock.now() - since >= rest)
  }

  async #attempt<T>(node: string, send: () => Promise<T>): Promise<T> {
    const breaker = this.#breaker(node)
    const isTrial = breaker.since !== undefined && !breaker.trial
    if (isTrial) breaker.trial = true
    const close = (): void => {
      breaker.failures = 0
      breaker.since = undefined
    }
    try {
      const value = await send()
      close()
      return value
    } catch (error) {
      if (isSilence(error)) {
        breaker.failures += 1
        const opens = breaker.since === undefined && breaker.failures >= mostFailures
        if (opens || isTrial) breaker.since = this.#clock.now()
      } else if (error instanceof SourceError) close()
      throw error
    } finally {
      if (isTrial) breaker.trial = false
    }
  }
}
