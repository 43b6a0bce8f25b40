import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { onceOf } from '../report-day.js'
import { rowsOn } from '../report-tables.js'

/** The bars of an ETF on a day. */
export interface EtfDay {
  readonly symbol: string
  /** Yuan; NaN where no bar has any. */
  readonly turnover: number
  readonly close: number
  /** Against the last close of the day before among these bars, percent. */
  readonly change: number
  /** Average price of the day, as sent with its last bar. */
  readonly vwap: number
  /** Close over vwap, percent. */
  readonly deviation: number
  /** The largest deviation of a bar by size, with its sign, and the close of its bucket. */
  readonly widest: number
  readonly at: string
}

const over = (price: number, base: number): number => (price > 0 && base > 0 ? 100 * (price / base - 1) : Number.NaN)

/** Some rows by symbol, in the order of their buckets. */
function rowsBySymbol(table: Table, rows: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const [symbol, minute] = [strings(table, 'symbol'), strings(table, 'trademin')]
  const bySymbol = groupItems(rows, (row) => symbol[row] ?? '')
  for (const list of bySymbol.values()) list.sort((a, b) => ((minute[a] ?? '') < (minute[b] ?? '') ? -1 : 1))
  return bySymbol
}

function lastKnown(rows: readonly number[], values: Float64Array): number {
  const row = rows.findLast((one) => !Number.isNaN(values[one]))
  return row === undefined ? Number.NaN : (values[row] as number)
}

/** The ETFs of the day by turnover, the largest first; undefined without any bars. */
export const etfsOf = onceOf(({ of }): readonly EtfDay[] | undefined => {
  const { table, date, before, rows = [] } = of('etf_minute') ?? {}
  if (!table || !date) return undefined
  const minute = strings(table, 'trademin')
  const [close, vwap, amount] = [numbers(table, 'close'), numbers(table, 'vwap'), numbers(table, 'amount')]
  const earlier = rowsBySymbol(table, before === undefined ? [] : rowsOn(table, 'tradedate', before))
  const found = Array.from(rowsBySymbol(table, rows), ([symbol, rows]): EtfDay => {
    const amounts = rows.flatMap((row) => (Number.isNaN(amount[row]) ? [] : [amount[row] as number]))
    const [price, average] = [lastKnown(rows, close), lastKnown(rows, vwap)]
    const deviations = rows.map((row) => over(close[row] as number, vwap[row] as number))
    let place = -1
    deviations.forEach((one, i) => {
      if (!Number.isNaN(one) && (place < 0 || Math.abs(one) > Math.abs(deviations[place] as number))) place = i
    })
    return {
      symbol,
      turnover: amounts.length > 0 ? sumDecimals(amounts) : Number.NaN,
      close: price,
      change: over(price, lastKnown(earlier.get(symbol) ?? [], close)),
      vwap: average,
      deviation: over(price, average),
      widest: deviations[place] ?? Number.NaN,
      at: minute[rows[place] ?? -1] ?? '',
    }
  })
  const size = ({ turnover }: EtfDay): number => (Number.isNaN(turnover) ? -1 : turnover)
  return found.sort((a, b) => size(b) - size(a) || (a.symbol < b.symbol ? -1 : 1))
})
