import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { Panel } from './panel.js'
import type { Decision } from './rebalance.js'
import { type Schedule, scheduleNotes } from './schedule.js'

/** What kind of decision a strategy makes, in the words of a warning; none where doing nothing is an answer. */
export interface SilenceWords {
  /** Such as `no candidate`. */
  readonly none: Words
  /** Whether a run in which that holds of some times has a warning. */
  readonly isTold: boolean
  /** What was seen, for a run in which it holds of all times; and the columns that were read. */
  readonly seen: () => { readonly what: Words; readonly columns: ReadonlySet<string> }
}

function isNothing(decision: Decision | undefined): boolean {
  if (!decision) return true
  if ('orders' in decision) return decision.orders.length === 0
  const { symbols, weights, kept = [], isCash = false } = decision
  if (isCash || kept.length > 0) return false
  return symbols.length === 0 || (!('places' in weights) && !weights.some((weight) => weight > 0))
}

function isNull(column: Float64Array): boolean {
  for (let cell = 0; cell < column.length; cell++) if (!Number.isNaN(column[cell])) return false
  return true
}

/** Counts the decisions of a strategy, and those in which it decides nothing. */
export class DecisionTally {
  readonly #panel: Panel
  readonly #words: SilenceWords
  readonly #when: Schedule
  #asked = 0
  #nothing = 0
  #first = -1
  #last = -1

  constructor(panel: Panel, when: Schedule, words: SilenceWords) {
    this.#panel = panel
    this.#when = when
    this.#words = words
  }

  add(time: number, decision: Decision | undefined): void {
    this.#asked++
    if (!isNothing(decision)) return
    if (this.#nothing++ === 0) this.#first = time
    this.#last = time
  }

  /** Whether nothing was ever decided. */
  get isSilent(): boolean {
    return this.#nothing === this.#asked
  }

  /** Warnings of times without a decision. @throws QuotebookError NO_DECISION where that is all of them */
  warnings(): Words[] {
    if (this.isSilent) throw this.#error()
    const notes = scheduleNotes(this.#when, this.#panel)
    if (this.#nothing === 0 || !this.#words.isTold) return notes
    const [first, last] = [this.#panel.timeText(this.#first), this.#panel.timeText(this.#last)]
    return [
      ...notes,
      sentence`${this.#words.none} in ${this.#nothing} of ${this.#asked} decisions (${first} to ${last})`,
    ]
  }

  #error(): QuotebookError {
    const days = this.#panel.days.slice(this.#panel.begin)
    const fail = (what: Words): QuotebookError => new QuotebookError('NO_DECISION', sentence`strategy: ${what}`)
    if (this.#asked === 0) {
      const range = sentence`${days.length} days, ${days[0]} to ${days.at(-1)}`
      return fail(sentence`it never decides: when ${JSON.stringify(this.#when)} has no time in the panel (${range})`)
    }
    const { what, columns } = this.#words.seen()
    const read = [...columns].filter((name) => this.#panel.has(name))
    const empty = read.filter((name) => isNull(this.#panel.column(name)))
    const about =
      read.length === 0
        ? sentence`it read no column`
        : empty.length === 0
          ? sentence`it read ${read.join(', ')}, each of which has values`
          : sentence`null throughout: ${empty.join(', ')}`
    return fail(sentence`${this.#words.none} in any of ${this.#asked} decisions: ${what}; ${about}`)
  }
}
