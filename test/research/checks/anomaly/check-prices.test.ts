import { beforeAll, expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { numbers, strings, toObjects } from '../../../../src/frame/read-columns.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { benchmarkOf } from '../../../../src/research/checks/anomaly/anomaly-rules.js'
import { checkAnomalies } from '../../../../src/research/checks/anomaly/check-anomalies.js'
import { indexOf } from '../../../../src/research/sample/anomaly-sheet.js'
import { planSample } from '../../../../src/research/sample/sample-plan.js'
import { closeOf, isSuspended } from '../../../../src/research/sample/sample-stock.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { rowsOf } from '../../sample/rows.js'

const sample = planSample()
const days = tradingDays('20220101', '20261231').map((date, t) => ({ date, t }))
const first = sample.days[0]?.t ?? 0

/** The hidden closes of the sample's runners, the only stocks that it has candidates of. */
function quotes(back = 31) {
  const shown = days.slice(first - back, sample.latest.t + 1)
  const stocks = sample.stocks.filter(({ run }) => run)
  const prices = stocks.flatMap((stock) =>
    shown
      .filter(({ t }) => !isSuspended(stock, t))
      .map(({ date, t }): Row => ({ tradedate: date, symbol: stock.code, close: closeOf(stock, t) / 100 })),
  )
  const benchmarks = [...new Set(stocks.map(({ board }) => board))].flatMap((board) =>
    shown.map(({ date, t }) => ({
      tradedate: date,
      code: benchmarkOf(board).code,
      close: indexOf(sample.seed, board, t) / 100,
    })),
  )
  return { prices, benchmarks }
}

const published = rowsOf('anomaly_forecast')
const unstored = published.map((row): Row => {
  const { computed_on, ...sent } = row
  return sent
})
let whole: ReturnType<typeof quotes>

beforeAll(() => {
  whole = quotes()
})

function check(rows: readonly Row[], prices: readonly Row[] = whole.prices, more = {}) {
  return checkAnomalies(tableFrom('anomaly_forecast', rows), {
    prices: fromRows([...prices]),
    benchmarks: fromRows(whole.benchmarks),
    ...more,
  })
}

test('every row of the sample is what its hidden closes give, without resets', () => {
  const found = check(unstored)
  expect(found.counts).toMatchObject({ equal: unstored.length, mismatch: 0, unexpected: 0, unverifiable: 0 })
  expect([found.ok, found.resets, found.refused.numRows]).toEqual([true, 'none', 0])
  expect(numbers(found.table, 'difference').every((x) => x === 0)).toBe(true)
  // The sample asks of a reachable row that its percentage be within the limit; a rounded limit price lies beyond it.
  for (const row of toObjects(found.absent)) {
    expect(row['status']).toBe('reachable')
    expect(Math.abs(Number(row['required_pct_chg']))).toBeGreaterThan(Number(row['limit_pct']))
  }
})

test('with resets other rows are due, and the check says so', () => {
  const found = check(unstored, undefined, { resets: 'computed' })
  expect(found.resets).toBe('computed')
  expect(found.counts.equal).toBeLessThan(unstored.length)
  expect(found.counts.unexpected + found.counts.mismatch).toBe(unstored.length - found.counts.equal)
})

test('numbers published with fewer decimals are equal where rounding explains it', () => {
  const rounded = (x: unknown): unknown => (x === null ? null : Math.round(Number(x) * 100) / 100)
  const rows = unstored.map((row) => ({
    ...row,
    pct_chg: rounded(row['pct_chg']),
    deviation_pct: rounded(row['deviation_pct']),
    required_pct_chg: rounded(row['required_pct_chg']),
  }))
  expect(check(rows).counts.equal).toBe(rows.length)
})

test('a row that was not published is absent, one that prices do not give is unexpected', () => {
  const [gone, ...rest] = unstored
  const before = check(unstored).absent.numRows
  const found = check(rest)
  const day = rest.some((row) => row['tradedate'] === gone?.['tradedate'])
  expect(day).toBe(true)
  expect(found.absent.numRows).toBe(before + 1)
  expect(toObjects(found.absent)).toContainEqual(
    expect.objectContaining({ symbol: gone?.['symbol'], rule: gone?.['rule'] }),
  )
  const taken = new Set(unstored.map((row) => `${row['tradedate']} ${row['symbol']}`))
  const free = sample.days.find((day) => day.t > first + 30 && !taken.has(`${day.date} ${gone?.['symbol']}`))
  const extra = check([...unstored, { ...gone, tradedate: free?.date }])
  expect(strings(extra.table, 'verdict')[unstored.length]).toBe('unexpected')
})

test('prices that are not there, too short or refused leave a row unverifiable', () => {
  const symbol = String(unstored[0]?.['symbol'])
  const own = (row: Row): boolean => row['symbol'] === symbol
  const verdicts = (prices: readonly Row[]): Set<unknown> => {
    const { table } = check(unstored, prices)
    return new Set(toObjects(table).flatMap((row) => (row['symbol'] === symbol ? [`${row['verdict']}`] : [])))
  }
  expect(verdicts(whole.prices.filter((row) => !own(row)))).toEqual(new Set(['unverifiable']))
  expect(verdicts(whole.prices.map((row) => (own(row) ? { ...row, close: -1 } : row)))).toEqual(
    new Set(['unverifiable']),
  )
  const late = quotes(0).prices
  const short = check(unstored, late)
  expect(short.counts.unverifiable).toBeGreaterThan(0)
  expect(short.counts.mismatch + short.counts.unexpected).toBe(0)
  expect(strings(short.table, 'why').join(' ')).toMatch(
    /the prices begin with 20\d{6}, \d+ closes for a window of \d+ days/,
  )
})

test('which stock and day a row is of is checked beside the numbers', () => {
  const found = check([...unstored, unstored[0] as Row])
  expect(strings(found.table, 'verdict').filter((verdict) => verdict === 'inconsistent')).toHaveLength(2)
  expect(strings(found.table, 'broken')[0]).toBe('key')
})

const alone = (row: Row): Row => {
  const { symbol, name } = unstored.find((one) => one['symbol'] !== row['symbol']) ?? {}
  return { ...row, name, symbol: String(symbol).replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) }
}

test.each<[string, (row: Row) => Row | undefined]>([
  ['day', (row) => ({ ...row, tradedate: '20260505' })],
  ['day', (row) => ({ ...row, tradedate: '20260908' })],
  ['symbol', alone],
  ['name', (row) => ({ ...row, name: '别家' })],
  ['rule', (row) => ({ ...row, rule: String(row['rule']).replace(/[13]0个/, '20个') })],
  [
    'extreme',
    (row) =>
      row['status'] === 'triggered' && Number(row['elapsed_days']) < 10
        ? { ...row, elapsed_days: Number(row['elapsed_days']) + 1 }
        : undefined,
  ],
])('without prices, too, a row with another %s is named, and no other stock', (rule, change) => {
  const at = unstored.findIndex((row, i) => i > unstored.length / 2 && change(row))
  const made = unstored.with(at, change(unstored[at] as Row) as Row)
  const found = toObjects(checkAnomalies(tableFrom('anomaly_forecast', made)).table)
  expect(String(found[at]?.['broken']).split(', ')).toContain(rule)
  const own = [unstored[at]?.['symbol'], made[at]?.['symbol']]
  expect(found.filter((one) => !own.includes(one['symbol']) && one['verdict'] !== 'pass')).toEqual([])
})
