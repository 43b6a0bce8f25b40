import { tradingDays } from '../../../../src/contract/calendar.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { computeAnomalies } from '../../../../src/research/checks/anomaly/compute/compute-anomalies.js'
import type { Row } from '../../analysis/help.js'

const sent = [
  ...['tradedate', 'symbol', 'name', 'pct_chg', 'rule', 'elapsed_days'],
  ...['deviation_pct', 'required_pct_chg', 'trigger_price', 'status'],
]

/** The severe candidates that follow from prices, as the service sends them: of every day, and of the one after the last. */
export function severeCandidates(prices: readonly Row[], benchmarks: readonly Row[]): Row[] {
  const calendar = tradingDays('20220101', '20261231')
  const { table } = computeAnomalies(fromRows(prices), fromRows(benchmarks), calendar, undefined, { resets: 'none' })
  return toObjects(table)
    .filter(({ measure }) => measure === 'severe')
    .map((row) => Object.fromEntries(sent.map((name) => [name, row[name]])))
}
