import type { Table } from 'apache-arrow'
import { misuse } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { numbers, strings } from '../../frame/read-columns.js'
import { type AccountCurve, benchmarkOn, type DatedReturns } from '../analysis/performance/return-series.js'
import { resultTable } from '../checks/check-columns.js'
import { recordColumns } from '../checks/record-columns.js'
import type { BacktestResult } from './backtest.js'
import { adjustedPrices, lastOfDays } from './forward-returns.js'
import { fenOf } from './money.js'
import type { Panel } from './panel.js'

/** What the change of an account is measured against. */
export interface AttributionOptions {
  /** Returns or levels by day; every day of the account must be there. */
  readonly benchmark?: DatedReturns | AccountCurve
  /** Group of instruments by code (default: the class in the trading rules). */
  readonly groups?: Readonly<Record<string, string>>
}

/** The part of a result that is attributed. */
export type AttributedRun = Pick<
  BacktestResult,
  'days' | 'start' | 'equity' | 'account' | 'fills' | 'positions' | 'events'
>

// biome-ignore format: a table, one column a line
const meanings = {
  price: 'What prices brought, redemptions and slippage with it.',
  ex_rights: 'Shares and cash that came by ex-rights.',
  income: 'Dividends and coupons, less tax.',
  costs: 'Commission, stamp duty and transfer fee, below 0.',
  sum: 'The change of the account: the four before it.',
  benchmark: 'What the value at the open would have brought in the benchmark.',
  allocation: 'That value x (mean return of the group - return of the benchmark).',
  selection: 'What was brought before costs, less the mean return of the group on that value.',
} as const

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
    one.value = fenOf(value[row])
  })
  const [side, amount] = [strings(fills, 'side'), numbers(fills, 'amount')]
  const costs = ['commission', 'stamp', 'transfer'].map((kind) => numbers(fills, kind))
  each(fills, (one, row) => {
    one.net += side[row] === 'buy' ? -fenOf(amount[row]) : fenOf(amount[row])
    for (const column of costs) one.costs -= fenOf(column[row])
  })
  const [event, cash] = [strings(events, 'event'), numbers(events, 'cash')]
  const [before, after] = [numbers(events, 'before'), numbers(events, 'after')]
  each(events, (one, row) => {
    const came = fenOf(cash[row])
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

/** Mean return of the instruments of each group that have a close on a day, from their last close before it, ex-rights taken out. */
function groupReturns(panel: Panel, groupOf: (symbol: string) => string): Map<string, Float64Array> {
  const prices = adjustedPrices(panel, 'close')
  const [sums, counts] = [new Map<string, Float64Array>(), new Map<string, Float64Array>()]
  panel.symbols.forEach((symbol, place) => {
    const group = groupOf(symbol)
    const sum = sums.get(group) ?? new Float64Array(panel.days.length)
    const count = counts.get(group) ?? new Float64Array(panel.days.length)
    sums.set(group, sum)
    counts.set(group, count)
    let last = Number.NaN
    lastOfDays(panel, prices, place).forEach((price, day) => {
      if (Number.isNaN(price)) return
      if (last > 0) {
        sum[day] = (sum[day] as number) + price / last - 1
        count[day] = (count[day] as number) + 1
      }
      last = price
    })
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
  const wrong = sentence`attribution: groups name ${unknown}, which the panel does not have`
  const hint = nameHint(unknown, symbols, sentence`it has ${symbols.slice(0, 10).join(', ')}`)
  throw misuse(sentence`${wrong}; ${hint}`)
}

type Row = { readonly day: string; readonly symbol: string; readonly group: string } & {
  readonly [P in keyof typeof meanings]: number
}

/** The row of a value at the open that brought so much. */
function rowOf(
  place: Pick<Row, 'day' | 'symbol' | 'group'>,
  opening: number,
  brought: Pick<Row, 'price' | 'ex_rights' | 'income' | 'costs'>,
  { own, mean }: { readonly own: number; readonly mean: number },
): Row {
  const [benchmark, allocation] = [Math.round(opening * own), Math.round(opening * (mean - own))]
  const gross = brought.price + brought.ex_rights + brought.income
  const selection = gross - benchmark - allocation
  return { ...place, ...brought, sum: gross + brought.costs, benchmark, allocation, selection }
}

/** Groups of instruments, their mean returns, and those of the benchmark, by day of the run. */
function comparison(run: AttributedRun, panel: Panel | undefined, { benchmark, groups = {} }: AttributionOptions) {
  if ((benchmark || panel) && panel?.days.slice(panel.begin).join() !== run.days.join())
    throw misuse(sentence`attribution: it needs the panel that the account was run over`)
  if (panel) checkGroups(groups, panel.symbols)
  const kinds = new Map(panel?.instruments.map(({ symbol, kind }) => [symbol, kind]))
  const groupOf = (symbol: string): string => groups[symbol] ?? kinds.get(symbol) ?? ''
  const series = { days: run.days, returns: new Float64Array(run.days.length), curve: new Float64Array(0) }
  const returns = benchmark && benchmarkOn(series, benchmark, 'attribution')
  const means = returns && panel && groupReturns(panel, groupOf)
  const at = (day: number, group: string) => ({
    own: returns?.[day] || 0,
    mean: means?.get(group)?.[(panel?.begin ?? 0) + day] ?? 0,
  })
  return { groupOf, at }
}

/**
 * Attributes the change of an account to its sources: a row a day and instrument held or traded (`tradedate`, `symbol`,
 * `group`), in yuan, to the fen: `price`, `ex_rights`, `income` and `costs` add up to `sum`, and all sums to the change
 * of the account.
 *
 * With a benchmark it also attributes the difference to it, by Brinson and Fachler with the weights of the account:
 * `benchmark`, `allocation`, `selection` (including the day's trading) and `costs` again add up to `sum`. Groups are
 * those given, or classes; the mean of a group is of all its instruments in the panel that have a close on the day.
 * Cash, which returns nothing, has rows of its own as symbol and group `cash`. Without a benchmark the three are 0;
 * without a panel, which a benchmark needs, classes are unknown.
 * @throws QuotebookError USAGE for options, a benchmark without the panel, and one of other days; INVALID_VALUE for a
 * benchmark that lacks days
 */
export function attribution(run: AttributedRun, panel?: Panel, options: AttributionOptions = {}): Table {
  checkOptions<AttributionOptions>(options, { benchmark: 'an object', groups: 'an object' }, 'attribution')
  const { groupOf, at: against } = comparison(run, panel, options)
  const all = [...instrumentDays(run)].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = run.days.flatMap((day, at): Row[] => {
    let cash = fenOf(at === 0 ? run.start : run.equity[at - 1])
    const own = all.flatMap(([symbol, days]): Row[] => {
      const [opening, one, group] = [days[at - 1]?.value ?? 0, days[at], groupOf(symbol)]
      if (!one) return []
      cash -= opening
      const exRights = exRightsOf(one, opening)
      const price = one.value - opening + one.net + one.exCash - exRights
      const brought = { price, ex_rights: exRights, income: one.income, costs: one.costs }
      return [rowOf({ day, symbol, group }, opening, brought, against(at, group))]
    })
    if (!options.benchmark) return own
    const nothing = { price: 0, ex_rights: 0, income: 0, costs: 0 }
    return [...own, rowOf({ day, symbol: 'cash', group: 'cash' }, cash, nothing, { ...against(at, ''), mean: 0 })]
  })
  const { text, number } = recordColumns(rows)
  const yuan = Object.entries(meanings).map(([name, meaning]) => [
    name,
    number('yuan', meaning, (row) => row[name as 'sum'] / 100),
  ])
  return resultTable({
    tradedate: text('date', 'Trading day.', ({ day }) => day),
    symbol: text('code', 'Code, or cash.', ({ symbol }) => symbol),
    group: text('label', 'Its group, or cash.', ({ group }) => group),
    ...Object.fromEntries(yuan),
  })
}
