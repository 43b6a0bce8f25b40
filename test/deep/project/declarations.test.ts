// Deep: compiles with two versions of TypeScript.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempProject } from '../../helper/temp.js'

/** Notebooks read our declarations with TypeScript 5.0.4; what it can not read turns into `any` there, without a word. */
const compilers = ['typescript-5.0', 'typescript'] as const
const flags =
  '--strict --target es2022 --lib es2022 --module esnext --moduleResolution node10 --esModuleInterop --types node'
const ignored = ['--ignoreDeprecations', '5.0']

function tsc(compiler: string, args: readonly string[], cwd = process.cwd()): string {
  try {
    execFileSync(
      process.execPath,
      [
        join(process.cwd(), 'node_modules', compiler, 'bin/tsc'),
        ...flags.split(' '),
        ...ignored,
        ...(args.includes('--declaration') ? [] : ['--noEmit']),
        ...args,
      ],
      { cwd, encoding: 'utf8' },
    )
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test.each(compilers)('every declaration is clean under %s', (compiler) => {
  const all = readdirSync('dist/cjs', { recursive: true }).map((name) => join('dist/cjs', String(name)))
  const own = all.filter((path) => path.endsWith('.d.ts'))
  expect(own.length).toBeGreaterThan(50)
  const lines = tsc(compiler, own).split('\n')
  expect(lines.filter((line) => line.startsWith('dist/'))).toEqual([])
})

const good = `
import { asofJoin, backtest, connect, derive, filter, groupBy, join, panel, pctChange, pivot, select, sort, when } from 'quotebook'
import { type DataFrame, type RowOf, type ParamsFor, type Series, numbers } from 'quotebook'
async function use(): Promise<void> {
  const market = await connect()
  const table = await market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })
  const close: Float64Array = numbers(table, 'close')
  const vector: number | null | undefined = table.getChild('close')?.get(0)
  const frame = await market.load.themeLibDetailKp({ theme_id: '1001' })
  const rows: number = frame.shape[0]
  const titles: Series = frame.name
  const plain: DataFrame = frame
  const news = await market.load.news()
  const bars = await market.load.etfMinute({})
  const moves = derive(bars, { ret: (c) => pctChange(c.close) }, { by: 'symbol', order: ['tradedate', 'trademin'] })
  const risers = filter(moves, (row) => row.ret > 0 && row.symbol !== null)
  const spreads = derive(table, {
    spread: (c) => c.close.minus(c.open).over(c.open).round(4),
    side: (c) => when(c.close.ge(c.open).and(c.vol.gt(0)), 'up', c.symbol),
  })
  const spread: number | null | undefined = spreads.getChild('spread')?.get(0)
  const side: string | null | undefined = spreads.getChild('side')?.get(0)
  const busy = filter(bars, (c) => c.amount.gt(c.amount.lag()).and(c.trademin.ge('1000')), { by: 'symbol' })
  const byDay = sort(groupBy(risers, ['symbol', 'tradedate'], { best: ['ret', 'max'], bars: 'rows' }), '-best', 'symbol')
  const best: Series = byDay.best
  const both = join(table, groupBy(table, 'symbol', { top: ['close', 'max'] }), { on: 'symbol' })
  const tops: Float64Array = numbers(both, 'top')
  const beside: Series = asofJoin(bars, byDay, { on: 'tradedate', by: 'symbol' }).best
  const params: ParamsFor<'southbound_top10'> = { market_type: '2,4', symbols: ['00700.HK'] }
  const row: RowOf<'southbound_top10'> = {} as never
  const channel: '2' | '4' = row.market_type
  const net: number | null = row.net_amount
  const hot: RowOf<'hotstock'>['n'] = undefined
  const two = await market.load.convertibleDaily({ tradedate: '20260701', enddate: null }, { fields: ['code', 'close'] })
  const chosen: Series = select(two, ['close']).close
  const kept: Float64Array = numbers(await market.table.convertibleDaily({}, { fields: ['code', 'close'] }), 'close')
  const wide = pivot(table, { index: 'tradedate', columns: 'symbol', values: 'close', op: 'mean' })
  const prices = panel(await market.table.convertibleDaily(), { columns: ['open', 'close', 'cb_over_rate'] })
  const rule = { score: (bond: { close: number }) => bond.close, pick: { n: 5, side: 'lowest' } } as const
  const { equity } = backtest(prices, rule, { cash: 1e6 })
  backtest(prices, { score: (bond) => bond.close + bond.cb_over_rate, pick: rule.pick }, { cash: 1e6 })
  void [equity, chosen, kept, numbers(wide, '510300.SH'), await market.load.southboundTop10({ market_type: '4' })]
  void [spread, side, busy, best, tops, beside, close, vector, rows, titles, plain, news, params, channel, net, hot]
}
void use
`
const bad: [string, string][] = [
  ['a param that does not exist', "market.load.etfMinute({ symbol: '510300' })"],
  ['a value that the contract does not know', "market.load.etfMinute({ period: '5m' })"],
  ['a missing required param', 'market.load.hotstock()'],
  ['a field that does not exist', "market.table.st({}, { fields: ['closse'] })"],
  ['a column that does not exist', "(await market.table.etfMinute({})).getChild('closse')"],
  ['a wrong type taken from a DataFrame', 'const n: string = (await market.load.st()).shape; void n'],
  ['a column that the frame does not have', '(await market.load.st()).closse'],
  ['a key to sort by that is not there', "sort(await market.load.etfMinute({}), '-closse')"],
  ['an operation that does not exist', "groupBy(await market.load.etfMinute({}), 'symbol', { x: ['close', 'summ'] })"],
  ['a column of a row that is not there', 'filter(await market.load.etfMinute({}), (row) => row.closse > 3)'],
  [
    'a key of a join that one side lacks',
    "join(await market.table.st(), await market.table.etfMinute({}), { on: 'code' })",
  ],
  [
    'a column that a group does not make',
    "sort(groupBy(await market.table.etfMinute({}), 'symbol', { n: 'rows' }), 'm')",
  ],
  ['a column that the table does not have', "numbers(await market.table.st(), 'closse')"],
  ['fields where none are taken', "market.table.thememembersJx({}, { fields: ['symbols'] })"],
  ['a field that was left out', "numbers(await market.table.convertibleDaily({}, { fields: ['code'] }), 'close')"],
  ['numbers of text', "numbers(await market.table.convertibleDaily({}), 'name')"],
  ['arithmetic on text', 'derive(await market.load.etfMinute({}), { x: (c) => c.symbol.plus(1) })'],
  ['logic of numbers', 'derive(await market.table.etfMinute({}), { x: (c) => c.close.and(c.open) })'],
  ['the mean of text', "groupBy(await market.load.convertibleDaily({}), 'code', { x: ['name', 'mean'] })"],
  [
    'a day beside the end of a range',
    "market.table.themeDaily({ type: 'tj', tradedate: '20260701', enddate: '20260701' })",
  ],
  ['a market that there is not', "market.load.southboundTop10({ market_type: '3' })"],
  ['a list where one text is taken', "market.load.southboundTop10({ market_type: ['2', '4'] })"],
  [
    'a column that the panel does not have',
    "backtest(panel(await market.table.st(), { columns: [] }), { score: (bar) => bar.closse, pick: { n: 1, side: 'lowest' } }, { cash: 1 })",
  ],
  ['null taken for a number', "const x: number = ({} as import('quotebook').RowOf<'etf_minute'>).close; void x"],
]

test('the declarations ask for nothing that a user does not install', () => {
  const asked = new Set<string>()
  for (const name of readdirSync('dist/cjs', { recursive: true })) {
    if (!String(name).endsWith('.d.ts')) continue
    const text = readFileSync(join('dist/cjs', String(name)), 'utf8')
    for (const [, from = ''] of text.matchAll(/from '([^'.][^']*)'|import\('([^'.][^']*)'\)/g)) asked.add(from)
  }
  asked.delete('')
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([...asked].filter((name) => !(name in dependencies) && !name.startsWith('node:'))).toEqual([])
  expect(existsSync('dist/danfo/types/index.d.ts')).toBe(true)
})

test.each(compilers)('params, fields and columns are typed under %s', (compiler) => {
  const wrap = (line: string) =>
    `import { backtest, connect, derive, filter, groupBy, join, numbers, panel, pivot, sort } from 'quotebook'\nvoid [backtest, panel, derive, filter, groupBy, join, numbers, pivot, sort]\nexport async function use(): Promise<void> {\n  const market = await connect()\n  await (${line.startsWith('const') ? 'undefined' : line})\n${line.startsWith('const') ? line : ''}\n}\n`
  const files = Object.fromEntries(bad.map(([, line], i) => [`bad${i}.ts`, wrap(line)]))
  const dir = tempProject({ 'good.ts': good, ...files })
  const output = tsc(compiler, ['--skipLibCheck', 'good.ts', ...Object.keys(files)], dir)
  const wrong = new Set(output.split('\n').flatMap((line) => /^(\w+\.ts)\(/.exec(line)?.[1] ?? []))
  expect(
    [...wrong].filter((name) => name === 'good.ts'),
    output,
  ).toEqual([])
  expect([...wrong].sort()).toEqual(Object.keys(files).sort())
})

const library = `
import { connect, derive, groupBy, type Market, numbers, toDataFrame } from 'quotebook'
export async function bars(market: Market) { return market.load.etfMinute({}) }
export async function bonds(market: Market) { return market.table.convertibleDaily({}, { fields: ['code', 'close'] }) }
export async function moves(market: Market) { return derive(await bars(market), { ret: (c) => c.close, up: () => true }) }
export async function means(market: Market) { return groupBy(await bonds(market), 'code', { mean: ['close', 'mean'] }) }
export async function names(market: Market) { return (await market.load.st()).name }
export async function any(market: Market) { return toDataFrame(await market.query('st')) }
export async function all() { return connect() }
export const close = async (market: Market) => numbers(await bonds(market), 'close')
`
/** Each step on the result of the one before, in a table and in a frame. */
const steps = (count: number) => `
import { derive, type Market, type Series } from 'quotebook'
export async function use(market: Market): Promise<void> {
  const t0 = await market.table.convertibleDaily({})
  const f0 = await market.load.convertibleDaily({})
${Array.from({ length: count }, (_, i) => {
  return ['t', 'f']
    .map(
      (v) =>
        `const ${v}${i + 1} = derive(${v}${i}, { x${i}: (c) => c.close.minus(c.pre_close).over(c.${i ? `x${i - 1}` : 'vol'}) })`,
    )
    .join('\n')
}).join('\n')}
  const value: number | null | undefined = t${count}.getChild('x0')?.get(0)
  const series: Series = f${count}.x0
  void [value, series]
}`

test.each(compilers)(
  'a library can be built on ours, and a hundred columns derived one by one, under %s',
  (compiler) => {
    const dir = tempProject({ 'library.ts': library, 'steps.ts': steps(100) })
    const output = tsc(compiler, ['--skipLibCheck', '--declaration', '--outDir', 'out', 'library.ts', 'steps.ts'], dir)
    expect(output).toBe('')
    const declared = readFileSync(join(dir, 'out/library.d.ts'), 'utf8')
    expect(declared).toContain('import("quotebook").TableOf<"convertible_daily", "close" | "code">')
    expect(declared).not.toMatch(/\bany\b(?!\()/)
  },
)
