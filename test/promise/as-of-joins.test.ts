import { writeFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import {
  backtest,
  checkLookahead,
  connect,
  type Data,
  fromRows,
  loadPanel,
  type Market,
  type Strategy,
  sweep,
  walkForward,
} from 'quotebook'
import { afterAll, expect, test } from 'vitest'
import { quotebook } from './helper/command.js'
import { folder, removeFolders } from './helper/files.js'
import { bare, barsOf, days, free, marketOf, rowsOf, thrownBy } from './helper/prices.js'

/** Tables with days of their own beside prices: each day sees the last row that was known by then. */

removeFolders()
const connected = await connect()
afterAll(() => connected.close())

const [a, b] = ['110001.SH', '110002.SH']
const codes = [a, b]
const closes = days.map((_, at) => 100 + at)
const rows = codes.flatMap((code) => rowsOf(code, closes))
const minutes = ['0930', '1000', '1500']
const bars = codes.flatMap((code) =>
  barsOf(
    code,
    minutes,
    days.slice(0, 12).map((_, at) => [10 + at, 10 + at, 10 + at]),
  ),
)

function lots(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Rows on any days of the calendar from before the panel to after it, some without a value. */
function randomRows(seed: number): { day: string; code: string; size: number | null }[] {
  const next = lots(seed)
  const all = Array.from({ length: 62 }, (_, at) => new Date(Date.UTC(2026, 5, 15 + at)).toISOString().slice(0, 10))
  const some = all.flatMap((day) => codes.map((code) => ({ day: day.replaceAll('-', ''), code })))
  return some
    .filter(() => next() < 0.15)
    .map((row) => ({ ...row, size: next() < 0.1 ? null : Math.floor(1e4 * next()) }))
}

const dashed = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

test.each(['00:00:00', '09:00:00', '11:00:00', '18:00:00'])(
  'each time sees the last row known by its close, as a search over all rows finds it: known at %s',
  (knownAt) => {
    for (let seed = 1; seed <= 20; seed++)
      for (const own of [rows, bars]) {
        const table = randomRows(seed)
        const join = { data: fromRows(table) as Data, columns: ['size'], time: 'day', knownAt, asOf: true } as const
        const panel = marketOf(own, { join: [join] })
        const wanted = panel.cols.close.map((_, cell) => {
          const [time, code] = [Math.floor(cell / 2), codes[cell % 2]]
          const minute = panel.minutes[time % panel.minutes.length] || '1500'
          const day = panel.days[Math.floor(time / panel.minutes.length)] as string
          const now = `${dashed(day)}T${minute.slice(0, 2)}:${minute.slice(2)}:00`
          const known = table.filter((row) => row.code === code && `${dashed(row.day)}T${knownAt}` <= now)
          return known.toSorted((x, y) => (x.day < y.day ? -1 : 1)).at(-1)?.size ?? Number.NaN
        })
        expect([...(panel.cols as never as { size: Float64Array }).size]).toEqual([...wanted])
      }
  },
)

const [d0, d1, d2, d3] = days as [string, string, string, string]
const join = (given: object[], more: object = {}) =>
  marketOf(rows.slice(0, 4).concat(rowsOf(b, closes.slice(0, 4))), {
    join: [{ data: fromRows(given), columns: ['size'], time: 'day', knownAt: '00:00:00', asOf: true, ...more }],
  } as never)
const sizes = (panel: { cols: object }) => [...(panel.cols as { size: Float64Array }).size]

test('a list is of its last day as a whole: a code that has left it has no row', () => {
  const list = [
    { day: '20260528', code: b, size: 7 },
    { day: '20260629', code: a, size: 1 },
    { day: d2, code: b, size: 2 },
  ]
  const nan = Number.NaN
  expect(sizes(join(list, { asOf: 'list' }))).toEqual([1, nan, 1, nan, nan, 2, nan, 2])
  expect(sizes(join(list))).toEqual([1, 7, 1, 7, 1, 2, 1, 2])
})

test('a row a day for all, a lag, moments and two rows of one code and time', () => {
  const market = [{ day: d1, size: 5 }]
  expect(sizes(join(market, { symbol: false })).map(String)).toEqual('NaN NaN 5 5 5 5 5 5'.split(' '))
  expect(sizes(join(market, { symbol: false, lagDays: 1 })).slice(2, 5)).toEqual([Number.NaN, Number.NaN, 5])
  const moments = [{ at: `${dashed(d1)}T20:00:00`, code: a, size: 3 }]
  expect(sizes(join(moments, { time: undefined, knownAt: 'at' })).map(String)).toEqual(
    'NaN NaN NaN NaN 3 NaN 3 NaN'.split(' '),
  )
  const twice = [...moments, ...moments].map((row) => ({ ...row, day: d0 }))
  expect(thrownBy(() => join(twice))).toMatch(/^INVALID_VALUE: panel: two rows of joined column 'size' on 20260701/)
  expect(thrownBy(() => join(market, { asOf: 'lists', symbol: false }))).toMatch(
    "asOf of a join is true, false or 'list'",
  )
  expect(thrownBy(() => join(market, { lagDays: 2, symbol: false }))).toMatch('asOf and lagDays: 2')
})

test('what is known in the evening can decide at the next open, and not at the close of its day', () => {
  const table = [{ day: d1, code: a, size: 5 }]
  const seen: string[] = []
  const looks = {
    weights: (now: never) => {
      const { day, size } = now as { day: string; size: Float64Array }
      seen.push(`${day} ${size[0]}`)
      return { [a]: 0.5 }
    },
  } as never
  const opens = { decide: 'open', fill: 'nextOpen' } as const
  backtest(join(table, { knownAt: '18:00:00' }), looks, { ...bare, exec: opens })
  expect(seen).toEqual([`${d0} NaN`, `${d1} NaN`, `${d2} 5`, `${d3} 5`])
  const early = () => backtest(join(table, { knownAt: '11:00:00' }), looks, { ...bare, exec: opens })
  expect(thrownBy(early)).toMatch(/^LOOK_AHEAD: 'size' of 20260701 is known at the close of its bar/)
})

test('the look-ahead check sees through a join as of, honest or not', () => {
  const table = codes.flatMap((code, at) =>
    days.filter((_, day) => day % 7 === at).map((day, n) => ({ day, code, size: (n * 37) % 11 })),
  )
  const panel = marketOf(rows, {
    join: [{ data: fromRows(table) as Data, columns: ['size'], time: 'day', knownAt: '00:00:00', asOf: true }],
  } as never)
  const best = { pick: { n: 1, side: 'highest' }, score: (bar: never) => (bar as { size: number }).size } as never
  expect(checkLookahead(panel, best, free)).toMatchObject({ ok: true })
  const peeks = {
    prepare: ({ cols }: { cols: { size: Float64Array } }) => ({
      columns: { next: cols.size.map((_, cell) => cols.size[cell + 14] ?? Number.NaN) },
      pick: { n: 1, side: 'highest' },
      score: (bar: never) => (bar as { next: number }).next,
    }),
  } as never
  expect(checkLookahead(panel, peeks, free)).toMatchObject({ ok: false, firstDifference: { time: expect.any(String) } })
})

const index = (asOf: boolean) =>
  ({
    dataset: 'convertible_daily',
    columns: ['close'],
    join: [{ dataset: 'theme_daily', params: { symbols: '880047' }, columns: { level: 'close' }, symbol: false, asOf }],
  }) as const

test('a dataset is loaded from before the days of the panel, and a maker is asked for a year more', async () => {
  const span = { from: '20260701', to: '20260710' }
  const [plain, carried] = await Promise.all([false, true].map((asOf) => loadPanel(connected, index(asOf), span)))
  expect(carried?.panel.cols.level).toEqual(plain?.panel.cols.level)
  const asked: string[] = []
  const monthly = async (_: Market, { from }: { from: string }) => {
    asked.push(from)
    return fromRows([{ day: '20260105', size: 4 }])
  }
  const data = {
    data: monthly,
    columns: ['size'],
    time: 'day',
    symbol: false,
    knownAt: '00:00:00',
    asOf: true,
  } as const
  const { panel } = await loadPanel(connected, { dataset: 'convertible_daily', history: 0, join: [data] }, span)
  expect([asked, [...panel.cols.size].every((size) => size === 4)]).toEqual([['20250630'], true])
})

const lookback = [
  "import { fromRows, numbers, strings } from 'quotebook'",
  'const rise = async (market, { from, to }, { back = 3 }) => {',
  "  const table = await market.query('theme_daily', { symbols: '880047', type: 'tj' }, { days: { from, to } })",
  "  const [days, close] = [strings(table, 'tradedate'), numbers(table, 'close')]",
  '  return fromRows(days.map((tradedate, at) => ({ tradedate, rise: close[at] / (close[at - back] ?? NaN) - 1 })))',
  '}',
  'export default {',
  "  data: { dataset: 'convertible_daily', history: 15, join: [{ data: rise, columns: ['rise'], symbol: false, knownAt: '15:00:00' }] },",
  '  make: ({ n = 4 }) => ({',
  '    universe: (bond) => bond.rise > 0,',
  '    score: (bond) => bond.close,',
  "    pick: { n, side: 'lowest' },",
  '  }),',
  '}',
]

test('a lookback in the table of a join is swept: each trial has the panel that its param makes', async () => {
  const file = pathOf(folder(), 'rise.mjs')
  writeFileSync(file, lookback.join('\n').replace("'quotebook'", `'${pathOf(process.cwd(), 'dist/esm/index.js')}'`))
  const { default: own } = (await import(file)) as { default: { data: never; make: (params: object) => Strategy } }
  const span = { from: '20260615', to: '20260729' }
  const values = [1, 5]
  const { panel } = await loadPanel(connected, own.data, { ...span, sweep: { back: values, n: [3] } })
  const alone = await Promise.all(
    values.map(async (back) => {
      const { panel } = await loadPanel(connected, own.data, { ...span, params: { back } })
      return backtest(panel, own.make({ n: 3 }) as never, { cash: 1e6 })
    }),
  )
  const totals = alone.map(({ equity }) => (equity.at(-1) as number) / 1e6 - 1)
  expect(totals[0]).not.toBe(totals[1])
  const make = ({ n }: { n: number }) => own.make({ n }) as never
  const grid = { back: values, n: [3] }
  const swept = sweep(panel, grid, make, { cash: 1e6, scoreParams: ['n'] })
  swept.trials.forEach(({ performance }, at) => {
    expect(performance.total).toBeCloseTo(totals[at] as number, 12)
  })
  const walked = walkForward(panel, grid, make, { cash: 1e6, trainDays: 15, testDays: 10 })
  expect(walked.folds.map(({ params }) => params.back).every((back) => values.includes(back))).toBe(true)
  const words = ['backtest', file, '--from', span.from, '--to', span.to, '--cash', '1000000']
  const equityOf = (...more: string[]) => {
    const { out, err, code } = quotebook([...words, ...more])
    expect(`${code} ${code === 0 ? '' : err}`).toBe('0 ')
    return out.split('\n').find((one) => one.startsWith('equity'))
  }
  const best = (totals[1] as number) > (totals[0] as number) ? 5 : 1
  const told = `equity        1000000 -> ${alone[values.indexOf(best)]?.equity.at(-1)}`
  expect(equityOf('--param', 'n=3', '--param', `back=${best}`)).toBe(told)
  expect(equityOf('--param', 'n=3', '--sweep', 'back=1,5', '--threads', '2')).toBe(told)
  expect(quotebook([...words, '--param', 'bak=5']).err).toMatch("nothing reads the param 'bak'. Did you mean 'back'?")
})
