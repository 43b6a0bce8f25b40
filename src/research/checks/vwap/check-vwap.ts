import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { anyOf, sentence, type Words } from '../../../contract/sentence.js'
import { vwapSince } from '../../../contract/session.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbersToRead } from '../../../frame/read-columns.js'
import { withThousands } from '../../../frame/show/html-table.js'
import { provenance } from '../../../frame/table/provenance.js'
import { type MinuteDataset, runBars } from '../bars/bar-checks.js'
import {
  firstBreak,
  gridsOf,
  missingIsNoTrade,
  missingWords,
  requestedPeriod,
  type SeriesBreak,
} from '../bars/bar-grid.js'
import {
  barKeyColumns,
  type RowSeries,
  rowAt,
  seriesOfBars,
  textAt,
  toRowOrder,
  toSeriesOrder,
} from '../bars/bar-series.js'
import {
  type Check,
  type CheckResult,
  type Concluded,
  conclude,
  fails,
  leavesOpen,
  passes,
  type Severities,
} from '../check.js'
import { LabelBuilder, nanColumn, numberColumn } from '../check-columns.js'
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
import { ReasonBuilder } from '../reasons.js'
import { asTableWithSource } from '../row-check.js'
import { isUnusable, tableVwap } from './cumulative-vwap.js'
import { type LotBounds, type Lots, lotBounds, type RoundedBars } from './lot-bounds.js'
import { type FactorOptions, factorKinds, factorsOf } from './lot-factor.js'

export type { Lots } from './lot-bounds.js'

/**
 * Verdicts of `checkVwap`. `computed`: nothing to compare with; `lot-bound`: differs by no more than rounding to whole
 * lots explains; `null-rule`: null where a value is due, or the other way round.
 */
export type VwapVerdict = 'equal' | 'computed' | 'lot-bound' | 'unverifiable' | 'null-rule' | 'mismatch'

const judged: Concluded<VwapVerdict> = {
  name: 'vwap',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    equal: passes(sentence`The number sent is the number recomputed, to the last decimal.`),
    computed: leavesOpen(sentence`No number was sent; ours stands alone.`),
    'lot-bound': leavesOpen(sentence`Differs, by no more than volumes rounded to whole lots can explain.`),
    unverifiable: leavesOpen(sentence`A missing turnover, volume or bar, or a bar that is a duplicate, leaves the sums unknown; or the day was not backfilled.`),
    'null-rule': fails(sentence`Missing where a value is due, or a value before the first trade.`),
    mismatch: fails(sentence`Differs, and rounding does not explain it.`),
  },
}

const severities: Severities<VwapVerdict> = {
  equal: 0,
  computed: 0,
  'lot-bound': 1,
  unverifiable: 1,
  'null-rule': 2,
  mismatch: 3,
}

/** Options of `checkVwap`: which columns to compare, the meaning of a missing bar, and how volumes are counted. */
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

/** The bars in the order of their series, and what is computed of them. */
interface VwapBars {
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
}

/** What the check writes, by row of the table. */
interface VwapColumns {
  readonly verdict: LabelBuilder
  readonly why: ReasonBuilder
  readonly difference: Float64Array
  readonly ticks: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * By series, the place from which the sums are unknown: a bar that cannot be added up, or one that stands twice.
 * @param brokenAt by series, the first bar that cannot be added up
 */
function unknownSums(
  { series, amount, vol }: VwapBars,
  brokenAt: ReadonlyMap<number, number>,
  isPeriodKnown: boolean,
): ReadonlyMap<number, SeriesBreak> {
  const unknown = new Map<number, SeriesBreak>()
  for (const [s, at] of brokenAt) {
    const name = isUnusable(vol[at] as number) ? 'vol' : 'amount'
    const cell = (name === 'vol' ? vol : amount)[at] as number
    const minute = textAt(series, 'trademin', at)
    const why = Number.isNaN(cell)
      ? sentence`${name} of ${minute} is null`
      : cell < 0
        ? sentence`${name} of ${minute} is negative`
        : sentence`${name} of ${minute} is infinite`
    unknown.set(s, { at, why: [why] })
  }
  const hint = isPeriodKnown ? [] : [sentence`bars of two periods need a column ${'`period`'}`]
  let s = 0
  for (const second of series.doubled) {
    while ((series.starts[s + 1] as number) <= second) s++
    const at = second - 1
    if (at <= (unknown.get(s)?.at ?? at))
      unknown.set(s, { at, why: [sentence`the bar of ${textAt(series, 'trademin', at)} is a duplicate`, ...hint] })
  }
  return unknown
}

/** Least and greatest value that rounding to lots explains. */
interface Ends {
  readonly low: number
  readonly high: number
}

/** The ends of the bars of a series, whose sums are known up to a place, at a number of decimals; computed on demand. */
function lotEnds({ series, amount, vol, factors }: VwapBars, s: number, to: number) {
  const start = series.starts[s] as number
  const computed = new Map<string, LotBounds>()
  return (lots: Lots | 'none', places: number, i: number): Ends => {
    const key = `${lots} ${places}`
    const bounds =
      computed.get(key) ??
      lotBounds(amount.subarray(start, to), vol.subarray(start, to), factors[s] as number, lots, places)
    computed.set(key, bounds)
    return { low: bounds.low[i - start] as number, high: bounds.high[i - start] as number }
  }
}

/**
 * Whether rounding to whole lots explains a value, whose decimals the ends have too: only where they leave room for a value
 * other than the recomputed one.
 */
function isWithin(value: number, { low, high }: Ends): boolean {
  return value >= low && !(value > high) && low !== high
}

interface Judgement {
  readonly verdict: VwapVerdict
  readonly why: readonly Words[]
  /** The ends that the value is compared with, where there are two numbers to compare. */
  readonly compared?: Ends
}

/**
 * The verdict on a bar whose sums are known and whose published value is not the recomputed one.
 * @param published undefined where nothing is compared
 * @param value yuan, with the decimals of the published value; NaN before the first trade
 * @param missing why a bar up to this one is not there, or closes at no bucket
 * @param ends of rounding as the options have it, or of each bar by itself
 */
function judge(
  published: number | undefined,
  value: number,
  missing: readonly Words[] | undefined,
  date: string,
  { lots, either }: VwapBars,
  ends: (lots: Lots) => Ends,
): Judgement {
  const isBeforeTrade = Number.isNaN(value)
  if (published === undefined) {
    if (missing !== undefined) return { verdict: 'unverifiable', why: missing }
    return { verdict: 'computed', why: isBeforeTrade ? [sentence`null before the first trade`] : [] }
  }
  if (Number.isNaN(published) && !isBeforeTrade) {
    if (date < vwapSince) return { verdict: 'unverifiable', why: [sentence`null, not backfilled`] }
    return { verdict: 'null-rule', why: [sentence`null where a value is due`] }
  }
  if (Math.abs(published) === Number.POSITIVE_INFINITY)
    return { verdict: 'mismatch', why: [sentence`the value is infinite`] }
  if (missing !== undefined) return { verdict: 'unverifiable', why: missing }
  if (Number.isNaN(published)) return { verdict: 'equal', why: [sentence`null before the first trade`] }
  if (isBeforeTrade) return { verdict: 'null-rule', why: [sentence`a value before the first trade`] }
  const own = ends(lots)
  if (isWithin(published, own))
    return { verdict: 'lot-bound', why: [sentence`volume is rounded to whole lots`], compared: own }
  const wide = ends('each bar')
  if (!isWithin(published, wide)) return { verdict: 'mismatch', why: [], compared: own }
  if (either)
    return {
      verdict: 'lot-bound',
      why: [sentence`volume is rounded to whole lots, each bar by itself`],
      compared: wide,
    }
  const why = [sentence`explained only if each bar was rounded to whole lots by itself`]
  return { verdict: 'mismatch', why, compared: own }
}

/**
 * The published value less the recomputed one, which has three decimals or as many as are published: in yuan, and in
 * steps of 0.001 yuan.
 */
function differenceOf(published: number, value: number): readonly [yuan: number, ticks: number] {
  const thousandths = Math.round(published * 1000)
  if (thousandths / 1000 === published && Math.abs(published) < 1e12 && value < 1e12) {
    const ticks = thousandths - Math.round(value * 1000)
    return [ticks / 1000, ticks]
  }
  const yuan = exactDifference(published, value)
  return [yuan, shifted(yuan, 3)]
}

/** Whether a value is the recomputed one but for what arithmetic of doubles leaves behind, which needs more than fifteen digits. */
function isNoise(published: number, value: number): boolean {
  return Number(published.toPrecision(15)) !== published && Math.abs(published - value) <= noise * Math.abs(value)
}

function judgeSeries(
  bars: VwapBars,
  s: number,
  unknown: SeriesBreak | undefined,
  missing: SeriesBreak | undefined,
  columns: VwapColumns,
): void {
  const { series, given, value } = bars
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const known = unknown?.at ?? end
  const ends = lotEnds(bars, s, known)
  const date = textAt(series, 'tradedate', start)
  const wrong = new Set<number>()
  for (let i = start; i < end; i++) {
    const published = given?.[i]
    const places = published === undefined || published === value[i] ? 3 : Math.max(3, decimalPlaces(published))
    if (published !== undefined && places > 3 && i < known) {
      const exact = ends('none', places, i).low
      value[i] = isNoise(published, exact) ? published : exact
    }
    const own = value[i] as number
    const gap = missing !== undefined && i >= missing.at ? missing.why : undefined
    const isUsual = published === undefined ? gap === undefined && !Number.isNaN(own) : published === own
    if (isUsual && i < known) continue
    const row = rowAt(series, i)
    const { verdict, why, compared }: Judgement =
      unknown && i >= known
        ? { verdict: 'unverifiable', why: unknown.why }
        : judge(published, own, gap, date, bars, (rounding) => ends(rounding, places, i))
    columns.verdict.set(row, verdict)
    columns.why.set(row, why)
    if (verdict === 'mismatch' && why.length === 0) wrong.add(i - start)
    const [yuan, ticks] = compared && published !== undefined ? differenceOf(published, own) : [Number.NaN, Number.NaN]
    columns.difference[row] = yuan
    columns.ticks[row] = ticks
    columns.low[row] = compared?.low ?? Number.NaN
    columns.high[row] = compared?.high ?? Number.NaN
    if (i >= known || gap !== undefined) value[i] = Number.NaN
  }
  const cause = wrong.size > 1 ? causeOf(bars, s, wrong, Math.min(known, missing?.at ?? end)) : undefined
  if (cause) columns.why.set(rowAt(series, cause.at), cause.why)
}

/** The most by which a sum of some hundred doubles is off, relative to it. */
const drift = 2 ** -44

/** What a published value says of the turnover and of the volume that it was made of, less those of the bars. */
interface Excess {
  readonly turnover: Interval
  readonly volume: Interval
}

function excesses({ amount, vol, factor, lots }: RoundedBars, given: Float64Array): readonly Excess[] {
  const isRounded = factor !== 1 && vol.every(Number.isInteger)
  let [all, turnover, volume, bars] = [0, 0, 0, 0]
  return Array.from(given, (value, i) => {
    all += amount[i] as number
    volume += vol[i] as number
    if (vol[i] !== 0) turnover = all
    if (amount[i] !== 0 || vol[i] !== 0) bars++
    if (volume === 0 || !Number.isFinite(value)) return { turnover: everything, volume: everything }
    const half = isRounded ? (lots === 'total' ? 1 : bars) / 2 : 0
    const price = multiply(rounded(value, Math.max(3, decimalPlaces(value))), point(factor))
    const traded = { lo: Math.max(0, volume - half), hi: volume + half }
    const sum = { lo: turnover * (1 - drift), hi: turnover * (1 + drift) }
    return { turnover: subtract(multiply(price, traded), sum), volume: subtract(divide(sum, price), traded) }
  })
}

function numberText(x: number): string {
  return x < 1000 ? String(roundHalfUp(x, 2)) : withThousands(Math.round(x))
}

/** One amount too much or too little. */
const excessWords = {
  yuan: (amount: string, isMore: boolean): Words =>
    isMore ? sentence`${amount} yuan too much` : sentence`${amount} yuan too little`,
  lots: (amount: string, isMore: boolean): Words => {
    if (amount === '1') return isMore ? sentence`1 lot too much` : sentence`1 lot too little`
    return isMore ? sentence`${amount} lots too much` : sentence`${amount} lots too little`
  },
  shares: (amount: string, isMore: boolean): Words => {
    if (amount === '1') return isMore ? sentence`1 share too much` : sentence`1 share too little`
    return isMore ? sentence`${amount} shares too much` : sentence`${amount} shares too little`
  },
} as const

/**
 * The whole parts of a unit that all intervals share, in words: the middle, and the ends where their text differs.
 * Undefined where there are none, or none is too much or too little.
 */
function sharedText(all: readonly Interval[], parts: number, unit: keyof typeof excessWords): Words | undefined {
  const common = all.reduce<Interval | undefined>((rest, one) => rest && intersect(rest, one), everything)
  if (!common) return undefined
  const [lo, hi] = [Math.ceil(common.lo * parts) / parts, Math.floor(common.hi * parts) / parts]
  if (lo > hi || (lo <= 0 && hi >= 0)) return undefined
  const [least, most] = (lo > 0 ? [lo, hi] : [-hi, -lo]).map(numberText)
  const amount = numberText(Math.abs(middle({ lo, hi })))
  const told = excessWords[unit](amount, lo > 0)
  return least === most ? told : sentence`${told} (${least} to ${most})`
}

/**
 * The first wrong bar from which on one amount too much or too little in the turnover explains all values, or one number of
 * whole lots in the volume, and what they are. At least two wrong bars that traded show it.
 * @param wrong places in the series, rising, of the bars whose values are wrong without a known reason
 * @param to the place in the order up to which the sums are known
 */
function causeOf(bars: VwapBars, s: number, wrong: ReadonlySet<number>, to: number): SeriesBreak | undefined {
  const { series, given = bars.value, either } = bars
  const start = series.starts[s] as number
  const cut = (column: Float64Array): Float64Array => column.subarray(start, to)
  const [amount, vol, factor] = [cut(bars.amount), cut(bars.vol), bars.factors[s] as number]
  const all = excesses({ amount, vol, factor, lots: either ? 'each bar' : bars.lots }, cut(given))
  const traded = [...wrong].filter((i) => vol[i] !== 0)
  for (const first of wrong) {
    if (wrong.has(first - 1) || (traded.at(-2) ?? -1) < first) continue
    const [turnovers, volumes] = [all.map(({ turnover }) => turnover), all.map(({ volume }) => volume)]
    const yuan = sharedText(turnovers.slice(first), 100, 'yuan')
    const lots = sharedText(volumes.slice(first), 1, factor === 1 ? 'shares' : 'lots')
    const causes = [yuan, lots].filter((one) => one !== undefined)
    const at = start + first
    if (causes.length > 0) return { at, why: [sentence`from ${textAt(series, 'trademin', at)} on, ${anyOf(causes)}`] }
  }
  return undefined
}

/**
 * Recomputes the average price of the day from the published bars and compares it with the published one (section 2.6):
 * cumulative turnover divided by cumulative volume x factor, ROUND_HALF_UP to 3 decimals, or to as many as the
 * published value has beyond them, from the decimals as sent. Bars are grouped by day, symbol and (if the table has it)
 * period, in the order of `trademin`, whatever the order of the rows.
 *
 * - `equal`: the same number (one of more than fifteen digits, as doubles are computed, within 1e-12 of it), or null on
 *   both sides before the first trade. A bar of zero volume keeps the value before it.
 * - `computed`: the table lacks a column to compare with; `recomputed` is the result.
 * - `lot-bound`: differs, and lies between `low` and `high`: turnover / ((volume +- half a lot) x factor), as the
 *   cumulative volume is rounded to whole lots once; or half a lot for each bar that traded, in feeds that round every
 *   bar (option `lots`; either for bars of unknown origin). A value of more than three decimals is compared with ends
 *   of as many. - `unverifiable`: a null, negative or infinite turnover or volume, a missing bar, or a duplicate
 *   (either of the two may count) makes the sums unknown from then on, and `why` names it; or a null on a day before
 *   2025-08-21 that has not been backfilled. `recomputed` is null there, and after a missing bar unless the published
 *   value is the same.
 * - `null-rule`: null instead of a value, or a value before the first trade.
 * - `mismatch`: none of these; `difference` in yuan, `ticks` in steps of 0.001. `why` reports if rounding each bar to
 *   lots, instead of the total, would explain it. If one amount in the turnover or one number of lots in the volume
 *   explains all wrong bars, `why` of the first reports from when on and how much:
 *   `from 1000 on, 101,883 yuan too much`, with the least and the greatest that fit.
 *
 * The factor is that of the option, else of the dataset (option or provenance), else of the code's number (11, 12:
 * bond, 10; 15, 16, 18, 5: ETF, 100).
 * @param input bars with tradedate, symbol, trademin, vol, amount, and optionally vwap and period
 * @throws QuotebookError INVALID_VALUE if the factor cannot be determined or a key is null; MISSING_COLUMN if a column
 * is missing
 */
export function checkVwap(input: Table | DataFrame, options: VwapOptions = {}): CheckResult<VwapVerdict> {
  const kinds = { vwap: 'text', missing: missingWords, lots: ['total', 'each bar'], ...factorKinds } as const
  checkOptions(options, kinds, 'checkVwap')
  const table = asTableWithSource(input)
  const name = options.vwap ?? 'vwap'
  const isCompared = options.vwap !== undefined || has(table, name)
  const series = seriesOfBars(table)
  const [amount, vol] = [
    toSeriesOrder(series, numbersToRead(table, 'amount')),
    toSeriesOrder(series, numbersToRead(table, 'vol')),
  ]
  const published = isCompared ? numbersToRead(table, name) : nanColumn(table.numRows)
  const given = isCompared ? toSeriesOrder(series, published) : undefined
  const factors = factorsOf(table, series, options)
  const { value, brokenAt } = tableVwap(amount, vol, { starts: series.starts, factors })
  const either = options.lots === undefined && provenance(table) === undefined
  const bars: VwapBars = { series, amount, vol, given, value, factors, lots: options.lots ?? 'total', either }
  const isPeriodKnown = has(table, 'period') || requestedPeriod(table, options.dataset) !== undefined
  const unknown = unknownSums(bars, brokenAt, isPeriodKnown)
  const grids = missingIsNoTrade(table, options.missing) ? undefined : gridsOf(table, series, options.dataset)
  const rows = table.numRows
  const columns: VwapColumns = {
    verdict: new LabelBuilder(rows, isCompared ? 'equal' : 'computed'),
    why: new ReasonBuilder(rows),
    difference: isCompared ? new Float64Array(rows) : nanColumn(rows),
    ticks: isCompared ? new Float64Array(rows) : nanColumn(rows),
    low: nanColumn(rows),
    high: nanColumn(rows),
  }
  for (let s = 0; s + 1 < series.starts.length; s++)
    judgeSeries(bars, s, unknown.get(s), grids && firstBreak(series, grids, s), columns)
  const { verdict, why, difference, ticks, low, high } = columns
  return conclude(
    judged,
    verdict,
    why,
    difference,
    {
      ...barKeyColumns(series),
      given: numberColumn('yuan', 'The published average price; null where there is none.', published),
      recomputed: numberColumn(
        'yuan',
        'Cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals, or as many as `given` has beyond them; null before the first trade and where it cannot be known.',
        toRowOrder(series, value),
      ),
      difference: numberColumn('yuan', 'given - recomputed.', difference),
      ticks: numberColumn('0.001 yuan', 'The difference in steps of the third decimal.', ticks),
      low: numberColumn(
        'yuan',
        'Least value that a volume rounded to whole lots can explain; null where none was asked for: only lot-bound and mismatch have it.',
        low,
      ),
      high: numberColumn('yuan', 'Greatest such value; null also where nothing bounds it.', high),
    },
    severities,
  )
}

/** Average prices of the day, recomputed. */
export function vwapCheck(dataset: MinuteDataset): Check {
  return {
    ...judged,
    summary: 'the average price of the day, recomputed',
    dataset,
    rule: 'The average price of the day up to each bar is recomputed from the bars: turnover so far over (volume so far times the lot factor), rounded half up to 3 decimals (or as many as were sent beyond them), and compared with the vwap that was sent.',
    confirmedAs: 'recomputed to the same number',
    runs: (tables) => runBars(tables, dataset, (table) => checkVwap(table, { dataset })),
  }
}
