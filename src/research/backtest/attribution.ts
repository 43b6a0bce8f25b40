import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { numbers, strings } from '../../frame/read-columns.js'
import { type AccountCurve, benchmarkOn, type DatedReturns } from '../analysis/performance/return-series.js'
import { resultTable } from '../checks/check-columns.js'
import type { BacktestResult } from './backtest.js'
import { adjustedPrices } from './forward-returns.js'
import type { Panel } from './panel.js'
import { columnsOf } from './result-tables.js'

/** What the change of an account is measured against. */
export interface AttributionOptions {
  /** Returns or levels by day; every day of the account must be there. */
  readonly benchmark?: DatedReturns | AccountCurve
  /** Group of instruments by code; the class in the trading rules unless given. */
  readonly groups?: Readonly<Record<string, string>>
}

/** Where the change of an account came from; money in yuan, the rows of each table sum to the change, to the fen. */
export interface Attribution {
  /** Equity at the end less the start. */
  readonly change: number
  /** A row an instrument, the most gained first: `symbol`, `price`, `ex_rights`, `income`, `costs` (below 0), `sum`. */
  readonly byInstrument: Table
  /** A row a month, `YYYYMM`; with a benchmark `benchmark`, `allocation` and `selection` too, which with `costs` are `sum` again. */
  readonly byMonth: Table
  /** With a benchmark, a row a group and one of cash: `benchmark`, `allocation`, `selection`, `costs`, `sum`. */
  readonly byGroup: Table | undefined
}

/** The part of a result that is attributed. */
export type AttributedRun = Pick<
  BacktestResult,
  'days' | 'start' | 'equity' | 'account' | 'fills' | 'positions' | 'events'
>

const sources = ['price', 'ex_rights', 'income', 'costs'] as const
const against = ['benchmark', 'allocation', 'selection'] as const
type Part = (typeof sources)[number] | (typeof against)[number]
type Sums = { [P in Part | 'sum']: number }

const meanings: Readonly<Record<Part | 'sum', string>> = {
  price: 'What prices brought, redemptions and slippage with it.',
  ex_rights: 'Shares and cash that came by ex-rights.',
  income: 'Dividends and coupons, less tax.',
  costs: 'Commission, stamp duty and transfer fee, below 0.',
  benchmark: 'What the value at the open of each day would have brought in the benchmark.',
  allocation: 'That value x (mean return of the group - return of the benchmark).',
  selection: 'What was brought before costs, less the mean return of the group on that value.',
  sum: 'The change of the account.',
}

/** What became of an instrument on a day, in fen. */
interface InstrumentDay {
  value: number
  /** Sold less bought, and what an end paid. */
  net: number
  costs: number
  income: number
  /** Before tax. */
  gross: number
  exCash: number
  before: number
  after: number
}

const fen = (yuan: number | undefined): number => Math.round((yuan ?? 0) * 100)

/** By instrument and place of the day. */
function instrumentDays({ days, fills, positions, events }: AttributedRun): Map<string, InstrumentDay[]> {
  const places = new Map(days.map((day, at) => [day, at]))
  const all = new Map<string, InstrumentDay[]>()
  const each = (table: Table, note: (one: InstrumentDay, row: number) => void): void => {
    const [day, symbol] = [strings(table, 'tradedate'), strings(table, 'symbol')]
    for (let row = 0; row < table.numRows; row++) {
      const [code, at] = [symbol[row] as string, places.get(day[row] ?? '') as number]
      const own = all.get(code) ?? []
      all.set(code, own)
      own[at] ??= { value: 0, net: 0, costs: 0, income: 0, gross: 0, exCash: 0, before: 0, after: 0 }
      note(own[at] as InstrumentDay, row)
    }
  }
  const value = numbers(positions, 'value')
  each(positions, (one, row) => {
    one.value = fen(value[row])
  })
  const [side, amount] = [strings(fills, 'side'), numbers(fills, 'amount')]
  const costs = ['commission', 'stamp', 'transfer'].map((kind) => numbers(fills, kind))
  each(fills, (one, row) => {
    one.net += side[row] === 'buy' ? -fen(amount[row]) : fen(amount[row])
    for (const column of costs) one.costs -= fen(column[row])
  })
  const [event, cash] = [strings(events, 'event'), numbers(events, 'cash')]
  const [before, after] = [numbers(events, 'before'), numbers(events, 'after')]
  each(events, (one, row) => {
    const came = fen(cash[row])
    if (event[row] === 'end') one.net += came
    else if (event[row] === 'ex-rights')
      Object.assign(one, { exCash: came, before: before[row] as number, after: after[row] as number })
    else if (event[row] !== 'stopped') one.income += came
    if (event[row] === 'dividend' || event[row] === 'coupon') one.gross += came
  })
  return all
}

/** What ex-rights replaced of a value: at the previous close that makes the holding worth as much as before. */
function exRightsOf({ exCash, before, after, gross }: InstrumentDay, opening: number): number {
  if (after === 0) return exCash
  const base = opening - gross
  return Math.round(base - (before * (base - exCash)) / after)
}

class Tally {
  readonly rows = new Map<string, Sums>()

  of(key: string): Sums {
    const zero = { price: 0, ex_rights: 0, income: 0, costs: 0, benchmark: 0, allocation: 0, selection: 0, sum: 0 }
    const found = this.rows.get(key) ?? zero
    this.rows.set(key, found)
    return found
  }

  table(name: string, kind: 'code' | 'label', meaning: string, parts: readonly Part[]): Table {
    const yuan = [...parts, 'sum' as const].map(
      (part) => [part, 'yuan', meanings[part], ([, sums]: [string, Sums]) => sums[part] / 100] as const,
    )
    return resultTable(columnsOf([...this.rows], [[name, kind, meaning, ([key]) => key], ...yuan]))
  }
}

/** Mean return of the instruments of each group that have a close on a day, from their last close before it, ex-rights taken out. */
function groupReturns(panel: Panel, groupOf: (symbol: string) => string): Map<string, Float64Array> {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const prices = adjustedPrices(panel, 'close')
  const [sums, counts] = [new Map<string, Float64Array>(), new Map<string, Float64Array>()]
  panel.symbols.forEach((symbol, place) => {
    const group = groupOf(symbol)
    const sum = sums.get(group) ?? new Float64Array(panel.days.length)
    const count = counts.get(group) ?? new Float64Array(panel.days.length)
    sums.set(group, sum)
    counts.set(group, count)
    let last = Number.NaN
    for (let day = 0; day < panel.days.length; day++) {
      let price = Number.NaN
      for (let time = day * perDay; time < (day + 1) * perDay; time++) {
        const own = prices[time * width + place] as number
        if (own > 0) price = own
      }
      if (!(price > 0)) continue
      if (last > 0) {
        sum[day] = (sum[day] as number) + price / last - 1
        count[day] = (count[day] as number) + 1
      }
      last = price
    }
  })
  for (const [group, sum] of sums)
    sum.forEach((all, day) => {
      sum[day] = all / Math.max(1, counts.get(group)?.[day] as number)
    })
  return sums
}

function checkGroups(groups: Readonly<Record<string, string>>, symbols: readonly string[]): void {
  const unknown = Object.keys(groups).find((code) => !symbols.includes(code))
  if (unknown === undefined) return
  const near = nearest(unknown, symbols) ?? symbols[0]
  throw new QuotebookError(
    'USAGE',
    sentence`attribution: groups name ${unknown}, which the panel does not have; did you mean ${near}?`,
  )
}

/** What the value of each group, and cash, would have brought in the benchmark and by the means of the groups. */
function compare(
  run: AttributedRun,
  panel: Panel,
  { benchmark, groups = {} }: AttributionOptions,
  { all, byMonth }: { readonly all: Map<string, InstrumentDay[]>; readonly byMonth: Tally },
): Tally {
  checkGroups(groups, panel.symbols)
  const kinds = new Map(panel.instruments.map(({ symbol, kind }) => [symbol, kind]))
  const groupOf = (symbol: string): string => groups[symbol] ?? (kinds.get(symbol) as string)
  const means = groupReturns(panel, groupOf)
  const series = { days: run.days, returns: new Float64Array(run.days.length), curve: new Float64Array(0) }
  const returns = benchmarkOn(series, benchmark as DatedReturns, 'attribution').map((one) => one || 0)
  const byGroup = new Tally()
  const equity = Array.from(run.equity, fen)
  run.days.forEach((day, at) => {
    const [own, month] = [returns[at] as number, byMonth.of(day.slice(0, 6))]
    const note = (name: string, opening: number, mean: number, gross: number, costs: number): void => {
      const sums = byGroup.of(name)
      const [held, apart] = [Math.round(opening * own), Math.round(opening * (mean - own))]
      for (const to of [sums, month]) {
        to.benchmark += held
        to.allocation += apart
        to.selection += gross - held - apart
      }
      sums.costs += costs
      sums.sum += gross + costs
    }
    const of = new Map<string, [opening: number, gross: number, costs: number]>()
    let cash = at === 0 ? fen(run.start) : (equity[at - 1] as number)
    for (const [symbol, days] of all) {
      const opening = days[at - 1]?.value ?? 0
      if (!days[at]) continue
      const { value, net, income, exCash, costs } = days[at] as InstrumentDay
      const sums = of.get(groupOf(symbol)) ?? [0, 0, 0]
      of.set(groupOf(symbol), [sums[0] + opening, sums[1] + value - opening + net + income + exCash, sums[2] + costs])
      cash -= opening
    }
    for (const [name, [opening, gross, costs]] of of)
      note(name, opening, means.get(name)?.[panel.begin + at] ?? 0, gross, costs)
    note('cash', cash, 0, 0, 0)
  })
  return byGroup
}

/**
 * Where the change of an account came from: by instrument, by month, and by price, ex-rights, income and costs. With a panel and a
 * benchmark also against it, day by day (Brinson and Fachler with the account's own weights): each group's value at the open in the
 * benchmark, what the group's mean was better by (allocation), and what its instruments were better than that mean by (selection, trading
 * of the day with it). Cash is a group of its own that returns nothing.
 * @throws QuotebookError USAGE for options, for a benchmark without the panel, and a panel of other days; INVALID_VALUE for a benchmark that lacks days
 */
export function attribution(run: AttributedRun, panel?: Panel, options: AttributionOptions = {}): Attribution {
  checkOptions<AttributionOptions>(options, { benchmark: 'an object', groups: 'an object' }, 'attribution')
  if (options.benchmark && panel?.days.slice(panel.begin).join() !== run.days.join())
    throw new QuotebookError(
      'USAGE',
      sentence`attribution: against a benchmark it needs the panel that the account was run over`,
    )
  const all = instrumentDays(run)
  const [byInstrument, byMonth] = [new Tally(), new Tally()]
  for (const day of run.days) byMonth.of(day.slice(0, 6))
  for (const [symbol, days] of all) {
    days.forEach((one, at) => {
      const opening = days[at - 1]?.value ?? 0
      const sum = one.value - opening + one.net + one.income + one.exCash + one.costs
      const exRights = exRightsOf(one, opening)
      for (const to of [byInstrument.of(symbol), byMonth.of(run.days[at]?.slice(0, 6) as string)]) {
        to.ex_rights += exRights
        to.income += one.income
        to.costs += one.costs
        to.price += sum - exRights - one.income - one.costs
        to.sum += sum
      }
    })
  }
  const byGroup = options.benchmark && compare(run, panel as Panel, options, { all, byMonth })
  const ranked = [...byInstrument.rows].sort(([a, one], [b, two]) => two.sum - one.sum || (a < b ? -1 : 1))
  byInstrument.rows.clear()
  for (const [symbol, sums] of ranked) byInstrument.rows.set(symbol, sums)
  return {
    change: (fen(run.equity.at(-1) as number) - fen(run.start)) / 100,
    byInstrument: byInstrument.table('symbol', 'code', 'Code.', sources),
    byMonth: byMonth.table('month', 'label', 'Month, YYYYMM.', [...sources, ...(byGroup ? against : [])]),
    byGroup: byGroup?.table('group', 'label', 'Group, or cash.', [...against, 'costs']),
  }
}
