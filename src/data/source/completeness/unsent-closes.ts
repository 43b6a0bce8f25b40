import type { Query } from '../../../contract/check-params.js'
import { dayNumber } from '../../../contract/date.js'
import { distinctValues, type ReplyChunk } from '../reply/reply-chunk.js'

/** Closes at which a service has no bar, with their period, and the date on which that showed: `{ '15m 0930': '20260805' }`. */
export type UnsentFacts = Readonly<Record<string, string>>

/** A query of bars, and the date on which it is put. */
type AskedBars = { readonly query: Query; readonly today: string }

/** Calendar days for which such a fact holds. */
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

  learn({ query, today }: AskedBars, close: string): void {
    this.#facts = { ...this.#facts, [`${query.period} ${close}`]: today }
  }

  /** Lets go of what a reply contradicts. */
  forget({ query }: AskedBars, { columns }: ReplyChunk): void {
    const facts = Object.entries(this.#facts)
    const there = new Set(facts.length > 0 ? distinctValues(columns, 'trademin') : [])
    const left = facts.filter(([name]) => ![...there].some((close) => name === `${query.period} ${close}`))
    if (left.length < facts.length) this.#facts = Object.fromEntries(left)
  }

  /** When it showed that there is no bar at a close; undefined where that is not known, or too long ago. */
  since({ query, today }: AskedBars, close: string): string | undefined {
    const on = this.#facts[`${query.period} ${close}`]
    return on !== undefined && dayNumber(today) - dayNumber(on) <= holds ? on : undefined
  }
}
