import { QuotebookError } from '../../contract/error.js'
import { rewordError, SourceError } from '../source-error.js'
import { type Clock, realClock } from './clock.js'

/** A node's circuit breaker. */
interface Breaker {
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

/** An answer came, though not one to be glad of: the node itself is well. */
function isAnswer(error: unknown): boolean {
  return error instanceof SourceError && !isSilence(error)
}

function allFailed(error: SourceError, tried: readonly string[]): SourceError {
  return tried.length === 1 ? error : rewordError(error, `${error.message} (tried ${tried.join(', ')})`)
}

export interface NodePoolOptions {
  /** Failures in a row that open a breaker; 3. */
  readonly failures?: number | undefined
  /** Milliseconds that an open breaker rests before a trial; 30,000. */
  readonly restMs?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Which node is asked. Another one is asked only where no whole answer came (UNREACHABLE, CUT_OFF, TIMEOUT): an answer that
 * refuses is an answer. A node that failed several times in a row is left alone for a while, then tried by one request.
 */
export class NodePool {
  readonly #breakers = new Map<string, Breaker>()
  readonly #limit: number
  readonly #rest: number
  readonly #clock: Clock

  constructor({ failures = 3, restMs = 30_000, clock = realClock }: NodePoolOptions = {}) {
    this.#limit = failures
    this.#rest = restMs
    this.#clock = clock
  }

  /**
   * What `ask` gives for the first node in order that is not left alone; where all are, the first is asked.
   * @throws the last node's error, naming all that were tried
   */
  async run<T>(order: readonly string[], ask: (node: string) => Promise<T>): Promise<T> {
    const nodes = [...new Set(order)]
    const [preferred] = nodes
    if (preferred === undefined) throw new QuotebookError('USAGE', 'there is no node to ask')
    const tried: string[] = []
    let last: SourceError | undefined
    for (const node of nodes) {
      if (!this.#admits(node)) continue
      tried.push(node)
      const outcome = await this.#attempt(node, ask)
      if ('value' in outcome) return outcome.value
      last = outcome.error
    }
    if (last) throw allFailed(last, tried)
    const outcome = await this.#attempt(preferred, ask)
    if ('value' in outcome) return outcome.value
    throw outcome.error
  }

  /** Every node that was asked for so far, and whether it is left alone. */
  state(): readonly { node: string; open: boolean }[] {
    return [...this.#breakers].map(([node, { since }]) => ({ node, open: since !== undefined }))
  }

  #breaker(node: string): Breaker {
    const known = this.#breakers.get(node)
    if (known) return known
    const breaker: Breaker = { failures: 0, since: undefined, trial: false }
    this.#breakers.set(node, breaker)
    return breaker
  }

  #admits(node: string): boolean {
    const { since, trial } = this.#breaker(node)
    return since === undefined || (!trial && this.#clock.now() - since >= this.#rest)
  }

  async #attempt<T>(node: string, ask: (node: string) => Promise<T>): Promise<{ value: T } | { error: SourceError }> {
    const breaker = this.#breaker(node)
    const isTrial = breaker.since !== undefined && !breaker.trial
    if (isTrial) breaker.trial = true
    try {
      const value = await ask(node)
      this.#succeeded(breaker)
      return { value }
    } catch (error) {
      if (isAnswer(error)) this.#succeeded(breaker)
      if (!isSilence(error)) throw error
      this.#failed(breaker, isTrial)
      return { error }
    } finally {
      if (isTrial) breaker.trial = false
    }
  }

  #succeeded(breaker: Breaker): void {
    breaker.failures = 0
    breaker.since = undefined
  }

  #failed(breaker: Breaker, isTrial: boolean): void {
    breaker.failures += 1
    const opens = breaker.since === undefined && breaker.failures >= this.#limit
    if (opens || isTrial) breaker.since = this.#clock.now()
  }
}
