import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BacktestResult, backtest } from '../../../src/backtest/backtest.js'
import { sweep } from '../../../src/backtest/sweep.js'
import { walkForward } from '../../../src/backtest/walk-forward.js'
import { numbers, objectsOf, texts } from '../../../src/frame/read-columns.js'
import { figureFormulas, figureNames } from '../../../src/report/tear-sheet/figure-words.js'
import { tearSheet } from '../../../src/report/tear-sheet/tear-sheet.js'
import { root } from '../../helper/cli.js'
import { failure } from '../../helper/failure.js'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { type Planned, reference, sampleIndex } from './sheet-runs.js'

const hasPandas = hasPythonPackage('pandas')
const files = ['double-low.mjs', 'etf-vwap.mjs', 'southbound-etf.mjs']
const riskFree = 0.02

let runs: ReadonlyMap<string, Planned & { result: BacktestResult }>
let benchmark: Awaited<ReturnType<typeof sampleIndex>>

beforeAll(async () => {
  runs = new Map(await Promise.all(files.map(async (file) => [file, await reference(file)] as const)))
  benchmark = await sampleIndex()
})

const resultOf = (file: string): BacktestResult => (runs.get(file) as Planned & { result: BacktestResult }).result

/** The exact values of the figures of a page. */
function figuresIn(page: string): Map<string, number> {
  const rows = page.matchAll(/data-figure="(\w+)"><summary><span class="of">[^<]*<\/span><data value="([^"]*)"/g)
  return new Map([...rows].map(([, name = '', value]) => [name, value ? Number(value) : Number.NaN]))
}

const item = (page: string, id: string): string =>
  new RegExp(`<li data-item="${id}">([\\s\\S]*?)</li>`)
    .exec(page)?.[1]
    ?.replace(/<[^>]*>/g, ' ')
    .trim() ?? ''

/** The texts of a page without its style and markup. */
const proseOf = (page: string): string =>
  page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<(?:bdi|code|text)[^>]*>[^<]*<\/(?:bdi|code|text)>/g, '')
    .replace(/<[^>]*>/g, '\n')

function recomputed(result: BacktestResult): {
  figures: Record<string, number | null>
  months: Record<string, number>
} {
  const level = new Map(benchmark.days.map((day, at) => [day, benchmark.equity[at]]))
  const given = {
    days: result.days,
    equity: [...result.equity],
    start: result.start,
    riskFree,
    benchmark: result.days.map((day) => level.get(day)),
    account: objectsOf(result.account),
    trips: objectsOf(result.trips).map(({ opened, closed, pnl }) => ({ opened, closed, pnl })),
    positions: result.positions.numRows,
    fills: result.fills.numRows,
    rejected: result.rejected.numRows,
  }
  const script = join('test', 'report', 'tear-sheet', 'recompute.py')
  return JSON.parse(execFileSync(python, [script], { input: JSON.stringify(given), encoding: 'utf8' }))
}

test.runIf(!hasPandas)('pandas is there', ({ skip }) => skip('no pandas found: install python3-pandas'))

describe.runIf(hasPandas).each(files)('%s against pandas', (file) => {
  test('every figure of the page', async () => {
    const result = resultOf(file)
    const page = await tearSheet(result, { benchmark, riskFree })
    const shown = figuresIn(page)
    const { figures, months } = recomputed(result)
    expect([...shown.keys()].sort()).toEqual(Object.keys(figures).sort())
    expect(Object.keys(figures).sort()).toEqual(Object.keys(figureNames).sort())
    for (const [name, value] of Object.entries(figures)) {
      const found = shown.get(name) as number
      if (value === null) expect([name, found]).toEqual([name, Number.NaN])
      else
        expect(Math.abs(found - value), `${name}: ${found}, ${value}`).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)))
    }
    const map = /<table class="heat">([\s\S]*?)<\/table>/.exec(page)?.[1] ?? ''
    const cells = [...map.matchAll(/<td class="(?:none|[rf]\d)">([^<]+)<\/td>/g)].map(([, text]) => Number(text))
    expect(cells).toEqual(Object.values(months).map((value) => Number((100 * value).toFixed(2))))
  })
})

test.each(files)('%s: what the instruments brought is the change of the account', async (file) => {
  const result = resultOf(file)
  const page = await tearSheet(result)
  const [, sum = ''] = /instruments, ([+-][\d,.]+) yuan in all/.exec(page) ?? []
  expect(Number(sum.replaceAll(',', ''))).toBe(Number(((result.equity.at(-1) ?? 0) - result.start).toFixed(2)))
})

test('refusals by reason are those of the table', async () => {
  const result = resultOf('etf-vwap.mjs')
  const page = await tearSheet(result)
  const counts = new Map<string, number>()
  for (const reason of texts(result.rejected, 'reason'))
    counts.set(String(reason), (counts.get(String(reason)) ?? 0) + 1)
  expect(counts.size).toBeGreaterThan(0)
  for (const [reason, count] of counts) {
    const row = new RegExp(
      `<code>${reason.replace('+', '\\+')}</code></td><td class="reason"[^>]*>[^<]{8,}</td><td class="number"[^>]*>(\\d+)</td><td class="number"[^>]*>(\\d+)</td>`,
    )
    const [, buys, sells] = row.exec(page.replace(/,(?=\d{3})/g, '')) ?? []
    expect([reason, Number(buys) + Number(sells)]).toEqual([reason, count])
  }
})

test('the box says how it was filled, what was checked, and what is old', async () => {
  const { panel, strategy, options, result } = runs.get('double-low.mjs') as Planned & { result: BacktestResult }
  const page = await tearSheet(result)
  expect(item(page, 'fill')).toMatch(/✓ in order .*Decided at the close, filled at the next open/)
  expect(item(page, 'look-ahead')).toMatch(/✓ in order .* after 8 of them/)
  expect(item(page, 'trials')).toMatch(/not said/)
  const marked = texts(result.positions, 'marked').filter((mark) => mark === 'stale').length
  expect(marked).toBeGreaterThan(0)
  expect(item(page, 'stale')).toContain(`${marked} daily values`)
  const exec = { decide: 'close', fill: 'sameClose' } as const
  const careless = backtest(panel, strategy, {
    ...options,
    exec,
    slippageTicks: 0,
    maxVolumeShare: null,
    lookahead: false,
  })
  const other = await tearSheet(careless)
  expect(item(other, 'fill')).toMatch(/✗ mind this .*nobody can trade at that price/)
  expect(item(other, 'frictions')).toMatch(/✗ mind this .*No limit on the share/)
  expect(item(other, 'look-ahead')).toMatch(/Not run/)
  const peeking = {
    ...result,
    lookahead: { ok: false, cuts: 8, firstDifference: { time: '20260601', symbol: '113021.SH', cut: '20260602' } },
  }
  expect(item(await tearSheet({ ...peeking, account: result.account }), 'look-ahead')).toMatch(
    /✗ mind this .*uses the future: its decision at 20260601/,
  )
})

test('a sweep and a walk forward: trials, deflated Sharpe, map and folds', async () => {
  const { panel, make, options, result } = runs.get('double-low.mjs') as Required<Planned> & { result: BacktestResult }
  const grid = { w: [0, 1], n: [3, 5] }
  const found = sweep(panel, grid, make, options)
  const walk = walkForward(panel, grid, make, { ...options, trainDays: 20, testDays: 10 })
  const chosen = backtest(panel, make(found.best?.params ?? {}), options)
  const page = await tearSheet(chosen, { sweep: found, walkForward: walk })
  expect(item(page, 'trials')).toContain('4 variants were tried. Walking forward ran 16 accounts.')
  const [, probability] = /<li data-item="deflated-sharpe">.*?<data value="([^"]*)"/s.exec(page) ?? []
  expect(Number(probability)).toBeCloseTo(found.deflatedSharpe?.probability ?? Number.NaN, 9)
  const map = /<h3>w × n<\/h3>[\s\S]*?<\/table>/.exec(page)?.[0] ?? ''
  const cells = [...map.matchAll(/<td class="(u\d(?: chosen)?)">(?:▸ )?(-?[\d.]+)<\/td>/g)]
  expect(cells.map(([, , text]) => Number(text))).toEqual(
    found.trials.map(({ performance }) => Number(performance.sharpe.toFixed(2))),
  )
  expect(cells.filter(([, shade = '']) => shade.includes('chosen')).length).toBe(1)
  expect(page).toContain(`${walk.folds.length} folds, ${walk.days.length} days out of sample`)
  expect(item(await tearSheet(result, { trials: 50 }), 'deflated-sharpe')).toContain('a search of 50 trials')
})

test('no trade, one day, nothing left, returns alone', async () => {
  const { panel, options } = runs.get('double-low.mjs') as Planned
  const lessThanOneLot = backtest(panel, (_, weights) => void weights.fill(1e-9), options)
  expect(lessThanOneLot.fills.numRows).toBe(0)
  const idle = await tearSheet(lessThanOneLot)
  expect(figuresIn(idle).get('total')).toBe(0)
  expect(figuresIn(idle).get('sharpe')).toBeNaN()
  const one = await tearSheet(
    { days: ['20260701'], equity: [90], start: 100 },
    { benchmark: { days: ['20260701'], equity: [7] } },
  )
  expect(figuresIn(one).get('maxDrawdown')).toBe(-0.1)
  const days = benchmark.days.slice(0, 5)
  const ruined = await tearSheet({ days, equity: [120, 60, 0, 0, 0], start: 100 })
  expect(figuresIn(ruined).get('total')).toBe(-1)
  expect(item(ruined, 'ruin')).toContain(`${days[2]?.slice(0, 4)}-${days[2]?.slice(4, 6)}-${days[2]?.slice(6)}`)
  const alone = await tearSheet({ days, returns: [0.01, -0.02, 0.03, 0, 0.01] })
  expect(item(alone, 'fill')).toContain('Not known')
  for (const page of [idle, one, ruined, alone])
    expect(page.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/NaN|undefined|Infinity|\[object/)
})

test('every figure opens to its formula, without a script', async () => {
  const page = await tearSheet(resultOf('double-low.mjs'), { benchmark, lang: 'zh' })
  for (const [name, [, formula]] of Object.entries(figureFormulas)) {
    const row = new RegExp(`<details class="[^"]*" data-figure="${name}">[\\s\\S]*?</details>`).exec(page)?.[0]
    expect(row?.replaceAll('&lt;', '<').replaceAll('&gt;', '>'), name).toContain(`<p>${formula}</p>`)
  }
  expect(page).not.toMatch(/<script|https?:|javascript:|\son\w+=/)
})

test('in Chinese: no English sentence is left', async () => {
  const { result } = runs.get('double-low.mjs') as Planned & { result: BacktestResult }
  const warnings = [
    ...result.warnings,
    'no row on 2 trading days (20260701 …): nothing trades on them',
    "thememembers_jx has no history: its rows are today's, and decisions of the past use them",
  ]
  const page = await tearSheet(
    {
      ...result,
      warnings,
      rejected: resultOf('etf-vwap.mjs').rejected,
      account: result.account,
      fills: result.fills,
      positions: result.positions,
      trips: result.trips,
    },
    { lang: 'zh', benchmark },
  )
  expect(page).toContain('<html lang="zh-CN">')
  const prose = proseOf(page).replace(/Quotebook \d|Bailey|de Prado|sha256/g, '')
  expect(prose.match(/\b[A-Za-z]{2,} [a-z]{2,}\b.*/g) ?? []).toEqual([])
  expect(item(page, 'history')).toContain('thememembers_jx：只有今天的名单')
  expect(page).toContain('有 2 个交易日没有任何行情')
})

test('texts from outside are texts', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'=cmd|calc!A0</td>'
  const { result } = runs.get('double-low.mjs') as Planned & { result: BacktestResult }
  const names = Object.fromEntries(texts(result.fills, 'symbol').map((symbol) => [String(symbol), evil]))
  const hostile = {
    ...result,
    options: { params: { [evil]: evil } },
    warnings: [evil],
    hashes: { panel: evil, strategy: evil, run: evil },
    account: result.account,
    fills: result.fills,
    positions: result.positions,
    trips: result.trips,
    rejected: result.rejected,
  }
  const page = await tearSheet(hostile, {
    title: evil,
    names,
    benchmark: { ...benchmark, name: evil },
    source: { name: evil, about: evil },
    lang: 'zh',
  })
  expect(page).not.toMatch(/<img|<\/td>"/)
  expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThan(10)
})

test('the same bytes in another time zone, another language and another process', () => {
  const program = `
    const { createHash } = require('node:crypto')
    const { tearSheet } = require(${JSON.stringify(root)})
    const days = Array.from({ length: 80 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', ''))
    const returns = days.map((_, i) => ((i * 7919) % 13 - 6) / 1000)
    const benchmark = { name: '指数', days, returns: returns.map((r) => r / 2 + 0.0003) }
    tearSheet({ days, returns }, { benchmark, lang: 'zh', trials: 9 }).then((page) => console.log(createHash('sha256').update(page).digest('hex')))`
  const hashes = [
    { TZ: 'UTC', LANG: 'C' },
    { TZ: 'Asia/Shanghai', LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8' },
    { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  ].map((env) =>
    execFileSync(process.execPath, ['-e', program], { env: { ...process.env, ...env }, encoding: 'utf8' }).trim(),
  )
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(hashes).size).toBe(1)
})

test('what is no run is refused in a line', async () => {
  const days = ['20260701', '20260702']
  expect(await failure(tearSheet([0.1] as never))).toMatchObject({ code: 'USAGE' })
  expect(await failure(tearSheet({ days: [], returns: [] }))).toMatchObject({ code: 'INVALID_VALUE' })
  expect(await failure(tearSheet({ days, returns: [0.1, 0.1] }, { lang: 'fr' as never }))).toMatchObject({
    code: 'USAGE',
  })
  expect(await failure(tearSheet({ days, returns: [0.1, 0.1] }, { window: 1.5 }))).toMatchObject({
    code: 'INVALID_VALUE',
  })
  const short = { days: days.slice(1), returns: [0.1] }
  expect(await failure(tearSheet({ days, returns: [0.1, 0.1] }, { benchmark: short }))).toMatchObject({
    code: 'INVALID_VALUE',
  })
  expect(numbers(resultOf('double-low.mjs').account, 'equity').length).toBe(60)
})
