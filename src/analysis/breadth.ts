import type { Table } from 'apache-arrow'
import { themeDaily } from '../contract/catalogue/theme-daily.js'
import { QuotebookError } from '../contract/error.js'
import { asTable } from '../frame/as-table.js'
import { numbers, texts } from '../frame/column.js'
import type { DataFrame } from '../frame/danfo/types.js'
import { numberColumn, tableOf, textColumn } from './columns.js'

/** The breadth indices of the whole market: advancing and declining stocks, stocks at their price limits. */
export const breadthNames: readonly string[] = ['涨跌家数', '停板家数']

const values = ['open', 'high', 'low', 'close', 'pre_close', 'change', 'pct_chg'] as const

/**
 * Series of the breadth indices from rows of theme_daily: one row an index and day, by name in the order asked, then
 * by day. The values are as published; the specification does not say what is counted, so nothing is derived.
 * @param names indices wanted, by name
 * @throws QuotebookError INVALID_VALUE when an index has two rows on a day; MISSING_COLUMN
 */
export function breadthSeries(input: Table | DataFrame, names: readonly string[] = breadthNames): Table {
  const table = asTable(input)
  const [date, name, symbol] = [texts(table, 'tradedate'), texts(table, 'name'), texts(table, 'symbol')]
  const rows = [...date.keys()].filter((row) => names.includes(name[row] ?? ''))
  const place = (row: number): string => `${String(names.indexOf(name[row] ?? '')).padStart(4, '0')} ${date[row]}`
  rows.sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
  const twice = rows.find((row, i) => i > 0 && place(row) === place(rows[i - 1] ?? -1))
  if (twice !== undefined) {
    throw new QuotebookError('INVALID_VALUE', `${name[twice]} has two rows on ${date[twice]}`)
  }
  const pick = (texts: readonly (string | null)[]): (string | null)[] => rows.map((row) => texts[row] ?? null)
  const columns = values.map((column) => {
    const { unit, meaning } = themeDaily.columns[column]
    const source = numbers(table, column)
    return [
      column,
      numberColumn(
        unit,
        meaning,
        Float64Array.from(rows, (row) => source[row] ?? Number.NaN),
      ),
    ] as const
  })
  return tableOf({
    tradedate: textColumn('date', 'Trading day.', pick(date)),
    name: textColumn('label', 'Chinese name of the index.', pick(name)),
    symbol: textColumn('code', 'Unique code of the index.', pick(symbol)),
    ...Object.fromEntries(columns),
  })
}
