import type { Table } from 'apache-arrow'
import { bucketCloses, vwapSince } from '../../contract/session.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { has, numbers, texts, words } from '../../frame/read-columns.js'
import { type CheckResult, conclude, type Severities } from '../check.js'
import { type CheckColumn, LabelBuilder, labelColumn, numberColumn, textColumn } from '../check-columns.js'
import { exactDifference } from '../exact/decimal.js'
import { allowedCells } from '../row-findings.js'
import { offGrid, type Period } from './bar-grid.js'
import {
  type BarColumns,
  barColumnsOf,
  type Compared,
  compared,
  comparePrices,
  summed,
  tradedOf,
} from './compare-bars.js'

/** Verdicts of `comparePeriods`. `unverifiable`: bars of the shorter period are missing. */
export type PeriodVerdict = 'equal' | 'mismatch' | 'unverifiable'

const severities: Severities<PeriodVerdict> = { equal: 0, unverifiable: 1, mismatch: 2 }

interface Side {
  readonly bars: BarColumns
  readonly vwap: Float64Array | undefined
  /** Rows of the period. */
  readonly rows: readonly number[]
  readonly dateOf: (row: number) => string
  readonly symbolOf: (row: number) => string
  readonly minuteOf: (row: number) => string
}

function sideOf(bars: Table | DataFrame, period: Period): Side {
  const { table } = allowedCells(asTable(bars), 'etf_minute')
  const own = has(table, 'period') ? texts(table, 'period') : undefined
  const textOf = (name: string) => {
    const { codes, words: list } = words(table, name)
    return (row: number): string => list[codes[row] as number] ?? ''
  }
  const rows: number[] = []
  for (let row = 0; row < table.numRows; row++) if (!own || own[row] === period) rows.push(row)
  return {
    bars: barColumnsOf(table),
    vwap: has(table, 'vwap') ? numbers(table, 'vwap') : undefined,
    rows,
    dateOf: textOf('tradedate'),
    symbolOf: textOf('symbol'),
    minuteOf: textOf('trademin'),
  }
}

/** Rows by day, symbol and minute. */
function placesOf({ rows, dateOf, symbolOf, minuteOf }: Side): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const row of rows) {
    const key = `${dateOf(row)} ${symbolOf(row)} ${minuteOf(row)}`
    const there = places.get(key)
    if (there) there.push(row)
    else places.set(key, [row])
  }
  return places
}

/** Closes of the bars of 15 minutes that a bar of 30 is made of: 0930 alone, 1000 of 0945 and 1000. */
function partsOf(close: string): readonly string[] {
  const at = bucketCloses['15m'].indexOf(close)
  return at === 0 ? [close] : bucketCloses['15m'].slice(at - 1, at + 1)
}

interface Found {
  readonly compared: readonly Compared[]
  readonly vol: number
  readonly amount: number
}

function compareBar(long: Side, row: number, short: Side, rows: readonly number[]): Found {
  const [vol, amount] = [summed(short.bars.vol, rows), summed(short.bars.amount, rows)]
  const { known, maybe } = tradedOf(short.bars, rows)
  const found = [
    compared('vol', long.bars.vol[row] as number, vol, 'unknown'),
    compared('amount', long.bars.amount[row] as number, amount, 'unknown'),
    ...comparePrices(long.bars, row, short.bars, [known, maybe, rows], 'same'),
  ]
  if (long.vwap && short.vwap) {
    const [own, other] = [long.vwap[row] as number, short.vwap[rows.at(-1) ?? -1] as number]
    const backfill = long.dateOf(row) < vwapSince && Number.isNaN(own) !== Number.isNaN(other)
    const one = compared('vwap', own, other, 'same')
    if (!backfill) found.push(one.agreement === 'unknown' ? { ...one, agreement: 'differs' } : one)
  }
  return { compared: found, vol, amount }
}

const reasons = (found: readonly Compared[]): string => found.map(({ why }) => why).join('; ')

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
 * - `unverifiable`: a part is missing, stands there twice, or is null or infinite; nothing that is known disagrees.
 * @param fifteen bars of 15 minutes; of a table with a column `period`, those of `15m`
 * @param thirty bars of 30 minutes; of a table with a column `period`, those of `30m`
 * @throws QuotebookError MISSING_COLUMN
 */
export function comparePeriods(fifteen: Table | DataFrame, thirty: Table | DataFrame): CheckResult<PeriodVerdict> {
  const [short, long] = [sideOf(fifteen, '15m'), sideOf(thirty, '30m')]
  const [places, own] = [placesOf(short), placesOf(long)]
  const count = long.rows.length
  const [verdict, why, columns] = [new LabelBuilder(count), new LabelBuilder(count), new LabelBuilder(count)]
  const nothing = (): Float64Array => new Float64Array(count).fill(Number.NaN)
  const [vol, amount, off] = [nothing(), nothing(), nothing()]
  const set = (i: number, word: PeriodVerdict, reason: string | null): void => {
    verdict.set(i, word)
    why.set(i, reason)
  }
  long.rows.forEach((row, i) => {
    const head = `${long.dateOf(row)} ${long.symbolOf(row)}`
    const minute = long.minuteOf(row)
    if (!bucketCloses['30m'].includes(minute)) {
      columns.set(i, 'trademin')
      set(i, 'mismatch', offGrid(minute, '30m'))
      return
    }
    const closes = partsOf(minute)
    const parts = closes.map((close) => places.get(`${head} ${close}`) ?? [])
    const lacking = closes.filter((_, at) => parts[at]?.length === 0)
    const twice = closes.filter((_, at) => (parts[at]?.length ?? 0) > 1)
    if ((own.get(`${head} ${minute}`)?.length ?? 0) > 1)
      set(i, 'unverifiable', `the bar of ${minute} stands there twice`)
    else if (lacking.length > 0) set(i, 'unverifiable', `no 15-minute bar of ${lacking.join(' and ')}`)
    else if (twice.length > 0) set(i, 'unverifiable', `the 15-minute bar of ${twice.join(' and ')} stands there twice`)
    else {
      const found = compareBar(long, row, short, parts.flat())
      const wrong = found.compared.filter(({ agreement }) => agreement === 'differs')
      const open = found.compared.filter(({ agreement }) => agreement === 'unknown')
      vol[i] = found.vol
      amount[i] = found.amount
      off[i] = exactDifference(long.bars.amount[row] as number, found.amount)
      if (wrong.length > 0) columns.set(i, wrong.map(({ name }) => name).join(', '))
      if (wrong.length > 0) set(i, 'mismatch', reasons(wrong))
      else if (open.length > 0) set(i, 'unverifiable', reasons(open))
      else set(i, 'equal', null)
    }
  })
  const text = (kind: 'date' | 'code' | 'minute', meaning: string, of: (row: number) => string): CheckColumn =>
    textColumn(kind, meaning, long.rows.map(of))
  const pick = (column: Float64Array): Float64Array => Float64Array.from(long.rows, (row) => column[row] as number)
  return conclude('periods', severities, verdict, why, off, {
    tradedate: text('date', 'Trading day.', long.dateOf),
    symbol: text('code', 'Security code.', long.symbolOf),
    trademin: text('minute', 'Minute at which the bar of 30 minutes closes.', long.minuteOf),
    vol: numberColumn(undefined, 'Volume of the bar of 30 minutes, in the unit of the source.', pick(long.bars.vol)),
    vol_parts: numberColumn(undefined, 'Sum of its bars of 15 minutes; null where one is unknown.', vol),
    amount: numberColumn('yuan', 'Turnover of the bar of 30 minutes.', pick(long.bars.amount)),
    amount_parts: numberColumn('yuan', 'Sum of its bars of 15 minutes; null where one is unknown.', amount),
    difference: numberColumn('yuan', 'amount - amount_parts.', off),
    columns: labelColumn('label', 'Columns that do not agree.', columns),
  })
}
