import type { Table } from 'apache-arrow'
import { allOf, sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses, vwapSince } from '../../../contract/session.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbersToRead } from '../../../frame/read-columns.js'
import { fillArray } from '../../../frame/table/fresh-array.js'
import { gatherInts } from '../../../frame/table/gather-cells.js'
import { allRows } from '../../../frame/table/sort-rows.js'
import { allowedCells } from '../allowed-cells.js'
import { type CheckResult, type Concluded, fails, leavesOpen, passes } from '../check.js'
import { labelColumn } from '../check-columns.js'
import { closesOf, offGrid, type Period } from './bar-grid.js'
import { type RowSeries, seriesOfBars, type TextCodes, textAt, wordAt } from './bar-series.js'
import {
  addUp,
  type BarColumns,
  barColumnsOf,
  type Compared,
  type Comparison,
  compared,
  comparePrices,
  comparison,
  concludeComparisons,
  verdictOf,
} from './compare-bars.js'

/** Verdicts of `comparePeriods`. `unverifiable`: bars of the shorter period are missing. */
export type PeriodVerdict = 'equal' | 'mismatch' | 'unverifiable'

export const judgedPeriods: Concluded<PeriodVerdict> = {
  name: 'periods',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    equal: passes(sentence`The bar of 30 minutes is made of its bars of 15, in every column.`),
    unverifiable: leavesOpen(sentence`A bar of 15 minutes is missing, is a duplicate, or lacks a number.`),
    mismatch: fails(sentence`A column of the bar of 30 minutes is not what its bars of 15 make.`),
  },
}

/** The bars of one period in a table. */
interface PeriodBars {
  readonly bars: BarColumns
  readonly vwap: Float64Array | undefined
  readonly series: RowSeries
  /** By row, its series; -1 for rows of another period. */
  readonly seriesOf: Int32Array
  /** Series by day and symbol. */
  readonly seriesAt: ReadonlyMap<string, number>
  /** By row, which close of the period it is; -1 for none. */
  readonly closeOf: Int8Array
  /** By series, the row of each close; `none` or `twice`. */
  readonly rowsOf: readonly (readonly number[])[]
}

const [none, twice] = [-1, -2]

function readPeriod(given: Table, period: Period): PeriodBars {
  const { table } = allowedCells(given, 'etf_minute')
  const bars = barColumnsOf(table)
  const series = seriesOfBars(table)
  const { order, starts } = series
  const seriesOf = new Int32Array(order.length).fill(-1)
  const seriesAt = new Map<string, number>()
  const minutes = series.columns['trademin'] as TextCodes
  const closes = closesOf(minutes, period)
  const closeOf = fillArray(new Int8Array(order.length), (row) => closes[minutes.codes[row] as number] as number)
  const rowsOf = starts.slice(1).map(() => new Array<number>(bucketCloses[period].length).fill(none))
  for (let s = 0; s + 1 < starts.length; s++) {
    const start = starts[s] as number
    if (series.columns['period'] && textAt(series, 'period', start) !== period) continue
    seriesAt.set(dayAt(series, start), s)
    for (let i = start; i < (starts[s + 1] as number); i++) {
      const row = order[i] as number
      seriesOf[row] = s
      const close = closeOf[row] as number
      const rows = rowsOf[s] as number[]
      if (close >= 0) rows[close] = rows[close] === none ? row : twice
    }
  }
  const vwap = has(table, 'vwap') ? numbersToRead(table, 'vwap') : undefined
  return { bars, vwap, series, seriesOf, seriesAt, closeOf, rowsOf }
}

function dayAt(series: RowSeries, place: number): string {
  return `${textAt(series, 'tradedate', place)} ${textAt(series, 'symbol', place)}`
}

/** By close of a bar of 30 minutes, those of the bars of 15 that it is made of: 0930 alone, 1000 of 0945 and 1000. */
const partCloses: readonly (readonly number[])[] = bucketCloses['30m'].map((close) => {
  const at = bucketCloses['15m'].indexOf(close)
  return at === 0 ? [at] : [at - 1, at]
})

/** The average price of the day at the same close; undefined where only one side has it and neither need have it yet. */
function compareVwap(date: string, long: number, short: number): Compared | undefined {
  if (date < vwapSince && Number.isNaN(long) !== Number.isNaN(short)) return undefined
  const found = compared('vwap', long, short, 'same')
  return found && { ...found, agreement: 'differs' }
}

/** The verdict on a bar of 30 minutes. @param other the series of 15 minutes of its day and symbol; -1 where there is none */
function compareBar(long: PeriodBars, row: number, short: PeriodBars, other: number): Comparison<PeriodVerdict> {
  const s = long.seriesOf[row] as number
  const start = long.series.starts[s] as number
  const [vol, amount] = [long.bars.vol[row] as number, long.bars.amount[row] as number]
  const unverifiable = (why: Words) => comparison({ verdict: 'unverifiable', why: [why] }, vol, amount)
  const close = long.closeOf[row] as number
  const wanted = partCloses[close]
  if (!wanted) {
    const why = [offGrid(wordAt(long.series, 'trademin', row), '30m')]
    return comparison({ verdict: 'mismatch', why, columns: ['trademin'] }, vol, amount)
  }
  const found = wanted.map((at) => short.rowsOf[other]?.[at] ?? none)
  const named = (as: number): Words =>
    allOf(wanted.flatMap((at, i) => (found[i] === as ? (bucketCloses['15m'][at] ?? []) : [])))
  if (long.rowsOf[s]?.[close] === twice)
    return unverifiable(sentence`the bar of ${bucketCloses['30m'][close]} is a duplicate`)
  if (found.includes(none)) return unverifiable(sentence`no 15-minute bar of ${named(none)}`)
  if (found.includes(twice)) return unverifiable(sentence`the 15-minute bar of ${named(twice)} is a duplicate`)
  const parts = addUp(short.bars, found)
  const choices = [parts.traded, parts.maybeTraded, parts.rows]
  const last = parts.rows.at(-1) as number
  const date = textAt(long.series, 'tradedate', start)
  const vwap = long.vwap && short.vwap && compareVwap(date, long.vwap[row] as number, short.vwap[last] as number)
  const columns = [
    compared('vol', vol, parts.vol, 'unknown') ?? [],
    compared('amount', amount, parts.amount, 'unknown') ?? [],
    comparePrices(long.bars, row, short.bars, choices, 'same'),
    vwap ?? [],
  ].flat()
  return comparison(verdictOf(columns), vol, amount, parts)
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
  const otherOf = long.series.starts.slice(0, -1).map((start) => short.seriesAt.get(dayAt(long.series, start)) ?? -1)
  const comparisonAt = (at: number) => {
    const row = rows[at] as number
    return compareBar(long, row, short, otherOf[long.seriesOf[row] as number] as number)
  }
  return concludeComparisons(judgedPeriods, rows.length, comparisonAt, keys, {
    vol: 'Volume of the bar of 30 minutes, in the unit of the source.',
    amount: 'Turnover of the bar of 30 minutes.',
    suffix: 'parts',
    sum: 'Sum of its bars of 15 minutes; null where one is unknown.',
  })
}
