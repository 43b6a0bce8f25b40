import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../../contract/options.js'
import { asTable } from '../../../../frame/as-table.js'
import type { DataFrame } from '../../../../frame/danfo-types.js'
import { usedWords } from '../../../../frame/read-columns.js'
import { type AnomalyRules, anomalyRules } from '../anomaly-rules.js'
import { type Anomalies, resultOf } from './anomaly-table.js'
import { measureAll } from './measure-stocks.js'
import {
  anomalyKinds,
  type ComputeAnomaliesOptions,
  dateWords,
  daysFor,
  readOptions,
  readPrices,
} from './price-table.js'
import { checkRules } from './rules-in-force.js'
import { readIndices } from './stock-path.js'

export type { Anomalies } from './anomaly-table.js'
export type { AnomalyHalt, AnomalyReset, ComputeAnomaliesOptions } from './price-table.js'

/**
 * Computes abnormal and severe abnormal price movement from daily closes: what each stock's days reached, and could
 * have reached or can reach next, by the exchanges' rules in `rules`. The columns are those of dataset
 * `anomaly_forecast`, then their inputs: measure, direction, window, threshold, board, benchmark, the interval's first
 * day, the benchmark's return, the day's limit and the source of the rule. The result is not a ruling of an exchange.
 *
 * Deviation is the adjusted return of the stock over an interval minus that of its benchmark: the difference of the two
 * interval returns, not a sum of daily differences (three days of +10 % make 33.10, not 30). An interval is 1 to N days
 * long, ends with the day, and begins after the last reset of its measure; the one with the greatest deviation (for
 * falls the least) is the row's, of equal ones the shorter. With A and B the growth of stock and benchmark over it and
 * g that of the day, the day needed (1 + x) = (T + B) / A x g; for the day after the last, (1 + x) = (T + B) / A, the
 * benchmark being taken as unchanged. The price is rounded to the cent away from safety. The interval with the greatest
 * deviation may differ from the one that the lowest price would trigger.
 *
 * - `abnormal`: 3 days; `severe`: 10 and 30 days; `severe by count`: so many abnormal movements of one direction in 10
 *   days, of which no two share a day. Reaching a threshold counts. `reachable` rows are those whose price lies within
 *   the limit prices of the day.
 * - Prices: `tradedate`, `symbol`, `close` (yuan); a row without a close is a day of suspension, like no row at all.
 *   With `pre_close`, the exchange's reference price, returns are close / pre_close; else with `adj_factor`, cumulative
 *   and multiplicative, closes are multiplied by it; else closes count as adjusted (multiplicatively). `name` shows ST,
 *   `list_date` the days without limit after listing, which every interval leaves out.
 * - Benchmarks: `tradedate`, `code` (`000002.SH`), `close` in points.
 * - Exact: numbers are the decimals as sent; doubles decide if a bound on their error allows it, otherwise whole
 *   numbers do. Percentages are rounded half up to 4 decimals.
 * - A stock with impossible numbers gets no rows and is listed in `refused`: a price or factor not above 0, a return
 *   beyond the price limit, a duplicate day or one outside the calendar, an unknown board. A stock that the prices do
 *   not mark as ST is compared with the thresholds and limits of the others.
 *
 * Sorted by day, symbol, measure, window, direction. Rules and definition: SSE 5.4.2 and 5.4.3, SZSE 5.4.3 and 5.4.4.
 * @param calendar trading days, ascending, and at least the one after the last for a forecast; default: the built-in
 * one if it covers the years, else the days of the benchmarks (then without a forecast)
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a malformed day, option, rule or calendar, for a benchmark's
 * close that is not above 0, is a duplicate, or is missing on the first or last day of a stock's interval
 */
export function computeAnomalies(
  prices: Table | DataFrame,
  benchmarks: Table | DataFrame,
  calendar?: readonly string[],
  rules: AnomalyRules = anomalyRules,
  options: ComputeAnomaliesOptions = {},
): Anomalies {
  checkRules(rules)
  const table = asTable(prices)
  const dates = dateWords(table, 'prices')
  const indices = readIndices(asTable(benchmarks))
  const used = usedWords(dates)
  const days = daysFor(
    calendar,
    dates.words.filter((_, code) => used[code] === 1),
    indices.dates,
  )
  const choice = readOptions(checkOptions(options, anomalyKinds, 'computeAnomalies'), days.dates)
  const read = readPrices(table, dates, days.placeOf)
  const st = options.st && asTable(options.st)
  const { found, refused } = measureAll(read, indices.at(days), days, choice, rules, st)
  return resultOf(found, refused, days.dates, read.name)
}
