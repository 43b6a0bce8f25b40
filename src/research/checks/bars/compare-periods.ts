import type { Table } from 'apache-arrow'
import { bucketCloses, vwapSince } from '../../../contract/session.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbers } from '../../../frame/read-columns.js'
import { gatherInts } from '../../../frame/table/gather-cells.js'
import { allRows } from '../../../frame/table/sort-rows.js'
import type { CheckResult, Severities } from '../check.js'
import { labelColumn } from '../check-columns.js'
import { allowedCells } from '../row-findings.js'
import { offGrid, type Period } from './bar-grid.js'
import { groupSeries, type RowSeries, type TextCodes, textAt, wordAt } from './bar-series.js'
import {
  addUp,
  type BarColumns,
  barColumnsOf,
  type Compared,
  type Comparison,
  compared,
  comparePrices,
  concludeComparisons,
  verdictOf,
} from './compare-bars.js'

/** Verdicts of `comparePeriods`. `unverifiable`: bars of the shorter period are missing. */
export type PeriodVerdict = 'equal' | 'mismatch' | 'unverifiable'

const severities: Severities<PeriodVerdict> = { equal: 0, unverifiable: 1, mismatch: 2 }

/** The bars of one period in a table. */
interface PeriodBars {
  readonly bars: BarColumns
  readonly vwap: Float64Array | undefined
  readonly series: RowSeries
  /** By row, its series; -1 for rows of another period. */
  readonly seriesOf: Int32Array
  /** Series by day and symbol. */
  readonly seriesAt: ReadonlyMap<string, number>
}

function readPeriod(given: Table, period: Period): PeriodBars {
  const { table } = allowedCells(given, 'etf_minute')
  const bars = barColumnsOf(table)
  const series = groupSeries(table)
  const { order, starts } = series
  const seriesOf = new Int32Array(order.length).fill(-1)
  const seriesAt = new Map<string, number>()
  for (let s = 0; s + 1 < starts.length; s++) {
    const start = starts[s] as number
    if (series.columns['period'] && textAt(series, 'period', start) !== period) continue
    seriesAt.set(dayAt(series, start), s)
    for (let i = start; i < (starts[s + 1] as number); i++) seriesOf[order[i] as number] = s
  }
  const vwap = has(table, 'vwap') ? numbers(table, 'vwap') : undefined
  return { bars, vwap, series, seriesOf, seriesAt }
}

function dayAt(series: RowSeries, place: number): string {
  return `${textAt(series, 'tradedate', place)} ${textAt(series, 'symbol', place)}`
}

/** The rows of a series that close at a minute. */
function rowsOf({ series }: PeriodBars, s: number | undefined, close: string): number[] {
  const rows: number[] = []
  if (s === undefined) return rows
  const { order, starts } = series
  for (let i = starts[s] as number; i < (starts[s + 1] as number); i++)
    if (textAt(series, 'trademin', i) === close) rows.push(order[i] as number)
  return rows
}

/** By close of a bar of 30 minutes, those of the bars of 15 that it is made of: 0930 alone, 1000 of 0945 and 1000. */
const partCloses: ReadonlyMap<string, readonly string[]> = new Map(
  bucketCloses['30m'].map((close) => {
    const at = bucketCloses['15m'].indexOf(close)
    return [close, bucketCloses['15m'].slice(Math.max(at - 1, 0), at + 1)]
  }),
)

/** The average price of the day at the same close; undefined where only one side has it and neither need have it yet. */
function compareVwap(date: string, long: number, short: number): Compared | undefined {
  if (date < vwapSince && Number.isNaN(long) !== Number.isNaN(short)) return undefined
  const found = compared('vwap', long, short, 'same')
  return found && { ...found, agreement: 'differs' }
}

/** The verdict on a bar of 30 minutes. */
function compareBar(long: PeriodBars, row: number, short: PeriodBars): Comparison<PeriodVerdict> {
  const s = long.seriesOf[row] as number
  const start = long.series.starts[s] as number
  const minute = wordAt(long.series, 'trademin', row)
  const whole = { vol: long.bars.vol[row], amount: long.bars.amount[row] }
  const wanted = partCloses.get(minute)
  if (!wanted) return { ...whole, verdict: 'mismatch', why: offGrid(minute, '30m'), columns: ['trademin'] }
  const other = short.seriesAt.get(dayAt(long.series, start))
  const closes = wanted.map((close) => ({ close, rows: rowsOf(short, other, close) }))
  const named = (some: typeof closes): string => some.map(({ close }) => close).join(' and ')
  const lacking = named(closes.filter(({ rows }) => rows.length === 0))
  const twice = named(closes.filter(({ rows }) => rows.length > 1))
  const unverifiable = (why: string) => ({ ...whole, verdict: 'unverifiable', why }) as const
  if (rowsOf(long, s, minute).length > 1) return unverifiable(`the bar of ${minute} is a duplicate`)
  if (lacking) return unverifiable(`no 15-minute bar of ${lacking}`)
  if (twice) return unverifiable(`the 15-minute bar of ${twice} is a duplicate`)
  const parts = addUp(
    short.bars,
    closes.flatMap(({ rows }) => rows),
  )
  const choices = [parts.traded, parts.maybeTraded, parts.rows]
  const last = parts.rows.at(-1) as number
  const date = textAt(long.series, 'tradedate', start)
  const vwap = long.vwap && short.vwap && compareVwap(date, long.vwap[row] as number, short.vwap[last] as number)
  const columns = [
    compared('vol', long.bars.vol[row] as number, parts.vol, 'unknown') ?? [],
    compared('amount', long.bars.amount[row] as number, parts.amount, 'unknown') ?? [],
    comparePrices(long.bars, row, short.bars, choices, 'same'),
    vwap ?? [],
  ].flat()
  return { ...whole, parts, ...verdictOf(columns) }
}

/**
 * Bars of 15 and of 30 minutes of the same symbols and days against each other, one row for each bar of 30 minutes: its
 * volume and turnover are the sums of its parts, open the first, close the last, high the greatest, low the least, and
 * the average price of the day is the same at the same close. 0930 stands alone in both; 1000 is 0945 and 1000.
 * Sums are of decimals, without drift; everything is compared to the last digit.
 *
 * - `equal`: all columns agree. Prices are those of the parts that traded, or of all parts: a part without trade may
 *   repeat a price or have none.
 * - `mismatch`: a column does not; `columns` names them, `why` has the numbers. A vwap on one side only is one from
 *   2025-08-21 on, and a minute that is not the close of a bar of 30 minutes always.
 * - `unverifiable`: a part is missing, is a duplicate, or is null or infinite; nothing that is known disagrees.
 * @param fifteen bars of 15 minutes; of a table with a column `period`, those of `15m`
 * @param thirty bars of 30 minutes; of a table with a column `period`, those of `30m`
 * @throws QuotebookError MISSING_COLUMN
 */
export function comparePeriods(fifteen: Table | DataFrame, thirty: Table | DataFrame): CheckResult<PeriodVerdict> {
  const [short, long] = [readPeriod(asTable(fifteen), '15m'), readPeriod(asTable(thirty), '30m')]
  const rows = allRows(long.seriesOf.length).filter((row) => (long.seriesOf[row] as number) >= 0)
  const pick = (name: string) => {
    const { codes, words } = long.series.columns[name] as TextCodes
    return { codes: gatherInts(codes, rows, -1, false), words }
  }
  const keys = {
    tradedate: labelColumn('date', 'Trading day.', pick('tradedate')),
    symbol: labelColumn('code', 'Security code.', pick('symbol')),
    trademin: labelColumn('minute', 'Minute at which the bar of 30 minutes closes.', pick('trademin')),
  }
  const comparisonAt = (at: number) => compareBar(long, rows[at] as number, short)
  return concludeComparisons('periods', severities, rows.length, comparisonAt, keys, {
    vol: 'Volume of the bar of 30 minutes, in the unit of the source.',
    amount: 'Turnover of the bar of 30 minutes.',
    suffix: 'parts',
    sum: 'Sum of its bars of 15 minutes; null where one is unknown.',
  })
}
