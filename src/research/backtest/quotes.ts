import { invalid } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { CommissionOption, DayRules, PriceBand } from './day-rules.js'
import { listingRule, noBand, priceBand, rulesByDay } from './day-rules.js'
import { halfUpQuotient, millsOf } from './money.js'
import type { Panel } from './panel.js'
import { type Doubt, isDoubted, refusal } from './price-findings.js'

/** A moment of a bar at which orders are filled. */
export type FillMoment = 'open' | 'close' | 'vwap'

const known = new WeakMap<Panel, Map<string, Quotes>>()

/** The quotes of a panel, made once for all runs over it. */
export function quotesOf(panel: Panel, moment: FillMoment, commission: CommissionOption): Quotes {
  const key = JSON.stringify([moment, commission])
  const all = known.get(panel) ?? new Map<string, Quotes>()
  const quotes = all.get(key) ?? new Quotes(panel, moment, commission)
  known.set(panel, all.set(key, quotes))
  return quotes
}

/** What the account reads of a panel: prices in mills, limits, rules of the day. */
export class Quotes {
  readonly panel: Panel
  readonly width: number
  readonly perDay: number
  readonly #open: Float64Array | undefined
  readonly #close: Float64Array
  readonly #volume: Float64Array | undefined
  readonly #amount: Float64Array | undefined
  readonly #preClose: Float64Array | undefined
  readonly #rules: (readonly DayRules[])[]
  /** Index of the day of listing, and of the first day without trading, by instrument. */
  readonly #listed: Float64Array
  readonly #ends: Float64Array
  /** Of first days in the panel. */
  readonly #firstDays: ReturnType<typeof listingRule>[]
  readonly #times: number
  /** What `gather` has put together. */
  #gathered: Int32Array | undefined

  constructor(panel: Panel, moment: FillMoment, commission: CommissionOption) {
    this.panel = panel
    this.width = panel.symbols.length
    this.perDay = panel.minutes.length
    this.#times = panel.times
    const optional = (name: string): Float64Array | undefined => (panel.has(name) ? panel.column(name) : undefined)
    this.#close = panel.column('close')
    this.#open = moment === 'open' ? panel.column('open') : optional('open')
    this.#volume = moment === 'vwap' ? panel.column('vol') : optional('vol')
    this.#amount = moment === 'vwap' ? panel.column('amount') : undefined
    this.#preClose = optional('pre_close')
    const kinds = [...new Set(panel.instruments.map(({ kind }) => kind))]
    const byKind = rulesByDay(panel.rules, kinds, panel.days, commission)
    this.#rules = panel.instruments.map(({ kind }) => byKind.get(kind) ?? [])
    this.#listed = Float64Array.from(panel.instruments, ({ listed }) => listed)
    this.#ends = Float64Array.from(panel.instruments, ({ end }) => end?.day ?? Number.POSITIVE_INFINITY)
    this.#firstDays = panel.instruments.map(({ kind, listed, isAssumed }) =>
      listed < 0 || isAssumed ? undefined : listingRule(panel.rules, kind, panel.days[listed] ?? ''),
    )
  }

  /**
   * Puts prices and volumes together instrument by instrument, for many runs over a panel: what an account asks of a holding, day after
   * day, then lies side by side.
   */
  gather(): void {
    if (this.#gathered) return
    const { width } = this
    const gathered = new Int32Array(4 * this.#times * width).fill(-1)
    const put = (
      column: Float64Array | undefined,
      place: number,
      of: (value: number, time: number, symbol: number) => number,
    ) => {
      for (let time = 0, cell = 0; column && time < this.#times; time++)
        for (let symbol = 0; symbol < width; symbol++, cell++) {
          const value = of(column[cell] as number, time, symbol)
          if (value >= 0 && value < 2 ** 31) gathered[4 * (symbol * this.#times + time) + place] = value
        }
    }
    const mills = (price: number): number => millsOf(price) || -1
    put(this.#close, 0, mills)
    put(this.#open, 1, mills)
    put(this.#preClose, 2, mills)
    put(this.#volume, 3, (vol, time, symbol) => Math.round(vol * this.#unit(time, symbol)))
    this.#gathered = gathered
  }

  /** A close, open, named previous close (mills) or volume that was gathered; -1 where the column is to be asked. */
  #kept(time: number, symbol: number, place: 0 | 1 | 2 | 3): number {
    return this.#gathered === undefined ? -1 : (this.#gathered[4 * (symbol * this.#times + time) + place] as number)
  }

  dayOf(time: number): number {
    return this.perDay === 1 ? time : Math.floor(time / this.perDay)
  }

  rules(time: number, symbol: number): DayRules {
    return this.#rules[symbol]?.[this.dayOf(time)] as DayRules
  }

  /** Whether an instrument is redeemed or delisted on a day or before it. */
  endsBy(day: number, symbol: number): boolean {
    return day >= (this.#ends[symbol] as number)
  }

  isListed(day: number, symbol: number): boolean {
    return day >= (this.#listed[symbol] as number)
  }

  #mills(price: number, time: number, symbol: number, name: string): number {
    if (Number.isNaN(price)) return price
    const mills = millsOf(price)
    if (mills > 0) return mills
    throw invalid(
      sentence`${name} of ${this.panel.symbols[symbol]} on ${this.panel.timeText(time)} is ${price}: a backtest wants raw prices, in whole thousandths of a yuan`,
    )
  }

  close(time: number, symbol: number): number {
    const kept = this.#kept(time, symbol, 0)
    return kept > 0 ? kept : this.#mills(this.#close[time * this.width + symbol] as number, time, symbol, 'close')
  }

  /** Price at a moment of a bar; NaN where the instrument does not trade. @throws QuotebookError CONTRADICTED as `believe` */
  price(time: number, symbol: number, moment: FillMoment): number {
    const cell = time * this.width + symbol
    this.believe(time, symbol, moment === 'vwap' ? 'vol' : moment)
    if (moment === 'close') return this.close(time, symbol)
    if (moment === 'open') {
      const kept = this.#kept(time, symbol, 1)
      if (kept > 0) return kept
      return this.#mills((this.#open ?? this.panel.column('open'))[cell] as number, time, symbol, 'open')
    }
    const { tick } = this.rules(time, symbol)
    const volume = this.volume(time, symbol)
    const amount = Math.round((this.#amount?.[cell] as number) * (this.panel.units?.[symbol]?.yuan ?? 1) * 1000)
    return volume > 0 && amount > 0 ? Math.max(tick, halfUpQuotient(amount, volume * tick) * tick) : Number.NaN
  }

  /** Highest or lowest price of a bar; the column must be there for limit orders. */
  extreme(time: number, symbol: number, name: 'high' | 'low'): number {
    this.believe(time, symbol, name)
    return this.#mills(this.panel.column(name)[time * this.width + symbol] as number, time, symbol, name)
  }

  /** Whole shares traded in a bar; NaN where that is not known. */
  volume(time: number, symbol: number): number {
    const kept = this.#kept(time, symbol, 3)
    if (kept >= 0) return kept
    const vol = this.#volume?.[time * this.width + symbol] ?? Number.NaN
    if (Number.isNaN(vol)) return vol
    const shares = Math.round(vol * this.#unit(time, symbol))
    if (shares >= 0 && Number.isSafeInteger(shares)) return shares
    throw invalid(
      sentence`vol of ${this.panel.symbols[symbol]} on ${this.panel.timeText(time)} is ${vol}: a volume is a number from 0`,
    )
  }

  /** Shares, bonds or units in one of the column `vol`. */
  #unit(time: number, symbol: number): number {
    return this.panel.units?.[symbol]?.vol ?? this.rules(time, symbol).lot.unit
  }

  /** @throws QuotebookError CONTRADICTED if what an account is about to use is contradicted by its own day */
  believe(time: number, symbol: number, what: Doubt): void {
    if (isDoubted(this.panel, time * this.width + symbol, what)) throw refusal(this.panel, time, symbol)
  }

  get hasVolume(): boolean {
    return this.#volume !== undefined
  }

  /** Last close before a time; NaN where there is none. */
  lastClose(time: number, symbol: number): number {
    for (let at = time - 1; at >= 0; at--) {
      const mills = this.close(at, symbol)
      if (!Number.isNaN(mills)) return mills
    }
    return Number.NaN
  }

  /** The previous close that the data names on a day, of its first bar that has one; NaN where none has. */
  namedPreClose(time: number, symbol: number): number {
    if (!this.#preClose) return Number.NaN
    const first = this.dayOf(time) * this.perDay
    for (let at = first; at < first + this.perDay; at++) {
      const kept = this.#kept(at, symbol, 2)
      if (kept > 0) return kept
      const price = this.#preClose[at * this.width + symbol] as number
      if (!Number.isNaN(price)) return this.#mills(price, at, symbol, 'pre_close')
    }
    return Number.NaN
  }

  /** Whether a day of daily prices goes on from a close, so that there are no ex-rights to look for. */
  goesOn(time: number, symbol: number, mark: number): boolean {
    if (this.perDay > 1 || !this.#preClose) return false
    const kept = this.#kept(time, symbol, 2)
    if (kept > 0) return kept === mark
    return Math.round((this.#preClose[time * this.width + symbol] as number) * 1000) === mark
  }

  isMarked(time: number, symbol: number): boolean {
    return this.panel.marked?.[this.dayOf(time) * this.width + symbol] === 1
  }

  /** The band of a day's prices. First days of a listing come before ST. */
  band(time: number, symbol: number): PriceBand {
    const limits = this.#limitsOf(time, symbol)
    if (!limits) return noBand
    const named = this.namedPreClose(time, symbol)
    const pre = Number.isNaN(named) ? this.lastClose(time - (time % this.perDay), symbol) : named
    return Number.isNaN(pre) ? noBand : priceBand(pre, limits, this.rules(time, symbol).tick)
  }

  /** The widest band that prices around a previous close in yuan may have; none where it is no price. */
  bandAround(time: number, symbol: number, preClose: number): PriceBand {
    const [limits, mills] = [this.#limitsOf(time, symbol, true), millsOf(preClose)]
    return limits && mills > 0 ? priceBand(mills, limits, this.rules(time, symbol).tick) : noBand
  }

  /** Percent up and down of a day, signed; undefined on a day without limits. */
  #limitsOf(
    time: number,
    symbol: number,
    isWidest = false,
  ): { readonly up: number; readonly down: number; readonly rounding?: 'inward' | undefined } | undefined {
    const { limit } = this.rules(time, symbol)
    const first = this.#firstDays[symbol]
    const day = this.dayOf(time)
    if (first !== undefined && day - (this.#listed[symbol] as number) < first.days) {
      const { up, down } = first
      return up === undefined || down === undefined ? undefined : { up, down }
    }
    if (!limit || this.panel.instruments[symbol]?.leaves === day) return undefined
    const percent = this.isMarked(time, symbol) ? limit.st : isWidest ? (limit.most ?? limit.percent) : limit.percent
    return { up: percent, down: -percent, rounding: limit.rounding }
  }
}
