// Deep: some forty processes, most of them backtests and sweeps in threads.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { quotebook, type Ran, root } from '../../helper/cli.js'
import { tempDir } from '../../helper/temp.js'

/** A user's folder: the package installed, and some strategies. */
const dir = tempDir()
const run = (...args: readonly string[]): Ran => quotebook(args, { cwd: dir, env: { NODE_OPTIONS: '' } })
const put = (name: string, text: string): void => writeFileSync(join(dir, name), text)
const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1)
const line = (text: string, name: string): string => new RegExp(`^${name} +(.*)$`, 'm').exec(text)?.[1] ?? ''
/** Figures without the hash, which goes by the text of the strategy too. */
const figures = ({ out }: Ran): string => out.slice(0, out.indexOf('hash'))

const plan = (strategy: string): string => `import { panel } from 'quotebook'
export default async ({ market, params }) => ({
  panel: panel(await market.table.convertibleDaily({ startdate: String(params.from ?? 20260601) }), {
    columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'],
  }),
  ${strategy},
  options: { cash: 1e6 },
})
`
const doubleLow = `({ w = 1, n = 5 }) => ({
  score: (bar) => bar.close + w * bar.cb_over_rate, pick: { n, side: 'lowest' }, when: { weekly: 1 },
})`
const clairvoyant = `strategy: { prepare: ({ cols, symbols }) => ({
  score: (bar) => cols.close[cols.close.indexOf(bar.close) + symbols.length], pick: { n: 3, side: 'highest' },
}) }`

beforeAll(() => {
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(root, join(dir, 'node_modules', 'quotebook'))
  put('low.mjs', plan(`make: ${doubleLow}`))
  put('exported.mjs', `export const make = ${doubleLow}\n${plan('make')}`)
  put('score.ts', 'export const scoreOf = (a: number, b: number): number => a + b\n')
  put(
    'typed.ts',
    `import { scoreOf } from './score.ts'
interface Params { readonly w?: number; readonly n?: number }
export const make = ({ w = 1, n = 5 }: Params) => ({
  score: (bar: { close: number; cb_over_rate: number }): number => scoreOf(bar.close, w * bar.cb_over_rate),
  pick: { n, side: 'lowest' as const }, when: { weekly: 1 as const },
})
${plan('make').replace('{ market, params }', '{ market, params }: any')}`,
  )
  put('clairvoyant.mjs', plan(clairvoyant))
})

const two = ['--sweep', 'w=0,1', '--sweep', 'n=3,5']

test('a sweep is the same plainly, in threads, from a checkpoint, and in TypeScript', () => {
  const plain = run('backtest', 'low.mjs', ...two)
  expect([plain.code, plain.out]).toEqual([0, expect.stringContaining('[4 rows x 8 columns]')])
  expect(plain.err).toMatch(
    /best of 4 trials: w=\d n=\d; .*\(deflated Sharpe\): \d+\.\d\d %; probability of overfitting:/,
  )
  expect(plain.out).toContain('in sample     params were chosen on these days')
  const asked = ['exported.mjs', ...two, '--threads', '2', '--checkpoint', 'runs.jsonl']
  expect(figures(run('backtest', ...asked))).toBe(figures(plain))
  const kept = readFileSync(join(dir, 'runs.jsonl'), 'utf8')
  expect(figures(run('backtest', ...asked))).toBe(figures(plain))
  expect([kept.trimEnd().split('\n').length, readFileSync(join(dir, 'runs.jsonl'), 'utf8')]).toEqual([4, kept])
  expect(figures(run('backtest', 'typed.ts', ...two, '--threads', '2'))).toBe(figures(plain))
})

test('the tear sheet of a sweep and a walk forward is made again from the strategy that the user names', () => {
  const words = ['--sweep', 'n=3,4', '--walk-forward', '15,10', '--out', 'made', '--lang', 'zh']
  const made = run('backtest', 'typed.ts', ...words)
  expect([made.code, made.err]).toEqual([0, expect.stringContaining('真实夏普比率大于 0 的概率（折减夏普）')])
  expect(made.out).toMatch(/^样本外 +3 折，每折参数由其之前的区间选出\n/)
  const page = readFileSync(join(dir, 'made/tear-sheet.html'), 'utf8')
  expect(page).toContain('共试算 2 组参数或变体。滚动前推共运行')
  expect(page).not.toContain(dir)
  const alone = run('verify', 'made/tear-sheet.html')
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('give --code FILE')])
  expect(run('verify', 'made/tear-sheet.html', '--code', 'typed.ts').code).toBe(0)
  put('other.ts', readFileSync(join(dir, 'typed.ts'), 'utf8').replace("'lowest'", "'highest'"))
  const other = run('verify', 'made/tear-sheet.html', '--code', 'other.ts')
  expect([other.code, lastLine(other.out)]).toEqual([1, 'NOT the same: other options; other inputs; other code'])
  run('backtest', 'low.mjs', '--param', 'n=4', '--out', 'four')
  const pages = run('verify', 'made/tear-sheet.html', '--against', 'four/tear-sheet.html')
  expect([pages.code, pages.out]).toEqual([1, expect.stringContaining('option command')])
})

test('params are read by whatever makes the plan; values of the strategy itself are named', () => {
  const { code, out, err } = run('backtest', 'low.mjs', '--param', 'from=20260708', '--param', 'n=4', '--out', 'short')
  expect([code, line(out, 'params')]).toEqual([0, 'from=20260708 n=4; of the strategy itself: w'])
  expect(JSON.parse(readFileSync(join(dir, 'short/summary.json'), 'utf8')).defaults).toEqual(['w'])
  expect(err).toContain('warning: only 16 days: figures of fewer than 20 days are mostly chance')
})

test.each<[said: string, code: number, ...args: string[]]>([
  ["nothing reads the param 'k'. Did you mean 'w'? Params that are read: from, n, w", 2, 'low.mjs', '--param', 'k=1'],
  ["nothing reads the param 'k'. Did you mean 'w'?", 2, 'exported.mjs', '--sweep', 'k=1,2'],
  ["策略没有用到参数 'k'。是否指 'w'？读取的参数：from, n, w", 2, 'low.mjs', '--param', 'k=1', '--lang', 'zh'],
  ['two whole numbers of days from 2', 2, 'low.mjs', '--walk-forward', '15'],
  ['clairvoyant.mjs: --sweep needs `make`, a function from params', 2, 'clairvoyant.mjs', '--sweep', 'w=0,1'],
  ['--walk-forward needs --sweep', 2, 'low.mjs', '--walk-forward', '15,10'],
  ['--threads and --queue need `export const make`', 2, 'low.mjs', '--sweep', 'w=0,1', '--threads', '2'],
  ['nowhere.mjs can not be loaded: ENOENT', 2, 'nowhere.mjs'],
])('%s', (said, code, ...args) => {
  const ran = run('backtest', ...args)
  expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringContaining(said)])
})

test('a strategy that knows the future is told, with exit code 1', () => {
  const { code, out, err } = run('backtest', 'clairvoyant.mjs')
  expect([code, line(out, 'look-ahead')]).toEqual([1, expect.stringContaining('DECIDES BY THE FUTURE')])
  expect(err).toContain('the strategy looks ahead')
})

test.each<[name: string, text: string, code: number, said: string]>([
  [
    'fault.mjs',
    plan("strategy: { score: (b) => b.none.of, pick: { n: 5, side: 'lowest' } }"),
    1,
    "no column 'none'; there are:",
  ],
  [
    'throws.mjs',
    plan("strategy: { score: () => a.b, pick: { n: 5, side: 'lowest' } }"),
    1,
    'strategy: a is not defined (at ',
  ],
  ['nothing.mjs', plan('strategy: () => {}'), 1, 'strategy: no weight in any of '],
  ['cash.mjs', plan("strategy: { weights: () => ({ '600000.SH': 0.8 }) }"), 2, 'strategy: a weight for 600000.SH'],
  ['empty.mjs', 'export default { options: {} }\n', 2, 'must export, as default, { data, score, pick, … }'],
  ['cut.mjs', 'const a = 1\n\na b\n', 2, "Unexpected identifier 'b' (cut.mjs:3)"],
  ['cut.ts', 'const a: number = 1\n\na b\n', 2, "Expected ';', '}' or <eof> (cut.ts:3)"],
  [
    'enum.ts',
    'const a = 1\n\nenum Side { low }\n',
    2,
    'TypeScript enum is not supported: types are only stripped (enum.ts:3)',
  ],
  ['lacks.ts', "\nimport { panell } from 'quotebook'\n", 2, "export named 'panell' (lacks.ts:2)"],
  ['outer.mjs', "import './cut.mjs'\n", 2, "Unexpected identifier 'b' (cut.mjs:3)"],
])('%s: what is wrong with it, with its place, in one line', (name, text, code, said) => {
  put(name, text)
  const ran = run('backtest', name)
  expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringContaining(said)])
  expect(ran.err.trim().split('\n')).toHaveLength(1)
})
