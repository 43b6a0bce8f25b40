import type { Table } from 'apache-arrow'
import { vwapSince } from '../../contract/session.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { has, numbers } from '../../frame/read-columns.js'
import { withThousands } from '../../show/html-table.js'
import { provenance } from '../../table/provenance.js'
import { type MinuteDataset, runBars } from '../bars/bar-checks.js'
import { askedPeriod, firstBreak, type GridBreak, gridsOf, missingKey } from '../bars/bar-grid.js'
import {
  asBarTable,
  barKeyColumns,
  groupSeries,
  type RowSeries,
  rowAt,
  textAt,
  toRowOrder,
  toSeriesOrder,
} from '../bars/bar-series.js'
import { type Check, type CheckResult, conclude, fails, leavesOpen, passes, type Severities } from '../check.js'
import { type CheckColumns, LabelBuilder, numberColumn } from '../check-columns.js'
import { decimalPlaces, exactDifference, roundHalfUp, shifted } from '../exact/decimal.js'
import {
  divide,
  everything,
  type Interval,
  intersect,
  middle,
  multiply,
  point,
  rounded,
  subtract,
} from '../exact/interval.js'
import { noise } from '../exact/precision.js'
import { isUnusable, tableVwap } from './cumulative-vwap.js'
import { type LotBounds, type Lots, lotBounds, type Sums } from './lot-bounds.js'
import { type FactorOptions, factorsOf } from './lot-factor.js'

/**
 * Verdicts of `checkVwap`. `computed`: nothing to compare with; `lot-bound`: differs by no more than rounding to whole
 * lots explains; `null-rule`: null where a value is due, or the other way round.
 */
export type VwapVerdict = 'equal' | 'computed' | 'lot-bound' | 'unverifiable' | 'null-rule' | 'mismatch'

interface Judged {
  readonly verdict: VwapVerdict
  readonly why: string | null
  /** Explained by the wider ends alone. */
  readonly isWide?: true
}

/** Least and greatest value that rounding to lots explains. */
interface Ends {
  readonly low: number
  readonly high: number
}

/** What is known of the bar that is judged. */
interface Known {
  /** Yuan, with the decimals of the published value; NaN before the first trade. */
  readonly due: number
  /** Why the sums are unknown from this bar on; undefined where they are known. */
  readonly unknown: string | undefined
  /** A bar up to this one that is not there, or that closes at no bucket. */
  readonly missing: GridBreak | undefined
  readonly date: string
  /** The ends as the options have them. */
  readonly ends: () => Ends
  /** The ends if each bar was rounded by itself. */
  readonly wideEnds: () => Ends
  /** Whether the wider ends explain a value too. */
  readonly either: boolean
}

/**
 * Whether rounding to whole lots explains a value, whose decimals the ends have too: only where they leave room for a value
 * other than the due one.
 */
function isWithin(given: number, { low, high }: Ends): boolean {
  return given >= low && !(given > high) && low !== high
}

/** The verdict on a published value that is not the number recomputed. */
function judge(given: number, known: Known): Judged {
  const { due, unknown, missing, date } = known
  if (unknown !== undefined) return { verdict: 'unverifiable', why: unknown }
  if (Number.isNaN(given)) {
    if (Number.isNaN(due)) {
      if (missing) return { verdict: 'unverifiable', why: missing.why }
      return { verdict: 'equal', why: 'null before the first trade' }
    }
    if (date < vwapSince) return { verdict: 'unverifiable', why: 'null, not backfilled' }
    return { verdict: 'null-rule', why: 'null where a value is due' }
  }
  if (!Number.isFinite(given)) return { verdict: 'mismatch', why: 'the value is infinite' }
  if (missing) return { verdict: 'unverifiable', why: missing.why }
  if (Number.isNaN(due)) return { verdict: 'null-rule', why: 'a value before the first trade' }
  if (isWithin(given, known.ends())) return { verdict: 'lot-bound', why: 'volume is rounded to whole lots' }
  if (!isWithin(given, known.wideEnds())) return { verdict: 'mismatch', why: null }
  if (!known.either)
    return { verdict: 'mismatch', why: 'explained only if each bar was rounded to whole lots by itself' }
  return { verdict: 'lot-bound', why: 'volume is rounded to whole lots, each bar by itself', isWide: true }
}

/** The verdict on a bar without a published value to compare with. */
function judgeAlone({ due, unknown, missing }: Pick<Known, 'due' | 'unknown' | 'missing'>): Judged {
  if (unknown !== undefined) return { verdict: 'unverifiable', why: unknown }
  if (missing) return { verdict: 'unverifiable', why: missing.why }
  return { verdict: 'computed', why: Number.isNaN(due) ? 'null before the first trade' : null }
}

/** What the check writes, row by row of the input. Rows that nothing is written to are as most rows are. */
class Result {
  readonly verdict: LabelBuilder
  readonly why: LabelBuilder
  readonly off: Float64Array
  readonly ticks: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array

  /** @param usual the verdict of rows that are not set, and their difference */
  constructor(rows: number, usual: { readonly verdict: VwapVerdict; readonly off: number }) {
    this.verdict = new LabelBuilder(rows)
    this.why = new LabelBuilder(rows)
    this.off = new Float64Array(rows).fill(usual.off)
    this.ticks = new Float64Array(rows).fill(usual.off)
    this.low = new Float64Array(rows).fill(Number.NaN)
    this.high = new Float64Array(rows).fill(Number.NaN)
    if (rows > 0) this.verdict.set(0, usual.verdict)
    this.verdict.codes.fill(0)
  }

  set(row: number, { verdict, why }: Judged): void {
    this.verdict.set(row, verdict)
    this.why.set(row, why)
  }

  /** What is published less what is due, in yuan and in ticks. `due` has three decimals, or as many as are published. */
  differ(row: number, published: number, due: number, { low, high }: Ends): void {
    this.low[row] = low
    this.high[row] = high
    const thousandths = Math.round(published * 1000)
    const plain = thousandths / 1000 === published && Math.abs(published) < 1e12 && due < 1e12
    this.ticks[row] = plain ? thousandths - Math.round(due * 1000) : shifted(exactDifference(published, due), 3)
    this.off[row] = plain ? (this.ticks[row] as number) / 1000 : exactDifference(published, due)
  }

  /** A row that has no difference. */
  without(row: number): void {
    this.off[row] = Number.NaN
    this.ticks[row] = Number.NaN
  }
}

/** The columns of the check. */
function columnsOf(given: Float64Array, recomputed: Float64Array, result: Result): CheckColumns {
  return {
    given: numberColumn('yuan', 'The published average price; null where there is none.', given),
    recomputed: numberColumn(
      'yuan',
      'Cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals, or as many as `given` has beyond them; null before the first trade and where it cannot be known.',
      recomputed,
    ),
    difference: numberColumn('yuan', 'given - recomputed.', result.off),
    ticks: numberColumn('0.001 yuan', 'The difference in steps of the third decimal.', result.ticks),
    low: numberColumn(
      'yuan',
      'Least value that a volume rounded to whole lots can explain; null where none was asked for: only lot-bound and mismatch have it.',
      result.low,
    ),
    high: numberColumn('yuan', 'Greatest such value; null also where nothing bounds it.', result.high),
  }
}

/** The bars of a series as far as their sums are known, and what was published for them. */
interface PublishedSums extends Sums {
  readonly given: Float64Array
  /** Places of the bars whose values are wrong without a known reason; rising. */
  readonly wrong: ReadonlySet<number>
}

/** The most by which a sum of some hundred doubles is off, relative to it. */
const drift = 2 ** -44

/** What each published value says of a turnover and of a volume too much. */
function excesses({ amount, vol, given, factor, lots }: PublishedSums): readonly (readonly [Interval, Interval])[] {
  const isRounded = factor !== 1 && vol.every(Number.isInteger)
  let [all, turnover, volume, bars] = [0, 0, 0, 0]
  return Array.from(given, (value, i) => {
    all += amount[i] as number
    volume += vol[i] as number
    if (vol[i] !== 0) turnover = all
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (volume === 0 || !Number.isFinite(value)) return [everything, everything]
    const half = isRounded ? (lots === 'total' ? 1 : bars) / 2 : 0
    const price = multiply(rounded(value, Math.max(3, decimalPlaces(value))), point(factor))
    const traded = { lo: Math.max(0, volume - half), hi: volume + half }
    const sum = { lo: turnover * (1 - drift), hi: turnover * (1 + drift) }
    return [subtract(multiply(price, traded), sum), subtract(divide(sum, price), traded)]
  })
}

function numberText(x: number): string {
  return x < 1000 ? String(roundHalfUp(x, 2)) : withThousands(Math.round(x))
}

/** The middle, and the ends where they are told from it. */
function textOf({ lo, hi }: Interval, units: 'yuan' | 'lots' | 'shares'): string {
  const [least, most] = (lo > 0 ? [lo, hi] : [-hi, -lo]).map(numberText)
  const amount = numberText(Math.abs(middle({ lo, hi })))
  const range = least === most ? '' : ` (${least} to ${most})`
  return `${amount} ${amount === '1' ? units.replace(/s$/, '') : units} too ${lo > 0 ? 'much' : 'little'}${range}`
}

/** The whole parts of a unit that all values say; undefined where there are none, or none is too much or too little. */
function shared(said: readonly (readonly [Interval, Interval])[], which: 0 | 1, parts: number): Interval | undefined {
  const common = said.reduce<Interval | undefined>((all, one) => all && intersect(all, one[which]), everything)
  if (!common) return undefined
  const [lo, hi] = [Math.ceil(common.lo * parts) / parts, Math.floor(common.hi * parts) / parts]
  return lo > hi || (lo <= 0 && hi >= 0) ? undefined : { lo, hi }
}

/**
 * The first wrong bar from which on one amount too much or too little in the turnover explains all values, or one number of
 * whole lots in the volume, and what they are. At least two wrong bars that traded show it.
 */
function causeOf(bars: PublishedSums): readonly [first: number, text: string] | undefined {
  const all = excesses(bars)
  const traded = [...bars.wrong].filter((i) => bars.vol[i] !== 0)
  for (const first of bars.wrong) {
    if (bars.wrong.has(first - 1) || (traded.at(-2) ?? -1) < first) continue
    const after = all.slice(first)
    const [yuan, lots] = [shared(after, 0, 100), shared(after, 1, 1)]
    const said = [yuan && textOf(yuan, 'yuan'), lots && textOf(lots, bars.factor === 1 ? 'shares' : 'lots')]
    if (yuan || lots) return [first, said.filter(Boolean).join(' or ')]
  }
  return undefined
}

export type { Lots } from './lot-bounds.js'

const severities: Severities<VwapVerdict> = {
  equal: 0,
  computed: 0,
  'lot-bound': 1,
  unverifiable: 1,
  'null-rule': 2,
  mismatch: 3,
}

/** Options of `checkVwap`: which columns to compare, what a missing bar means, and how volumes are counted. */
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
    ...barKeyColumns(series.columns),
    ...columnsOf(published, toRowOrder(series, value), result),
  })
}

function vwapLaw(dataset: MinuteDataset): Check {
  return {
    name: 'vwap',
    summary: 'the average price of the day, recomputed',
    dataset,
    rule: 'The average price of the day up to each bar is recomputed from the bars: turnover so far over (volume so far times the lot factor), rounded half up to 3 decimals (or as many as were sent beyond them), and compared with the vwap that was sent.',
    verdicts: {
      equal: passes('The number sent is the number recomputed, to the last decimal.'),
      computed: leavesOpen('No number was sent; ours stands alone.'),
      'lot-bound': leavesOpen('Differs, by no more than volumes rounded to whole lots can explain.'),
      unverifiable: leavesOpen(
        'A missing turnover, volume or bar, or a bar that stands there twice, leaves the sums unknown; or the day was not backfilled.',
      ),
      'null-rule': fails('Missing where a value is due, or a value before the first trade.'),
      mismatch: fails('Differs, and rounding does not explain it.'),
    },
    confirmedAs: 'recomputed to the same number',
    runs: (tables) => runBars(tables, dataset, (table) => checkVwap(table, { dataset })),
  }
}

/** Average prices of the day, recomputed, of ETFs and of bonds. */
export const vwapChecks: readonly Check[] = [vwapLaw('etf_minute'), vwapLaw('convertible_minute')]
