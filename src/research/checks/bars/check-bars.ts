import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { anyOf, sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionaryToRead, has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { allowedCells } from '../allowed-cells.js'
import { type CheckResult, type Concluded, conclude, fails, leavesOpen, passes } from '../check.js'
import { LabelBuilder, numberColumn } from '../check-columns.js'
import { columnDecimalPlaces, digitsAt, toDecimal } from '../exact/decimal.js'
import { reasonsOf } from '../findings.js'
import { ReasonBuilder } from '../reasons.js'
import { asTableWithSource } from '../row-check.js'
import { barVwaps } from '../vwap/cumulative-vwap.js'
import { type FactorOptions, factorKinds, factorsOf } from '../vwap/lot-factor.js'
import { type Grids, gridsOf, isBucketed, missingIsNoTrade, missingWords, offGrid, type Period } from './bar-grid.js'
import { barKeyColumns, type RowSeries, seriesOfBars, textAt } from './bar-series.js'
import { type BarColumns, barColumnsOf, barNumbers } from './compare-bars.js'

/**
 * Verdicts of `checkBars`. `incomplete`: a cell is missing; `gap`: bars before it are missing; `misplaced`: its time
 * does not fit its bucket.
 */
export type BarVerdict = 'pass' | 'incomplete' | 'gap' | 'duplicate' | 'out-of-range' | 'negative' | 'misplaced'

export const judgedBars: Concluded<BarVerdict> = {
  name: 'bars',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Nothing in the bar or its place in the day contradicts it.`),
    incomplete: leavesOpen(sentence`A turnover, a volume or a price is missing, so the bar cannot be judged.`),
    gap: leavesOpen(sentence`Bars are missing before it, or after it at the end of a day; a day that is not over has such an end.`),
    duplicate: fails(sentence`The same minute is a duplicate.`),
    'out-of-range': fails(sentence`A price, or the average of the bar, lies outside its own low and high.`),
    negative: fails(sentence`Volume or turnover is negative, so a cumulative value fell.`),
    misplaced: fails(sentence`Its minute is no bucket of the period, its time or day is not of one, or a cell holds what the contract forbids.`),
  },
}

/** What a verdict goes by where a bar has more than one finding: the last. */
const worstLast = Object.keys(judgedBars.verdicts) as BarVerdict[]

/** Options of `checkBars`: the meaning of a missing bar, and how volumes are counted. */
export interface BarOptions extends FactorOptions {
  /** What a bar that is not there means: that it is missing, or, as in a feed of bars with trades, nothing. */
  readonly missing?: 'unknown' | 'no trade'
  /**
   * What volumes are rounded to, in their own unit. Without it, 1 if the factor is above 1, for then they are lots;
   * with factor 1, for shares, 100 if every volume is a multiple of it, else 0.
   */
  readonly lot?: number
}

type Finding = readonly [verdict: Exclude<BarVerdict, 'pass'>, ...why: Words[]]

/** Whether amount > price x units + slack, in decimals. Doubles decide where the two are far from each other. */
function exceeds(amount: number, price: number, units: number, slack: number): boolean {
  const most = price * units + slack
  if (Math.abs(amount - most) > 1e-9 * Math.max(Math.abs(amount), Math.abs(most))) return amount > most
  const [a, p, u, s] = [toDecimal(amount), toDecimal(price), toDecimal(units), toDecimal(slack)]
  const scale = Math.max(a.scale, p.scale + u.scale, s.scale)
  const product = digitsAt({ digits: p.digits * u.digits, scale: p.scale + u.scale }, scale)
  return digitsAt(a, scale) > product + digitsAt(s, scale)
}

/** How the numbers of a bar are rounded. */
interface Rounding {
  readonly factor: number
  readonly lot: number
  /** One unit of the last decimal of the turnovers. */
  readonly unit: number
}

/** Whether the numbers of a bar contradict nothing by far, as those of nearly all bars: `findingsOf` has none then. */
function isSound(
  { open, high, low, close, vol, amount }: BarColumns,
  row: number,
  { factor, lot, unit }: Rounding,
): boolean {
  const top = high[row] as number
  const bottom = low[row] as number
  const [first, last] = [open[row] as number, close[row] as number]
  const volume = vol[row] as number
  const turnover = amount[row] as number
  const isBounded =
    top < Number.POSITIVE_INFINITY && bottom > Number.NEGATIVE_INFINITY && volume < Number.POSITIVE_INFINITY
  const isOrdered = bottom <= first && first <= top && bottom <= last && last <= top
  if (volume === 0 && turnover === 0 && isOrdered) return top >= 0
  if (!isBounded || !isOrdered || !(volume > 0) || !(turnover >= 0)) return false
  const most = top * (volume + lot) * factor + unit
  const least = bottom * Math.max(volume - lot, 0) * factor - unit
  const margin = 1e-8 * Math.max(turnover, Math.abs(most), Math.abs(least))
  return turnover < most - margin && turnover > least + margin
}

/** What the numbers of one bar contradict. */
function findingsOf(bars: BarColumns, row: number, { factor, lot, unit }: Rounding): Finding[] {
  const at = (name: keyof BarColumns): number => bars[name][row] as number
  const [high, low, vol, amount] = [at('high'), at('low'), at('vol'), at('amount')]
  const findings: Finding[] = []
  const negative = (['vol', 'amount'] as const).filter((name) => at(name) < 0)
  if (negative.length > 0)
    findings.push(['negative', sentence`${negative.join(', ')} below 0: the cumulative value fell`])
  const outside = (['open', 'close'] as const).find((name) => at(name) > high || at(name) < low)
  if (low > high) findings.push(['out-of-range', sentence`low ${low} is above high ${high}`])
  else if (outside) findings.push(['out-of-range', sentence`${outside} ${at(outside)} lies outside ${low} to ${high}`])
  const needed = vol === 0 ? (['vol', 'amount'] as const) : barNumbers
  const missing = needed.filter((name) => !Number.isFinite(at(name)))
  if (missing.length > 0) findings.push(['incomplete', sentence`no ${missing.join(', ')}`])
  else if (findings.length === 0 && Number.isFinite(high) && Number.isFinite(low)) {
    const least = (vol - lot) * factor
    if (exceeds(amount, high, (vol + lot) * factor, unit) || (least > 0 && exceeds(-amount, -low, least, unit)))
      findings.push(['out-of-range', sentence`amount / (vol x factor) lies outside low to high`])
  }
  return findings
}

/**
 * The bars that a series lacks, by the place of the bar after them, or of the last one; of a bar between that closes at no
 * bucket, since it may be the one that is missing. Undefined where none is.
 */
function gapsOf(
  series: RowSeries,
  grids: Grids,
  s: number,
  period: Period | undefined,
): Map<number, Words> | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  if (!period)
    return textAt(series, 'trademin', start) > '0931'
      ? new Map([[start, sentence`${'0930'} missing before it`]])
      : undefined
  const [closes, buckets] = [bucketCloses[period], grids.buckets[period]]
  let gaps: Map<number, Words> | undefined
  let next = 0
  let odd: number | undefined
  for (let i = start; i < end; i++) {
    const bucket = buckets[i] as number
    if (bucket < 0) odd ??= i
    else {
      if (bucket > next) {
        gaps ??= new Map()
        const missing = closes.slice(next, bucket).join(', ')
        gaps.set(
          odd ?? i,
          odd === undefined ? sentence`${missing} missing before it` : sentence`${missing} missing beside it`,
        )
      }
      next = bucket + 1
      odd = undefined
    }
  }
  if (next === closes.length) return gaps
  const last = odd ?? end - 1
  const before = gaps?.get(last)
  gaps ??= new Map()
  const after = sentence`${closes.slice(next).join(', ')} missing after it`
  return gaps.set(last, before ? sentence`${before}, ${after}` : after)
}

/** What the volumes of each series are rounded to. */
function lotsOf(factors: Float64Array, vol: Float64Array, lot: number | undefined): Float64Array {
  const areWhole = (of: number): boolean => vol.every((v) => Number.isNaN(v) || v % of === 0)
  const byFactor = new Map<number, number>()
  return factors.map((factor) => {
    const least = factor === 1 ? 100 : 1
    const own = lot ?? byFactor.get(factor) ?? (areWhole(least) ? least : 0)
    byFactor.set(factor, own)
    return own
  })
}

const closeMinutes = { '15m': bucketCloses['15m'].map(Number), '30m': bucketCloses['30m'].map(Number) } as const

/** Clock times of bars. The sessions are 0930 to 1130 and 1301 to 1500, so no bucket has a quote of the break between them. */
class BarTimes {
  readonly #codes: Int32Array
  readonly #words: readonly string[]
  readonly #minutes: Int32Array

  constructor(table: Table) {
    const none = { codes: new Int32Array(table.numRows).fill(-1), words: [] }
    const { codes, words } = has(table, 'time') ? dictionaryToRead(table, 'time') : none
    this.#codes = codes
    this.#words = words
    this.#minutes = Int32Array.from(words, (time) => Number(time.slice(0, 2) + time.slice(3, 5)))
  }

  at(row: number): string | undefined {
    return this.#words[this.#codes[row] as number]
  }

  /** Whether there is no time, or it lies in the bucket: the first has what came before it, and a close its whole minute. */
  fits(row: number, bucket: number, period: Period): boolean {
    const code = this.#codes[row] as number
    if (code < 0) return true
    const minute = this.#minutes[code] as number
    const closes = closeMinutes[period]
    const isBreak = minute > 1130 && minute < 1300
    return !isBreak && minute >= (closes[bucket - 1] ?? 0) && minute <= (closes[bucket] as number)
  }
}

/**
 * Checks each minute bar by itself and in its place in the day.
 *
 * - `pass`: none of the following. A bar without trade may lack prices.
 * - `negative`: vol or amount is negative. They are differences of cumulative values, so the cumulative value fell.
 * - `out-of-range`: low is above high; open or close lies outside low..high; or the bar's own average, amount / (vol x
 *   factor), does, even if the volume is up to one lot off. A volume is the difference of two cumulative volumes, each
 *   right within half a lot. The turnover may be off by one unit of the last decimal that the column shows, for the
 *   same reason.
 * - `misplaced`: it closes at a minute that is not a bucket of its period, its time lies outside the bucket (a time in
 *   the midday break lies outside every bucket), its day is not a trading day, or a cell breaks the contract, for
 *   example an infinite number or an empty symbol. The other bars of its day are still judged.
 * - `duplicate`: the same minute of the same day and symbol is a duplicate. Both bars have this verdict.
 * - `gap`: bars are missing before it, or after it if it is the day's last; `why` names them. This applies to bars of
 *   15 and 30 minutes only (30 if the period is unknown); for others only the opening is checked. The last day of a
 *   running market has a gap until its close.
 * - `incomplete`: vol or amount is null, or a price of a bar that traded. It cannot be judged.
 *
 * A bar with several findings gets the verdict of the worst, and `why` lists all of them.
 * @param bars tradedate, symbol, trademin, open, high, low, close, vol, amount, and optionally period; in any order
 * @throws QuotebookError INVALID_VALUE if the factor cannot be determined; MISSING_COLUMN
 */
export function checkBars(bars: Table | DataFrame, options: BarOptions = {}): CheckResult<BarVerdict> {
  checkOptions(options, { missing: missingWords, lot: 'a number', ...factorKinds }, 'checkBars')
  const { table, forbidden } = allowedCells(asTableWithSource(bars), options.dataset ?? 'etf_minute')
  const series = seriesOfBars(table)
  const own = barColumnsOf(table)
  const grids = gridsOf(table, series, options.dataset, '30m')
  const times = new BarTimes(table)
  const bucketed = isBucketed(table, options.dataset)
  const noTrade = missingIsNoTrade(table, options.missing)
  const factors = factorsOf(table, series, options)
  const unit = 10 ** -Math.min(columnDecimalPlaces(own.amount), 2)
  const rows = table.numRows
  const [verdict, why, beyond] = [new LabelBuilder(rows, 'pass'), new ReasonBuilder(rows), new Float64Array(rows)]
  const forbiddenAt = groupItems(forbidden, ({ row }) => row)
  const { order, starts, doubled } = series
  const twice = new Set(doubled.flatMap((place) => [place - 1, place]))
  const lots = lotsOf(factors, own.vol, options.lot)
  const averages = (more: Float64Array) => barVwaps(own, order, { starts, factors }, more)
  const average = averages(lots.map(() => 0))
  for (let s = 0; s + 1 < starts.length; s++) {
    const period = grids.periodOf(s)
    const gaps = noTrade ? undefined : gapsOf(series, grids, s, period)
    const rounding = { factor: factors[s] as number, lot: lots[s] as number, unit }
    const buckets = grids.buckets[period ?? '15m']
    for (let i = starts[s] as number; i < (starts[s + 1] as number); i++) {
      const row = order[i] as number
      const bucket = buckets[i] as number
      const isPlaced = bucket < 0 ? !period && !bucketed : !period || times.fits(row, bucket, period)
      const isKnown = gaps?.has(i) || forbiddenAt.has(row) || twice.has(i)
      if (isPlaced && !isKnown && isSound(own, row, rounding)) continue
      const findings: Finding[] = (forbiddenAt.get(row) ?? []).map((cell) => ['misplaced', ...reasonsOf([cell])])
      const minute = textAt(series, 'trademin', i)
      if (!isPlaced && minute !== '') {
        const wrong = sentence`time ${times.at(row)} lies outside the bar of ${minute}`
        findings.push(['misplaced', bucket < 0 ? offGrid(minute, period ?? anyOf(['15m', '30m'])) : wrong])
      }
      findings.push(...findingsOf(own, row, rounding))
      const gap = gaps?.get(i)
      if (gap !== undefined) findings.push(['gap', gap])
      if (twice.has(i)) findings.push(['duplicate', sentence`is a duplicate`])
      if (findings.length === 0) continue
      verdict.set(row, worstLast.findLast((one) => findings.some(([is]) => is === one)) ?? 'pass')
      const reasons = findings.flatMap(([, ...own]) => own)
      why.set(row, reasons)
      const mean = average[row] as number
      beyond[row] = Math.max(mean - (own.high[row] as number), (own.low[row] as number) - mean, 0)
    }
  }
  const averageMeaning = 'amount / (vol x factor) of the bar alone, ROUND_HALF_UP to 3 decimals; null without volume.'
  const greatestMeaning = 'The same with one lot less; null where no lot is left.'
  return conclude(judgedBars, verdict, why, beyond, {
    ...barKeyColumns(series),
    low: numberColumn('yuan', 'Lowest price of the bar.', own.low),
    high: numberColumn('yuan', 'Highest price of the bar.', own.high),
    average: numberColumn('yuan', averageMeaning, average),
    least: numberColumn('yuan', 'The same with one lot more.', averages(lots)),
    greatest: numberColumn('yuan', greatestMeaning, averages(lots.map((lot) => -lot))),
  })
}
