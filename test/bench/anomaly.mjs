import { interleave, random } from './interleave.mjs'

export const question =
  'computeAnomalies of 5,000 stocks × 250 days, in seconds; and against the daily returns of the same rows alone'

/** The sum of twelve even numbers is nearly normal. */
function normal(next) {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += next()
  return sum
}

const boards = [
  [1_700, (i) => `${600_000 + i}`, 0.1],
  [1_500, (i) => `${i + 1}`.padStart(6, '0'), 0.1],
  [1_200, (i) => `${300_001 + i}`, 0.2],
  [400, (i) => `${688_001 + i}`, 0.2],
  [200, (i) => `${920_001 + i}`, 0.3],
]
const codes = ['000002.SH', '399107.SZ', '399102.SZ', '000688.SH', '899050.BJ']

/** Closes in cents that walk within their limits, some stocks far up or down. */
export function market(parts, days) {
  const next = random(7)
  const dates = parts.tradingDays('20250101', '20261231').slice(0, days)
  const rows = []
  for (const [count, codeOf, limit] of boards) {
    for (let i = 0; i < count; i++) {
      const symbol = codeOf(i)
      let cents = 500 + Math.floor(next() * 5_000)
      let drift = 0
      for (const tradedate of dates) {
        if (next() < 0.005) continue
        if (next() < 0.02) drift = next() < 0.1 ? normal(next) * 0.06 : 0
        const change = Math.max(-limit, Math.min(limit, drift + normal(next) * 0.025))
        cents = Math.max(100, Math.round(cents * (1 + change)))
        rows.push({ tradedate, symbol, close: cents / 100 })
      }
    }
  }
  const indexRows = codes.flatMap((code) => {
    let level = 3_000
    return dates.map((tradedate) => {
      level = Math.round(level * (1 + normal(next) * 0.01) * 100) / 100
      return { tradedate, code, close: level }
    })
  })
  return { prices: parts.fromRows(rows), benchmarks: parts.fromRows(indexRows), rows: rows.length }
}

/** What no way around can be faster than by much: every column read, every row's return taken. */
function returnsOf({ dictionary, numbers }, prices) {
  const symbol = dictionary(prices, 'symbol').codes
  const close = numbers(prices, 'close')
  const out = new Float64Array(close.length)
  for (let row = 1; row < out.length; row++) {
    out[row] = symbol[row] === symbol[row - 1] ? close[row] / close[row - 1] - 1 : Number.NaN
  }
  return out
}

export async function measure(parts) {
  const { computeAnomalies } = await parts.load('research/checks/anomaly/compute/compute-anomalies.js')
  const { tradingDays } = await parts.load('contract/calendar.js')
  const { dictionary, numbers } = await parts.load('frame/read-columns.js')
  const { prices, benchmarks, rows } = market({ ...parts, tradingDays }, 250)
  let found
  const time = await interleave(
    {
      compute: () => {
        found = computeAnomalies(prices, benchmarks)
        return found
      },
      none: () => computeAnomalies(prices, benchmarks, undefined, undefined, { resets: 'none' }),
      returns: () => returnsOf({ dictionary, numbers }, prices),
    },
    { rounds: 7 },
  )
  const { table, events, refused } = found
  const what = `${rows} rows → ${table.numRows}, ${events.numRows} events, ${refused.numRows} refused`
  return [
    { what, time: time.compute, against: 1_000, goal: 1.1 },
    { what: 'the same without resets', time: time.none, against: 1_000, goal: 1.6 },
    { what: 'against the daily returns alone', time: time.compute, against: time.returns, goal: 100 },
  ]
}
