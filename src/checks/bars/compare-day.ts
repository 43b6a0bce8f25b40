import type { Table } from 'apache-arrow'
import { bucketCloses } from '../../contract/session.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { has, texts } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { type CheckResult, conclude, type Severities } from '../check.js'
import { integerColumn, LabelBuilder, labelColumn, numberColumn, textColumn } from '../check-columns.js'
import { columnDecimalPlaces, exactDifference, roundHalfUp } from '../exact/decimal.js'
import { allowedCells } from '../row-findings.js'
import { firstBreak, type Grids, gridsOf } from './bar-grid.js'
import { groupSeries, type RowSeries, rowAt, textAt } from './bar-series.js'
import {
  type BarColumns,
  barColumnsOf,
  type Compared,
  compared,
  comparePrices,
  summed,
  tradedOf,
} from './compare-bars.js'

/** Verdicts of `compareDay`. `lot-bound`: volumes differ by no more than rounding to whole lots explains. */
export type DayVerdict = 'equal' | 'lot-bound' | 'unverifiable' | 'mismatch'

const severities: Severities<DayVerdict> = { equal: 0, 'lot-bound': 1, unverifiable: 1, mismatch: 2 }

/** Rows of the daily table by day and code. */
function rowsByDay(daily: Table): Map<string, number[]> {
  const [date, code] = [texts(daily, 'tradedate'), texts(daily, 'code')]
  const found = new Map<string, number[]>()
  date.forEach((day, row) => {
    const key = `${day} ${code[row]}`
    const there = found.get(key)
    if (there) there.push(row)
    else found.set(key, [row])
  })
  return found
}

/** Why the bars of a day are not the whole day; undefined where they are. */
function incomplete(series: RowSeries, grids: Grids, s: number, twice: ReadonlySet<number>): string | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  for (let i = start; i < end; i++)
    if (twice.has(i)) return `the bar of ${textAt(series, 'trademin', i)} stands there twice`
  const broken = firstBreak(series, grids, s)
  if (broken) return broken.why
  const last = textAt(series, 'trademin', end - 1)
  const close = bucketCloses['30m'].at(-1) ?? ''
  return last < close ? `the bars end at ${last}` : undefined
}

interface Comparison {
  readonly compared: readonly Compared[]
  readonly vol: number
  readonly amount: number
  readonly amountOfDay: number
  /** Lots that rounding can make up: of two totals, or of each bar and the day. */
  readonly allowed: number
  /** Yuan that rounding the turnovers of the bars can make up; 0 where they have as many decimals as the day. */
  readonly spare: number
}

/** How the turnovers are rounded, and whether a source answered the bars. */
interface Rounding {
  /** Decimals that they are compared at. */
  readonly places: number
  /** One unit of the last decimal of the bars, yuan, where the day has more decimals than they; else 0. */
  readonly unit: number
  readonly answered: boolean
}

function compareOne(
  bars: BarColumns,
  rows: readonly number[],
  day: BarColumns,
  row: number,
  { places, unit, answered }: Rounding,
): Comparison {
  const [vol, amount] = [summed(bars.vol, rows), summed(bars.amount, rows)]
  const { known, maybe } = tradedOf(bars, rows)
  const volumes = compared('vol', day.vol[row] as number, vol, 'unknown')
  const turnovers = compared(
    'amount',
    roundHalfUp(day.amount[row] as number, places),
    roundHalfUp(amount, places),
    'unknown',
  )
  const prices = comparePrices(day, row, bars, [known, maybe], 'unknown')
  return {
    compared: [volumes, turnovers, ...prices],
    vol,
    amount,
    amountOfDay: day.amount[row] as number,
    allowed: answered ? 1 : (maybe.length + 1) / 2,
    spare: unit * (answered ? 1 : (maybe.length + 1) / 2),
  }
}

function verdictOf(
  found: Comparison,
  day: number,
): readonly [verdict: DayVerdict, why: string | null, columns: string[]] {
  const said = (some: readonly Compared[]): string => some.map(({ why }) => why).join('; ')
  const within = Math.abs(exactDifference(day, found.vol)) <= found.allowed
  const isPaid = Math.abs(found.amountOfDay - found.amount) <= found.spare * (1 + 1e-9)
  const differing = found.compared.filter(({ agreement }) => agreement === 'differs')
  const wrong = differing.filter(({ name }) => !(name === 'vol' && within) && !(name === 'amount' && isPaid))
  const open = found.compared.filter(({ agreement }) => agreement === 'unknown')
  const names = wrong.map(({ name }) => name)
  if (wrong.length > 0) return ['mismatch', said(wrong), names]
  if (open.length > 0) return ['unverifiable', said(open), names]
  if (differing.length === 0) return ['equal', null, names]
  return ['lot-bound', `${said(differing)}: bars are rounded`, names]
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
 * - `unverifiable`: a bar is missing or stands there twice, the bars end before 1500, as they do during the day, the day
 *   is not in `daily` or is there twice (nothing is compared then); or a number is null or infinite, and nothing that is known disagrees.
 * @param bars minute bars with tradedate, symbol (with market suffix), trademin, open, high, low, close, vol in lots and
 * amount in yuan, and maybe period
 * @param daily tradedate, code, open, high, low, close, vol in lots, amount in yuan
 * @throws QuotebookError MISSING_COLUMN
 */
export function compareDay(bars: Table | DataFrame, daily: Table | DataFrame): CheckResult<DayVerdict> {
  const { table } = allowedCells(asTable(bars), 'convertible_minute')
  const { table: days } = allowedCells(asTable(daily), 'convertible_daily')
  const answered = provenance(bars) !== undefined
  const keys = has(table, 'period') ? ['tradedate', 'symbol', 'period'] : ['tradedate', 'symbol']
  const series = groupSeries(table, keys, 'trademin')
  const grids = gridsOf(table, series, 'convertible_minute')
  const [own, day] = [barColumnsOf(table), barColumnsOf(days)]
  const [coarse, fine] = [columnDecimalPlaces(own.amount), columnDecimalPlaces(day.amount)]
  const rounding = { places: Math.min(coarse, fine), unit: coarse < fine ? 10 ** -coarse : 0, answered }
  const there = rowsByDay(days)
  const twice = new Set(series.doubled)
  const count = series.starts.length - 1
  const nothing = (): Float64Array => new Float64Array(count).fill(Number.NaN)
  const [vol, volDay, amount, amountDay, off] = [nothing(), nothing(), nothing(), nothing(), nothing()]
  const [verdict, why, columns] = [new LabelBuilder(count), new LabelBuilder(count), new LabelBuilder(count)]
  const wordOf = (name: string, s: number): string => textAt(series, name, series.starts[s] as number)
  const judge = (s: number): readonly [DayVerdict, string | null, string[]] => {
    const [row, second] = there.get(`${wordOf('tradedate', s)} ${wordOf('symbol', s)}`) ?? []
    if (row === undefined) return ['unverifiable', 'the day is not in the daily quotes', []]
    if (second !== undefined) return ['unverifiable', 'the day stands twice in the daily quotes', []]
    volDay[s] = day.vol[row] as number
    amountDay[s] = day.amount[row] as number
    const lacks = incomplete(series, grids, s, twice)
    if (lacks !== undefined) return ['unverifiable', lacks, []]
    const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
    const rows = Array.from({ length: end - start }, (_, i) => rowAt(series, start + i))
    const found = compareOne(own, rows, day, row, rounding)
    vol[s] = found.vol
    amount[s] = found.amount
    off[s] = exactDifference(day.amount[row] as number, found.amount)
    return verdictOf(found, day.vol[row] as number)
  }
  for (let s = 0; s < count; s++) {
    const [word, reason, names] = judge(s)
    verdict.set(s, word)
    why.set(s, reason)
    if (names.length > 0) columns.set(s, names.join(', '))
  }
  const all = [...Array(count).keys()]
  const text = (name: string): string[] => all.map((s) => wordOf(name, s))
  return conclude('day', severities, verdict, why, off, {
    tradedate: textColumn('date', 'Trading day.', text('tradedate')),
    code: textColumn('code', 'Bond code with exchange suffix.', text('symbol')),
    ...(keys.includes('period') ? { period: textColumn('label', 'Bar period.', text('period')) } : {}),
    bars: integerColumn(
      'bar',
      'Minute bars of the day.',
      Int32Array.from(all, (s) => (series.starts[s + 1] as number) - (series.starts[s] as number)),
    ),
    vol: numberColumn('lot', 'Volume of the day.', volDay),
    vol_bars: numberColumn('lot', 'Sum of the bars; null where it is not known.', vol),
    amount: numberColumn('yuan', 'Turnover of the day.', amountDay),
    amount_bars: numberColumn('yuan', 'Sum of the bars; null where it is not known.', amount),
    difference: numberColumn('yuan', 'amount - amount_bars.', off),
    columns: labelColumn('label', 'Columns that do not agree.', columns),
  })
}
