import { random } from './interleave.mjs'

const minutes = ['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500']
const fields = ['tradedate', 'symbol', 'trademin', 'time', 'open', 'high', 'low', 'close', 'vol', 'amount', 'vwap']

/** The body of a reply of `etf_minute`: rows of 11 columns, every fiftieth without a trade. */
export function wireBody(rows) {
  const next = random()
  const items = Array.from({ length: rows }, (_, row) => {
    const minute = minutes[row % 9]
    const price = Math.round((1 + next() * 9) * 1000) / 1000
    const traded = next() > 0.02
    const of = (factor) => (traded ? Math.round(price * factor * 1000) / 1000 : null)
    return [
      `202607${String(1 + (Math.floor(row / 9000) % 28)).padStart(2, '0')}`,
      `${510000 + (Math.floor(row / 9) % 1000)}.SH`,
      minute,
      `${minute.slice(0, 2)}:${minute.slice(2)}:0${row % 4}`,
      of(1),
      of(1.01),
      of(0.99),
      price,
      Math.floor(next() * 1e6),
      traded ? Math.round(next() * 1e10) / 100 : null,
      of(1),
    ]
  })
  return JSON.stringify({ code: 200, message: 'ok', data: { fields, items } })
}
