import { expect, test } from 'vitest'
import { benchmarkOf } from '../../../src/checks/anomaly/anomaly-rules.js'
import { computeAnomalies } from '../../../src/checks/anomaly/compute/compute-anomalies.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { indexOf } from '../../../src/sample/anomaly-sheet.js'
import { planSample, type Sample } from '../../../src/sample/sample-plan.js'
import { closeOf, isSuspended, nameOn } from '../../../src/sample/sample-stock.js'
import { fromRows } from '../../../src/table/from-rows.js'
import { rowsOf } from '../../sample/rows.js'

const calendar = tradingDays('20220101', '20261231')
const window = 31

/** The hidden closes of a sample, from as far back as the longest window needs. */
function hidden(sample: Sample) {
  const first = sample.days[0]?.t ?? 0
  const days = calendar.map((date, t) => ({ date, t })).slice(Math.max(0, first - window), sample.latest.t + 1)
  const prices = sample.stocks.flatMap((stock) =>
    days
      .filter(({ t }) => !isSuspended(stock, t))
      .map((day) => ({
        tradedate: day.date,
        symbol: stock.code,
        name: nameOn(stock, day),
        close: closeOf(stock, day.t) / 100,
      })),
  )
  const benchmarks = [...new Set(sample.stocks.map(({ board }) => board))].flatMap((board) =>
    days.map(({ date, t }) => ({
      tradedate: date,
      code: benchmarkOf(board).code,
      close: indexOf(sample.seed, board, t) / 100,
    })),
  )
  return { prices: fromRows(prices), benchmarks: fromRows(benchmarks), from: sample.days[0]?.date ?? '' }
}

/**
 * The generator of the sample is another implementation: it keeps closes as cents and divides whole numbers, and knows
 * severe rules only. It also asks of a reachable row that required_pct_chg be within the limit percentage; a limit
 * price that is rounded up lies beyond it by as much as half a cent.
 */
test.each([{ days: 90 }, { days: 40, start: '20230410', seed: 11 }, { days: 60, symbols: 30, seed: 5 }])(
  'the rows of a sample come out of its hidden closes: %j',
  (options) => {
    const sample = planSample(options)
    const { prices, benchmarks, from } = hidden(sample)
    const { table, refused } = computeAnomalies(prices, benchmarks, calendar, undefined, { resets: 'none' })
    expect(refused.numRows).toBe(0)
    const published = rowsOf('anomaly_forecast', options)
    const fields = Object.keys(published[0] ?? {})
    const computed = objectsOf(table).filter((row) => row.measure === 'severe' && String(row.tradedate) >= from)
    const isBeyondPercent = (row: (typeof computed)[number]): boolean =>
      row.status === 'reachable' && Math.abs(Number(row.required_pct_chg)) > Number(row.limit_pct)
    const own = computed
      .filter((row) => !isBeyondPercent(row))
      .map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
    const key = (row: Readonly<Record<string, unknown>>): string => `${row.tradedate} ${row.symbol} ${row.rule}`
    expect(own.map(key).sort()).toEqual(published.map(key).sort())
    const byKey = new Map(own.map((row) => [key(row), row]))
    for (const row of published) expect(byKey.get(key(row)), key(row)).toEqual(row)
    expect(published.length).toBeGreaterThan(90)
  },
)
