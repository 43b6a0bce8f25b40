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
