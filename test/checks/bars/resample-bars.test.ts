import { expect, test } from 'vitest'
import { resampleBars } from '../../../src/checks/bars/resample-bars.js'
import { numbers, objectsOf, texts } from '../../../src/frame/read-columns.js'
import { type Row, tableFrom } from '../../analysis/help.js'

const bar = (trademin: string, vol: number | null, amount: number | null, price: number | null = 1): Row => ({
  tradedate: '20260701',
  symbol: '510300.SH',
  trademin,
  open: price,
  high: price === null ? null : price + 0.5,
  low: price === null ? null : price - 0.5,
  close: price === null ? null : price + 0.25,
  vol,
  amount,
})

test('minutes go into the first bucket that closes at or after them', () => {
  const minutes = ['0931', '0945', '0946', '1000', '1001', '1130', '1301', '1315', '1330', '1500']
  const rows = minutes.map((minute) => bar(minute, 1, 1))
  const half = resampleBars(tableFrom('etf_minute', rows), '30m')
  expect(texts(half, 'trademin')).toEqual(['1000', '1030', '1130', '1330', '1500'])
  expect([...numbers(half, 'bars')]).toEqual([4, 1, 1, 3, 1])
  const quarter = resampleBars(tableFrom('etf_minute', rows), '15m')
  expect(texts(quarter, 'trademin')).toEqual(['0945', '1000', '1015', '1130', '1315', '1330', '1500'])
  expect(
    texts(resampleBars(tableFrom('etf_minute', [bar('0930', 1, 1), bar('0931', 1, 1)]), '30m'), 'trademin'),
  ).toEqual(['0930', '1000'])
})

test('prices are those of bars that traded, sums are decimal, order does not matter', () => {
  const rows = [
    bar('0931', 0, 0, 9),
    bar('0932', 2, 0.1, 3),
    bar('0933', 3, 0.2, 2),
    bar('0934', 1, 0.3, 4),
    bar('0935', 0, 0, 0.5),
  ]
  const expected = {
    tradedate: '20260701',
    symbol: '510300.SH',
    trademin: '1000',
    period: '30m',
    open: 3,
    high: 4.5,
    low: 1.5,
    close: 4.25,
    vol: 6,
    amount: 0.6,
    bars: 5,
  }
  expect(objectsOf(resampleBars(tableFrom('etf_minute', rows), '30m'))).toEqual([expected])
  expect(objectsOf(resampleBars(tableFrom('etf_minute', rows.toReversed()), '30m'))).toEqual([expected])
})

test('null stays null', () => {
  const [quiet, unknown, noPrice] = objectsOf(
    resampleBars(
      tableFrom('etf_minute', [
        bar('0931', 0, 0),
        bar('1001', 1, 1),
        bar('1002', null, null),
        bar('1031', 1, 1, null),
        bar('1032', 1, 1, 2),
      ]),
      '30m',
    ),
  )
  expect(quiet).toMatchObject({ open: null, high: null, low: null, close: null, vol: 0, amount: 0 })
  expect(unknown).toMatchObject({ open: null, high: null, low: null, close: null, vol: null, amount: null })
  expect(noPrice).toMatchObject({ open: null, high: null, low: null, close: 2.25, vol: 2, amount: 2 })
})

test.each(['0925', '1131', '1300', '1501'])('%s is refused', (minute) => {
  expect(() => resampleBars(tableFrom('etf_minute', [bar(minute, 1, 1)]), '30m')).toThrow(`${minute} is no minute`)
})

test('a minute that stands there twice is refused', () => {
  expect(() => resampleBars(tableFrom('etf_minute', [bar('0931', 1, 1), bar('0931', 2, 2)]), '15m')).toThrow(
    'rows 1 and 2 share',
  )
})
