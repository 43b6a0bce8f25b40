import { Dictionary, Float32, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auctionPath } from '../../../src/analysis/auction/auction-path.js'
import type { Column } from '../../../src/contract/column.js'
import { columnsOf, numbers, objectsOf, rowsOf, texts } from '../../../src/frame/read-columns.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { concat } from '../../../src/frame/verb/concat.js'
import { select } from '../../../src/frame/verb/select.js'
import { sql } from '../../../src/sql/sql.js'
import { toTable } from '../../../src/table/arrow.js'
import { auctions, plain, sampleTicks, shuffled, type Tick, ticksOf } from './help.js'

const own = {
  tradedate: 'day',
  symbol: 'stock',
  time: 'at',
  price: 'p',
  pct_chg: 'c',
  vol: 'v',
  amount: 'a',
  unmatched: 'u',
  side: 's',
}

test('a path by hand: signs, imbalance, steps and phases', () => {
  const path = auctionPath(
    ticksOf([
      { time: '09:15:03', m_price: 10.1, auc_pct_chg: 1, auc_vol: 100, um_vol: 100, um_side: 's' },
      { time: '09:20:00', m_price: 10.3, auc_pct_chg: 3, auc_vol: 300, um_vol: 0, um_side: null },
      { time: '09:24:57', m_price: 0, auc_pct_chg: -100, auc_vol: 0, um_vol: 0, um_side: null },
      { time: '09:25:00', m_price: 10.2, auc_pct_chg: 2, auc_vol: 150, um_vol: 50, um_side: 'b' },
      { time: '14:57:03', m_price: 10.4, auc_pct_chg: 4, auc_vol: 10, um_vol: 7, um_side: null },
    ]),
  )
  expect(
    objectsOf(select(path, 'time', 'phase', 'price', 'pct_chg', 'unmatched', 'imbalance', 'price_step', 'vol_step')),
  ).toEqual([
    {
      time: '09:15:03',
      phase: 'may withdraw',
      price: 10.1,
      pct_chg: 1,
      unmatched: -100,
      imbalance: -0.5,
      price_step: null,
      vol_step: null,
    },
    {
      time: '09:20:00',
      phase: 'firm',
      price: 10.3,
      pct_chg: 3,
      unmatched: 0,
      imbalance: 0,
      price_step: 0.2,
      vol_step: 200,
    },
    {
      time: '09:24:57',
      phase: 'firm',
      price: null,
      pct_chg: null,
      unmatched: 0,
      imbalance: null,
      price_step: null,
      vol_step: -300,
    },
    {
      time: '09:25:00',
      phase: 'match',
      price: 10.2,
      pct_chg: 2,
      unmatched: 50,
      imbalance: 0.25,
      price_step: null,
      vol_step: 150,
    },
    {
      time: '14:57:03',
      phase: null,
      price: 10.4,
      pct_chg: 4,
      unmatched: null,
      imbalance: null,
      price_step: null,
      vol_step: null,
    },
  ])
})

test('twenty days of the sample against SQL, with its units', async () => {
  const ticks = await sampleTicks(20)
  const path = auctionPath(ticks)
  const due = await sql(
    `with signed as (
       select *, case when um_vol = 0 then 0 when um_side = 'b' then um_vol when um_side = 's' then -um_vol end as own from ticks)
     select tradedate, symbol, time,
       case when time < '09:20:00' then 'may withdraw' when time < '09:25:00' then 'firm' else 'match' end as phase,
       m_price as price, auc_pct_chg as pct_chg, auc_vol as vol, own::double as unmatched, own / (auc_vol + abs(own)) as imbalance,
       (m_price::decimal(18, 2) - lag(m_price::decimal(18, 2)) over auction)::double as price_step,
       auc_vol - lag(auc_vol) over auction as vol_step
     from signed window auction as (partition by tradedate, symbol order by time) order by tradedate, symbol, time`,
    { tables: { ticks } },
  )
  expect(path.numRows).toBe(ticks.numRows)
  expect(rowsOf(path)).toEqual(rowsOf(due))
  const unit = (name: string) => path.schema.fields.find((field) => field.name === name)?.metadata.get('unit')
  expect(['price', 'pct_chg', 'vol', 'unmatched', 'imbalance', 'price_step', 'vol_step'].map(unit)).toEqual([
    'yuan',
    'percent',
    'lot',
    'lot',
    undefined,
    'yuan',
    'lot',
  ])
})

test('the order of the rows, the day by day, the form and the names of columns change nothing', () => {
  fc.assert(
    fc.property(auctions, fc.nat(), (rows, seed) => {
      if (rows.length === 0) return
      const due = rowsOf(auctionPath(ticksOf(rows)))
      expect(due.length).toBe(rows.length)
      expect(rowsOf(auctionPath(ticksOf(shuffled(rows, seed))))).toEqual(due)
      const days = [...new Set(rows.map(({ tradedate }) => tradedate))]
      const parts = days.map((day) => auctionPath(ticksOf(rows.filter(({ tradedate }) => tradedate === day))))
      expect(rowsOf(concat(parts))).toEqual(due)
      expect(rowsOf(auctionPath(toDataFrame(ticksOf(rows))))).toEqual(due)
      const [day, stock, at, p, c, v, a, u, s] = ticksOf(rows).schema.fields.map((_, i) => ticksOf(rows).getChildAt(i))
      const renamed = new Table({ s, u, a, v, c, p, at, stock, day } as never)
      const sides = { buyers: 'b', sellers: 's' }
      expect(rowsOf(auctionPath(renamed, { columns: own, sides }))).toEqual(due)
    }),
    { numRuns: Number(process.env.RUNS ?? 40) },
  )
})

test('steps add up to the way from the first price to the last, to the cent', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 2, maxLength: 50 }), (cents) => {
      const rows = cents.map((price, i) => ({ time: `09:16:${String(i).padStart(2, '0')}`, m_price: price / 100 }))
      const steps = numbers(auctionPath(ticksOf(rows)), 'price_step')
      expect(steps[0]).toBeNaN()
      const sum = steps.slice(1).reduce((all, step) => all + Math.round(step * 100), 0)
      expect(sum).toBe((cents.at(-1) as number) - (cents[0] as number))
      for (const step of steps.slice(1)) expect(step).toBe(Math.round(step * 100) / 100)
    }),
  )
})

test('no step leads into the auction', () => {
  const path = auctionPath(ticksOf([{ time: '09:14:57' }, { time: '09:15:00' }, { time: '09:15:03' }]))
  expect(rowsOf(select(path, 'phase', 'price_step', 'vol_step'))).toEqual([
    [null, null, null],
    ['may withdraw', null, null],
    ['may withdraw', 0, 0],
  ])
})

test('single precision is read as the decimal that was meant', () => {
  const words = new Dictionary(new Utf8(), new Int32())
  const prices = [10.34, 1480.07, 3.999]
  const table = new Table({
    tradedate: vectorFromArray(['20260729', '20260729', '20260729'], words),
    symbol: vectorFromArray(['510300.SH', '510300.SH', '510300.SH'], words),
    time: vectorFromArray(['09:15:03', '09:15:06', '09:15:09'], words),
    m_price: vectorFromArray(prices, new Float32()),
    auc_pct_chg: vectorFromArray([-1.2346, 0.0001, 12.5], new Float32()),
    auc_vol: vectorFromArray([12_345_678, 1, 0], new Float32()),
    um_vol: vectorFromArray([0, 5, 5], new Float32()),
    um_side: vectorFromArray([null, 'b', 's'], words),
  })
  const path = auctionPath(table)
  expect([...numbers(path, 'price')]).toEqual(prices)
  expect([...numbers(path, 'pct_chg')]).toEqual([-1.2346, 0.0001, 12.5])
  expect([...numbers(path, 'vol')]).toEqual([12_345_678, 1, 0])
  expect([...numbers(path, 'imbalance')]).toEqual([0, 5 / 6, -1])
})

test('without its columns it is refused, by all their names and with what is there', () => {
  const few = select(ticksOf([plain]), 'tradedate', 'symbol', 'm_price')
  expect(() => auctionPath(few)).toThrow(
    expect.objectContaining({
      code: 'MISSING_COLUMN',
      message:
        "auctionPath needs time, auc_pct_chg (pct_chg), auc_vol (vol), um_vol (unmatched), um_side (side); the ticks have: tradedate, symbol, m_price; another name is told by { columns: { time: '…' } }",
    }),
  )
  expect(() => auctionPath(ticksOf([plain]), { columns: { price: 'last' } })).toThrow(/needs last \(price\)/)
  const wrong = { columns: { prize: 'm_price' } as never }
  expect(() => auctionPath(ticksOf([plain]), wrong)).toThrow("columns has no 'prize'; did you mean 'price'?")
  expect(() => auctionPath(ticksOf([plain]), { columns: { price: 'um_side' } })).toThrow(
    /'um_side' \(price\) does not hold numbers/,
  )
  expect(() => auctionPath(ticksOf([plain]), { columns: { side: 'auc_vol' } })).toThrow(
    /'auc_vol' \(side\) does not hold text/,
  )
})

test.each<[string, Partial<Tick>[], string]>([
  ['a key twice', [{}, { symbol: '600519.SH' }, {}], 'rows 1 and 3 are both of 20260729, 000001.SZ, 09:25:00'],
  ['one time in two spellings', [{}, { time: '092500' }], 'rows 1 and 2 are both of 20260729, 000001.SZ, 09:25:00'],
  ['no symbol', [{}, { symbol: null as never }], 'row 2: symbol is null, not a code'],
  ['a day of another form', [{ tradedate: '2026-07-29' }], "row 1: tradedate is '2026-07-29', not a day as 20260729"],
  ['no time of day', [{ time: '9:25:00' }], "row 1: time is '9:25:00', not a time of day as 09:25:00"],
  ['a time past midnight', [{ time: '24:00:00' }], "row 1: time is '24:00:00', not a time of day as 09:25:00"],
])('refused: %s', (_, rows, said) => {
  expect(() => auctionPath(ticksOf(rows))).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }))
  expect(() => auctionPath(ticksOf(rows))).toThrow(said)
})

test('a side of other words is not known, unless they are told', () => {
  const rows = [{ um_side: 'B' }, { um_side: 'S', time: '09:25:01' }]
  expect(numbers(auctionPath(ticksOf(rows)), 'unmatched')).toEqual(Float64Array.of(Number.NaN, Number.NaN))
  const sides = { buyers: 'B', sellers: 'S' }
  expect(numbers(auctionPath(ticksOf(rows), { sides }), 'unmatched')).toEqual(Float64Array.of(50, -50))
})

test('volumes below zero are not known; volumes of two units are not added', () => {
  const odd = ticksOf([{ um_vol: -5, auc_vol: -1 }])
  expect(rowsOf(select(auctionPath(odd), 'vol', 'unmatched', 'imbalance'))).toEqual([[null, null, null]])
  const volume = (unit: string): Column => ({ kind: 'number', unit, meaning: '' })
  const stated = toTable(columnsOf(ticksOf([plain])), { auc_vol: volume('lot'), um_vol: volume('share') })
  expect(() => auctionPath(stated)).toThrow('both volumes in one unit: auc_vol counts in lot, um_vol in share')
})

test('no rows make no rows, with all columns', () => {
  const path = auctionPath(ticksOf([plain]).slice(0, 0))
  expect([path.numRows, path.numCols, texts(path, 'symbol')]).toEqual([0, 11, []])
})
