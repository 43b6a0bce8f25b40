import {
  backtest,
  checkLookahead,
  connect,
  type Data,
  defineStrategy,
  fromRows,
  loadPanel,
  panel,
  planOrders,
  type Strategy,
  sweep,
} from 'quotebook'
import { afterAll, expect, test } from 'vitest'
import { bare, days, fillsOf, free, rowsOf, thrownBy } from './helper/prices.js'

/** Columns of texts, such as ratings, that a strategy asks. */

const market = await connect()
afterAll(() => market.close())

const [a, b] = ['110001.SH', '110002.SH']
const closes = days.slice(0, 20).map((_, at) => 100 + at)
const rows = [a, b].flatMap((code) =>
  rowsOf(code, closes).map((row, at) => ({ ...row, grade: code === a && at < 3 ? 'AA' : 'AAA' })),
)
const [d0, d1, d2, d3] = days as [string, string, string, string]
const columns = ['open', 'close', 'pre_close', 'vol'] as const
const graded = panel(fromRows(rows), { columns, texts: ['grade'] })
const pick = { n: 2, side: 'lowest' } as const

test('a bar has the text of its cell, a lag that of one before, and the cross section those of all', () => {
  const seen: unknown[] = []
  backtest(
    graded,
    {
      universe: (bar) => {
        if (bar.day <= d3 && bar.symbol === a) seen.push([bar.grade, bar.lag('grade', 1)])
        return bar.grade === 'AAA'
      },
      score: (bar) => bar.close,
      pick,
    },
    bare,
  )
  expect(seen.slice(0, 4)).toEqual([
    ['AA', null],
    ['AA', 'AA'],
    ['AA', 'AA'],
    ['AAA', 'AA'],
  ])
  const crossed: unknown[] = []
  const cross = {
    weights: (now: { day: string; grade: readonly (string | null)[]; lag: (name: 'grade', n: number) => unknown }) => {
      if (now.day === d3) crossed.push(now.grade, now.lag('grade', 1))
      return {}
    },
  }
  backtest(
    graded,
    { ...cross, weights: (now) => ({ ...cross.weights(now as never), [b]: now.grade[0] === 'AAA' ? 0.5 : 0 }) },
    bare,
  )
  expect(crossed).toEqual([
    ['AAA', 'AAA'],
    ['AA', 'AAA'],
  ])
})

const honest: Strategy<'close' | 'grade:text'> = {
  universe: (bar) => bar.grade === 'AAA',
  exit: (bar) => bar.grade === null,
  score: (bar) => bar.close,
  pick,
}

test('a universe by rating holds what has it, in a sweep, in a plan and through the look-ahead check too', () => {
  const result = backtest(graded, honest, free)
  expect(fillsOf(result).slice(0, 2)).toEqual([`${d1} ${b} buy 5000 101`, `${d2} ${b} sell 50 102`])
  expect(result.lookahead).toMatchObject({ ok: true })
  expect(checkLookahead(graded, honest, free)).toMatchObject({ ok: true })
  expect(fillsOf(result).find((line) => line.includes(a))).toMatch(`${days[4]} ${a} buy `)
  const swept = sweep(graded, { n: [1, 2] }, ({ n }) => ({ ...honest, pick: { ...pick, n } }), free)
  expect(swept.trials[1]?.performance.total).toBeCloseTo((result.equity.at(-1) as number) / 1e6 - 1, 12)
  expect(
    planOrders(graded, honest, { cash: 1e6 })
      .orders.map(({ symbol }) => symbol)
      .sort(),
  ).toEqual([a, b])
  expect(graded.hash).not.toBe(
    panel(fromRows(rows.map((row) => ({ ...row, grade: row.grade === 'AA' ? 'A' : row.grade }))), {
      columns,
      texts: ['grade'],
    }).hash,
  )
})

test('ratings of a table with days of its own; one that is missing is null', () => {
  const ratings = [
    { day: '20260105', code: a, rating: 'AA+' },
    { day: d1, code: a, rating: null },
    { day: d2, code: a, rating: 'AAA' },
  ]
  const join = {
    data: fromRows(ratings) as Data,
    columns: [],
    texts: ['rating'],
    time: 'day',
    knownAt: '18:00:00',
    asOf: true,
  } as const
  const joined = panel(fromRows(rows), { columns, join: [join] })
  const seen: unknown[] = []
  const look = {
    universe: (bar: { day: string; symbol: string; rating: string | null }) => {
      if (bar.day <= d3) seen.push(bar.rating)
      return bar.rating !== null
    },
    score: (bar: { close: number }) => bar.close,
    pick,
  }
  backtest(joined, look as never, bare)
  expect(seen).toEqual(['AA+', null, 'AA+', null, null, null, 'AAA', null])
})

test('a dataset gives its own texts, and types know them', async () => {
  const days = { from: '20260720', to: '20260729' }
  const { panel: named } = await loadPanel(
    market,
    { dataset: 'convertible_daily', columns: ['open', 'close', 'vol'], texts: ['name'], history: 0 },
    days,
  )
  const seen = new Set<string | null>()
  const turned: Strategy<'close' | 'name:text'> = {
    universe: (bar) => {
      seen.add(bar.name)
      return bar.name?.includes('转') ?? false
    },
    score: (bar) => bar.close,
    pick,
  }
  backtest(named, turned, bare)
  expect([...seen].every((name) => name === null || /\p{L}/u.test(name))).toBe(true)
  const file = defineStrategy({
    data: {
      dataset: 'convertible_daily',
      texts: ['name'],
      join: [{ data: async () => fromRows([]), columns: ['size'], texts: ['rating'] }],
    },
    universe: (bond) => bond.rating === 'AAA' && bond.name !== null && bond.size > 2,
    score: (bond) => bond.close,
    pick,
  })
  expect(file.data.texts).toEqual(['name'])
  // @ts-expect-error: a text is no number
  defineStrategy({ data: { dataset: 'convertible_daily', texts: ['name'] }, score: (bond) => bond.name, pick })
})

test('where a number is wanted a text is refused', async () => {
  const run = (strategy: object) => thrownBy(() => backtest(graded, strategy as never, bare))
  const told = "'grade' is a text, and a number is wanted here; ask it in universe, exit, update, weights or orders"
  expect(run({ score: (bar: { grade: number }) => bar.grade, pick })).toMatch(
    /^USAGE: strategy: .*score gives a number, or NaN for no candidate; it gave 'AA'/,
  )
  expect(run({ score: (bar: { mean: (...given: unknown[]) => number }) => bar.mean('grade', 2), pick })).toMatch(told)
  expect(
    run({ prepare: ({ cols }: { cols: { grade: Float64Array } }) => ({ score: () => cols.grade[0], pick }) }),
  ).toMatch(told)
  expect(thrownBy(() => panel(fromRows(rows), { columns: ['close', 'grade' as never] }))).toMatch(/grade/)
  const wrong = (data: object) =>
    loadPanel(market, { dataset: 'convertible_daily', ...data } as never).then(
      () => '',
      ({ message }) => message,
    )
  expect(await wrong({ columns: ['name'] })).toBe("data: 'name' of convertible_daily is a text; name it in texts")
  expect(await wrong({ texts: ['nam'] })).toMatch(
    "convertible_daily has no column of texts 'nam'; did you mean 'name'?",
  )
  expect(d0).toBe('20260701')
})
