import { invalid, misuse, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { Account } from './account.js'
import { type KnownTime, missingInPanel, type Panel } from './panel.js'
import { refuseNames } from './refuse-names.js'
import { type NumberOf, plainName, type TextOf, textName, wordOfCell } from './text-columns.js'

/** Texts of a bar, null where one is missing. */
type TextsOfBar<C extends string> = [TextOf<C>] extends [never]
  ? unknown
  : { readonly [K in TextOf<C>]: string | null } & { lag(column: TextOf<C>, times: number): string | null }

/** The data of one instrument that a strategy sees at one time, and nothing later. */
export type Bar<C extends string = string> = { readonly [K in NumberOf<C>]: number } & TextsOfBar<C> & {
    /** The value so many times (days, or bars) before; NaN before the first, and if there is no row. */
    lag(column: NumberOf<C>, times: number): number
    /** Mean over the last so many times, this one included; NaN if one of them is missing. */
    mean(column: NumberOf<C>, times: number): number
    readonly symbol: string
    /** Place of the instrument among the panel's symbols. */
    readonly index: number
    readonly held: boolean
    /** Trading days since the one on which the holding was begun, which is 0; NaN if nothing is held. */
    readonly heldDays: number
    /** Mean yuan paid a share of what is held, without costs, less what ex-rights and income brought; NaN if nothing is held. */
    readonly entryPrice: number
    /** Trading days since the last holding came to an end, which is 0 on that day; Infinity if there was none. While it is held, since the one before. */
    readonly daysSinceExit: number
    /** Highest price in yuan since the holding was begun: of its fill and of the bars since, this one included; NaN if nothing is held. */
    readonly highSinceEntry: number
    /** Trading days since its listing, of which the first is 1; those of a suspension count. Infinite if listed before the first day. */
    readonly listedDays: number
    readonly day: string
    /** `HHMM`; empty for daily prices. */
    readonly minute: string
  }

/** What a strategy sees of an account. */
export type HeldColumns = Pick<Account, 'shares' | 'opened' | 'cost' | 'exited'>

/** Trading days since a holding was begun; NaN where nothing is held. */
export function heldDaysOf({ shares, opened }: HeldColumns, symbol: number, time: number, perDay: number): number {
  if (!((shares[symbol] as number) > 0)) return Number.NaN
  return Math.floor(time / perDay) - Math.floor((opened[symbol] as number) / perDay)
}

/** Yuan paid a share of a holding; NaN where nothing is held. */
export function entryPriceOf({ shares, cost }: HeldColumns, symbol: number): number {
  return (shares[symbol] as number) > 0 ? (cost[symbol] as number) / (shares[symbol] as number) / 100 : Number.NaN
}

/** Trading days since the last holding came to an end; Infinity if there was none. */
export function daysSinceExitOf({ exited }: HeldColumns, symbol: number, time: number, perDay: number): number {
  const last = exited[symbol] as number
  return last < 0 ? Number.POSITIVE_INFINITY : Math.floor(time / perDay) - Math.floor(last / perDay)
}

/** When a decision is made: at the close of a bar, or at its open. */
export type DecideAt = 'close' | 'open'

/** The clock time, `HH:MM:SS`, at which a bar can decide; a day opens with the price of its auction. */
function decisionTime(panel: Panel, time: number, decide: DecideAt): string {
  const place = (time % panel.minutes.length) - (decide === 'open' ? 1 : 0)
  if (place < 0) return '09:25:00'
  const minute = panel.minutes[place] || '1500'
  return `${minute.slice(0, 2)}:${minute.slice(2)}:00`
}

/** Whether the cell of a column at a time can be known when the decision of that time is made. */
export function isKnowable(panel: Panel, name: string, time: number, decide: DecideAt): boolean {
  return laterThan(panel.known.get(name) ?? 'close', decide, decisionTime(panel, time, decide)) === undefined
}

/** The time at which a column of a day can be known, where it is later than the decision. */
function laterThan(known: KnownTime, decide: DecideAt, at: string): Words | undefined {
  if (known === 'open') return undefined
  if (known === 'close') return decide === 'open' ? sentence`the close of its bar` : undefined
  return known > at ? known : undefined
}

/**
 * The cursor of a panel. One object serves all times and instruments, and the noise of `checkLookahead` as well: the columns
 * are swapped under it, so that a strategy's functions meet one shape of object.
 */
export class Cursor<C extends string = string> {
  readonly bar: Bar<C>
  readonly #panel: Panel<C>
  readonly #decide: DecideAt
  readonly #columns: Float64Array[]
  readonly #names: readonly C[]
  /** By name, and by the number of times. */
  readonly #means = new Map<string, { time: number; row: Float64Array }[]>()
  readonly #at = { time: 0, symbol: 0, cell: 0 }
  readonly #holdings: { current: Account; forbidden: boolean }

  constructor(panel: Panel<C>, decide: DecideAt) {
    this.#panel = panel
    this.#decide = decide
    this.#names = panel.names
    this.#columns = this.#names.map((name) => panel.cols[name])
    this.#holdings = { current: new Account(0, panel as unknown as Panel), forbidden: false }
    this.bar = this.#makeBar()
  }

  /** Whether it can serve a panel: its columns may have other numbers, and nothing else may differ. */
  fits(panel: Panel<C>, decide: DecideAt): boolean {
    const { names, days, minutes, known, texts } = panel
    const own = this.#panel
    if (own.texts !== texts) return false
    const isSame = own.days === days && own.minutes === minutes && own.known === known && this.#decide === decide
    return isSame && names.length === this.#names.length && names.every((name, place) => name === this.#names[place])
  }

  /** The cursor of a panel with more columns, for the same decisions. */
  over(panel: Panel<C>): Cursor<C> {
    return cursorOf(panel, this.#decide)
  }

  /** Starts anew over a panel of the same columns, with the holdings of an account. */
  reset(cols: { readonly [K in C]: Float64Array }, holdings: Account): void {
    for (let place = 0; place < this.#names.length; place++) this.#columns[place] = cols[this.#names[place] as C]
    this.#holdings.current = holdings
    this.#holdings.forbidden = false
    // To clear a map takes longer than all the rest, even an empty one.
    if (this.#means.size > 0) this.#means.clear()
  }

  /** Whether reading what is held is an error, because what is read serves several accounts. */
  forbidHoldings(forbidden: boolean): void {
    this.#holdings.forbidden = forbidden
  }

  moveTo(time: number): void {
    this.#at.time = time
  }

  /** @param cell its cell at the time where the cursor stands */
  moveSymbol(symbol: number, cell: number): void {
    this.#at.symbol = symbol
    this.#at.cell = cell
  }

  /** Highest price of a holding up to where the cursor stands; at the open nothing of its bar. */
  highSinceEntry(account: Account, symbol: number): number {
    const { time } = this.#at
    if (!((account.shares[symbol] as number) > 0)) return Number.NaN
    return account.highBefore(symbol, this.#decide === 'open' ? time : time + 1)
  }

  /** A column at the time where the cursor stands, of all instruments; a copy. */
  row(name: C): Float64Array {
    const place = this.#place(name)
    this.#checkKnown(name, 0)
    const from = this.#at.time * this.#panel.symbols.length
    return (this.#columns[place] as Float64Array).slice(from, from + this.#panel.symbols.length)
  }

  /** The same of a column of texts, so many times before. */
  textRow(name: string, times = 0): (string | null)[] {
    const words = this.#panel.texts?.get(name) ?? []
    return Array.from(this.lagRow(name, times), (code) => wordOfCell(words, code))
  }

  #place(name: string): number {
    const place = this.#names.indexOf(name as C)
    if (place >= 0) return place
    throw missingInPanel(name, this.#names)
  }

  /** @throws QuotebookError LOOK_AHEAD where a column is known only after the decision */
  #checkKnown(name: string, lag: number): void {
    const known = this.#panel.known.get(name) ?? 'close'
    const [time, perDay] = [this.#at.time, this.#panel.minutes.length]
    const isClock = known !== 'open' && known !== 'close'
    const isEarlier = isClock ? Math.floor((time - lag) / perDay) < Math.floor(time / perDay) : lag > 0
    if (isEarlier) return
    const at = decisionTime(this.#panel, time, this.#decide)
    const later = laterThan(known, this.#decide, at)
    if (later === undefined) return
    const isOfBars = isClock && perDay > 1
    const remedy = isOfBars
      ? sentence`join it with lagDays: 1`
      : sentence`use lag('${plainName(name)}', 1), or join it with lagDays: 1`
    const made = this.#decide === 'open' ? sentence`the open, ${at}` : at
    throw new QuotebookError(
      'LOOK_AHEAD',
      sentence`'${plainName(name)}' of ${this.#panel.timeText(time - lag)} is known at ${later}, and the decision is made at ${made}: ${remedy}`,
    )
  }

  /** A column so many times before where the cursor stands, of all instruments; NaN before the first time. */
  lagRow(name: string, times: number): Float64Array {
    const column = this.#columns[this.#placeOfLag(name, times)] as Float64Array
    const width = this.#panel.symbols.length
    const from = (this.#at.time - times) * width
    return from < 0 ? new Float64Array(width).fill(Number.NaN) : column.slice(from, from + width)
  }

  #placeOfLag(name: string, times: number): number {
    if (!Number.isInteger(times) || times < 0)
      throw new QuotebookError(
        'LOOK_AHEAD',
        sentence`lag('${name}', ${times}): it goes back by 0 times or more, never ahead`,
      )
    const place = this.#place(name)
    this.#checkKnown(name, times)
    return place
  }

  #lag(name: string, times: number): number {
    const place = this.#placeOfLag(name, times)
    const cell = this.#at.cell - times * this.#panel.symbols.length
    return cell < 0 ? Number.NaN : ((this.#columns[place] as Float64Array)[cell] as number)
  }

  /** What a bar looks back with: texts, if the panel has some, as texts. */
  #lagOf(): (name: string, times: number) => number | string | null {
    const { texts } = this.#panel
    if (!texts) return (name, times) => this.#lag(name, times)
    return (name, times) => {
      const words = texts.get(textName(name))
      return words ? wordOfCell(words, this.#lag(textName(name), times)) : this.#lag(name, times)
    }
  }

  #mean(name: string, times: number): number {
    if (!Number.isInteger(times) || times < 1)
      throw misuse(sentence`mean('${name}', ${times}): a mean is over 1 time or more`)
    let kept = this.#means.get(name)?.[times]
    if (kept?.time !== this.#at.time) {
      this.#checkKnown(name, 0)
      kept = { time: this.#at.time, row: this.#meanRow(this.#place(name), times) }
      const of = this.#means.get(name) ?? []
      of[times] = kept
      this.#means.set(name, of)
    }
    return kept.row[this.#at.symbol] as number
  }

  #meanRow(place: number, times: number): Float64Array {
    const width = this.#panel.symbols.length
    const row = new Float64Array(width)
    if (this.#at.time - times + 1 < 0) return row.fill(Number.NaN)
    const column = this.#columns[place] as Float64Array
    for (let time = this.#at.time - times + 1; time <= this.#at.time; time++) {
      const from = time * width
      for (let symbol = 0; symbol < width; symbol++)
        row[symbol] = (row[symbol] as number) + (column[from + symbol] as number)
    }
    for (let symbol = 0; symbol < width; symbol++) row[symbol] = (row[symbol] as number) / times
    return row
  }

  #makeBar(): Bar<C> {
    const [at, holdings, panel] = [this.#at, this.#holdings, this.#panel]
    const { instruments, symbols, days, minutes } = panel
    const perDay = minutes.length
    const highSinceEntry = (account: Account, symbol: number): number => this.highSinceEntry(account, symbol)
    const seen = (name: string): Account => {
      if (!holdings.forbidden) return holdings.current
      const why = sentence`sweep: score or universe reads ${name}, so runs can not share scoreParams`
      throw misuse(why)
    }
    const bar = {
      lag: this.#lagOf(),
      mean: (name: C, times: number) => this.#mean(name, times),
      get symbol() {
        return symbols[at.symbol] as string
      },
      get index() {
        return at.symbol
      },
      get held() {
        return (seen('held').shares[at.symbol] as number) > 0
      },
      get heldDays() {
        return heldDaysOf(seen('heldDays'), at.symbol, at.time, perDay)
      },
      get entryPrice() {
        return entryPriceOf(seen('entryPrice'), at.symbol)
      },
      get daysSinceExit() {
        const account = seen('daysSinceExit')
        account.reads++
        return daysSinceExitOf(account, at.symbol, at.time, perDay)
      },
      get highSinceEntry() {
        const account = seen('highSinceEntry')
        account.reads++
        return highSinceEntry(account, at.symbol)
      },
      get listedDays() {
        const { listed } = instruments[at.symbol] as (typeof instruments)[number]
        return listed < 0 ? Number.POSITIVE_INFINITY : Math.floor(at.time / perDay) - listed + 1
      },
      get day() {
        return days[Math.floor(at.time / perDay)] as string
      },
      get minute() {
        return minutes[at.time % perDay] as string
      },
    }
    const members = [...this.#names, ...Object.keys(bar)]
    this.#addColumns(bar)
    const missing = (name: string): Error => missingInPanel(name, this.#names, members)
    Object.setPrototypeOf(bar, refuseNames(Object.prototype, missing))
    // V8 keeps what is a prototype in its fast form, where getters are inlined.
    return Object.create(bar) as Bar<C>
  }

  #addColumns(bar: object): void {
    this.#names.forEach((full, place) => {
      const [name, words] = [plainName(full), this.#panel.texts?.get(full)]
      if (name in bar || ['time', 'symbols', 'shares'].includes(name))
        throw invalid(sentence`panel: a column may not be named '${name}'`)
      const read = this.#getter(full, place, this.#at, this.#columns)
      Object.defineProperty(bar, name, { get: words ? () => wordOfCell(words, read()) : read, enumerable: true })
    })
  }

  /** Reads a cell; a column that may not be known at every decision is asked each time. */
  #getter(name: C, place: number, at: { cell: number }, columns: readonly Float64Array[]): () => number {
    const known = this.#panel.known.get(name) ?? 'close'
    const isSafe = known === 'open' || (known === 'close' && this.#decide === 'close')
    if (isSafe) return () => (columns[place] as Float64Array)[at.cell] as number
    return () => {
      this.#checkKnown(name, 0)
      return (columns[place] as Float64Array)[at.cell] as number
    }
  }
}

const cursors = new WeakMap<object, Cursor[]>()
const mostCursors = 8

/** The cursor of a panel and of all panels that have its instruments with other numbers: functions that meet it again stay compiled. */
export function cursorOf<C extends string>(panel: Panel<C>, decide: DecideAt): Cursor<C> {
  const any = panel as unknown as Panel
  const known = cursors.get(panel.instruments) ?? []
  const cursor = known.find((one) => one.fits(any, decide)) ?? new Cursor(any, decide)
  if (!known.includes(cursor)) cursors.set(panel.instruments, [cursor, ...known].slice(0, mostCursors))
  return cursor as unknown as Cursor<C>
}
