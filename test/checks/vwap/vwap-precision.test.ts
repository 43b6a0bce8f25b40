import { expect, test } from 'vitest'
import { checkVwap } from '../../../src/checks/vwap/check-vwap.js'
import { bucketCloses } from '../../../src/contract/session.js'
import { numbers, texts } from '../../../src/frame/read-columns.js'
import { python, tableFrom } from '../../analysis/help.js'
import { chances } from '../../helper/chance.js'
import { type Bars, seriesWithoutEnd } from './series.js'

/**
 * Publishes the averages of series, each at a number of decimals of its own, some of them off by units of the last, and
 * says what is due, the lot bounds and the verdict at the decimals that each published number has.
 */
const publish = `
import sys, json
from decimal import Decimal, ROUND_HALF_UP, getcontext
getcontext().prec = 120
places = lambda x: max(3, -Decimal(str(x)).as_tuple().exponent)
at = lambda x, p: float(x.quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP))
def bar(a, v, f, p, off):
    x = float((a / (v * f)).quantize(Decimal(1).scaleb(-p), ROUND_HALF_UP) + off * Decimal(1).scaleb(-p))
    p = places(x)
    due = at(a / (v * f), p)
    if x == due: return [x, due, None, None, 'equal']
    h = Decimal('0.5') if f != 1 else 0
    low, high = at(a / ((v + h) * f), p), at(a / ((v - h) * f), p)
    return [x, due, low, high, 'lot-bound' if low <= x <= high and low != high else 'mismatch']
out = []
for one in json.load(sys.stdin):
    a = v = Decimal(0)
    for x, y, p, off in zip(one['amount'], one['vol'], one['places'], one['off']):
        a += Decimal(str(x)); v += Decimal(str(y))
        out.append(bar(a, v, Decimal(one['factor']), p, off))
json.dump(out, sys.stdout)
`

/** Plain and tied series of nine bars that all traded. */
function* tradedSeries(seed: number): Generator<Bars> {
  for (const { kind, bars } of seriesWithoutEnd(seed)) {
    if ((kind === 'plain' || kind === 'ties') && bars.vol.length === 9 && bars.vol.every((v) => v > 0)) yield bars
  }
}

test('averages of three to ten decimals are judged as Python decimal judges them at their own', () => {
  const draw = chances(11)
  const drawn = tradedSeries(7)
  const series = Array.from({ length: 300 }, () => {
    const { amount, vol, factor } = drawn.next().value as Bars
    const places = Array.from(vol, () => 3 + Math.floor(draw() * 8))
    const off = Array.from(vol, () => (draw() < 0.6 ? 0 : Math.floor(draw() * 5) - 2))
    return { amount: [...amount], vol: [...vol], factor, places, off }
  })
  const expected = python(publish, series) as [number, number, number | null, number | null, string][]
  const of = (factor: number) => {
    const due = series.flatMap((one, s) => one.vol.map((_, i) => ({ one, s, i, said: expected[s * 9 + i] })))
    const own = due.filter(({ one }) => one.factor === factor)
    const rows = own.map(({ one, s, i, said }) => ({
      tradedate: '20260701',
      symbol: `${510300 + s}.SH`,
      trademin: bucketCloses['30m'][i],
      vol: one.vol[i],
      amount: one.amount[i],
      vwap: said?.[0],
    }))
    const { table } = checkVwap(tableFrom('etf_minute', rows), { factor, lots: 'total' })
    const columns = ['given', 'recomputed', 'low', 'high'].map((name) => numbers(table, name))
    const verdict = texts(table, 'verdict')
    const found = rows.map((_, row) => [
      ...columns.map((column) => (Number.isNaN(column[row]) ? null : column[row])),
      verdict[row],
    ])
    expect(found).toEqual(own.map(({ said }) => said))
    return verdict
  }
  const verdicts = [1, 10, 100].flatMap(of)
  expect(verdicts).toHaveLength(2700)
  for (const verdict of ['equal', 'lot-bound', 'mismatch'])
    expect(verdicts.filter((one) => one === verdict).length).toBeGreaterThan(100)
})

const one = (vwap: number, amount = 40, vol = 7) =>
  checkVwap(
    tableFrom('etf_minute', [{ tradedate: '20260701', symbol: '600000.SH', trademin: '0930', vol, amount, vwap }]),
    { factor: 1 },
  )

test('the quotient of two doubles, as a program of doubles publishes it, is equal', () => {
  const draw = chances(3)
  for (let i = 0; i < 500; i++) {
    const [amount, vol] = [Math.floor(draw() * 1e9) / 100, 1 + Math.floor(draw() * 1e6)]
    expect([amount, vol, one(amount / vol, amount, vol).counts.equal]).toEqual([amount, vol, 1])
  }
})

test('one unit of the last decimal is a difference, and it is stated', () => {
  expect(one(5.714286).counts.equal).toBe(1)
  const { table, counts } = one(5.714287)
  expect(counts.mismatch).toBe(1)
  expect([numbers(table, 'recomputed')[0], numbers(table, 'difference')[0]]).toEqual([5.714286, 0.000001])
  expect(numbers(table, 'ticks')[0]).toBe(0.001)
  expect(one(5.714).counts.equal).toBe(1)
  expect(one(5.71).counts.mismatch).toBe(1)
})
