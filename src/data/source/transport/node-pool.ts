import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { rewordError, SourceError } from '../source-error.js'
import { type Clock, realClock } from './clock.js'
import type { Send, TransportRequest } from './middleware.js'

interface CircuitBreaker {
  /** Failures since the last success. */
  failures: number
  /** Until then it is left alone. */
  restsUntil: number
}

/** No whole answer of the service came, but silence or the page of a gateway: another node may give one. */
function isSilence(error: unknown): error is SourceError {
  if (!(error instanceof SourceError)) return false
  const { code, status, vendorCode } = error
  const isOfGateway = code === 'UNAVAILABLE' && status !== undefined && status !== 429 && vendorCode === undefined
  return isOfGateway || ['UNREACHABLE', 'CUT_OFF', 'TIMEOUT'].includes(code)
}

/** Failures in a row that open a breaker, and milliseconds that it rests before a trial. */
const [mostFailures, rest] = [3, 30_000]

/**
 * Which node is asked. Another one is asked only where no whole answer of the service came: an answer that refuses is an answer. A node that failed several times in a row is left alone for a while, then tried by one request.
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
      if (preferred === undefined) throw new QuotebookError('USAGE', sentence`there is no node to ask`)
      const attempt = (node: string): Promise<T> => this.#attempt(node, () => next({ ...request, node }))
      const tried: string[] = []
      let last: SourceError | undefined
      for (const node of nodes) {
        if (this.#clock.now() < this.#breaker(node).restsUntil) continue
        tried.push(node)
        try {
          return await attempt(node)
        } catch (error) {
          if (!isSilence(error)) throw error
          last = error
        }
      }
      if (!last) return attempt(preferred)
      throw tried.length === 1 ? last : rewordError(last, sentence`${messageOf(last)} (tried ${tried.join(', ')})`)
    }

  #breaker(node: string): CircuitBreaker {
    const breaker = this.#breakers.get(node) ?? { failures: 0, restsUntil: -Infinity }
    this.#breakers.set(node, breaker)
    return breaker
  }

  async #attempt<T>(node: string, send: () => Promise<T>): Promise<T> {
    const breaker = this.#breaker(node)
    const before = { ...breaker }
    const open = (): void => {
      if (breaker.failures >= mostFailures) breaker.restsUntil = this.#clock.now() + rest
    }
    // A trial is alone: the others wait for another rest.
    open()
    try {
      const value = await send()
      this.#breakers.delete(node)
      return value
    } catch (error) {
      if (isSilence(error)) {
        breaker.failures += 1
        open()
      } else if (error instanceof SourceError) this.#breakers.delete(node)
      else breaker.restsUntil = before.restsUntil
      throw error
    }
  }
}
