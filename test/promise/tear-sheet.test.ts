import { execFileSync } from 'node:child_process'
import {
  type BacktestResult,
  backtest,
  fromRows,
  sweep,
  tearSheet,
  toObjects,
  tradingDays,
  verifyPage,
  walkForward,
} from 'quotebook'
import { expect, test } from 'vitest'
import { fact } from '../../src/contract/sentence.js'
import { escaped, forged, sectionOf, sha256, tableOf } from './helper/pages.js'
import { bare, failureOf, marketOf, rowsOf } from './helper/prices.js'

/** The tear sheet of a run: its bytes, its figures by plain arithmetic, its caveats, and how it is verified. */

const days = tradingDays('20260105', '20260630')
const returns = days.map((_, i) => (((i * 7919) % 13) - 6) / 1000)
const benchmark = { name: '指数', days, returns: days.map((_, i) => (((i * 31) % 11) - 5) / 1500) }
const sheet = await tearSheet({ days, returns }, { benchmark, riskFree: 0.02, trials: 9, title: 'Seven of thirteen' })

/** The exact values of the figures of a page. */
function figuresIn(page: string): Map<string, number> {
  const rows = page.matchAll(/data-figure="(\w+)"><summary><span class="of">[^<]*<\/span><data value="([^"]*)"/g)
  return new Map([...rows].map(([, name = '', value]) => [name, value ? Number(value) : Number.NaN]))
}

const item = (page: string, id: string): string =>
  (new RegExp(`<li data-item="${id}">([\\s\\S]*?)</li>`).exec(page)?.[1] ?? '').replace(/<[^>]*>/g, ' ').trim()

test('the sheet of a series has these bytes, in English and in Chinese, in any time zone and locale', async () => {
  expect(sha256(sheet)).toMatchInlineSnapshot(`"b5f6080ea79da1341ef0d9f3b81c35252775bdafd9ce03efd8ee1c8bd86ec69d"`)
  const chinese = await tearSheet(
    { days, returns },
    { benchmark, riskFree: 0.02, trials: 9, title: '十三之七', lang: 'zh' },
  )
  expect(sha256(chinese)).toMatchInlineSnapshot(`"bb70392aa06f89da82d3fe7b6af2ea2b2bc0e8c05aeda0eca8b44fcaa6b538b0"`)
  const prose = chinese
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<(?:bdi|code|text)[^>]*>[^<]*<\/(?:bdi|code|text)>/g, '')
  const words = prose.replace(/<[^>]*>/g, '\n').replace(/Quotebook \d|Bailey|de Prado|sha256/g, '')
  expect(words.match(/\b[A-Za-z]{2,} [a-z]{2,}\b.*/g) ?? []).toEqual([])
})

const sum = (x: readonly number[]): number => x.reduce((total, one) => total + one, 0)
const mean = (x: readonly number[]): number => sum(x) / x.length
const deviation = (x: readonly number[]): number =>
  Math.sqrt(sum(x.map((one) => (one - mean(x)) ** 2)) / (x.length - 1))
const quantile = (x: readonly number[], share: number): number => {
  const sorted = [...x].sort((a, b) => a - b)
  const at = share * (x.length - 1)
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number]
  return low + (at % 1) * (high - low)
}

test('its figures are those of plain arithmetic over the returns', () => {
  const n = returns.length
  const curve = [1]
  for (const r of returns) curve.push((curve.at(-1) as number) * (1 + r))
  const falls = curve.slice(1).map((value, at) => value / Math.max(...curve.slice(0, at + 2)) - 1)
  const total = (curve.at(-1) as number) - 1
  const span = (Date.UTC(2026, 5, 30) - Date.UTC(2026, 0, 5)) / 86_400_000
  const free = 1.02 ** (1 / 252) - 1
  const other = benchmark.returns
  const beta =
    sum(returns.map((r, t) => (r - mean(returns)) * ((other[t] as number) - mean(other)))) /
    sum(other.map((b) => (b - mean(other)) ** 2))
  const apart = returns.map((r, t) => r - (other[t] as number))
  const up = days.flatMap((_, t) => ((other[t] as number) > 0 ? [t] : []))
  const cagr = (1 + total) ** (365.25 / span) - 1
  const low = quantile(returns, 0.05)
  const wanted = {
    total,
    cagr,
    annualReturn: (1 + total) ** (252 / n) - 1,
    bestDay: 0.006,
    worstDay: -0.006,
    dayWinRate: returns.filter((r) => r > 0).length / n,
    volatility: deviation(returns) * Math.sqrt(252),
    downside: Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2)) * 252),
    maxDrawdown: Math.min(...falls),
    underShare: falls.filter((fall) => fall < -1e-12).length / n,
    ulcer: Math.sqrt(mean(falls.map((fall) => fall * fall))),
    sharpe: (mean(returns.map((r) => r - free)) / deviation(returns)) * Math.sqrt(252),
    sortino: (mean(returns) * Math.sqrt(252)) / Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2))),
    calmar: cagr / -Math.min(...falls),
    omega: sum(returns.filter((r) => r > 0)) / -sum(returns.filter((r) => r < 0)),
    valueAtRisk: low,
    conditionalValueAtRisk: mean([...returns].sort((a, b) => a - b).slice(0, Math.floor(0.05 * (n - 1)) + 1)),
    tailRatio: quantile(returns, 0.95) / -low,
    beta,
    alpha: (mean(returns.map((r) => r - free)) - beta * mean(other.map((b) => b - free))) * 252,
    correlation: (beta * deviation(other)) / deviation(returns),
    trackingError: deviation(apart) * Math.sqrt(252),
    informationRatio: (mean(apart) / deviation(apart)) * Math.sqrt(252),
    upCapture: mean(up.map((t) => returns[t] as number)) / mean(up.map((t) => other[t] as number)),
  }
  const shown = figuresIn(sheet)
  for (const [name, value] of Object.entries(wanted))
    expect(Math.abs((shown.get(name) ?? Number.NaN) - value), name).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)))
})

test('every figure opens to its formula, without a script; nothing is loaded', () => {
  const rows = [...sheet.matchAll(/<details class="[^"]*" data-figure="\w+">[\s\S]*?<p>([^<]{8,})<\/p><\/details>/g)]
  expect(rows.length).toBe(figuresIn(sheet).size)
  expect(sheet).not.toMatch(/<script|https?:|javascript:|\son\w+=/)
  expect(sheet).toContain(`content="default-src 'none';`)
})

const codes = ['110001.SH', '110002.SH', '110003.SH', '600001.SH']
const wave = (phase: number) => days.map((_, day) => Math.round(10_000 + 900 * Math.sin(day * 0.31 + phase)) / 100)
const market = marketOf(
  codes.flatMap((code, at) =>
    rowsOf(
      code,
      wave(at * 1.7).map((close, day) => (at === 2 && day % 9 === 4 ? null : close)),
      (day) => ({ vol: 40 + ((day * 17) % 30) }),
      days,
    ),
  ),
)
const make = ({ n }: { n: number }) => ({
  score: (bar: { close: number }) => bar.close,
  pick: { n, side: 'lowest' as const },
})
const result = backtest(market, make({ n: 2 }), { cash: 1e6 })
/** A result with other parts: its tables are made when they are asked for. */
const changed = (more: object): BacktestResult => ({ ...result, ...more }) as BacktestResult

test('the trading figures are sums over the tables of the run, and what the instruments brought is the change of the account', async () => {
  const page = await tearSheet(result)
  const shown = figuresIn(page)
  const account = toObjects(result.account) as Record<string, number>[]
  const of = (name: string): number[] => account.map((row) => row[name] as number)
  const costs = sum(['commission', 'stamp', 'transfer'].flatMap(of))
  const gains = result.trades.filter(({ pnl }) => pnl > 0).map(({ pnl }) => pnl)
  const losses = result.trades.filter(({ pnl }) => pnl < 0).map(({ pnl }) => -pnl)
  const wanted = {
    exposure: mean(of('exposure')),
    turnover: (sum(of('traded')) / 2 / mean(of('equity'))) * (252 / days.length),
    costs,
    costDrag: (costs / mean(of('equity'))) * (252 / days.length),
    costShare: costs / sum(of('traded')),
    fills: result.fills.numRows,
    rejected: result.rejected.numRows,
    roundTrips: result.trades.length,
    winRate: gains.length / result.trades.length,
    profitFactor: sum(gains) / sum(losses),
    payoff: mean(gains) / mean(losses),
  }
  for (const [name, value] of Object.entries(wanted))
    expect(Math.abs((shown.get(name) ?? Number.NaN) - value), name).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)))
  const [, brought = ''] = /instruments, ([+-][\d,.]+) yuan in all/.exec(page) ?? []
  expect(Number(brought.replaceAll(',', ''))).toBe(Number(((result.equity.at(-1) as number) - 1e6).toFixed(2)))
  const reasons = new Map<string, number>()
  for (const { reason } of toObjects(result.rejected))
    reasons.set(String(reason), (reasons.get(String(reason)) ?? 0) + 1)
  const refusals = tableOf(page, 'What was not filled, and why')
  expect(new Map(refusals.map(([reason, , buys, sells]) => [reason, Number(buys) + Number(sells)]))).toEqual(reasons)
  expect(reasons.size).toBeGreaterThan(1)
})

test('the caveats say how it was filled, what was checked, what is stale, and what nobody can do', async () => {
  const page = await tearSheet(result)
  expect(item(page, 'fill')).toMatch(/✓ in order .*Decided at the close, filled at the next open/)
  expect(item(page, 'look-ahead')).toMatch(/✓ in order .* after 8 of them/)
  expect(item(page, 'trials')).toMatch(/not said/)
  const stale = toObjects(result.positions).filter(({ marked }) => marked === 'stale').length
  expect(stale).toBeGreaterThan(0)
  expect(item(page, 'stale')).toContain(`${stale} daily values`)
  const exec = { decide: 'close', fill: 'sameClose' } as const
  const careless = await tearSheet(backtest(market, make({ n: 2 }), { ...bare, exec }))
  expect(item(careless, 'fill')).toMatch(/✗ mind this .*nobody can trade at that price/)
  expect(item(careless, 'frictions')).toMatch(/✗ mind this .*No limit on the share/)
  expect(item(careless, 'look-ahead')).toMatch(/Not run/)
  const firstDifference = { time: '20260601', symbol: '110002.SH', cut: '20260602' }
  const warnings = [fact('NO_HISTORY', '{dataset} has no history', { dataset: 'thememembers_jx' }), 'only 3 days']
  const peeking = await tearSheet(changed({ lookahead: { ok: false, cuts: 8, firstDifference }, warnings }))
  expect(item(peeking, 'look-ahead')).toMatch(/✗ mind this .*uses the future: its decision at 20260601/)
  expect(item(peeking, 'history')).toMatch(/✗ mind this .*thememembers_jx: today’s list alone is known/)
  expect(item(peeking, 'warnings')).toMatch(/only 3 days/)
  expect(item(sheet, 'fill')).toContain('Not known')
})

test('gains of what is held and of round trips come to the change of the account', async () => {
  const page = await tearSheet(result)
  const [held = ''] = /<section id="holdings"[\s\S]*?<\/section>/.exec(page) ?? []
  const rows = [...held.matchAll(/<tr><td class="name">[\s\S]*?<\/tr>/g)]
  const gains = rows.map(([row]) => {
    const [, gain = ''] = /<span class="(?:up|down|)">([+-]?[\d,.]+)<\/span>/.exec(row) ?? []
    return Number(gain.replaceAll(',', ''))
  })
  const trips = sum(result.trades.map(({ pnl }) => pnl))
  const change = (result.equity.at(-1) as number) - 1e6
  expect([rows.length > 1, result.trades.length > 5]).toEqual([true, true])
  expect(trips + sum(gains)).toBeCloseTo(change, 2)
})

test('what moved most is what fills, events and holdings come to by code, drawn with all of its fills', async () => {
  const page = await tearSheet(result, { prices: market })
  const brought = new Map<string, number>()
  const add = (code: unknown, yuan: number): void =>
    void brought.set(String(code), (brought.get(String(code)) ?? 0) + yuan)
  const fills = toObjects(result.fills) as Record<string, number | string>[]
  for (const { symbol, side, amount, commission, stamp, transfer } of fills)
    add(symbol, (side === 'buy' ? -1 : 1) * Number(amount) - Number(commission) - Number(stamp) - Number(transfer))
  for (const { symbol, cash } of toObjects(result.events)) add(symbol, Number(cash))
  for (const { symbol, value, tradedate } of toObjects(result.positions))
    if (tradedate === days.at(-1)) add(symbol, Number(value))
  const due = [...brought].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 3)
  const moved = sectionOf(page, 'moved')
  const told = [...moved.matchAll(/<figcaption>(\S+) brought ([+-]?[\d,.]+) yuan: (\d+) buys, (\d+) sells/g)]
  expect(told.map(([, code]) => code)).toEqual(due.map(([code]) => code))
  for (const [at, [, code, yuan = '', buys, sells]] of told.entries()) {
    expect(Number(yuan.replaceAll(',', '')), code).toBeCloseTo(due[at]?.[1] ?? Number.NaN, 2)
    const own = fills.filter(({ symbol }) => symbol === code)
    expect([Number(buys), Number(sells)]).toEqual(
      ['buy', 'sell'].map((side) => own.filter((one) => one.side === side).length),
    )
  }
  expect(sectionOf(page, 'fills').split('<tr><td>').length - 1).toBe(fills.length)
  expect(await tearSheet(result)).not.toContain('id="moved"')
})

test('ten thousand fills add little more than a megabyte, and more are cut to the last', async () => {
  const many = Array.from({ length: 120 }, () => toObjects(result.fills)).flat()
  const rows = Array.from({ length: 10_100 }, (_, at) => many[at % many.length])
  const page = await tearSheet(changed({ fills: fromRows(rows as never) }), { attribution: undefined as never })
  const listed = sectionOf(page, 'fills')
  expect(listed.split('<tr><td>').length - 1).toBe(10_000)
  expect(listed).toContain('The last 10,000 are listed.')
  expect(listed.length).toBeLessThan(1.8e6)
})

test('a sweep and a walk forward: trials, deflated Sharpe ratio, map and folds', async () => {
  const grid = { n: [1, 2, 3], w: [0, 1] }
  const weighted = ({ n, w }: { n: number; w: number }) => ({
    ...make({ n }),
    score: (bar: { close: number; vol: number }) => bar.close + w * bar.vol,
  })
  const found = sweep(market, grid, weighted, { cash: 1e6 })
  const walk = walkForward(market, grid, weighted, { cash: 1e6, trainDays: 40, testDays: 20 })
  const chosen = backtest(market, weighted(found.best?.params ?? { n: 0, w: 0 }), { cash: 1e6 })
  const page = await tearSheet(chosen, { sweep: found, walkForward: walk })
  expect(item(page, 'trials')).toContain(`6 variants were tried. Walking forward ran ${walk.trials} accounts.`)
  const [, probability] = /<li data-item="deflated-sharpe">.*?<data value="([^"]*)"/s.exec(page) ?? []
  expect(Number(probability)).toBeCloseTo(found.deflatedSharpe?.probability ?? Number.NaN, 9)
  const cells = [
    ...(/<h3>n × w<\/h3>[\s\S]*?<\/table>/.exec(page)?.[0] ?? '').matchAll(
      /<td class="(level-\d(?: chosen)?)"[^>]*>(?:▸ )?(-?[\d.]+)<\/td>/g,
    ),
  ]
  expect(cells.map(([, , text]) => Number(text))).toEqual(
    found.trials.map(({ performance }) => Number(performance.sharpe.toFixed(2))),
  )
  expect(cells.filter(([, shade = '']) => shade.includes('chosen'))).toHaveLength(1)
  expect(page).toContain(`${walk.folds.length} folds, ${walk.days.length} days out of sample`)
  expect(item(await tearSheet(result, { trials: 50 }), 'deflated-sharpe')).toContain('a search of 50 trials')
})

test('no trade, one day, nothing left: no figure is made up', async () => {
  const idle = await tearSheet(backtest(market, (_, weights) => void weights.fill(1e-9), bare))
  expect([figuresIn(idle).get('total'), figuresIn(idle).get('sharpe')]).toEqual([0, Number.NaN])
  const one = await tearSheet(
    { days: ['20260701'], equity: [90], start: 100 },
    { benchmark: { days: ['20260701'], equity: [7] } },
  )
  expect(figuresIn(one).get('maxDrawdown')).toBe(-0.1)
  const ruined = await tearSheet({ days: days.slice(0, 5), equity: [120, 60, 0, 0, 0], start: 100 })
  expect(figuresIn(ruined).get('total')).toBe(-1)
  expect(item(ruined, 'ruin')).toContain('On 2026-01-07 nothing was left')
  for (const page of [idle, one, ruined])
    expect(page.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/NaN|undefined|Infinity|\[object/)
})

test('texts from outside are texts', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'=cmd|calc!A0</td>'
  const hostile = changed({
    options: { params: { [evil]: evil } },
    warnings: [evil],
    hashes: { panel: evil, strategy: evil, run: evil },
  })
  const page = await tearSheet(hostile, {
    title: evil,
    names: Object.fromEntries(codes.map((code) => [code, evil])),
    benchmark: { ...benchmark, name: evil },
    source: { name: evil, about: evil },
    lang: 'zh',
  })
  expect(page).not.toMatch(/<img|<\/td>"/)
  expect(page.split(escaped(evil)).length).toBeGreaterThan(10)
})

test('verify: made again it is the same; another return, and a tampered figure, are told', async () => {
  const options = { benchmark, riskFree: 0.02, trials: 9, title: 'Seven of thirteen' }
  expect(await verifyPage(sheet, await tearSheet({ days, returns }, options))).toMatchObject({
    kind: 'tear-sheet',
    same: true,
    reasons: [],
  })
  const other = await tearSheet({ days, returns: returns.map((r, at) => (at === 3 ? 0.01 : r)) }, options)
  const found = await verifyPage(sheet, other)
  expect(found.reasons).toEqual(['inputs'])
  expect(found.inputs.map(({ name }) => name)).toEqual(['returns'])
  expect(found.figures.length).toBeGreaterThan(10)
  const [whole = '', exact = ''] = /data-figure="sharpe">.*?<data value="([^"]*)"/.exec(sheet) ?? []
  const wrong = sheet.replace(whole, whole.replace(exact, '9.5'))
  const told = await verifyPage(forged(wrong), sheet)
  expect(told).toMatchObject({ same: false, sealed: true, reasons: ['unexplained'] })
  expect(told.figures).toMatchObject([{ section: 'figures', by: Number((Number(exact) - 9.5).toPrecision(12)) }])
})

test('the same bytes in another time zone, another language and another process', () => {
  const program = `
    import { createHash } from 'node:crypto'
    import { tearSheet, tradingDays } from ${JSON.stringify(new URL('../../dist/esm/index.js', import.meta.url).href)}
    const days = tradingDays('20260105', '20260630')
    const returns = days.map((_, i) => (((i * 7919) % 13) - 6) / 1000)
    const benchmark = { name: '指数', days, returns: days.map((_, i) => (((i * 31) % 11) - 5) / 1500) }
    const page = await tearSheet({ days, returns }, { benchmark, riskFree: 0.02, trials: 9, title: 'Seven of thirteen' })
    console.log(createHash('sha256').update(page).digest('hex'))`
  const env = { ...process.env, TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  const made = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' })
  expect(made.trim()).toBe(sha256(sheet))
})

test('what is no run is refused in a line', async () => {
  const run = { days: ['20260701', '20260702'], returns: [0.1, 0.1] }
  expect(await failureOf(tearSheet([0.1] as never))).toMatch(
    /^USAGE: tearSheet must be the result of a backtest, or \{ days, returns \}/,
  )
  expect(await failureOf(tearSheet({ days: [], returns: [] }))).toMatch(/^INVALID_VALUE: /)
  expect(await failureOf(tearSheet(run, { lang: 'fr' as never }))).toBe(
    "USAGE: tearSheet: lang must be en or zh, not 'fr'",
  )
  expect(await failureOf(tearSheet(run, { window: 1.5 }))).toBe(
    'INVALID_VALUE: tearSheet: window is a whole number of days from 2, not 1.5',
  )
  const short = { days: run.days.slice(1), returns: [0.1] }
  expect(await failureOf(tearSheet(run, { benchmark: short }))).toMatch(
    /^INVALID_VALUE: .*: the benchmark has no 20260701$/,
  )
  expect(sectionOf(sheet, 'run')).toContain('riskFree')
})
