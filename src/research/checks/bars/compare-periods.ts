import type { Table } from 'apache-arrow'
import { bucketCloses, vwapSince } from '../../../contract/session.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import type { CheckResult, Severities } from '../check.js'
import { textColumn } from '../check-columns.js'
import { allowedCells } from '../row-findings.js'
import { offGrid, type Period } from './bar-grid.js'
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
  readonly date: readonly string[]
  readonly symbol: readonly string[]
  readonly minute: readonly string[]
  /** Rows of the period. */
  readonly rows: readonly number[]
  /** The same by day, symbol and minute. */
  readonly rowsAt: ReadonlyMap<string, readonly number[]>
}

function readPeriod(given: Table, period: Period): PeriodBars {
  const { table } = allowedCells(given, 'etf_minute')
  const periods = has(table, 'period') ? strings(table, 'period') : undefined
  const bars = barColumnsOf(table)
  const vwap = has(table, 'vwap') ? numbers(table, 'vwap') : undefined
  const column = (name: string): string[] => strings(table, name).map((text) => text ?? '')
  const [date, symbol, minute] = [column('tradedate'), column('symbol'), column('trademin')]
  const rows = [...date.keys()].filter((row) => !periods || periods[row] === period)
  const rowsAt = groupItems(rows, (row) => `${date[row]} ${symbol[row]} ${minute[row]}`)
  return { bars, vwap, date, symbol, minute, rows, rowsAt }
}

/** Closes of the bars of 15 minutes that a bar of 30 is made of: 0930 alone, 1000 of 0945 and 1000. */
function partCloses(close: string): readonly string[] {
  const at = bucketCloses['15m'].indexOf(close)
  return at === 0 ? [close] : bucketCloses['15m'].slice(at - 1, at + 1)
}

/** The average price of the day at the same close; undefined where only one side has it and neither need have it yet. */
function compareVwap(date: string, long: number, short: number): Compared | undefined {
  if (date < vwapSince && Number.isNaN(long) !== Number.isNaN(short)) return undefined
  const { agreement, ...one } = compared('vwap', long, short, 'same')
  return { ...one, agreement: agreement === 'unknown' ? 'differs' : agreement }
}

/** The verdict on a bar of 30 minutes. */
function compareBar(long: PeriodBars, row: number, short: PeriodBars): Comparison<PeriodVerdict> {
  const [date, minute] = [long.date[row] as string, long.minute[row] as string]
  const whole = { vol: long.bars.vol[row], amount: long.bars.amount[row] }
  if (!bucketCloses['30m'].includes(minute))
    return { ...whole, verdict: 'mismatch', why: offGrid(minute, '30m'), columns: ['trademin'] }
  const rowsOf = ({ rowsAt }: PeriodBars, close: string): readonly number[] =>
    rowsAt.get(`${date} ${long.symbol[row]} ${close}`) ?? []
  const closes = partCloses(minute).map((close) => ({ close, rows: rowsOf(short, close) }))
  const named = (some: typeof closes): string => some.map(({ close }) => close).join(' and ')
  const lacking = named(closes.filter(({ rows }) => rows.length === 0))
  const twice = named(closes.filter(({ rows }) => rows.length > 1))
  const unverifiable = (why: string) => ({ ...whole, verdict: 'unverifiable', why }) as const
  if (rowsOf(long, minute).length > 1) return unverifiable(`the bar of ${minute} is a duplicate`)
  if (lacking) return unverifiable(`no 15-minute bar of ${lacking}`)
  if (twice) return unverifiable(`the 15-minute bar of ${twice} is a duplicate`)
  const parts = addUp(
    short.bars,
    closes.flatMap(({ rows }) => rows),
  )
  const choices = [parts.traded, parts.maybeTraded, parts.rows]
  const last = parts.rows.at(-1) as number
  const vwap = long.vwap && short.vwap && compareVwap(date, long.vwap[row] as number, short.vwap[last] as number)
  const columns = [
    compared('vol', long.bars.vol[row] as number, parts.vol, 'unknown'),
    compared('amount', long.bars.amount[row] as number, parts.amount, 'unknown'),
    ...comparePrices(long.bars, row, short.bars, choices, 'same'),
    ...(vwap ? [vwap] : []),
  ]
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
  const pick = (column: readonly string[]): string[] => long.rows.map((row) => column[row] as string)
  const keys = {
    tradedate: textColumn('date', 'Trading day.', pick(long.date)),
    symbol: textColumn('code', 'Security code.', pick(long.symbol)),
    trademin: textColumn('minute', 'Minute at which the bar of 30 minutes closes.', pick(long.minute)),
  }
  const comparisons = long.rows.map((row) => compareBar(long, row, short))
  return concludeComparisons('periods', severities, comparisons, keys, {
    vol: 'Volume of the bar of 30 minutes, in the unit of the source.',
    amount: 'Turnover of the bar of 30 minutes.',
    suffix: 'parts',
    sum: 'Sum of its bars of 15 minutes; null where one is unknown.',
  })
}
