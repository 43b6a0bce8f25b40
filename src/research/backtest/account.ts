import { invalid } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { amountOf, mostFen } from './money.js'
import { NumberRows } from './number-rows.js'
import type { Panel } from './panel.js'
import { isDoubted, refusal } from './price-findings.js'

/**
 * From flat to flat: one instrument bought, perhaps added to, and sold to the last share. `pnl`: all cash between, in fen: fills with
 * their costs, ex-rights cash, redemption.
 */
export const tripNames = ['symbol', 'opened', 'closed', 'pnl'] as const

/** Shares and cash (fen) that came by ex-rights, redemption, delisting or income; tax is below 0. */
export interface LifeEvent {
  readonly time: number
  readonly symbol: number
  readonly event: 'ex-rights' | 'end' | 'stopped' | 'dividend' | 'coupon' | 'tax'
  readonly before: number
  readonly after: number
  readonly cash: number
}

/** Cash and holdings, in whole fen and whole shares. */
export class Account {
  /** Fen. */
  cash: number
  readonly shares: Float64Array
  /** Shares bought today that may not be sold today. */
  readonly locked: Float64Array
  /** Last close in mills of what is held. */
  readonly marks: Float64Array
  /** 1 where the mark is of an earlier day. */
  readonly stale: Uint8Array
  /** Instruments held, ascending. */
  readonly held: number[] = []
  /** Time at which each holding was begun. */
  readonly opened: Int32Array
  /** Fen paid for what is held, without costs: less what was sold of it, in proportion, and less what ex-rights and income brought in cash. */
  readonly cost: Float64Array
  /** Time at which the last holding of each came to an end; -1 if none did. */
  readonly exited: Int32Array
  /** Highest price of each holding in yuan, of the bars before `highFrom`. */
  readonly highs: Float64Array
  readonly highFrom: Int32Array
  /** Time of a high of each holding that its own day contradicts; -1 if there is none. */
  readonly highDoubt: Int32Array
  /** What the strategy remembers, plain data; undefined before its first decision, and if it remembers nothing. */
  memory: unknown
  /** How often more than shares and costs of holdings was read of it. */
  reads = 0
  /** Fen owed to it, which count and can't be spent before they are paid. */
  owed = 0
  /** How often a holding has changed. */
  moves = 0
  readonly #panel: Panel
  readonly #tripCash: Float64Array
  readonly trips = new NumberRows(tripNames)
  #isLocked = false

  constructor(cash: number, panel: Panel) {
    const width = panel.symbols.length
    this.#panel = panel
    this.cash = cash
    this.shares = new Float64Array(width)
    this.locked = new Float64Array(width)
    this.marks = new Float64Array(width).fill(Number.NaN)
    this.stale = new Uint8Array(width)
    this.#tripCash = new Float64Array(width)
    this.opened = new Int32Array(width)
    this.cost = new Float64Array(width)
    this.exited = new Int32Array(width).fill(-1)
    this.highs = new Float64Array(width)
    this.highFrom = new Int32Array(width)
    this.highDoubt = new Int32Array(width)
  }

  sellable(symbol: number): number {
    return (this.shares[symbol] as number) - (this.locked[symbol] as number)
  }

  /** Changes a holding and the cash (fen, costs included) that it came or went for. */
  move(symbol: number, shares: number, cash: number, time: number): void {
    const before = this.shares[symbol] as number
    const after = before + shares
    this.cash += cash
    if (after < 0 || this.cash < 0)
      throw invalid(sentence`the account would have ${after} shares and ${this.cash} fen: a fault of the engine`)
    if (this.cash > mostFen) this.#refuseMoney(this.cash, time, symbol)
    this.shares[symbol] = after
    this.moves++
    if (before === 0 && after > 0) {
      this.#tripCash[symbol] = 0
      this.opened[symbol] = time
      this.#hold(symbol)
    }
    this.#tripCash[symbol] = (this.#tripCash[symbol] as number) + cash
    if (before > 0 && after === 0) {
      this.#release(symbol)
      this.locked[symbol] = 0
      this.stale[symbol] = 0
      this.exited[symbol] = time
      this.trips.add(symbol, this.opened[symbol] as number, time, this.#tripCash[symbol] as number)
    }
  }

  /** What a fill changes of the cost of a holding; before its shares move. @param amount fen */
  enter(symbol: number, shares: number, amount: number): void {
    const before = this.shares[symbol] as number
    const cost = before > 0 ? (this.cost[symbol] as number) : 0
    this.cost[symbol] = shares > 0 ? cost + amount : (cost * (before + shares)) / before
  }

  /** Income of a holding: it counts from now on, and is owed until `collect`. @param fen after tax */
  earn(symbol: number, fen: number): void {
    this.owed += fen
    this.#tripCash[symbol] = (this.#tripCash[symbol] as number) + fen
    this.cost[symbol] = (this.cost[symbol] as number) - fen
    this.moves++
  }

  collect(fen: number): void {
    this.owed -= fen
    this.cash += fen
  }

  /** Holds what an earlier account held, with the cash and the first time of its trip. */
  take(
    symbol: number,
    held: Readonly<Record<'opened' | 'shares' | 'locked' | 'mark' | 'cash' | 'cost' | 'high' | 'highFrom', number>>,
  ): void {
    this.shares[symbol] = held.shares
    this.marks[symbol] = held.mark
    this.#tripCash[symbol] = held.cash
    this.opened[symbol] = held.opened
    this.cost[symbol] = held.cost
    this.highs[symbol] = held.high
    this.highFrom[symbol] = held.highFrom
    this.highDoubt[symbol] = -1
    this.#hold(symbol)
    if (held.locked > 0) this.lock(symbol, held.locked)
    this.moves++
  }

  /** Of a holding: all cash since it was opened, in fen, and the time of that. */
  trip(symbol: number): { readonly cash: number; readonly opened: number } {
    return { cash: this.#tripCash[symbol] as number, opened: this.opened[symbol] as number }
  }

  #hold(symbol: number): void {
    let place = this.held.length
    for (; place > 0 && (this.held[place - 1] as number) > symbol; place--)
      this.held[place] = this.held[place - 1] as number
    this.held[place] = symbol
  }

  #release(symbol: number): void {
    for (let place = this.held.indexOf(symbol); place < this.held.length - 1; place++)
      this.held[place] = this.held[place + 1] as number
    this.held.pop()
  }

  /** What was bought may be sold. */
  unlock(): void {
    for (let at = 0; this.#isLocked && at < this.held.length; at++) this.locked[this.held[at] as number] = 0
    this.#isLocked = false
  }

  /** What was bought may not be sold today. */
  lock(symbol: number, shares: number): void {
    this.locked[symbol] = (this.locked[symbol] as number) + shares
    this.#isLocked = true
  }

  /** Begins the highest price of a holding with that of its first fill. @param price mills */
  beginHigh(symbol: number, price: number, from: number): void {
    this.highs[symbol] = price / 1000
    this.highFrom[symbol] = from
    this.highDoubt[symbol] = -1
  }

  /**
   * Highest price of a holding in yuan, up to before a time: of its first fill, and of the bars since; closes if there are no highs.
   * @throws QuotebookError CONTRADICTED if one of them is contradicted by its own day
   */
  highBefore(symbol: number, until: number): number {
    const high = this.highUntil(symbol, until)
    const doubt = this.highDoubt[symbol] as number
    if (doubt >= 0) throw refusal(this.#panel, doubt, symbol)
    return high
  }

  /** The same without what is in doubt. */
  highUntil(symbol: number, until: number): number {
    const name = this.#panel.has('high') ? 'high' : 'close'
    const [column, width] = [this.#panel.column(name), this.#panel.symbols.length]
    let high = this.highs[symbol] as number
    for (let time = this.highFrom[symbol] as number; time < until; time++) {
      const cell = time * width + symbol
      if (isDoubted(this.#panel, cell, name)) this.highDoubt[symbol] = time
      else if ((column[cell] as number) > high) high = column[cell] as number
    }
    this.highs[symbol] = high
    this.highFrom[symbol] = Math.max(until, this.highFrom[symbol] as number)
    return high
  }

  /** Changes the highest price of a holding as ex-rights change its price. */
  scaleHigh(symbol: number, by: number, time: number): void {
    this.highs[symbol] = this.highUntil(symbol, time) * by
  }

  /** Fen of a holding at its mark. */
  valueOf(symbol: number): number {
    return amountOf(this.shares[symbol] as number, this.marks[symbol] as number)
  }

  /** Fen of cash, of what is owed, and of every holding at a time, each rounded as a whole. */
  equity(time: number): number {
    let sum = this.cash + this.owed
    for (let at = 0; at < this.held.length; at++) {
      sum += this.valueOf(this.held[at] as number)
      if (sum > mostFen) this.#refuseMoney(sum, time, this.held[at] as number)
    }
    return sum
  }

  #refuseMoney(fen: number, time: number, symbol: number): never {
    const [code, at] = [this.#panel.symbols[symbol], this.#panel.timeText(time)]
    throw invalid(
      sentence`the account comes to ${fen / 100} yuan by ${code} on ${at}, and more than ${mostFen / 100} can't be kept to the fen: see the prices and volumes of ${code} up to that day`,
    )
  }
}
