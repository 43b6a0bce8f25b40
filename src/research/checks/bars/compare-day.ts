import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { allowedCells } from '../allowed-cells.js'
import { type CheckResult, type Concluded, fails, leavesOpen, passes } from '../check.js'
import { integerColumn, textColumn } from '../check-columns.js'
import { columnDecimalPlaces, exactDifference, roundHalfUp } from '../exact/decimal.js'
import { asTableWithSource } from '../row-check.js'
import { firstBreak, type Grids, gridsOf } from './bar-grid.js'
import { type RowSeries, seriesOfBars, textAt } from './bar-series.js'
import {
  addUp,
  type BarColumns,
  type BarParts,
  barColumnsOf,
  type Comparison,
  compared,
  comparePrices,
  comparison,
  concludeComparisons,
  type Verdict,
  verdictOf,
} from './compare-bars.js'

/** Verdicts of `compareDay`. `lot-bound`: volumes differ by no more than rounding to whole lots explains. */
export type DayVerdict = 'equal' | 'lot-bound' | 'unverifiable' | 'mismatch'

export const judgedDay: Concluded<DayVerdict> = {
  name: 'day',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    equal: passes(sentence`The bars make the daily quote, in every column.`),
    'lot-bound': leavesOpen(sentence`Volume or turnover differ, by no more than the rounding of the bars can explain.`),
    unverifiable: leavesOpen(sentence`A bar or a number is missing, the day is not over, or it is not in the daily quotes.`),
    mismatch: fails(sentence`A column of the daily quote is not what the bars make.`),
  },
}

/** Why the bars of a day are not the whole day; undefined where they are. */
function incomplete(
  series: RowSeries,
  grids: Grids,
  s: number,
  twice: ReadonlySet<number>,
): readonly Words[] | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  for (let i = start; i < end; i++)
    if (twice.has(i)) return [sentence`the bar of ${textAt(series, 'trademin', i)} is a duplicate`]
  const last = textAt(series, 'trademin', end - 1)
  const ending = last < (bucketCloses['30m'].at(-1) ?? '') ? [sentence`the bars end at ${last}`] : undefined
  return firstBreak(series, grids, s)?.why ?? ending
}

/** How the turnovers are rounded, and whether a source answered the bars. */
interface Rounding {
  /** Decimals that they are compared at. */
  readonly places: number
  /** One unit of the last decimal of the bars, yuan, where the day has more decimals than they; else 0. */
  readonly unit: number
  readonly answered: boolean
}

/** The verdict on the numbers of a day, at a row of the daily quotes, that its bars add up to. */
function compareQuote(
  bars: BarColumns,
  parts: BarParts,
  day: BarColumns,
  row: number,
  { places, unit, answered }: Rounding,
): Verdict<DayVerdict> {
  const [vol, amount] = [day.vol[row] as number, day.amount[row] as number]
  const columns = [
    compared('vol', vol, parts.vol, 'unknown') ?? [],
    compared('amount', roundHalfUp(amount, places), roundHalfUp(parts.amount, places), 'unknown') ?? [],
    comparePrices(day, row, bars, [parts.traded, parts.maybeTraded], 'unknown'),
  ].flat()
  const lots = answered ? 1 : (parts.maybeTraded.length + 1) / 2
  const explained = {
    vol: Math.abs(exactDifference(vol, parts.vol)) <= lots,
    amount: Math.abs(amount - parts.amount) <= unit * lots * (1 + 1e-9),
  }
  const isRounded = ({ name, agreement }: (typeof columns)[number]): boolean =>
    agreement === 'differs' && (name === 'vol' || name === 'amount') && explained[name]
  const verdict = verdictOf(columns.filter((column) => !isRounded(column)))
  const rounded = columns.filter(isRounded)
  if (verdict.verdict !== 'equal' || rounded.length === 0) return verdict
  const last = rounded.pop()?.why ?? ''
  return { verdict: 'lot-bound', why: [...rounded.map(({ why }) => why), sentence`${last}: bars are rounded`] }
}

/**
 * The minute bars of bonds against their rows of `convertible_daily`, one row for each bond and day of the bars: volume
 * and turnover of the day are the sums of the bars, open is the first, close the last, high the greatest and low the
 * least price of the bars that traded; on a day without a trade the prices are not compared. Sums are of decimals,
 * without drift. Turnovers are compared at the fewer decimals of the two columns, everything else to the last digit.
 *
 * - `equal`: all columns agree.
 * - `lot-bound`: volume or turnover differ by what rounding explains. The volume by no more than a lot: bars that a source answered (their provenance says so)
 *   are differences of a total, which was rounded once. Of bars of unknown origin each may have been rounded by itself:
 *   half a lot for each that traded and for the day. The turnover by as many units of the bars' last decimal, where the
 *   day has more decimals than they.
 * - `mismatch`: a column does not agree; `columns` names them, `why` has the numbers.
 * - `unverifiable`: a bar is missing or is a duplicate, the bars end before 1500, as they do during the day, the day
 *   is not in `daily` or is there twice (nothing is compared then); or a number is null or infinite, and nothing that is known disagrees.
 * @param bars minute bars with tradedate, symbol (with market suffix), trademin, open, high, low, close, vol in lots and
 * amount in yuan, and maybe period
 * @param daily tradedate, code, open, high, low, close, vol in lots, amount in yuan
 * @throws QuotebookError MISSING_COLUMN
 */
export function compareDay(bars: Table | DataFrame, daily: Table | DataFrame): CheckResult<DayVerdict> {
  const { table } = allowedCells(asTableWithSource(bars), 'convertible_minute')
  const { table: days } = allowedCells(asTable(daily), 'convertible_daily')
  const series = seriesOfBars(table)
  const grids = gridsOf(table, series, 'convertible_minute')
  const [own, day] = [barColumnsOf(table), barColumnsOf(days)]
  const [coarse, fine] = [columnDecimalPlaces(own.amount), columnDecimalPlaces(day.amount)]
  const unit = coarse < fine ? 10 ** -coarse : 0
  const rounding = { places: Math.min(coarse, fine), unit, answered: provenance(table) !== undefined }
  const [dates, codes] = [strings(days, 'tradedate'), strings(days, 'code')]
  const rowsByDay = groupItems(dates.keys(), (row) => `${dates[row]} ${codes[row]}`)
  const twice = new Set(series.doubled)
  const starts = series.starts.slice(0, -1)
  const column = (name: string): string[] => starts.map((start) => textAt(series, name, start))
  const [date, code] = [column('tradedate'), column('symbol')]
  const comparisonAt = (s: number): Comparison<DayVerdict> => {
    const [row, second] = rowsByDay.get(`${date[s]} ${code[s]}`) ?? []
    if (row === undefined) return { verdict: 'unverifiable', why: [sentence`the day is not in the daily quotes`] }
    if (second !== undefined)
      return { verdict: 'unverifiable', why: [sentence`the day stands twice in the daily quotes`] }
    const [vol, amount] = [day.vol[row] as number, day.amount[row] as number]
    const why = incomplete(series, grids, s, twice)
    if (why !== undefined) return comparison({ verdict: 'unverifiable', why }, vol, amount)
    const parts = addUp(own, Array.from(series.order.subarray(series.starts[s], series.starts[s + 1])))
    return comparison(compareQuote(own, parts, day, row, rounding), vol, amount, parts)
  }
  const counts = Int32Array.from(starts, (start, s) => (series.starts[s + 1] as number) - start)
  const keys = {
    tradedate: textColumn('date', 'Trading day.', date),
    code: textColumn('code', 'Bond code with exchange suffix.', code),
    ...('period' in series.columns && { period: textColumn('label', 'Bar period.', column('period')) }),
    bars: integerColumn('bar', 'Minute bars of the day.', counts),
  }
  return concludeComparisons(judgedDay, starts.length, comparisonAt, keys, {
    unit: 'lot',
    vol: 'Volume of the day.',
    amount: 'Turnover of the day.',
    suffix: 'bars',
    sum: 'Sum of the bars; null where it is not known.',
  })
}
