import type { Table } from 'apache-arrow'
import { asTable } from '../../frame/as-table.js'
import { has, numbers, words } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo/types.js'
import { type Series, seriesOf } from '../bars/series.js'
import { type Check, conclude, type Severities } from '../check.js'
import { type MadeColumns, numberColumn, Words, wordColumn } from '../columns.js'
import { difference, shifted } from '../exact/decimal.js'
import { askedPeriod, fifteenMinuteSymbols, firstMissing, missingKey } from './buckets.js'
import { type Lots, lotBounds } from './cumulative.js'
import { type FactorOptions, factorOf } from './factor.js'
import { type Judged, judge, type Recomputed, recompute, type VwapVerdict } from './judge.js'

export type { VwapVerdict } from './judge.js'

const severities: Severities<VwapVerdict> = {
  equal: 0,
  computed: 0,
  'lot-bound': 1,
  unverifiable: 1,
  'null-rule': 2,
  mismatch: 3,
}

export interface VwapOptions extends FactorOptions {
  /** The column to check, `vwap`. Without such a column the recomputed value is the result. */
  readonly vwap?: string
  /**
   * What a bar that is not there means. `unknown`: it may have had trades, so later values cannot be verified.
   * `no trade`: nothing happened, as in a feed that sends only bars with trades.
   */
  readonly missing?: 'unknown' | 'no trade'
  /**
   * What was rounded to whole lots. `total`, as the service says: the cumulative volume, whose differences the bars are,
   * so it is right within half a lot. `each bar`: every bar by itself, as in feeds whose minutes do not add up; the
   * cumulative volume is right within half a lot for each bar that traded.
   */
  readonly lots?: Lots
}

/** Columns that the check writes, row by row of the input. */
class Result {
  readonly verdict: Words
  readonly why: Words
  readonly recomputed: Float64Array
  readonly off: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array

  constructor(readonly rows: number) {
    const column = (): Float64Array => new Float64Array(rows).fill(Number.NaN)
    this.verdict = new Words(rows)
    this.why = new Words(rows)
    this.recomputed = column()
    this.off = column()
    this.low = column()
    this.high = column()
  }

  set(row: number, { verdict, why }: Judged): void {
    this.verdict.set(row, verdict)
    this.why.set(row, why)
  }
}

function ticksOf(off: Float64Array): Float64Array {
  return off.map((yuan) => shifted(yuan, 3))
}

function columnsOf(table: Table, keys: readonly string[], given: Float64Array, result: Result): MadeColumns {
  const kinds = { tradedate: 'date', symbol: 'code', trademin: 'minute', period: 'label' } as const
  const meanings = {
    tradedate: 'Trading day.',
    symbol: 'Security code.',
    trademin: 'Minute at which the bar closes.',
    period: 'Bar period.',
  }
  const own = Object.fromEntries(
    keys.map((key) => {
      const name = key as keyof typeof kinds
      return [name, wordColumn(kinds[name], meanings[name], words(table, name))]
    }),
  )
  return {
    ...own,
    given: numberColumn('yuan', 'The published average price; null where there is none.', given),
    recomputed: numberColumn(
      'yuan',
      'Cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals; null before the first trade and where it cannot be known.',
      result.recomputed,
    ),
    difference: numberColumn('yuan', 'given - recomputed.', result.off),
    ticks: numberColumn('0.001 yuan', 'The difference in steps of the third decimal.', ticksOf(result.off)),
    low: numberColumn(
      'yuan',
      'Least value that a volume rounded to whole lots can explain; null where the value is equal or unverifiable.',
      result.low,
    ),
    high: numberColumn('yuan', 'Greatest such value; null also where nothing bounds it.', result.high),
  }
}

function gather(column: Float64Array, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length)
  for (let i = 0; i < out.length; i++) out[i] = column[rows[i] as number] as number
  return out
}

function minutesOf(
  rows: Uint32Array,
  { codes, words: list }: { codes: Int32Array; words: readonly string[] },
): string[] {
  const out: string[] = []
  for (const row of rows) out.push(list[codes[row] as number] ?? '')
  return out
}

/** Runs over the series of a table: rows, symbol, day, minutes and period of each. */
function* eachSeries(table: Table, { order, starts }: Series, period: string | undefined) {
  const fine = period === undefined ? fifteenMinuteSymbols(table) : undefined
  const minute = words(table, 'trademin')
  const symbol = words(table, 'symbol')
  const date = words(table, 'tradedate')
  const own = has(table, 'period') ? words(table, 'period') : undefined
  for (let s = 0; s + 1 < starts.length; s++) {
    const rows = order.subarray(starts[s], starts[s + 1])
    const first = rows[0] ?? 0
    const at = (column: { codes: Int32Array; words: readonly string[] }, row: number): string =>
      column.words[column.codes[row] as number] ?? ''
    yield {
      rows,
      symbol: at(symbol, first),
      date: at(date, first),
      minutes: minutesOf(rows, minute),
      period: own ? at(own, first) : fine?.has(at(symbol, first)) ? '15m' : period,
    }
  }
}

/**
 * Recomputes the average price of the day from the published bars and compares (section 2.6): cumulative turnover
 * divided by cumulative volume x factor, ROUND_HALF_UP to 3 decimals, over the decimals that were sent. Bars are taken
 * by day, symbol and (if the table has it) period, in the order of `trademin`, whatever the order of the rows.
 *
 * - `equal`: the same number, or null on both sides before the first trade. A bar of zero volume keeps the value
 *   before it.
 * - `computed`: the table has no column to compare with; `recomputed` is the result.
 * - `lot-bound`: differs, and lies between `low` and `high`: turnover / ((volume +- half a lot) x factor), as the
 *   cumulative volume is rounded to whole lots once (option `lots` for feeds that round each bar). A value of more than
 *   three decimals is rounded to three before it is held against them.
 * - `unverifiable`: a turnover or volume that is null, negative or infinite, or a bar that is not there, makes the sums
 *   unknown from then on; or a null on a day before 2025-08-21 that has not been backfilled. `recomputed` is null there,
 *   and after a missing bar unless the published value is the same.
 * - `null-rule`: null where a value is due, or a value before the first trade.
 * - `mismatch`: none of these; `difference` in yuan, `ticks` in steps of 0.001.
 *
 * The factor is that of the option, else of the dataset (option or provenance), else of the code's number (11, 12: bond,
 * 10; 15, 16, 18, 5: ETF, 100).
 * @param bars with tradedate, symbol, trademin, vol, amount, and maybe vwap and period
 * @throws QuotebookError INVALID_VALUE when the factor cannot be told, a key is null, or a bar stands there twice;
 * MISSING_COLUMN when a column is not there
 */
export function checkVwap(bars: Table | DataFrame, options: VwapOptions = {}): Check<VwapVerdict> {
  const table = asTable(bars)
  const name = options.vwap ?? 'vwap'
  const compare = options.vwap !== undefined || has(table, name)
  const factor = factorOf(table, options)
  const missing = options.missing ?? (table.schema.metadata.get(missingKey) === 'no trade' ? 'no trade' : 'unknown')
  const keys = has(table, 'period') ? ['tradedate', 'symbol', 'period'] : ['tradedate', 'symbol']
  const [amount, vol] = [numbers(table, 'amount'), numbers(table, 'vol')]
  const given = compare ? numbers(table, name) : new Float64Array(table.numRows).fill(Number.NaN)
  const result = new Result(table.numRows)
  for (const one of eachSeries(table, seriesOf(table, keys, 'trademin'), askedPeriod(table, options.dataset))) {
    const [a, v, per] = [gather(amount, one.rows), gather(vol, one.rows), factor(one.symbol)]
    const lacks = missing === 'no trade' ? undefined : firstMissing(one.minutes, one.period)
    const known = { ...recompute(a, v, per, one.minutes), missing: lacks }
    const sound = [a.subarray(0, known.spoiltAt), v.subarray(0, known.spoiltAt)] as const
    if (compare) compareSeries(one, known, given, result, () => lotBounds(...sound, per, options.lots))
    else computeSeries(one.rows, known, result)
  }
  const columns = columnsOf(table, [...keys, 'trademin'], given, result)
  return conclude('vwap', severities, result.verdict, result.why, result.off, columns)
}

function computeSeries(rows: Uint32Array, known: Recomputed, result: Result): void {
  rows.forEach((row, i) => {
    if (i >= known.spoiltAt) result.set(row, { verdict: 'unverifiable', why: known.spoiltWhy })
    else if (known.missing && i >= known.missing.at) {
      result.set(row, { verdict: 'unverifiable', why: `the bar of ${known.missing.minute} is missing` })
    } else {
      result.recomputed[row] = known.value[i] as number
      result.set(row, { verdict: 'computed', why: Number.isNaN(known.value[i]) ? 'null before the first trade' : null })
    }
  })
}

function compareSeries(
  { rows, date }: { readonly rows: Uint32Array; readonly date: string },
  known: Recomputed,
  given: Float64Array,
  result: Result,
  lots: () => { readonly low: Float64Array; readonly high: Float64Array },
): void {
  let ends: ReturnType<typeof lots> | undefined
  rows.forEach((row, i) => {
    const value = given[row] as number
    const bounds = (): { low: number; high: number } => {
      ends ??= lots()
      result.low[row] = ends.low[i] as number
      result.high[row] = ends.high[i] as number
      return { low: ends.low[i] as number, high: ends.high[i] as number }
    }
    const judged = judge(value, known, i, date, bounds)
    result.set(row, judged)
    const lacksBars = known.missing !== undefined && i >= known.missing.at
    if (i >= known.spoiltAt || (lacksBars && judged.verdict !== 'equal')) return
    const due = known.value[i] as number
    result.recomputed[row] = due
    if (value === due) result.off[row] = 0
    else if (Number.isFinite(value)) result.off[row] = difference(value, due)
  })
}
