import type { Table } from 'apache-arrow'
import { has, numbers } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { provenance } from '../../table/provenance.js'
import { askedPeriod, firstBreak, gridsOf, missingKey } from '../bars/grid.js'
import { keyColumns } from '../bars/keys.js'
import { asBarTable } from '../bars/origin.js'
import { groupSeries, type RowSeries, rowAt, textAt, toRowOrder, toSeriesOrder } from '../bars/series.js'
import { type CheckResult, conclude, type Severities } from '../check.js'
import { decimalPlaces } from '../exact/decimal.js'
import { noise } from '../exact/precision.js'
import { causeOf } from './cause.js'
import { isUnusable, tableVwap } from './cumulative.js'
import { type FactorOptions, factorsOf } from './factor.js'
import { type Ends, judge, judgeAlone, type VwapVerdict } from './judge.js'
import { type LotBounds, type Lots, lotBounds } from './lots.js'
import { columnsOf, Result } from './result.js'

export type { VwapVerdict } from './judge.js'
export type { Lots } from './lots.js'

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
   * cumulative volume is right within half a lot for each bar that traded. Without it, `total` for what a source
   * answered (its provenance says so), and either of the two for bars of unknown origin; `why` says which.
   */
  readonly lots?: Lots
}

/** Amounts and volumes in the order of the series, and what is computed of them. */
interface Work {
  readonly series: RowSeries
  readonly amount: Float64Array
  readonly vol: Float64Array
  /** The published values; undefined where there are none to compare with. */
  readonly given: Float64Array | undefined
  /** The recomputed values; a value that is not shown to be right becomes NaN. */
  readonly value: Float64Array
  readonly factors: Float64Array
  readonly lots: Lots
  /** Whether each bar may have been rounded by itself as well. */
  readonly either: boolean
  /** Whether it is known that all bars are of one period, or of which each is. */
  readonly told: boolean
}

/** Why and from which place on the sums of a series are unknown. */
interface Unknown {
  readonly at: number
  readonly why: string
}

function nameOf(cell: number): string {
  if (Number.isNaN(cell)) return 'null'
  return cell < 0 ? 'negative' : 'infinite'
}

function spoilt({ series, amount, vol }: Work, at: number): Unknown {
  const column = isUnusable(vol[at] as number) ? 'vol' : 'amount'
  const cell = (column === 'vol' ? vol[at] : amount[at]) as number
  return { at, why: `${column} of ${textAt(series, 'trademin', at)} is ${nameOf(cell)}` }
}

function doubled({ series, told }: Work, at: number): Unknown {
  const hint = told ? '' : '; bars of two periods need a column `period`'
  return { at, why: `the bar of ${textAt(series, 'trademin', at)} stands there twice${hint}` }
}

/** By series, the place from which the sums are unknown: a bar that cannot be added up, or one that stands twice. */
function unknownOf(work: Work, spoiltAt: ReadonlyMap<number, number>): ReadonlyMap<number, Unknown> {
  const found = new Map<number, Unknown>()
  for (const [s, at] of spoiltAt) found.set(s, spoilt(work, at))
  let s = 0
  for (const second of work.series.doubled) {
    while ((work.series.starts[s + 1] as number) <= second) s++
    const before = found.get(s)
    if (before === undefined || second - 1 <= before.at) found.set(s, doubled(work, second - 1))
  }
  return found
}

/** The lot bounds of the bars of a series up to a place, at a number of decimals, computed when they are asked for. */
function boundsOf({ amount, vol, factors }: Work, s: number, start: number, to: number) {
  const made = new Map<string, LotBounds>()
  return (lots: Lots | 'none', places: number, i: number): Ends => {
    const key = `${lots} ${places}`
    let bounds = made.get(key)
    if (!bounds) {
      bounds = lotBounds(amount.subarray(start, to), vol.subarray(start, to), factors[s] as number, lots, places)
      made.set(key, bounds)
    }
    return { low: bounds.low[i - start] as number, high: bounds.high[i - start] as number }
  }
}

/** Whether a value is the due one but for what arithmetic of doubles leaves behind, which needs more than fifteen digits. */
function isNoise(published: number, due: number): boolean {
  return Number(published.toPrecision(15)) !== published && Math.abs(published - due) <= noise * Math.abs(due)
}

/** Gives the first of the wrong bars of a series, up to a place, the cause that explains them all. */
function sayCause(work: Work, s: number, wrong: ReadonlySet<number>, to: number, result: Result): void {
  const { series, given = work.value, either } = work
  const start = series.starts[s] as number
  const cut = (column: Float64Array): Float64Array => column.subarray(start, to)
  const [amount, vol, factor] = [cut(work.amount), cut(work.vol), work.factors[s] as number]
  const lots = either ? 'each bar' : work.lots
  const [first, cause] = causeOf({ amount, vol, given: cut(given), factor, lots, wrong }) ?? []
  if (first === undefined) return
  const minute = textAt(series, 'trademin', start + first)
  result.why.set(rowAt(series, start + first), `from ${minute} on, ${cause}`)
}

function judgeSeries(
  work: Work,
  s: number,
  unknown: Unknown | undefined,
  missing: ReturnType<typeof firstBreak>,
  result: Result,
): void {
  const { series, given, value } = work
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const known = unknown?.at ?? end
  const bounds = boundsOf(work, s, start, known)
  const wrong = new Set<number>()
  let date: string | undefined
  for (let i = start; i < end; i++) {
    const published = (given ?? value)[i] as number
    const places = published === value[i] ? 3 : Math.max(3, decimalPlaces(published))
    if (places > 3 && i < known) {
      const own = bounds('none', places, i).low
      value[i] = isNoise(published, own) ? published : own
    }
    const due = value[i] as number
    const gap = missing !== undefined && i >= missing.at ? missing : undefined
    if (published === due && i < known && (given !== undefined || gap === undefined)) continue
    const row = rowAt(series, i)
    const about = { due, unknown: i < known ? undefined : unknown?.why, missing: gap }
    if (given === undefined) result.set(row, judgeAlone(about))
    else {
      date ??= textAt(series, 'tradedate', start)
      const ends = () => bounds(work.lots, places, i)
      const wideEnds = () => bounds('each bar', places, i)
      const judged = judge(published, { ...about, date, ends, wideEnds, either: work.either })
      result.set(row, judged)
      if (judged.verdict === 'mismatch' && judged.why === null) wrong.add(i - start)
      const differs = i < known && !gap && Number.isFinite(published) && !Number.isNaN(due)
      if (differs) result.differ(row, published, due, judged.isWide ? wideEnds() : ends())
      else result.without(row)
    }
    if (i >= known || gap) value[i] = Number.NaN
  }
  if (wrong.size > 1) sayCause(work, s, wrong, Math.min(known, missing?.at ?? end), result)
}

/**
 * Recomputes the average price of the day from the published bars and compares (section 2.6): cumulative turnover
 * divided by cumulative volume x factor, ROUND_HALF_UP to 3 decimals, or to as many as the published value has beyond them, over the
 * decimals that were sent. Bars are taken by day, symbol and (if the table has it) period, in the order of `trademin`,
 * whatever the order of the rows.
 *
 * - `equal`: the same number (one of more than fifteen digits, as doubles are computed, up to 1e-12 of it), or null on both
 *   sides before the first trade. A bar of zero volume keeps the value before it.
 * - `computed`: the table has no column to compare with; `recomputed` is the result.
 * - `lot-bound`: differs, and lies between `low` and `high`: turnover / ((volume +- half a lot) x factor), as the
 *   cumulative volume is rounded to whole lots once; or half a lot for each bar that traded, in feeds that round every bar
 *   (option `lots`; either for bars of unknown origin). A value of more than three decimals is
 *   held against ends of as many.
 * - `unverifiable`: a turnover or volume that is null, negative or infinite, a bar that is not there, or one that stands
 *   there twice (which of the two counts cannot be told) makes the sums unknown from then on: `why` names it; or a null
 *   on a day before 2025-08-21 that has not been backfilled. `recomputed` is null there, and after a missing bar unless
 *   the published value is the same.
 * - `null-rule`: null where a value is due, or a value before the first trade.
 * - `mismatch`: none of these; `difference` in yuan, `ticks` in steps of 0.001. `why` says where rounding each bar to
 *   lots, and not the total, would explain it; and at the first of wrong bars, where one amount in the turnover or one number
 *   of lots in the volume explains all of them, from when on and how much: `from 1000 on, 101,883 yuan too much`, with the
 *   least and the greatest that fit.
 *
 * The factor is that of the option, else of the dataset (option or provenance), else of the code's number (11, 12: bond,
 * 10; 15, 16, 18, 5: ETF, 100).
 * @param bars with tradedate, symbol, trademin, vol, amount, and maybe vwap and period
 * @throws QuotebookError INVALID_VALUE when the factor cannot be told or a key is null; MISSING_COLUMN when a column is
 * not there
 */
export function checkVwap(bars: Table | DataFrame, options: VwapOptions = {}): CheckResult<VwapVerdict> {
  const table = asBarTable(bars)
  const name = options.vwap ?? 'vwap'
  const compare = options.vwap !== undefined || has(table, name)
  const missing = options.missing ?? (table.schema.metadata.get(missingKey) === 'no trade' ? 'no trade' : 'unknown')
  const keys = has(table, 'period') ? ['tradedate', 'symbol', 'period'] : ['tradedate', 'symbol']
  const series = groupSeries(table, keys, 'trademin')
  const [amount, vol] = [toSeriesOrder(series, numbers(table, 'amount')), toSeriesOrder(series, numbers(table, 'vol'))]
  const published = compare ? numbers(table, name) : new Float64Array(table.numRows).fill(Number.NaN)
  const factors = factorsOf(table, series, options)
  const { value, spoiltAt } = tableVwap(amount, vol, { starts: series.starts, factors })
  const given = compare ? toSeriesOrder(series, published) : undefined
  const either = options.lots === undefined && provenance(table) === undefined
  const told = keys.includes('period') || askedPeriod(table, options.dataset) !== undefined
  const work: Work = { series, amount, vol, given, value, factors, lots: options.lots ?? 'total', either, told }
  const unknown = unknownOf(work, spoiltAt)
  const grids = gridsOf(table, series, options.dataset)
  const usual = compare ? ({ verdict: 'equal', off: 0 } as const) : ({ verdict: 'computed', off: Number.NaN } as const)
  const result = new Result(table.numRows, usual)
  for (let s = 0; s + 1 < series.starts.length; s++) {
    const lacks = missing === 'no trade' ? undefined : firstBreak(series, grids, s)
    judgeSeries(work, s, unknown.get(s), lacks, result)
  }
  return conclude('vwap', severities, result.verdict, result.why, result.off, {
    ...keyColumns(series.columns),
    ...columnsOf(published, toRowOrder(series, value), result),
  })
}
