import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { spelledCode } from '../../contract/code-spelling.js'
import { invalid } from '../../contract/error.js'
import type { OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { LineKind } from '../../contract/statement-kinds.js'
import { groupItems } from '../../frame/table/group-items.js'
import { fewDays } from './account-curve.js'
import { firstFrom, placesOfCodes } from './join-columns.js'
import { type TripWay, tripWays } from './lot-book.js'
import { fenOf } from './money.js'
import { NumberRows } from './number-rows.js'
import type { Panel } from './panel.js'
import { accountTable, eventsTable, fillsTable, positionsTable, tripsTable } from './result-tables.js'
import type { StatementLine, TradedKinds } from './statement-lines.js'
import type { PlacedLine, TradedLines } from './traded-lines.js'
import { codeCloses, type DayMarks, marksOf, opened, sumOf } from './traded-start.js'

/** Options of `tradedAccount`. */
export interface TradedOptions {
  /** Yuan before the first line (default: by the file's money column, or else as much as its lines need). */
  readonly cash?: number
  /** Last day (default: that of the last line or of the last price). */
  readonly to?: string
  /** What counts as a round trip in `trips` and on the tear sheet (default: `flat`). */
  readonly trips?: TripWay
  /** Kinds of lines by words that are not known: `{ 某业务: 'fee' }`. */
  readonly kinds?: TradedKinds
}

export const tradedKinds: OptionKinds<TradedOptions> = {
  cash: 'a number',
  to: 'text',
  trips: tripWays,
  kinds: 'an object',
}

/** An account built from statements. Money is in yuan; `tearSheet` accepts it like a backtest. */
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

/** Lines on their days and instruments. */
function placed(lines: readonly StatementLine[], days: readonly string[], known: readonly string[]) {
  const places = placesOfCodes(known)
  const symbols = [...known]
  const codes = new Map([['', -1]])
  const symbolOf = (code: string): number => {
    const at = codes.get(code) ?? places.get(code) ?? symbols.push(spelledCode(code, { spelling: 'full' }) ?? code) - 1
    codes.set(code, at)
    return at
  }
  const at = (day: string): number => Math.min(firstFrom(days, day), days.length - 1)
  const rows = lines.map((line): PlacedLine => ({ ...line, at: at(line.day), symbol: symbolOf(line.code) }))
  return { symbols, rows }
}

/** What the files have at their end that their lines do not come to. */
function doubts(rows: readonly PlacedLine[], taken: TradedLines, symbols: readonly string[]): Words[] {
  const found: Words[] = []
  const at = rows.findLastIndex(({ money }) => money !== undefined)
  const told = fenOf(rows[at]?.money) + sumOf(rows.slice(at + 1).map(({ cash }) => cash))
  if (at >= 0 && told !== taken.cash)
    found.push(
      sentence`the file has ${told / 100} yuan at the end, and its lines come to ${taken.cash / 100}: lines are missing, or not in the order of time`,
    )
  for (const [symbol, code] of symbols.entries()) {
    const last = rows.findLast((line) => line.symbol === symbol && line.shares !== 0)
    const held = taken.book.shares(symbol)
    if (last?.balance !== undefined && last.balance !== held)
      found.push(sentence`the file has ${last.balance} of ${code} at the end, and its lines come to ${held}`)
  }
  const margin = rows.filter(({ kind }) => kind === 'margin').length
  if (margin > 0) found.push(sentence`${margin} lines of trading on credit are left out: loans are not followed`)
  return found
}

/** Days from the first line to the last one, or to the last price. */
function daysOf(lines: readonly StatementLine[], panels: readonly Panel[], to: string | undefined): readonly string[] {
  const first = lines[0]?.day
  if (first === undefined)
    throw invalid(
      to === undefined ? sentence`the statement has no lines` : sentence`the statement has no lines up to ${to}`,
    )
  const ends = [lines.at(-1)?.day ?? first, ...panels.map(({ days }) => days.at(-1) ?? first)].sort()
  const days = noticedCalendar.between(first, to ?? (ends.at(-1) as string))
  if (days.length === 0) throw invalid(sentence`there is no trading day from ${first} on`)
  return days
}

function linesByKind(lines: readonly StatementLine[]): TradedAccount['lines'] {
  return [...groupItems(lines, ({ kind }) => kind)].map(([kind, own]) => {
    return { kind, lines: own.length, cash: sumOf(own.map(({ cash }) => cash)) / 100 }
  })
}

/** A row a day in fen: worth, cash and money owed at its end, and what came from outside and went there. */
const dayNames = ['equity', 'cash', 'owed', 'in', 'out'] as const
const holdingNames = ['day', 'symbol', 'shares', 'sellable', 'value', 'isStale'] as const

/** All lines of all days, and what there was at the end of each. */
function runLines(
  rows: readonly PlacedLine[],
  days: readonly string[],
  marks: DayMarks,
  first: ReturnType<typeof opened>,
) {
  const { taken, worthOf } = first
  const [daily, holdings] = [new NumberRows(dayNames), new NumberRows(holdingNames)]
  const byDay = groupItems(rows, ({ at }) => at)
  for (const at of days.keys()) {
    for (const line of byDay.get(at) ?? []) taken.take(line)
    let worth = taken.cash + taken.owed
    for (const [symbol, own] of marks) {
      const shares = taken.book.shares(symbol)
      if (shares === 0) continue
      const value = worthOf(symbol, shares, at)
      worth += value
      holdings.add(at, symbol, shares, shares, value, own[at]?.isStale ?? 1)
    }
    daily.add(worth, taken.cash, taken.owed, taken.flow.in, taken.flow.out)
    taken.flow = { in: 0, out: 0 }
  }
  return { daily, holdings }
}

/** What a yuan of the first day became without money that came or went: what comes is there from the morning on, what goes until the evening. */
function timeWeighted(daily: NumberRows<(typeof dayNames)[number]>, start: number) {
  let [index, last, base] = [1, start, start]
  const index100 = daily.objects().map((day) => {
    const before = last + day.in
    if (base === 0) base = before
    if (before > 0) index *= (day.equity + day.out) / before
    last = day.equity
    return index
  })
  return { base, index: index100 }
}

/** A column of the fills by day. */
function byDayOf(fills: TradedLines['fills'], name: 'amount' | 'commission' | 'stamp' | 'transfer', days: number) {
  const [sums, times] = [new Float64Array(days), fills.column('time')]
  fills.column(name).forEach((value, row) => {
    sums[times[row] as number] = (sums[times[row] as number] as number) + value
  })
  return sums
}

/** The account of lines at the closes of panels. @throws QuotebookError INVALID_VALUE naming file and line */
export function accountOfLines(
  all: readonly StatementLine[],
  prices: readonly Panel[],
  { cash, to, trips: way = 'flat', notes = [] }: TradedOptions & { readonly notes?: readonly Words[] },
): TradedAccount {
  const lines = all.filter(({ day }) => to === undefined || day <= to)
  const days = daysOf(lines, prices, to)
  const closes = codeCloses(prices)
  const { symbols, rows } = placed(lines, days, [...closes.keys()])
  const moving = groupItems(
    rows.filter(({ shares }) => shares !== 0),
    ({ symbol }) => symbol,
  )
  const marks: DayMarks = new Map(
    [...moving].map(([symbol, own]) => {
      const traded = own.filter(({ price }) => price > 0)
      return [symbol, marksOf(days, closes.get(symbols[symbol] as string) ?? new Map(), traded)]
    }),
  )
  const first = opened(rows, symbols, marks, cash)
  const { taken } = first
  const { daily, holdings } = runLines(rows, days, marks, first)
  const unpriced = [...moving.keys()].map((symbol) => symbols[symbol] as string).filter((code) => !closes.has(code))
  const warnings = [
    ...notes,
    ...fewDays(days.length),
    ...(unpriced.length > 0 ? [sentence`no prices of ${unpriced.join(', ')}: they stand at their own last trade`] : []),
    ...taken.warnings,
    ...doubts(rows, taken, symbols),
  ]
  return resultOf({ days, symbols, rows, start: first.start, taken, daily, holdings, way, warnings })
}

interface Parts extends ReturnType<typeof placed>, ReturnType<typeof runLines> {
  readonly days: readonly string[]
  readonly start: number
  readonly taken: TradedLines
  readonly way: TripWay
  readonly warnings: readonly Words[]
}

function resultOf({ days, symbols, rows, start, taken, daily, holdings, way, warnings }: Parts): TradedAccount {
  const places = { days, symbols, minutes: [''] }
  const { base, index } = timeWeighted(daily, start)
  const codeOf = (symbol: number): string => symbols[symbol] as string
  const equity = daily.column('equity')
  const ofDays = (name: Parameters<typeof byDayOf>[1]): Float64Array => byDayOf(taken.fills, name, days.length)
  const traded = ofDays('amount')
  const costs = { commission: ofDays('commission'), stamp: ofDays('stamp'), transfer: ofDays('transfer') }
  const records = { equity, cash: daily.column('cash'), owed: daily.column('owed'), traded, costs }
  const [paidIn, takenOut] = [sumOf(daily.column('in')), sumOf(daily.column('out'))]
  const worth = equity.at(-1) as number
  const gain = worth - start - (paidIn - takenOut)
  const roundTrips = { flat: tripsTable(places, taken.book.flat), fifo: tripsTable(places, taken.book.fifo) }
  return {
    days,
    start: base / 100,
    equity: Float64Array.from(index, (times) => (times * base) / 100),
    trades: taken.book[way].objects().map(({ symbol, pnl }) => ({ symbol: codeOf(symbol), pnl: pnl / 100 })),
    turnover: (sumOf(traded) / 2 / sumOf(equity)) * 252,
    account: accountTable({ days, begin: 0 }, records),
    fills: fillsTable(places, { fillRows: taken.fills }),
    positions: positionsTable(places, { holdings }),
    trips: roundTrips[way],
    roundTrips,
    events: eventsTable(places, taken),
    lines: linesByKind(rows),
    real: { paidIn: paidIn / 100, takenOut: takenOut / 100, worth: worth / 100, gain: gain / 100 },
    names: Object.fromEntries(
      rows.flatMap(({ symbol, name }) => (symbol >= 0 && name !== '' ? [[codeOf(symbol), name]] : [])),
    ),
    warnings,
    options: { trips: way },
  }
}
