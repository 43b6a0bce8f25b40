import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import type { PanelJoin } from '../../src/backtest/join-columns.js'
import type { Data } from '../../src/frame/data.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import { fromRows } from '../../src/table/from-rows.js'
import { withProvenance } from '../../src/table/provenance.js'
import { barsOf, days, fillsOf, free, marketOf, rowsOf, thrownBy } from './small-market.js'

const a = '110001.SH'
const b = '110002.SH'
const prices = [...rowsOf(a, [100, 100, 100, 100]), ...rowsOf(b, [100, 100, 100, 100])]
const loaded = (rows: readonly unknown[], dataset: string): Data => withProvenance(fromRows(rows), { dataset } as never)
/** A number a day, 1 on the first. */
const flows = (name: string) => days.slice(0, 4).map((day, at) => ({ [name]: day, net: at + 1 }))
const southbound = loaded(flows('trade_date'), 'southbound_top10')

/** A panel with one more column, whose name the compiler does not know. */
const joined = (join: PanelJoin, more = {}) => marketOf(prices, { join: [join], ...more })

type Read = (bar: { readonly net: number; lag(name: string, times: number): number }) => number
const none = { ...free, lookahead: false } as const

/** What a strategy reads of the first symbol each day. */
function read(panel: ReturnType<typeof marketOf>, score: Read, options: object = {}): number[] {
  const seen: number[] = []
  const keep = (bar: { symbol: string }): number => {
    const value = score(bar as never)
    if (bar.symbol === a) seen.push(value)
    return value
  }
  backtest(
    panel as never,
    { score: keep as never, pick: { n: 1, side: 'highest' }, when: { at: 'every bar' } },
    { ...none, ...options },
  )
  return seen
}

const atOpen = { exec: { decide: 'open', fill: 'nextClose' } } as const

test('southbound flows of a day, known at 18:00, can not decide at its close; the error names column and both times', () => {
  const panel = joined({ data: southbound, columns: ['net'], symbol: false })
  expect(panel.known.get('net')).toBe('18:00:00')
  const error = thrownBy(() => read(panel, (bar) => bar.net))
  expect(error).toBe(
    `LOOK_AHEAD: 'net' of ${days[0]} is known at 18:00:00, and the decision is made at 15:00:00: ` +
      "use lag('net', 1), or join it with lagDays: 1",
  )
  const { LOOK_AHEAD: _, ...forms } = {
    LOOK_AHEAD: 0,
    weights: { weights: (now: { net: Float64Array }) => now.net.length },
    orders: { orders: (now: { net: Float64Array }) => (now.net.length ? [] : []) },
  }
  for (const form of Object.values(forms))
    expect(thrownBy(() => backtest(panel as never, form as never, none))).toMatch(/^LOOK_AHEAD/)
  expect(
    thrownBy(() => read(panel, (bar) => (bar as never as { mean: (n: string, t: number) => number }).mean('net', 2))),
  ).toMatch(/^LOOK_AHEAD/)
})

test('the day before is known: lag 1, or lagDays: 1, at the close and at the open', () => {
  const panel = joined({ data: southbound, columns: ['net'], symbol: false })
  const lagged = joined({ data: southbound, columns: ['net'], symbol: false, lagDays: 1 })
  for (const exec of [{}, atOpen]) {
    expect(read(panel, (bar) => bar.lag('net', 1), exec)).toEqual([Number.NaN, 1, 2, 3])
    expect(read(lagged, (bar) => bar.net, exec)).toEqual([Number.NaN, 1, 2, 3])
  }
  expect(thrownBy(() => read(panel, (bar) => bar.net, atOpen))).toMatch(/is made at the open, 09:25:00/)
})

test('rows are never carried back', () => {
  for (const lagDays of [-1, 0.5, Number.NaN]) {
    expect(thrownBy(() => joined({ data: southbound, columns: ['net'], symbol: false, lagDays }))).toMatch(
      /^LOOK_AHEAD: panel: lagDays/,
    )
  }
})

test('a row a day is for all symbols; a row of a code for that one, with or without its suffix; the rest has none', () => {
  const all = joined({ data: fromRows(flows('tradedate')), columns: ['net'], knownAt: '15:00' })
  expect([...all.column('net')]).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  for (const code of [a, a.slice(0, 6)]) {
    const data = fromRows(flows('tradedate').map((row) => ({ ...row, code })))
    const one = joined({ data, columns: { flow: 'net' }, knownAt: '15:00' })
    expect([...one.column('flow')]).toEqual([1, 2, 3, 4].flatMap((net) => [net, Number.NaN]))
    expect(read(joined({ data: toDataFrame(data), columns: ['net'], knownAt: '15:00:00' }), (bar) => bar.net)).toEqual([
      1, 2, 3, 4,
    ])
  }
})

test('days that the panel has not are counted, two rows of a day refused, and names taken twice', () => {
  const late = [...flows('tradedate'), { tradedate: '20260630', net: 9 }]
  expect(joined({ data: fromRows(late), columns: ['net'], knownAt: '15:00' }).notes).toEqual([
    '1 joined rows are of days that the panel does not have',
  ])
  const twice = fromRows([...flows('tradedate'), { tradedate: days[0], net: 9 }])
  expect(thrownBy(() => joined({ data: twice, columns: ['net'], knownAt: '15:00' }))).toMatch(
    new RegExp(`^INVALID_VALUE: panel: two rows of joined column 'net' on ${days[0]}`),
  )
  const close = fromRows(flows('tradedate'))
  expect(thrownBy(() => joined({ data: close, columns: { close: 'net' }, knownAt: '15:00' }))).toBe(
    "INVALID_VALUE: panel: two columns named 'close'",
  )
  expect(thrownBy(() => joined({ data: close, columns: ['net'] }))).toMatch(
    /^INVALID_VALUE: panel: say when .* knownAt: '18:00:00'/,
  )
})

/** Moments around the first days: before the panel, within a day, after a close, on a Sunday. */
const moments = fromRows([
  { known_at: '2026-06-30T15:00:00', net: 1 },
  { known_at: '2026-06-30T20:00:00', net: 2 },
  { known_at: '2026-07-02 10:20:00', net: 3 },
  { known_at: '2026-07-02T15:00:01', net: 4 },
  { known_at: '2026-07-05T12:00:00', net: 5 },
])

test('moments: a row stands on the first day whose close is not before it', () => {
  const panel = joined({ data: moments, columns: ['net'], knownAt: 'known_at' })
  expect(days.slice(0, 4)).toEqual(['20260701', '20260702', '20260703', '20260706'])
  expect(read(panel, (bar) => bar.net)).toEqual([2, 3, 4, 5])
  expect(panel.notes, 'what was known before the first day is not news of it').toEqual([
    '1 joined rows are of days that the panel does not have',
  ])
  expect(thrownBy(() => read(panel, (bar) => bar.net, atOpen))).toMatch(
    /^LOOK_AHEAD: 'net' of 20260701 is known at the close/,
  )
  const later = joined({ data: moments, columns: ['net'], knownAt: 'known_at', lagDays: 1 })
  expect(read(later, (bar) => bar.net, atOpen)).toEqual([Number.NaN, 2, 3, 4])
  const bad = fromRows([{ known_at: 'July', net: 1 }])
  expect(thrownBy(() => joined({ data: bad, columns: ['net'], knownAt: 'known_at' }))).toBe(
    "INVALID_VALUE: panel: 'July' in column 'known_at' is no moment YYYY-MM-DDTHH:MM:SS",
  )
})

test('moments and bars: a row stands from the first bar whose close is not before it, to the end of that day', () => {
  const minutes = ['1000', '1030', '1500']
  const bars = barsOf(a, minutes, [
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
  ])
  const panel = marketOf(bars, { join: [{ data: moments, columns: ['net'], knownAt: 'known_at' }] })
  const seen = read(panel, (bar) => bar.net)
  expect(seen).toEqual([2, 2, 2, Number.NaN, 3, 3, 4, 4, 4, 5, 5, 5])
  const opening = read(panel, (bar) => bar.lag('net', 1), atOpen)
  expect(opening.slice(3, 6), 'at the open of a bar, what the bar before had').toEqual([2, Number.NaN, 3])
})

test('bars: what is known at 11:00 decides from then on, and never the bar that closes at 10:30', () => {
  const minutes = ['1030', '1130', '1500']
  const bars = barsOf(a, minutes, [
    [1, 1, 1],
    [1, 1, 1],
  ])
  const panel = marketOf(bars, {
    join: [{ data: fromRows(flows('tradedate')), columns: ['net'], knownAt: '11:00:00' }],
  })
  const from = (at: string[]) => () =>
    backtest(
      panel as never,
      { score: (bar: { net: number }) => bar.net, pick: { n: 1, side: 'highest' }, when: { at } } as never,
      none,
    )
  expect(thrownBy(from(['1030']))).toMatch(
    /'net' of 20260701 1030 is known at 11:00:00, and the decision is made at 10:30:00/,
  )
  expect(from(['1130'])().fills.numRows).toBe(1)
})

test('a dataset without history is refused; allowed by name, the result says so', () => {
  const members = loaded([{ tradedate: days[0], code: a, hot: 1 }], 'thememembers_jx')
  const ask = (withoutHistory?: string[]) =>
    joined({ data: members, columns: ['hot'] }, withoutHistory ? { withoutHistory } : {})
  expect(thrownBy(() => ask())).toMatch(
    /^INVALID_VALUE: panel: thememembers_jx has no history.*withoutHistory: \['thememembers_jx'\]/,
  )
  expect(thrownBy(() => ask(['theme_lib_detail_kp']))).toMatch(/^INVALID_VALUE/)
  const result = backtest(ask(['thememembers_jx']), { score: (bar) => bar.close, pick: { n: 1, side: 'lowest' } }, free)
  expect(result.warnings).toContain(
    "thememembers_jx has no history: its rows are today's, and decisions of the past use them",
  )
})

test('the auction of 09:25 decides at the open, and is filled after it', () => {
  const auction = fromRows(
    days.slice(0, 4).flatMap((day, at) => [a, b].map((code) => ({ tradedate: day, code, net: code === a ? at : 1.5 }))),
  )
  const panel = joined({ data: auction, columns: ['net'], knownAt: '09:25:00' })
  const strategy = { score: (bar: { net: number }) => bar.net, pick: { n: 1, side: 'highest' } }
  const result = backtest(panel as never, strategy as never, {
    ...free,
    cash: 10_000,
    exec: { decide: 'open', fill: 'sameClose' },
  })
  expect(fillsOf(result).map((line) => line.slice(0, 22))).toEqual([
    `${days[0]} ${b} buy`,
    `${days[2]} ${b} sel`,
    `${days[2]} ${a} buy`,
  ])
  expect(result.lookahead).toEqual({ ok: true, cuts: 4 })
  expect(result.warnings).toEqual([expect.stringMatching(/^only \d days: /)])
})
