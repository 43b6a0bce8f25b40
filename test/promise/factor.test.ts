import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, factorPage, factorStudy, forwardReturns, fromRows, loadPanel, panel, type Signal } from 'quotebook'
import { afterAll, describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { quotebook } from './helper/command.js'
import { folder, removeFolders } from './helper/files.js'
import { thrownBy } from './helper/prices.js'

/** A factor: against pandas and plain Python (test/fixture/pandas/factor.py), against what was planted, by the command and on its page. */

removeFolders()
const market = await connect()
afterAll(() => market.close())

const stored = JSON.parse(readFileSync('test/fixture/pandas/factor.json', 'utf8'))
const { times, symbols, score, forward, exposures, trading } = stored
const groups = { by: 'sector', names: ['a', 'b', 'c'], of: stored.groups }
const signal: Signal = { times, symbols, score, forward, horizons: [1, 5, 20], groups, exposures, trading }
const study = factorStudy(signal, { quantiles: 4 })

function near(found: unknown, due: unknown, where: string): void {
  if (Array.isArray(due)) {
    expect((found as ArrayLike<number>).length, where).toBe(due.length)
    for (const [at, one] of due.entries()) near((found as ArrayLike<number>)[at], one, `${where} ${at}`)
  } else if (due === null) expect(found, where).toBeNaN()
  else
    expect(Math.abs(Number(found) - Number(due)), `${where}: ${found}, not ${due}`).toBeLessThan(
      1e-9 * Math.max(1, Math.abs(Number(due))),
    )
}

describe('against pandas, by the definitions of alphalens', () => {
  test('coefficients with their error, quantiles before and after costs, the factor’s returns with alpha and beta', () => {
    for (const one of study.horizons)
      for (const [name, due] of Object.entries(stored.horizons[one.horizon]))
        near(one[name as 't'], due, `${name} over ${one.horizon}`)
    expect(study.horizons.map(({ lag }) => lag)).toEqual([3, 4, 19])
    expect(Math.abs(study.horizons[2]?.plainT ?? 0)).toBeGreaterThan(1.2 * Math.abs(study.horizons[2]?.t ?? 0))
  })

  test('decay over the same dates, turnover, autocorrelation of ranks, coverage, what could not be traded', () => {
    expect(study.decay.dates).toBe(study.horizons[2]?.dates)
    near(study.decay.meanIc, stored.decay.meanIc, 'decay')
    near(study.decay.error, stored.decay.error, 'error of the decay')
    near(study.turnover, stored.turnover, 'turnover')
    near(study.rankAutocorrelation, stored.rankAutocorrelation, 'autocorrelation')
    near(study.coverage, stored.coverage, 'coverage')
    expect(study.leftOut).toBe(stored.leftOut)
    expect(stored.leftOut).toBeGreaterThan(0)
    near(study.horizons[0]?.blocked, stored.blocked, 'blocked')
  })

  test('what the page adds up: quantiles, coefficients, months, and how often a coefficient came', async () => {
    const page = await factorPage(study, { horizons: [5] })
    const rowsOf = (id: string): string[][] => {
      const [, part = ''] = page.split(`<section id="${id}"`)
      const [, body = ''] = part.split('<tbody>')
      const rows = (body.split('</tbody>')[0] ?? '').split('<tr>').slice(1)
      return rows.map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell))
    }
    const { sums, icSum, months, bins } = stored.shown
    const last = rowsOf('spread').at(-1)?.slice(1, 5).map(Number.parseFloat)
    for (const [at, sum] of sums.entries()) expect(last?.[at], `quantile ${at + 1}`).toBeCloseTo(100 * sum, 1)
    expect(Number(rowsOf('cumulative-ic').at(-1)?.[1])).toBeCloseTo(icSum, 3)
    const monthly = rowsOf('monthly-ic').filter(([, mean]) => mean !== '—')
    expect(monthly.map(([month]) => month)).toEqual(Object.keys(months))
    for (const [month = '', mean] of monthly) expect(Number(mean), month).toBeCloseTo(months[month], 3)
    const counted = rowsOf('ic-histogram').map(([from, count]) => [Math.round(20 * Number(from)) + 20, Number(count)])
    const due = [...bins.entries()].filter(([, count]: number[]) => count)
    expect(counted.filter(([, count]) => count)).toEqual(due)
  })

  test('groups, exposures, and the score without them', () => {
    near(
      study.groups.map(({ horizons }) => horizons[0]?.meanIc),
      stored.within,
      'within groups',
    )
    for (const { name, mean } of study.exposures) near(mean, stored.exposure[name], name)
    near(
      study.neutral?.map(({ meanIc }) => meanIc),
      stored.neutral,
      'neutral',
    )
  })
})

/* Random numbers of the test's own: a linear congruential generator, and Box and Muller. */
function normals(seed: number): () => number {
  let state = seed
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

const codes = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at))

/** A score that stays much as it was, and returns that know nothing of it. */
function noise(seed: number, [days, names]: readonly [number, number], stay: number): Signal {
  const next = normals(seed)
  const scores = new Float64Array(days * names)
  for (let at = 0; at < scores.length; at++)
    scores[at] = at < names ? next() : stay * (scores[at - names] as number) + Math.sqrt(1 - stay * stay) * next()
  const logs = new Float64Array(days * names)
  for (let at = names; at < logs.length; at++) logs[at] = (logs[at - names] as number) + 0.02 * next()
  const returns = (h: number): Float64Array =>
    logs.map((log, at) => Math.exp((logs[at + h * names] ?? Number.NaN) - log) - 1)
  return { times: codes(days), symbols: codes(names), score: scores, forward: [1, 20].map(returns), horizons: [1, 20] }
}

describe('values that the tests of alphalens publish (quantopian/alphalens, alphalens/tests/test_performance.py)', () => {
  const nan = Number.NaN
  const studied = (scores: readonly (readonly number[])[], options: object, returns = scores) =>
    factorStudy(
      { times: codes(scores.length), symbols: codes(4), score: scores.flat(), forward: [returns.flat()] },
      options,
    )
  const [up, down] = [
    [1, 2, 3, 4],
    [4, 3, 2, 1],
  ]

  test('turnover of a quantile, of two names each where theirs have one', () => {
    const of = (scores: readonly (readonly number[])[], quantile: number) => {
      const twice = scores.flatMap((row) => row.flatMap((one) => [one, one]))
      const signal = { times: codes(scores.length), symbols: codes(8), score: twice, forward: [twice] }
      return [...(factorStudy(signal, { quantiles: 4 }).turnover[quantile - 1] ?? [])]
    }
    expect(of([up, down, up, up], 4)).toEqual([nan, 1, 1, 0])
    expect(of([up, up, up, up], 3)).toEqual([nan, 0, 0, 0])
    expect(of([up, down, up, down], 2)).toEqual([nan, 1, 1, 1])
  })

  test('autocorrelation of ranks over one time and over three', () => {
    const of = (scores: readonly (readonly number[])[], lag: number) => [
      ...studied(scores, { quantiles: 2, lag }).rankAutocorrelation,
    ]
    expect(of([up, up, up, up], 1)).toEqual([nan, 1, 1, 1])
    expect(of([down, up, down, up], 1)).toEqual([nan, -1, -1, -1])
    const pair = [2, 1, 4, 3]
    const twelve = [up, pair, down, up, pair, down, pair, down, up, pair, pair, down]
    const due = [nan, nan, nan, 1, 1, 1, 0.6, -0.6, -1, 1, -0.6, -1]
    near(
      of(twelve, 3),
      due.map((one) => (Number.isNaN(one) ? null : one)),
      'over three',
    )
  })

  test('returns of the factor as weights', () => {
    const { horizons } = studied([up, down], { quantiles: 2 }, [down, up])
    expect([...(horizons[0]?.factorReturns ?? [])]).toEqual([-1.25, -1.25])
    const level = [1, 1, 1, 1]
    expect([...(studied([level, level], { quantiles: 2 }, [down, up]).horizons[0]?.factorReturns ?? [])]).toEqual([
      nan,
      nan,
    ])
  })
})

test('a planted factor over noise is found at its strength', () => {
  const [days, names] = [400, 200]
  for (const rho of [0.05, 0.2, 0.6]) {
    const next = normals(1000 * rho)
    const returns = Float64Array.from({ length: days * names }, () => 0.02 * next())
    const planted = returns.map((r) => rho * (r / 0.02) + Math.sqrt(1 - rho * rho) * next())
    const { horizons } = factorStudy({
      times: codes(days),
      symbols: codes(names),
      score: planted,
      forward: [returns],
    })
    const { meanIc = 0, error = 0 } = horizons[0] ?? {}
    const due = (6 / Math.PI) * Math.asin(rho / 2)
    expect(Math.abs(meanIc - due), `${meanIc} ± ${error}, not ${due}`).toBeLessThan(4 * error)
    expect(error).toBeLessThan(0.005)
  }
})

test('noise that stays is no factor: t knows of overlap, and t as if there were none does not', () => {
  const found = Array.from({ length: 24 }, (_, seed) => factorStudy(noise(seed + 1, [500, 60], 0.95)).horizons)
  const beyond = (at: number, name: 't' | 'plainT'): number =>
    found.filter((one) => Math.abs(one[at]?.[name] ?? 0) > 3).length
  expect(beyond(0, 't')).toBeLessThanOrEqual(1)
  expect(beyond(1, 't')).toBeLessThanOrEqual(3)
  expect(beyond(1, 'plainT')).toBeGreaterThanOrEqual(6)
})

test('what is all exposure has nothing left, and a neutral score finds what is left as if it stood alone', () => {
  const size = Float64Array.from(score, (x: number | null) => (x === null ? Number.NaN : 3 * x + 1))
  const same = factorStudy({ ...signal, groups: undefined, exposures: { size } })
  expect(same.exposures[0]?.mean).toBe(1)
  expect(same.neutral?.[0]?.dates).toBe(0)
  // Four parts size to three of what the returns know: with the size gone the rest is found as if it had never been there.
  const [days, names] = [120, 100]
  const next = normals(7)
  const draws = (): Float64Array => Float64Array.from({ length: days * names }, next)
  const [large, knows, luck] = [draws(), draws(), draws()]
  const mixed = large.map((one, at) => 0.8 * one + 0.6 * (knows[at] as number))
  const returns = knows.map((one, at) => 0.02 * (0.3 * one + Math.sqrt(1 - 0.09) * (luck[at] as number)))
  const made = { times: codes(days), symbols: codes(names), forward: [returns], exposures: { large } }
  const found = factorStudy({ ...made, score: mixed })
  const [{ mean = 0, neutral = 1 } = {}] = found.exposures
  expect(Math.abs(mean - (6 / Math.PI) * Math.asin(0.4))).toBeLessThan(0.01)
  // Least squares leaves no correlation with ranks; ranks of skewed residuals keep a little.
  expect(Math.abs(neutral)).toBeLessThan(0.08)
  const [own, bare] = [found.neutral?.[0], factorStudy({ ...made, score: knows }).horizons[0]]
  expect(Math.abs((own?.meanIc ?? 0) - (bare?.meanIc ?? 0))).toBeLessThan(0.03)
  expect(own?.meanIc).toBeGreaterThan(1.3 * (found.horizons[0]?.meanIc ?? 1))
})

test('a signal of a panel: from its first day, costs and limits by the rules of the class, groups by thirds', async () => {
  const run = { from: '20260601', to: '20260729' }
  const { panel: prices } = await loadPanel(market, { dataset: 'convertible_daily' }, run)
  const universe = (bond: { vol: number }): boolean => bond.vol > 0
  const options = { horizons: [1, 5], by: 'close', exposures: ['amount'], costs: { slippageTicks: 2 } }
  const made = forwardReturns(prices, { universe, score: (bond) => -bond.cb_over_rate }, options)
  expect([made.times[0], made.times.length]).toEqual(['20260601', prices.days.length - prices.begin])
  const width = prices.symbols.length
  const at = 3 * width + prices.symbols.indexOf('123124.SZ')
  const open = prices.column('open')[at + (prices.begin + 1) * width] as number
  expect(made.trading?.buy[at]).toBeCloseTo(0.0002 + 0.002 / open, 15)
  expect(made.trading?.sell[at]).toBe(made.trading?.buy[at])
  const { groups: by, coverage, names } = factorStudy(made, { quantiles: 3 })
  expect(by.map(({ name }) => name)).toEqual(['low', 'middle', 'high'])
  expect(by.reduce((sum, one) => sum + one.names, 0)).toBeCloseTo(names.reduce((a, b) => a + b, 0) / names.length, 12)
  expect(Math.max(...coverage.filter((one) => !Number.isNaN(one)))).toBeLessThanOrEqual(1)
  expect(thrownBy(() => forwardReturns(prices, { score: () => 1 }, { by: 'clos' }))).toMatch(/did you mean 'close'/)
})

test('a stock pays stamp and transfer where it is sold, and is not bought at its limit or without trade', () => {
  const row = (tradedate: string, open: number, close: number, pre_close: number, vol: number) => {
    return { tradedate, code: '600000.SH', open, close, pre_close, vol }
  }
  const rows = [
    row('20260601', 10, 10, 10, 5),
    row('20260602', 11, 11, 10, 5),
    row('20260603', 9.9, 9.9, 11, 5),
    row('20260604', 9.9, 10, 9.9, 0),
    row('20260605', 10, 10, 10, 5),
  ]
  const prices = panel(fromRows(rows), { columns: ['open', 'close', 'pre_close', 'vol'] })
  const { trading } = forwardReturns(prices, { score: (bar) => bar.close }, { horizons: [1], costs: {} })
  const of = (name: 'canBuy') => [...((trading?.[name] ?? []) as Float64Array)]
  // Each is of the open of the day after: at its upper limit, at its lower, without volume, free.
  expect([of('canBuy'), of('canSell' as 'canBuy')]).toEqual([
    [0, 1, 0, 1, Number.NaN],
    [1, 0, 0, 1, Number.NaN],
  ])
  expect(trading?.buy[0]).toBeCloseTo(0.00025 + 0.00001 + 0.01 / 11, 15)
  expect(trading?.sell[0]).toBeCloseTo(0.00025 + 0.00001 + 0.0005 + 0.01 / 11, 15)
  const free = { commission: { rate: 0 }, slippageBps: 5 }
  expect(forwardReturns(prices, { score: (bar) => bar.close }, { costs: free }).trading?.buy[3]).toBeCloseTo(
    0.00051,
    15,
  )
})

describe('a score of few values', () => {
  const names = 20
  // Of each ten dates one has two names at the top, the others eleven of the upper value, which are no fifth.
  const dates = codes(40)
  const isRare = (t: number): boolean => t % 10 === 9
  const ones = dates.map((_, t) => codes(names).map((_, s) => (s >= (isRare(t) ? 18 : 9) ? 1 : -1)))
  const returns = dates.map((_, t) =>
    codes(names).map((_, s) => (isRare(t) ? (s >= 18 ? 0.05 : 0) : ((s * 7) % 20) / 1000)),
  )
  const studied = (scores: readonly (readonly number[])[], of = returns) =>
    factorStudy({ times: codes(scores.length), symbols: codes(names), score: scores.flat(), forward: [of.flat()] })

  test('has the number of dates behind each figure, and no spread below 5 of many', async () => {
    const { horizons } = studied(ones)
    const [{ quantileDates, spreadDates, spread, netSpread, monotonicity, dates: all } = {} as never] = horizons
    expect([[...quantileDates], spreadDates, all]).toEqual([[40, 0, 36, 0, 4], 4, 40])
    expect([spread, netSpread, monotonicity]).toEqual([Number.NaN, Number.NaN, Number.NaN])
    const five = studied([...ones, ones[9] as number[]], [...returns, returns[9] as number[]]).horizons[0]
    expect([five?.spreadDates, five?.spread]).toEqual([5, expect.closeTo(0.05, 12)])
    const few = studied(ones.slice(9, 10), returns.slice(9, 10)).horizons[0]
    expect([few?.spreadDates, few?.spread]).toEqual([1, expect.closeTo(0.05, 12)])
    const distinct = studied(dates.map(() => codes(names).map(Number))).horizons[0]
    expect([distinct?.spreadDates, [...(distinct?.quantileDates ?? [])]]).toEqual([40, Array(5).fill(40)])
  })

  test('says so on its page and in the command', async () => {
    for (const [lang, told] of [
      ['en', /There is no spread: .* 4 of 40 dates only/],
      ['zh', /40 期中的 4 期/],
    ] as const) {
      const page = await factorPage(studied(ones), { lang })
      expect(page).toMatch(told)
      expect(page).toContain('40, 0, 36, 0, 4')
      expect(page).not.toMatch(/NaN|undefined|\{\w+\}</)
    }
    expect(await factorPage(studied(dates.map(() => codes(names).map(Number))))).not.toContain('data-item="few-values"')
    const ran = await here('factor', 'convertible_daily.pct_chg', '--horizons', '1')
    expect(ran.out).toMatch(/\nspread_dates +58\n/)
  })

  test('a date of equal scores counts nowhere, whatever rounding makes of their mean', () => {
    const up = codes(names).map(Number)
    for (const level of [0.1, 0.1 + 0.2, -7, 0]) {
      const flat = Array<number>(names).fill(level)
      const { horizons, leftOut, names: there } = studied([up, flat, up.map((x) => -x)], returns.slice(0, 3))
      const [{ ic, factorReturns, quantileDates, spreadDates, dates: all } = {} as never] = horizons
      expect([ic[1], factorReturns[1], [...quantileDates], spreadDates, all]).toEqual([
        Number.NaN,
        Number.NaN,
        [2, 2, 2, 2, 2],
        2,
        2,
      ])
      expect([leftOut, there[1]]).toEqual([1, names])
      const nothing = studied([flat, flat, flat], returns.slice(0, 3)).horizons[0]
      for (const name of ['meanIc', 'spread', 'beta', 'alpha', 'meanFactorReturn'] as const)
        expect(nothing?.[name], name).toBeNaN()
    }
  })
})

test('a return goes to what the end of an instrument pays, and not beyond the last day', () => {
  const days = ['20260601', '20260602', '20260603', '20260604', '20260605', '20260608']
  const rowsOf = (code: string, last: number, pre?: number) =>
    days.slice(0, last).map((tradedate, at) => ({
      tradedate,
      code,
      open: 10,
      close: 10,
      pre_close: pre !== undefined && at === 2 ? pre : 10,
    }))
  const rows = [
    ...rowsOf('600000.SH', 6),
    ...rowsOf('600001.SH', 4),
    ...rowsOf('600002.SH', 4),
    ...rowsOf('600003.SH', 4, 5),
  ]
  const delistings = [
    { symbol: '600001.SH', day: '20260605', price: 0 },
    { symbol: '600002.SH', day: '20260605' },
    { symbol: '600003.SH', day: '20260605', price: 8 },
  ]
  const prices = panel(fromRows(rows), { columns: ['open', 'close', 'pre_close'], delistings })
  const { forward } = forwardReturns(prices, { score: (bar) => bar.index }, { horizons: [2] })
  const [of = []] = forward
  const nan = Number.NaN
  const column = (at: number) => [...days.keys()].map((t) => (of as Float64Array)[t * 4 + at])
  expect(column(0)).toEqual([0, 0, 0, nan, nan, nan])
  expect(column(1)).toEqual([0, -1, -1, nan, nan, nan])
  expect(column(2)).toEqual([0, 0, 0, nan, nan, nan])
  // Two for one on the third day: 10 becomes 2 x 8.
  expect(column(3).slice(0, 4)).toEqual([1, expect.closeTo(-0.2, 12), expect.closeTo(-0.2, 12), nan])
})

test('prices at or below 0 and scores that are not finite are refused by their place; a suspended row is no price', () => {
  const days = ['20260601', '20260602', '20260603', '20260604']
  const made = (open: number, vol: number) =>
    panel(
      fromRows(
        days.map((tradedate, at) => ({
          tradedate,
          code: '600000.SH',
          open: at === 1 ? open : 10,
          close: 10,
          vol: at === 1 ? vol : 5,
        })),
      ),
      { columns: ['open', 'close', 'vol'] },
    )
  const of = (prices: ReturnType<typeof made>, score = 1) => [
    ...(forwardReturns(prices, { score: () => score }, { horizons: [1] }).forward[0] as Float64Array),
  ]
  expect(of(made(0, 0))).toEqual([Number.NaN, 0, Number.NaN, Number.NaN])
  for (const [open, vol] of [
    [0, 5],
    [-1, 5],
    [-1, 0],
  ] as const)
    expect(thrownBy(() => of(made(open, vol)))).toBe(
      `INVALID_VALUE: forwardReturns: open of 600000.SH on 20260602 is ${open}; a price is above 0`,
    )
  expect(thrownBy(() => of(made(10, 5), Number.POSITIVE_INFINITY))).toBe(
    'STRATEGY: strategy: the score of 600000.SH on 20260601 is Infinity; give a finite number, or NaN for no candidate',
  )
  expect(thrownBy(() => factorStudy({ ...signal, score: [...score.slice(1), Number.NEGATIVE_INFINITY] }))).toMatch(
    /^INVALID_VALUE: factorStudy: score: -Infinity at \d{8} for \w+; a number is finite, or NaN where there is none$/,
  )
})

test('horizons that are not those of the returns, and signals of another shape, are refused', () => {
  expect(thrownBy(() => factorStudy({ ...signal, horizons: [1, 5] }))).toBe(
    'INVALID_VALUE: factorStudy: there are 2 horizons for 3 returns',
  )
  expect(thrownBy(() => factorStudy({ ...signal, horizons: [0, 5, 20] }))).toMatch(/whole number of at least 1/)
  const wrong = { ...signal, forward: [Array.from(signal.score).slice(1)], horizons: [1] }
  expect(thrownBy(() => factorStudy(wrong))).toMatch(
    /factorStudy: forward 1: there are \d+ numbers for \d+ times x \d+/,
  )
  expect(thrownBy(() => factorStudy(signal, { quantiles: 1 }))).toMatch(
    /quantiles must be a whole number of at least 2/,
  )
  expect(thrownBy(() => factorStudy({ ...signal, forward: 7 } as never))).toMatch(/forward must be an array, not 7/)
})

describe('the page', () => {
  test('says the same twice in both languages, loads nothing, and escapes what it is given', async () => {
    const title = '<b>score</b>'
    for (const lang of ['en', 'zh'] as const) {
      const page = await factorPage(study, { title, lang, tried: 20, notes: ['<i>'], known: { net: '18:00:00' } })
      expect(await factorPage(study, { title, lang, tried: 20, notes: ['<i>'], known: { net: '18:00:00' } })).toBe(page)
      expect(page).not.toMatch(/<script|<b>score|<i>|NaN|undefined|\{\w+\}<|https?:\/\/(?!www\.w3\.org)/)
      expect(page).toContain('3.02')
      expect([...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id)).toEqual([
        'spread',
        'quantiles',
        'information',
        'cumulative-ic',
        'monthly-ic',
        'ic-histogram',
        'decay',
        'stability',
        'figures',
        'parts',
      ])
    }
  })

  test('of a study without costs leaves out what is net', async () => {
    const page = await factorPage(factorStudy({ ...signal, trading: undefined }))
    expect(page).not.toMatch(/data-item="(costs|blocked|least-traded)"/)
    await expect(factorPage(study, { tried: 0 })).rejects.toThrow('tried must be a whole number of at least 1, not 0')
    await expect(factorPage(undefined as never)).rejects.toThrow(/factorPage/)
  })
})

describe('quotebook factor', () => {
  const dir = folder()
  const file = join(dir, 'low.mjs')
  writeFileSync(
    file,
    `export const make = ({ w = 1 }) => ({ score: (bond) => -bond.close - w * bond.cb_over_rate, pick: { n: 5, side: 'highest' } })
export default { data: { dataset: 'convertible_daily' }, make }
`,
  )

  test('studies a strategy’s file with its params, and its page is made again by verify', async () => {
    const page = join(dir, 'low.html')
    const words = ['--param', 'w=2', '--from', '20260601', '--by', 'close', '--exposure', 'amount', '--horizons', '1,3']
    const ran = await here('factor', file, ...words, '--quantiles', '4', '--format', 'json', '--out', page)
    expect(ran.code, ran.err).toBe(0)
    const rows = JSON.parse(ran.out)
    const { panel: prices } = await loadPanel(market, { dataset: 'convertible_daily' }, { from: '20260601' })
    const made = forwardReturns(
      prices,
      { score: (bond) => -bond.close - 2 * bond.cb_over_rate },
      { horizons: [1, 3], costs: {} },
    )
    const own = factorStudy(made, { quantiles: 4 }).horizons
    expect(rows.map((row: Record<string, number>) => [row.horizon, row.mean_ic, row.t, row.net_spread])).toEqual(
      own.map(({ horizon, meanIc, t, netSpread }) => [horizon, meanIc, t, netSpread]),
    )
    const verified = await here('verify', page, '--code', file)
    expect(verified.out.trimEnd().split('\n').at(-1)).toBe('byte-identical')
    writeFileSync(file, readFileSync(file, 'utf8').replace('-bond.close -', 'bond.close -'))
    expect(quotebook(['verify', page, '--code', file])).toMatchObject({ code: 1 })
  })

  test('of a strategy that picks the lowest the top is what it holds, prepared or not', async () => {
    const idea = "({ score: (bond) => bond.close + bond.cb_over_rate, pick: { n: 5, side: 'lowest' } })"
    const of = async (name: string, text: string): Promise<string> => {
      const lowest = join(dir, name)
      writeFileSync(lowest, `export default { data: { dataset: 'convertible_daily' }, ${text} }`)
      const ran = await here('factor', lowest, '--format', 'csv')
      expect(ran.err).toMatch(/signs are turned/)
      return ran.out
    }
    const found = await of('made.mjs', `make: () => ${idea}`)
    expect(await of('prepared.mjs', `prepare: () => ${idea}`)).toBe(found)
    const highest = join(dir, 'highest.mjs')
    writeFileSync(
      highest,
      `export default { data: { dataset: 'convertible_daily' }, score: (bond) => -bond.close - bond.cb_over_rate, pick: { n: 5, side: 'highest' } }`,
    )
    expect((await here('factor', highest, '--format', 'csv')).out).toBe(found)
  })

  test('takes a column of a dataset, in one table by horizon', async () => {
    const ran = await here('factor', 'convertible_daily.cb_over_rate')
    expect(ran.out).toMatch(/^horizon +1 +5 +20\ndates +58 +54 +39\nmean_ic /)
    expect((await here('factor', 'cb_over_rate', '--dataset', 'convertible_daily')).out).toBe(ran.out)
  })
})
