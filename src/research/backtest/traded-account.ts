import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { spelledCode } from '../../contract/code-spelling.js'
import { invalid } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { LineKind } from '../../contract/statement-kinds.js'
import type { Data } from '../../frame/data.js'
import { lastOfDays } from './forward-returns.js'
import { firstFrom, placesOfCodes } from './join-columns.js'
import { type TripWay, tripWays } from './lot-book.js'
import { NumberRows } from './number-rows.js'
import type { Panel } from './panel.js'
import { accountTable, eventsTable, fillsTable, positionsTable, tripsTable } from './result-tables.js'
import { type StatementLine, statementLines, type TradedKinds } from './statement-lines.js'
import { type PlacedLine, TradedLines } from './traded-lines.js'

/** How a statement becomes an account. */
export interface TradedOptions {
  /** Yuan before the first line; by the file's money column, or else as much as its lines need, unless given. */
  readonly cash?: number
  /** Last day; that of the last line or of the last price unless given. */
  readonly to?: string
  /** What counts as a round trip in `trips` and on the tear sheet; `flat` unless given. */
  readonly trips?: TripWay
  /** Kinds of lines by words that are not known: `{ 某业务: 'fee' }`. */
  readonly kinds?: TradedKinds
}

const optionKinds: OptionKinds<TradedOptions> = { cash: 'a number', to: 'text', trips: tripWays, kinds: 'an object' }

/** What an account of statements came to. Money is in yuan; the tear sheet takes it as it takes a backtest. */
export interface TradedAccount {
  readonly days: readonly string[]
  /** What the money was that the curve begins with. */
  readonly start: number
  /** The start times what each day made of it: money that came or went does not count (time-weighted). */
  readonly equity: Float64Array
  readonly trades: readonly { readonly symbol: string; readonly pnl: number }[]
  readonly turnover: number
  /** What it was worth by day, costs and what was traded. `owed`: lent by repos, and paid for shares that had not come. */
  readonly account: Table
  readonly fills: Table
  readonly positions: Table
  /** In the way of `trips`. */
  readonly trips: Table
  /** In both ways. */
  readonly roundTrips: Readonly<Record<TripWay, Table>>
  /** What is no trade: income, repos, transfers, new shares. */
  readonly events: Table
  /** How many lines there are of each kind, and the yuan that came by them. */
  readonly lines: readonly { readonly kind: LineKind; readonly lines: number; readonly cash: number }[]
  readonly real: { readonly paidIn: number; readonly takenOut: number; readonly worth: number; readonly gain: number }
  readonly names: Readonly<Record<string, string>>
  readonly warnings: readonly Words[]
  readonly options: { readonly trips: TripWay }
}

/** Closes by instrument and day in yuan, each the last one that was known, and whether it is of an earlier day. */
interface Marks {
  readonly close: Float64Array
  readonly isStale: Uint8Array
}

/** Closes of the days of the account; before the first one that is known, and without any, the last price at which it was traded. */
function marksOf(days: readonly string[], own: ReadonlyMap<string, number>, traded: readonly PlacedLine[]): Marks {
  const [close, isStale] = [new Float64Array(days.length), new Uint8Array(days.length)]
  const earlier = [...own].filter(([day]) => day < (days[0] as string))
  let last = earlier.at(-1)?.[1] ?? traded[0]?.price ?? [...own.values()][0] ?? 0
  days.forEach((day, at) => {
    const price = own.get(day)
    last = price ?? (own.size === 0 ? (traded.findLast((line) => line.at === at)?.price ?? last) : last)
    close[at] = last
    isStale[at] = price === undefined ? 1 : 0
  })
  return { close, isStale }
}

/** Closes of each instrument of panels, by code and day. */
function closesOf(panels: readonly Panel[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const panel of panels)
    panel.symbols.forEach((symbol, at) => {
      const closes = lastOfDays(panel, panel.column('close'), at)
      const own = found.get(symbol) ?? new Map<string, number>()
      panel.days.forEach((day, place) => {
        if (!Number.isNaN(closes[place])) own.set(day, closes[place] as number)
      })
      found.set(symbol, own)
    })
  return found
}

/** Shares held before the first line: by the file's column, or else as many as its sales need. */
function openingShares(lines: readonly PlacedLine[]): number {
  const first = lines.find((line) => line.shares !== 0 && line.balance !== undefined)
  const told =
    first && first === lines.find((line) => line.shares !== 0) ? (first.balance as number) - first.shares : -1
  let [sum, least] = [0, 0]
  for (const { shares } of lines) {
    sum += shares
    least = Math.min(least, sum)
  }
  return Math.max(told, -least)
}

/** Fen before the first line. */
function openingCash(
  lines: readonly PlacedLine[],
  given: number | undefined,
): { readonly fen: number; readonly isTold: boolean } {
  if (given !== undefined) return { fen: Math.round(given * 100), isTold: true }
  let [sum, least] = [0, 0]
  for (const { cash, money } of lines) {
    sum += cash
    if (money !== undefined) return { fen: Math.round(money * 100) - sum, isTold: true }
    least = Math.min(least, sum)
  }
  return { fen: -least, isTold: false }
}

/** Lines on their days and instruments. */
function placed(lines: readonly StatementLine[], days: readonly string[], known: readonly string[]) {
  const places = placesOfCodes(known)
  const symbols = [...known]
  const codes = new Map<string, number>()
  const symbolOf = (code: string): number => {
    if (code === '') return -1
    const at = codes.get(code) ?? places.get(code) ?? symbols.push(spelledCode(code, { spelling: 'full' }) ?? code) - 1
    codes.set(code, at)
    return at
  }
  const at = (day: string): number => Math.min(firstFrom(days, day), days.length - 1)
  return {
    symbols,
    rows: lines.map((line): PlacedLine => ({ ...line, at: at(line.day), symbol: symbolOf(line.code) })),
  }
}

const holdingNames = ['day', 'symbol', 'shares', 'sellable', 'value', 'isStale'] as const

/** What there was at the end of each day, in fen. */
class DayRecords {
  readonly equity: Float64Array
  readonly cash: Float64Array
  readonly owed: Float64Array
  readonly traded: Float64Array
  readonly costs: Readonly<Record<'commission' | 'stamp' | 'transfer', Float64Array>>
  readonly holdings = new NumberRows(holdingNames)
  /** What a yuan that was there on the first day has become, without money that came or went. */
  readonly index: Float64Array
  paidIn = 0
  takenOut = 0
  /** Fen that the curve begins with. */
  start: number
  /** Fen before the first line. */
  readonly first: number
  #last: number

  constructor(days: number, start: number) {
    const byDay = (): Float64Array => new Float64Array(days)
    ;[this.equity, this.cash, this.owed, this.traded, this.index] = [byDay(), byDay(), byDay(), byDay(), byDay()]
    this.costs = { commission: byDay(), stamp: byDay(), transfer: byDay() }
    this.start = start
    this.first = start
    this.#last = start
  }

  /** Money that comes is there from the morning on, and money that goes until the evening. */
  end(at: number, worth: number, { cash, owed, flow }: TradedLines): void {
    const base = this.#last + flow.in
    if (this.start === 0) this.start = base
    const before = at === 0 ? 1 : (this.index[at - 1] as number)
    this.index[at] = base > 0 ? (before * (worth + flow.out)) / base : before
    this.paidIn += flow.in
    this.takenOut += flow.out
    ;[this.equity[at], this.cash[at], this.owed[at]] = [worth, cash, owed]
    this.#last = worth
    flow.in = 0
    flow.out = 0
  }

  trade(line: PlacedLine): void {
    const all = line.costs.commission + line.costs.stamp + line.costs.transfer
    this.traded[line.at] = (this.traded[line.at] as number) + Math.abs(line.cash + all)
    for (const [kind, fen] of Object.entries(line.costs) as [keyof DayRecords['costs'], number][])
      this.costs[kind][line.at] = (this.costs[kind][line.at] as number) + fen
  }
}

/** What the files say that the account has not, and what had to be assumed. */
function doubts(rows: readonly PlacedLine[], taken: TradedLines, symbols: readonly string[]): Words[] {
  const found: Words[] = []
  const money = rows.findLast((line) => line.money !== undefined)
  const rest = money && rows.slice(rows.indexOf(money) + 1).reduce((sum, { cash }) => sum + cash, 0)
  const said = money && Math.round((money.money as number) * 100) + (rest as number)
  if (said !== undefined && said !== taken.cash)
    found.push(
      sentence`the file has ${said / 100} yuan at the end, and its lines come to ${taken.cash / 100}: lines are missing, or not in the order of time`,
    )
  for (const [symbol, code] of symbols.entries()) {
    const last = rows.findLast((line) => line.symbol === symbol && line.shares !== 0)
    if (last?.balance !== undefined && last.balance !== taken.book.shares(symbol))
      found.push(
        sentence`the file has ${last.balance} of ${code} at the end, and its lines come to ${taken.book.shares(symbol)}`,
      )
  }
  const margin = rows.filter(({ kind }) => kind === 'margin').length
  if (margin > 0) found.push(sentence`${margin} lines of trading on credit are left out: loans are not followed`)
  return found
}

/** Trades at prices that lie far from the close of their day: another instrument or another unit may be meant. */
function strangePrices(rows: readonly PlacedLine[], marks: ReadonlyMap<number, Marks>): Words[] {
  return rows.flatMap(({ side, price, symbol, at, file, line, code }) => {
    const { close, isStale } = marks.get(symbol) ?? {}
    const last = close?.[at] ?? Number.NaN
    if (!side || isStale?.[at] !== 0 || Math.abs(price / last - 1) < 0.35) return []
    return [sentence`${file}:${line}: ${code} was traded at ${price}, and its close of that day is ${last}`]
  })
}

/** The account before its first line: cash, and what was held at its last close. */
function opened(
  rows: readonly PlacedLine[],
  symbols: readonly string[],
  marks: ReadonlyMap<number, Marks>,
  cash: number | undefined,
) {
  const worthOf = (symbol: number, shares: number, at: number): number =>
    Math.round(shares * (marks.get(symbol)?.close[at] ?? 0) * 100)
  const { fen, isTold } = openingCash(rows, cash)
  const taken = new TradedLines(fen, worthOf)
  let value = 0
  if (!isTold && fen > 0)
    taken.warnings.push(
      sentence`no line tells the money at the start: ${fen / 100} yuan are taken, which its lines need (--cash)`,
    )
  for (const [symbol, code] of symbols.entries()) {
    const shares = openingShares(rows.filter((line) => line.symbol === symbol))
    if (shares === 0) continue
    const worth = worthOf(symbol, shares, 0)
    taken.open(symbol, shares, worth)
    value += worth
    taken.warnings.push(
      sentence`${shares} of ${code} were held before the first line: their cost is taken as ${worth / 100} yuan, their value then`,
    )
  }
  return { taken, start: fen + value, worthOf }
}

/** Days from the first line to the last one, or to the last price. */
function daysOf(lines: readonly StatementLine[], panels: readonly Panel[], to: string | undefined): readonly string[] {
  const first = lines[0]?.day
  if (first === undefined) throw invalid(sentence`the statement has no lines`)
  const ends = [lines.at(-1)?.day ?? first, ...panels.map(({ days }) => days.at(-1) ?? first)].sort()
  const days = noticedCalendar.between(first, to ?? (ends.at(-1) as string))
  if (days.length === 0) throw invalid(sentence`there is no trading day from ${first} on`)
  return days
}

function linesByKind(lines: readonly StatementLine[]): TradedAccount['lines'] {
  const kinds = [...new Set(lines.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const own = lines.filter((line) => line.kind === kind)
    return { kind, lines: own.length, cash: own.reduce((sum, { cash }) => sum + cash, 0) / 100 }
  })
}

/**
 * The account that statements of brokers tell: round trips, income, what it was worth by day at the closes of panels, and returns without the money that came or
 * went. An instrument without prices stands at the last price at which it was traded.
 *
 * `tearSheet(tradedAccount(await readStatement('交割单.xls'), [panel]))`
 * @throws QuotebookError USAGE; MISSING_COLUMN; INVALID_VALUE naming file, line, column and cell of what can't be
 */
export function tradedAccount(statement: Data, prices: readonly Panel[], options: TradedOptions = {}): TradedAccount {
  const { cash, to, trips: way = 'flat', kinds } = checkOptions<TradedOptions>(options, optionKinds, 'tradedAccount')
  const { lines: all, repeated } = statementLines(statement, kinds)
  const lines = all.filter(({ day }) => to === undefined || day <= to)
  const days = daysOf(lines, prices, to)
  const closes = closesOf(prices)
  const { symbols, rows } = placed(lines, days, [...closes.keys()])
  const used = new Set(rows.flatMap(({ symbol, shares }) => (shares === 0 ? [] : [symbol])))
  const marks = new Map(
    [...used].map((symbol) => {
      const traded = rows.filter((line) => line.symbol === symbol && line.price > 0)
      return [symbol, marksOf(days, closes.get(symbols[symbol] as string) ?? new Map(), traded)]
    }),
  )
  const { taken, start, worthOf } = opened(rows, symbols, marks, cash)
  const records = new DayRecords(days.length, start)
  days.forEach((_, at) => {
    for (const line of rows.filter((one) => one.at === at)) {
      taken.take(line)
      if (line.side) records.trade(line)
    }
    let worth = taken.cash + taken.owed
    for (const symbol of used) {
      const shares = taken.book.shares(symbol)
      if (shares === 0) continue
      const value = worthOf(symbol, shares, at)
      worth += value
      records.holdings.add(at, symbol, shares, shares, value, marks.get(symbol)?.isStale[at] ?? 1)
    }
    records.end(at, worth, taken)
  })
  const unpriced = [...used].flatMap((symbol) =>
    closes.has(symbols[symbol] as string) ? [] : [symbols[symbol] as string],
  )
  const warnings = [
    ...(repeated > 0 ? [sentence`${repeated} lines stand in more than one file and count once`] : []),
    ...(unpriced.length > 0 ? [sentence`no prices of ${unpriced.join(', ')}: they stand at their own last trade`] : []),
    ...taken.warnings,
    ...strangePrices(rows, marks),
    ...doubts(rows, taken, symbols),
  ]
  return resultOf({ days, symbols, rows, taken, records, way, warnings })
}

interface Parts {
  readonly days: readonly string[]
  readonly symbols: readonly string[]
  readonly rows: readonly PlacedLine[]
  readonly taken: TradedLines
  readonly records: DayRecords
  readonly way: TripWay
  readonly warnings: readonly Words[]
}

function resultOf({ days, symbols, rows, taken, records, way, warnings }: Parts): TradedAccount {
  const places = { days, symbols, minutes: [''] }
  const { start, paidIn, takenOut } = records
  const worth = records.equity.at(-1) as number
  const [sum, level] = [records.traded, records.equity].map((all) => all.reduce((a, b) => a + b, 0)) as [number, number]
  const roundTrips = { flat: tripsTable(places, taken.book.flat), fifo: tripsTable(places, taken.book.fifo) }
  const named = rows.flatMap(({ symbol, name }) => (symbol >= 0 && name !== '' ? [[symbols[symbol], name]] : []))
  return {
    days,
    start: start / 100,
    equity: records.index.map((times) => (times * start) / 100),
    trades: taken.book[way].objects().map(({ symbol, pnl }) => ({ symbol: symbols[symbol] as string, pnl: pnl / 100 })),
    turnover: (sum / 2 / level) * 252,
    account: accountTable({ days, begin: 0 }, records),
    fills: fillsTable(places, { fillRows: taken.fills }),
    positions: positionsTable(places, records),
    trips: roundTrips[way],
    roundTrips,
    events: eventsTable(places, taken),
    lines: linesByKind(rows),
    real: {
      paidIn: paidIn / 100,
      takenOut: takenOut / 100,
      worth: worth / 100,
      gain: (worth - records.first - (paidIn - takenOut)) / 100,
    },
    names: Object.fromEntries(named),
    warnings,
    options: { trips: way },
  }
}
