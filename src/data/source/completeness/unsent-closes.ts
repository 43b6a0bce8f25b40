import { dayNumber } from '../../../contract/date.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { distinctValues, type ReplyChunk } from '../reply/reply-chunk.js'

/**
 * Closes of the session at which a service has no bar of any code, by period, and the date on which that last showed:
 * `{ '15m': { '0930': '20260805' } }`.
 */
export type UnsentFacts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Calendar days for which it holds that a service has no bar at a close; then it is asked for by itself again. */
const holds = 31

/**
 * What a service was found not to send of a dataset of bars. Its rules:
 *
 * 1. A close is learnt where all replies of a settled day lack it and no other, it was asked for by itself of the codes, and no
 *    other code has it either: more than ten codes show that themselves.
 * 2. Replies that all lack it are then not asked for it again for 31 days. Whatever else they lack is asked for as ever.
 * 3. It shows no answer to be whole: the session has a bar there.
 * 4. One bar at the close, in whatever reply, ends it.
 */
export class UnsentCloses {
  #facts: UnsentFacts = {}
  #recalled = '{}'

  get facts(): UnsentFacts {
    return this.#facts
  }

  /** Takes over what an archive keeps of the same service; only what it keeps since it was last read. */
  recall(facts: UnsentFacts = {}): void {
    const text = JSON.stringify(facts)
    if (text !== this.#recalled) this.#facts = facts
    this.#recalled = text
  }

  /** What is known, where an archive has other facts, or none. */
  get news(): UnsentFacts | undefined {
    return JSON.stringify(this.#facts) === this.#recalled ? undefined : this.#facts
  }

  learn({ query: { period }, today }: PlannedQuery, close: string): void {
    this.#set(String(period), { ...this.#facts[String(period)], [close]: today })
  }

  /** Holds a reply against what is known. */
  forget({ query: { period } }: PlannedQuery, { columns }: ReplyChunk): void {
    const own = this.#facts[String(period)]
    if (!own) return
    const there = new Set(distinctValues(columns, 'trademin'))
    const left = Object.entries(own).filter(([close]) => !there.has(close))
    if (left.length < Object.keys(own).length) this.#set(String(period), Object.fromEntries(left))
  }

  /** When it showed that there is no bar at a close; undefined where that is not known, or too long ago. */
  since({ query: { period }, today }: PlannedQuery, close: string): string | undefined {
    const on = this.#facts[String(period)]?.[close]
    return on !== undefined && dayNumber(today) - dayNumber(on) <= holds ? on : undefined
  }

  #set(period: string, own: Readonly<Record<string, string>>): void {
    const { [period]: _, ...others } = this.#facts
    this.#facts = Object.keys(own).length > 0 ? { ...others, [period]: own } : others
  }
}
