import type { Float64, Table, Utf8 } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import { type PanelOptions, panel } from '../../src/backtest/make-panel.js'
import type { Data } from '../../src/frame/data.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { fromRows } from '../../src/table/from-rows.js'
import { days, free, marketOf, type PriceRow, rowsOf, thrownBy } from './small-market.js'

const a = '110001.SH'
const b = '600001.SH'
const rows = [...rowsOf(a, [100, 101, 102, 103]), ...rowsOf(b, [10, 10.1, 10.2, 10.3])]
const nan = Number.NaN
const [d0, d1, d2, d3] = days as [string, string, string, string]

test('days, codes and cells stand in order, whatever the order of the rows', () => {
  const market = marketOf([...rows].reverse())
  expect(market.days).toEqual([d0, d1, d2, d3])
  expect(market.symbols).toEqual([a, b])
  expect([...market.cols.close]).toEqual([100, 10, 101, 10.1, 102, 10.2, 103, 10.3])
  expect([market.times, market.timeText(2)]).toEqual([4, d2])
})

test('missing rows and missing cells are NaN, and tell each other apart', () => {
  const some = rows.flatMap((row) =>
    row.code === a && row.tradedate === d1
      ? []
      : [row.code === b && row.tradedate === d2 ? { ...row, close: null } : row],
  )
  const market = marketOf(some)
  expect([...market.cols.close]).toEqual([100, 10, nan, 10.1, 102, nan, 103, 10.3])
  expect([...market.present]).toEqual([1, 1, 0, 1, 1, 1, 1, 1])
})

test('rows that make no panel are refused, each with its place', () => {
  const wrong = (more: Partial<PriceRow>): string =>
    thrownBy(() => marketOf([...rows, { ...(rows[0] as PriceRow), ...more }]))
  expect(wrong({})).toBe(`INVALID_VALUE: panel: two rows of ${a} ${d0}`)
  expect(wrong({ code: '999999.SH' })).toBe(
    "INVALID_VALUE: panel: the rules of China do not know what 999999.SH is; say it as classes: { '999999.SH': 'ETF' }",
  )
  expect(wrong({ tradedate: '20260704' })).toBe(
    "INVALID_VALUE: panel: the exchanges are closed on 20260704, and column 'tradedate' has it",
  )
  expect(wrong({ tradedate: '2026-07-01' })).toBe(
    "INVALID_VALUE: panel: '2026-07-01' in column 'tradedate' is no date YYYYMMDD",
  )
  expect(wrong({ tradedate: null as never })).toBe("INVALID_VALUE: panel: column 'tradedate' has a missing cell")
  expect(wrong({ code: null as never })).toBe("INVALID_VALUE: panel: column 'code' has a missing cell")
  const bars = rows.map((row) => ({ ...row, trademin: '1000' }))
  expect(thrownBy(() => marketOf([...bars, bars[0] as PriceRow]))).toBe(
    `INVALID_VALUE: panel: two rows of ${a} ${d0} 1000`,
  )
  expect(thrownBy(() => marketOf(bars.map((row) => ({ ...row, trademin: '10:00' }))))).toBe(
    "INVALID_VALUE: panel: '10:00' in column 'trademin' is no minute HHMM",
  )
  const none = fromRows(rows.slice(0, 1)).slice(0, 0) as Data
  expect(thrownBy(() => panel(none, { columns: ['close'] }))).toBe('INVALID_VALUE: panel: the data has no rows')
})

test('options that mean nothing are refused', () => {
  const wrong = (options: unknown): string =>
    thrownBy(() => marketOf(rows, options as PanelOptions<Data, 'close'> as never))
  expect(wrong({ columns: ['closse'] })).toMatch(/^MISSING_COLUMN: .*closse/)
  expect(wrong({ columns: 'close' })).toBe(
    "USAGE: the columns of a panel must be an array of names, such as ['open', 'close'], not 'close'",
  )
  expect(wrong({ time: 'day' })).toMatch(/^MISSING_COLUMN: .*day/)
  expect(wrong({ listed: { [a]: '2026-07-01' } })).toBe(
    `USAGE: panel: the day of ${a} is a date YYYYMMDD, not '2026-07-01'`,
  )
  expect(wrong({ ends: [{ symbol: a, day: 'July' }] })).toMatch(/^USAGE: panel: the day of/)
  expect(wrong({ ends: [{ symbol: a, day: '20260801', price: 100.12345 }] })).toBe(
    `USAGE: panel: the end of ${a} pays yuan a share or bond, from 0 and in whole thousandths, not 100.12345`,
  )
  expect(wrong({ ends: [{ symbol: a, day: '20260801', price: -1 }] })).toMatch(/^USAGE/)
  expect(wrong({ knownAt: { close: '9:25' } })).toBe(
    "USAGE: panel: knownAt of 'close' is 'open', 'close' or a time HH:MM:SS, not '9:25'",
  )
  expect(wrong({ knownAt: { closse: 'open' } })).toBe(
    "USAGE: panel: knownAt names 'closse', which is not among columns",
  )
  expect(thrownBy(() => backtest(marketOf(rows, { classes: { [a]: 'Bond' } }), () => {}, free))).toBe(
    `INVALID_VALUE: the rules of China have no lot or settlement of 'Bond' on ${d0}`,
  )
})

test('days of the calendar without any row are added, and said', () => {
  const market = marketOf(rows.filter(({ tradedate }) => tradedate !== d1))
  expect(market.days).toEqual([d0, d1, d2, d3])
  expect([...market.cols.close.subarray(2, 4)]).toEqual([nan, nan])
  expect(market.notes).toEqual([`no row on 1 trading days (${d1} …): nothing trades on them`])
  const old = rows
    .map((row) => ({ ...row, tradedate: row.tradedate.replace('2026', '1996') }))
    .filter(({ tradedate }) => tradedate.slice(6) !== '02')
  expect(marketOf(old).days, 'before the calendar the data alone tells').toHaveLength(3)
  expect(marketOf(old).notes).toEqual(['the calendar does not know the trading days of 1996: those with rows count'])
})

test('classes come from the code, or from the user', () => {
  const fund = rowsOf('159920.SZ', [1, 1])
  const kinds = (options = {}) => marketOf([...rows, ...fund], options).instruments.map(({ kind }) => kind)
  expect(kinds()).toEqual(['convertible bond', 'ETF', 'SSE main'])
  expect(kinds({ classes: { '159920.SZ': 'ETF T+0' } })).toEqual(['convertible bond', 'ETF T+0', 'SSE main'])
})

test('a code is listed before the first day, on its first row, or when the user says', () => {
  const late = rows.filter(({ code, tradedate }) => code === a || tradedate > d1)
  const listed = (options = {}) => marketOf(late, options).instruments.map((one) => one.listed)
  expect(listed()).toEqual([-1, 2])
  expect(listed({ listed: { [b]: d1, [a]: d0 } })).toEqual([0, 1])
  expect(listed({ listed: { [b]: '20260101' } })).toEqual([-1, -1])
  expect(thrownBy(() => listed({ listed: { [b]: d3 } }))).toBe(
    `INVALID_VALUE: panel: ${b} has a row on ${d2}, before it is listed`,
  )
  const seen: number[] = []
  const score = (bar: { symbol: string; listedDays: number }): number => {
    if (bar.symbol === b) seen.push(bar.listedDays)
    return 1
  }
  backtest(marketOf(late), { score, pick: { n: 1, side: 'lowest' } }, { ...free, lookahead: false })
  expect(seen).toEqual([1, 2])
})

test('ends: index of the first day without trading, and no row from it on', () => {
  const short = rows.filter(({ code, tradedate }) => code === b || tradedate < d2)
  const ends = [{ symbol: a, day: d2, price: 100.701 }]
  expect(marketOf(short, { ends }).instruments[0]?.end).toEqual({ day: 2, price: 100.701 })
  expect(marketOf(short, { ends: [{ symbol: a, day: '20270101' }] }).instruments[0]?.end).toEqual({
    day: 4,
    price: undefined,
  })
  expect(thrownBy(() => marketOf(rows, { ends }))).toBe(`INVALID_VALUE: panel: ${a} has a row on ${d2}, after its end`)
  const hold = (_now: unknown, weights: Float64Array): void => {
    weights[0] = 0.5
  }
  const paid = backtest(marketOf(short, { ends }), hold as never, free)
  expect(paid.trades).toEqual([{ symbol: a, pnl: Math.round((100.701 - 101) * 4950 * 100) / 100 }])
})

test('st: rows of days and codes, with or without suffix; the limit of the day follows', () => {
  for (const code of [b, '600001']) {
    const st = fromRows([
      { tradedate: d1, code },
      { tradedate: '20250101', code },
      { tradedate: d2, code: '600999' },
    ])
    expect([...(marketOf(rows, { st: st as Data }).marked ?? [])]).toEqual([0, 0, 0, 1, 0, 0, 0, 0])
  }
})

test('adj_factor gives previous closes: by hand', () => {
  /* 10.00 becomes 5.00 by two for one; then a dividend of 0.30 on 5.20: factor 2 x 5.20 / 4.90; the day between is suspended. */
  const factor = (2 * 5.2) / 4.9
  const own = [
    { tradedate: d0, code: b, close: 10, adj_factor: 1 },
    { tradedate: d1, code: b, close: 5.2, adj_factor: 2 },
    { tradedate: d3, code: b, close: 5, adj_factor: factor },
    { tradedate: d0, code: '510300.SH', close: 4.001, adj_factor: 1 },
    { tradedate: d1, code: '510300.SH', close: 4, adj_factor: 1.003 },
    { tradedate: d2, code: '510300.SH', close: 4, adj_factor: 1.003 },
  ]
  const made = panel(fromRows(own), { columns: ['close', 'adj_factor'] })
  expect(made.symbols).toEqual(['510300.SH', b])
  /* 4.001 / 1.003 = 3.98903…: a fund goes by thousandths, a share by hundredths. */
  expect([...made.column('pre_close')]).toEqual([nan, nan, 3.989, 5, 4, nan, nan, 4.9])
  const stock = own.slice(3).map((row) => ({ ...row, code: b }))
  expect([...panel(fromRows(stock), { columns: ['close', 'adj_factor'] }).column('pre_close')]).toEqual([nan, 3.99, 4])
})

test('a table and a DataFrame give one panel, and so do shuffled rows; one other cell gives another', () => {
  const table = fromRows(rows)
  const options = { columns: ['open', 'close', 'vol'] } as const
  const hash = (data: Data, more: object = {}): string => panel(data, { ...options, ...more }).hash
  const right = hash(table)
  expect(hash(toDataFrame(table))).toBe(right)
  expect(hash(table, { columns: ['vol', 'close', 'open'] })).toBe(right)
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
      expect(hash(fromRows(shuffled))).toBe(right)
    }),
    { numRuns: 30 },
  )
  const cell = fc.record({ at: fc.nat(rows.length - 1), name: fc.constantFrom('open', 'close', 'vol') })
  fc.assert(
    fc.property(cell, fc.constantFrom(null, 1, 77.5), ({ at, name }, value) => {
      expect(hash(fromRows(rows.map((row, place) => (place === at ? { ...row, [name]: value } : row))))).not.toBe(right)
    }),
    { numRuns: 30 },
  )
  for (const more of [
    { classes: { [a]: 'ETF' } },
    { listed: { [a]: d0 } },
    { st: fromRows([{ tradedate: d0, code: b }]) },
    { knownAt: { vol: 'open' } },
  ]) {
    expect(hash(table, more)).not.toBe(right)
  }
  const empty = { tradedate: d1, code: '110002.SH', open: null, close: null, vol: null }
  const one = [...rows, ...rowsOf('110002.SH', [1])]
  expect(hash(fromRows([...one, empty])), 'an empty row is not no row').not.toBe(hash(fromRows(one)))
})

test('columns are typed: a typo does not compile', () => {
  const typed = fromRows(rows) as unknown as Table<{
    tradedate: Utf8
    code: Utf8
    open: Float64
    close: Float64
    vol: Float64
  }>
  const market = panel(typed, { columns: ['open', 'close'] })
  const right = backtest(
    market,
    { score: (bar) => bar.close + bar.lag('open', 1), pick: { n: 1, side: 'lowest' } },
    free,
  )
  expect(right.days).toHaveLength(4)
  const unchecked = (): void => {
    // @ts-expect-error a typo
    panel(typed, { columns: ['closse'] })
    // @ts-expect-error text is no price
    panel(typed, { columns: ['code'] })
    // @ts-expect-error a typo
    backtest(market, { score: (bar) => bar.closse, pick: { n: 1, side: 'lowest' } }, free)
    // @ts-expect-error a column of the data that the panel was not given
    backtest(market, { score: (bar) => bar.vol, pick: { n: 1, side: 'lowest' } }, free)
    // @ts-expect-error a typo
    backtest(market, { score: (bar) => bar.lag('closse', 1), pick: { n: 1, side: 'lowest' } }, free)
    // @ts-expect-error a typo
    backtest(market, { weights: (now) => now.closse }, free)
    // @ts-expect-error a side that is none
    backtest(market, { score: (bar) => bar.close, pick: { n: 1, side: 'best' } }, free)
    // @ts-expect-error a typo in when it is known
    panel(typed, { columns: ['close'], knownAt: { open: 'open' } })
  }
  expect(typeof unchecked).toBe('function')
})

test('a column may not be named as what a strategy reads beside columns', () => {
  for (const name of ['symbol', 'held', 'lag', 'time', 'shares', 'symbols']) {
    const data = fromRows(rows.map(({ code, tradedate, close }) => ({ code, tradedate, close, [name]: 1 })))
    const market = panel(data, { columns: ['close', name], symbol: 'code' })
    expect(thrownBy(() => backtest(market, () => {}, { ...free, exec: { decide: 'close', fill: 'nextClose' } }))).toBe(
      `INVALID_VALUE: panel: a column may not be named '${name}'`,
    )
  }
})
