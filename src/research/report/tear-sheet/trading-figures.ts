import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { exactSum, quantile } from '../../../frame/verb/array-statistics.js'
import type { FigureValues } from './figure-words.js'
import type { RunSheet } from './sheet-context.js'

/** The kinds of costs, as the tables of a backtest name them. */
export const costKinds = ['commission', 'stamp', 'transfer'] as const

export type CostKind = (typeof costKinds)[number]

/** A closed round trip. */
export interface SheetTrip {
  readonly symbol: string
  readonly opened: string
  readonly closed: string
  /** Trading days from the one to the other. */
  readonly held: number
  readonly pnl: number
}

/** What an instrument brought: all cash that it gave and took, and what is still held of it. */
export interface Contribution {
  readonly symbol: string
  readonly fills: number
  readonly bought: number
  readonly sold: number
  readonly costs: number
  /** Value held at the end. */
  readonly open: number
  readonly pnl: number
}

export function columnSum(table: Table, name: string): number {
  return exactSum(numbers(table, name))
}

/** Round trips, the most gained first; equal ones by code and day. */
export function sheetTrips({ run }: RunSheet): SheetTrip[] {
  if (!run?.trips) return []
  const { trips, days } = run
  const place = new Map(days.map((day, at) => [day, at]))
  const [symbol, opened, closed] = [strings(trips, 'symbol'), strings(trips, 'opened'), strings(trips, 'closed')]
  const list = Array.from(numbers(trips, 'pnl'), (value, row): SheetTrip => {
    const [from, to] = [opened[row] ?? '', closed[row] ?? '']
    const held = (place.get(to) ?? Number.NaN) - (place.get(from) ?? Number.NaN)
    return { symbol: symbol[row] ?? '', opened: from, closed: to, held, pnl: value }
  })
  const order = (a: SheetTrip, b: SheetTrip): number => (`${a.symbol}${a.opened}` < `${b.symbol}${b.opened}` ? -1 : 1)
  return list.sort((a, b) => b.pnl - a.pnl || order(a, b))
}

/** Sums by instrument; all of them together are the equity at the end less the start. Greatest first. */
export function contributions({ run }: RunSheet): Contribution[] {
  const { fills, events, positions } = run ?? {}
  if (!fills || !positions) return []
  const all = new Map<string, { -readonly [K in keyof Contribution]: Contribution[K] }>()
  const of = (symbol: string | null) => {
    const key = symbol ?? ''
    const found = all.get(key) ?? { symbol: key, fills: 0, bought: 0, sold: 0, costs: 0, open: 0, pnl: 0 }
    all.set(key, found)
    return found
  }
  const [side, amount] = [strings(fills, 'side'), numbers(fills, 'amount')]
  const costs = costKinds.map((kind) => numbers(fills, kind))
  for (const [row, symbol] of strings(fills, 'symbol').entries()) {
    const sums = of(symbol)
    sums.fills += 1
    sums[side[row] === 'buy' ? 'bought' : 'sold'] += amount[row] as number
    sums.costs += exactSum(costs.map((column) => column[row] as number))
  }
  // What redemptions and ex-rights paid, to which the rest comes below.
  const cash = events ? numbers(events, 'cash') : []
  for (const [row, symbol] of (events ? strings(events, 'symbol') : []).entries()) of(symbol).pnl += cash[row] as number
  const [day, value] = [strings(positions, 'tradedate'), numbers(positions, 'value')]
  const last = run?.days.at(-1)
  for (const [row, symbol] of strings(positions, 'symbol').entries()) {
    if (day[row] === last) of(symbol).open += value[row] as number
  }
  for (const sums of all.values()) sums.pnl = sums.sold - sums.bought - sums.costs + sums.open + sums.pnl
  return [...all.values()].sort((a, b) => b.pnl - a.pnl || (a.symbol < b.symbol ? -1 : 1))
}

function tripFigures(sheet: RunSheet): FigureValues {
  const { run } = sheet
  if (!run?.trades) return {}
  const pnl = run.trades.flatMap((trade) =>
    typeof trade.pnl === 'number' && !Number.isNaN(trade.pnl) ? [trade.pnl] : [],
  )
  const [gains, losses] = [pnl.filter((x) => x > 0), pnl.filter((x) => x < 0)]
  const [gained, lost] = [exactSum(gains), -exactSum(losses)]
  const held = sheetTrips(sheet).map((trip) => trip.held)
  return {
    roundTrips: pnl.length,
    winRate: gains.length / pnl.length,
    profitFactor: lost > 0 ? gained / lost : Number.NaN,
    payoff: gains.length > 0 && losses.length > 0 ? gained / gains.length / (lost / losses.length) : Number.NaN,
    meanTrip: exactSum(pnl) / pnl.length,
    holding: run.trips && quantile(held, 0.5),
  }
}

function costFigures({ run, rates }: RunSheet): FigureValues {
  if (!run?.account) return {}
  const { account, positions } = run
  const days = account.numRows
  const costs = exactSum(costKinds.map((kind) => columnSum(account, kind)))
  const [traded, level] = [columnSum(account, 'traded'), columnSum(account, 'equity') / days]
  const perYear = rates.periodsPerYear / days
  return {
    exposure: columnSum(account, 'exposure') / days,
    held: positions && positions.numRows / days,
    turnover: (traded / 2 / level) * perYear,
    costs,
    costDrag: (costs / level) * perYear,
    costShare: costs / traded,
  }
}

/** What was held, traded and paid; nothing where only returns are known. */
export function tradingFigures(sheet: RunSheet): FigureValues {
  const { fills, rejected } = sheet.run ?? {}
  return { ...costFigures(sheet), fills: fills?.numRows, rejected: rejected?.numRows, ...tripFigures(sheet) }
}
