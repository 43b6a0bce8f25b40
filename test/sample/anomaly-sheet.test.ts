import { expect, test } from 'vitest'
import { priceLimit, severeRules } from '../../src/checks/anomaly/anomaly-rules.js'
import { indexOf } from '../../src/sample/anomaly-sheet.js'
import { generate } from '../../src/sample/generate-sample.js'
import { planSample } from '../../src/sample/sample-plan.js'
import { closeOf, isSuspended, openOf, type SampleStock } from '../../src/sample/sample-stock.js'
import { type Cells, groupBy, halfUp, rowsOf, scaled } from './rows.js'

const options = { days: 90 }
const sample = planSample(options)
const rows = rowsOf('anomaly_forecast', options)

/** Trading days of a stock up to t, latest first, found without the generator's own walk. */
function tradedTo(stock: SampleStock, t: number, count: number): number[] {
  return Array.from({ length: 3 * count }, (_, back) => t - back)
    .filter((day) => !isSuspended(stock, day))
    .slice(0, count)
}

interface Expected {
  readonly elapsed: number
  readonly deviation: bigint
  readonly change: bigint
  readonly price: bigint
  readonly triggered: boolean
  readonly within: boolean
}

function ceil(over: bigint, under: bigint): bigint {
  return (over + under - 1n) / under
}

/** Everything again, with every interval tried in exact fractions. */
function expected(
  stock: SampleStock,
  t: number,
  forecast: boolean,
  days: number,
  threshold: number,
  limit: number,
): Expected {
  const window = tradedTo(stock, t, days + 1)
  const at = (day: number): readonly [bigint, bigint] => [
    BigInt(closeOf(stock, day)),
    BigInt(indexOf(sample.seed, stock.board, day)),
  ]
  const [c, i] = at(window[0] as number)
  const before = forecast ? c : at(window[1] as number)[0]
  const rise = threshold > 0
  let best: { k: number; c0: bigint; i0: bigint } | undefined
  for (let k = 1; k <= (forecast ? days - 1 : days); k++) {
    const [c0, i0] = at(window[k] as number)
    const gap = best ? (c * i0 - i * c0) * best.c0 * best.i0 - (c * best.i0 - i * best.c0) * c0 * i0 : 1n
    if (!best || (rise ? gap > 0n : gap < 0n)) best = { k, c0, i0 }
  }
  if (!best) throw new Error('no interval')
  const { k, c0, i0 } = best
  const reach = (BigInt(threshold) * i0 + 100n * i) * c0
  const unit = 100n * i0
  const over = c * i0 - i * c0
  const cap = halfUp(before * BigInt(100 + (rise ? limit : -limit)), 100n)
  const change = halfUp((reach - unit * before) * 1_000_000n, unit * before)
  const price = rise ? ceil(reach, unit) : reach / unit
  const far = BigInt(limit) * 10_000n
  return {
    elapsed: k,
    deviation: halfUp(over * 1_000_000n, c0 * i0),
    change,
    price,
    triggered: rise ? over * 100n >= BigInt(threshold) * c0 * i0 : over * 100n <= BigInt(threshold) * c0 * i0,
    within: rise ? change <= far && price <= cap : change >= -far && price >= cap,
  }
}

test('every row is what exact fractions give, and no stock that qualifies is left out', () => {
  const found = groupBy(rows, 'tradedate', 'symbol', 'rule')
  let listed = 0
  for (const day of [...sample.days, sample.next]) {
    const forecast = day.t > sample.latest.t
    const t = forecast ? sample.latest.t : day.t
    for (const stock of sample.stocks) {
      if (isSuspended(stock, t)) continue
      const limit = priceLimit(stock.board, stock.mark(day.date, day.t) !== undefined, day.date)
      for (const rule of severeRules(stock.board, day.date)) {
        const want = expected(stock, t, forecast, rule.days, rule.threshold, limit)
        const row = found.get(`${day.date} ${stock.code} ${rule.text}`)?.[0]
        expect(row !== undefined, `${day.date} ${stock.code} ${rule.text}`).toBe(want.triggered || want.within)
        if (!row) continue
        listed++
        expect(row.elapsed_days).toBe(want.elapsed)
        expect(scaled(row.deviation_pct, 4)).toBe(want.deviation)
        expect(scaled(row.required_pct_chg, 4)).toBe(want.change)
        expect(scaled(row.trigger_price, 2)).toBe(want.price)
        expect(row.status).toBe(want.triggered ? 'triggered' : 'reachable')
        expect(row.computed_on).toBe(forecast ? sample.latest.date : day.date)
        if (forecast) expect(row.pct_chg).toBeNull()
        else {
          const [now, before] = tradedTo(stock, t, 2).map((at) => BigInt(closeOf(stock, at))) as [bigint, bigint]
          expect(scaled(row.pct_chg, 4)).toBe(halfUp((now - before) * 1_000_000n, before))
        }
      }
    }
  }
  expect(listed).toBe(rows.length)
})

test('both kinds of rows, both directions, both windows, and a forecast for 20260730', () => {
  const some = (test: (row: Cells) => boolean): boolean => rows.some(test)
  for (const status of ['triggered', 'reachable']) {
    for (const part of ['连续10', '连续30', '涨幅', '跌幅']) {
      expect(
        some((row) => row.status === status && String(row.rule).includes(part)),
        `${status} ${part}`,
      ).toBe(true)
    }
  }
  expect(some((row) => row.tradedate === '20260730' && row.status === 'reachable')).toBe(true)
})

test('every day of the calendar since the thresholds are known has rows, so no partition is empty', () => {
  const days = new Set<string>()
  for (const batch of generate({ days: 800, symbols: 1 })) {
    if ('ticks' in batch) break
    if (batch.dataset === 'finance_announcement') break
    if (batch.dataset === 'anomaly_forecast') for (const row of batch.rows) days.add(String(row[0]))
  }
  expect(days.size).toBe(801)
})

test('hidden prices stay inside the price limits, closes and opens alike', () => {
  for (const stock of planSample({ symbols: 40 }).stocks) {
    for (const day of planSample({ days: 180 }).days) {
      if (isSuspended(stock, day.t)) continue
      const before = closeOf(stock, tradedTo(stock, day.t, 2)[1] as number)
      const limit = priceLimit(stock.board, stock.mark(day.date, day.t) !== undefined, day.date)
      const [up, down] = [100 + limit, 100 - limit].map((part) => Number(halfUp(BigInt(before * part), 100n))) as [
        number,
        number,
      ]
      for (const price of [closeOf(stock, day.t), openOf(stock, day.t)]) {
        if (price > up || price < down) expect.fail(`${stock.code} ${day.date}: ${price} outside ${down} to ${up}`)
      }
    }
  }
})
