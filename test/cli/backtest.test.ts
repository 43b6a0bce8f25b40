import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { numbers } from '../../src/frame/read-columns.js'
import { fromParquet } from '../../src/table/parquet.js'
import { quotebook, root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

/** A user's folder: the package installed, and some strategies. */
let dir: string

const plan = (strategy: string): string => `import { panel } from 'quotebook'
export default async ({ market, params }) => ({
  panel: panel(await market.table.convertibleDaily({ startdate: '20260601' }), {
    columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'],
  }),
  ${strategy},
  options: { cash: 1e6 },
})
`
const doubleLow = `make: ({ w = 1, n = 5 }) => ({
    score: (bar) => bar.close + w * bar.cb_over_rate,
    pick: { n, side: 'lowest' },
    when: { weekly: 1 },
  })`
const clairvoyant = `strategy: { prepare: ({ cols, symbols }) => ({
    score: (bar) => cols.close[cols.close.indexOf(bar.close) + symbols.length],
    pick: { n: 3, side: 'highest' },
  }) }`

beforeAll(() => {
  dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(root, join(dir, 'node_modules', 'quotebook'))
  writeFileSync(join(dir, 'double-low.mjs'), plan(doubleLow))
  const own = plan(doubleLow).replace(
    'export default',
    `export const ${doubleLow.replace('make: ', 'make = ')}\nexport default`,
  )
  writeFileSync(join(dir, 'exported.mjs'), own.replace(`${doubleLow},`, ''))
  writeFileSync(join(dir, 'clairvoyant.mjs'), plan(clairvoyant))
  writeFileSync(join(dir, 'empty.mjs'), 'export default { options: {} }\n')
  writeFileSync(join(dir, 'broken.mjs'), 'export default {\n')
})

const line = (text: string, name: string): string =>
  text
    .split('\n')
    .find((one) => one.startsWith(name))
    ?.slice(name.length)
    .trim() ?? ''

test('figures to stdout, tables and a summary into a folder; params are part of the hash', async () => {
  const { code, out, err } = quotebook(['backtest', 'double-low.mjs', '--param', 'n=4', '--out', 'made/here'], {
    cwd: dir,
  })
  expect([code, err]).toEqual([0, expect.stringContaining('wrote account.parquet')])
  expect(line(out, 'look-ahead')).toBe('none in 8 cuts')
  expect(readdirSync(join(dir, 'made/here')).sort()).toEqual(
    ['account', 'events', 'fills', 'positions', 'rejected', 'trips']
      .map((name) => `${name}.parquet`)
      .concat('summary.json', 'tear-sheet.html')
      .sort(),
  )
  const equity = numbers(await fromParquet(readFileSync(join(dir, 'made/here/account.parquet'))), 'equity')
  expect(line(out, 'equity')).toBe(`1000000 -> ${equity.at(-1)}`)
  const summary = JSON.parse(readFileSync(join(dir, 'made/here/summary.json'), 'utf8'))
  expect(summary.options.params).toEqual({ n: 4 })
  const other = quotebook(['backtest', 'double-low.mjs', '--param', 'n=3'], { cwd: dir })
  expect(line(other.out, 'hash')).not.toBe(summary.hashes.run)
  expect(line(out, 'hash')).toBe(summary.hashes.run)
})

const silent: readonly (readonly [name: string, strategy: string, told: string])[] = [
  [
    'premium',
    "strategy: { score: (bar) => bar.close + bar.cb_over_rat, pick: { n: 5, side: 'lowest' } }",
    "the panel has no column 'cb_over_rat'; did you mean 'cb_over_rate'? (at DIR/premium.mjs:6:",
  ],
  [
    'fault',
    "strategy: { score: (bar) => bar.none.of, pick: { n: 5, side: 'lowest' }, when: { weekly: 1 } }",
    "the panel has no column 'none'; it has open, close, pre_close, vol, cb_over_rate (at DIR/fault.mjs:6:",
  ],
  [
    'throws',
    "strategy: { score: (bar) => params.of.premium, pick: { n: 5, side: 'lowest' }, when: { weekly: 1 } }",
    "strategy: Cannot read properties of undefined (reading 'premium') (at DIR/throws.mjs:6:",
  ],
  ['nothing', 'strategy: () => {}', 'strategy: no weight in any of '],
  [
    'cash',
    "strategy: { weights: (now) => ({ '600000.SH': 0.8 }) }",
    'strategy: a weight for 600000.SH, which the panel',
  ],
]

test.each(silent)('the strategy %s is refused in one line', (name, strategy, told) => {
  writeFileSync(join(dir, `${name}.mjs`), plan(strategy))
  const { code, out, err } = quotebook(['backtest', `${name}.mjs`], { cwd: dir })
  expect([code, out]).toEqual([name === 'cash' ? 2 : 1, ''])
  expect(err.trim().split('\n')).toEqual([expect.stringContaining(told.replace('DIR', dir))])
})

test('a sweep prints all combinations, and the best with what is left of it', () => {
  const { code, out, err } = quotebook(['backtest', 'double-low.mjs', '--sweep', 'w=0,1', '--sweep', 'n=3,5'], {
    cwd: dir,
  })
  expect(code).toBe(0)
  expect(out).toContain('[4 rows x 8 columns]')
  expect(err).toMatch(
    /best of 4 trials: w=\d n=\d; probability that its true Sharpe ratio is above 0, given so many trials \(deflated Sharpe\): \d+\.\d\d %; probability of overfitting: \d+\.\d\d %/,
  )
  const numbers = out
    .split('\n')
    .slice(1, 5)
    .flatMap((row) => row.trim().split(/ +/).slice(2))
  expect(numbers).toHaveLength(24)
  for (const one of numbers) expect(one).toBe(String(Number(Number(one).toPrecision(4))))
  expect(out).toContain('in sample     params were chosen on these days')
})

test('a module that exports make is swept in threads, and goes on from a checkpoint', () => {
  const args = ['--sweep', 'w=0,1', '--sweep', 'n=3,5']
  const plainly = quotebook(['backtest', 'double-low.mjs', ...args], { cwd: dir })
  const asked = ['backtest', 'exported.mjs', ...args, '--threads', '2', '--checkpoint', 'runs.jsonl']
  const found = quotebook(asked, { cwd: dir })
  const table = ({ out }: { out: string }): string => out.slice(0, out.indexOf('hash'))
  expect([found.code, table(found)]).toEqual([0, table(plainly)])
  const kept = readFileSync(join(dir, 'runs.jsonl'), 'utf8')
  expect(kept.trimEnd().split('\n')).toHaveLength(4)
  expect(table(quotebook(asked, { cwd: dir }))).toBe(table(plainly))
  expect(readFileSync(join(dir, 'runs.jsonl'), 'utf8')).toBe(kept)
  const refused = quotebook(['backtest', 'double-low.mjs', ...args, '--threads', '2'], { cwd: dir })
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('--threads and --queue need `export const make`'),
  ])
})

test('the tear sheet speaks of the sweep and of the walk forward, in the language of the command', () => {
  const words = [
    'backtest',
    'double-low.mjs',
    '--sweep',
    'w=0,1',
    '--walk-forward',
    '15,10',
    '--out',
    'sheet',
    '--lang',
    'zh',
  ]
  const { code, err } = quotebook(words, { cwd: dir })
  expect([code, err]).toEqual([0, expect.stringContaining('真实夏普比率大于 0 的概率（折减夏普）')])
  const page = readFileSync(join(dir, 'sheet/tear-sheet.html'), 'utf8')
  expect(page).toContain('<h1><bdi>double-low</bdi></h1>')
  expect(page).toContain('共试验 2 组参数或变体。滚动前推共运行')
  quotebook(words, { cwd: dir, env: { TZ: 'America/St_Johns' } })
  expect(readFileSync(join(dir, 'sheet/tear-sheet.html'), 'utf8')).toBe(page)
})

test('--walk-forward gives the figures out of sample first', () => {
  const words = ['--sweep', 'w=0,1', '--walk-forward', '15,10']
  const { code, out } = quotebook(['backtest', 'double-low.mjs', ...words], { cwd: dir })
  expect(code).toBe(0)
  expect(out).toMatch(
    /^out of sample +3 folds, params chosen on the days before each\ndays +20260623 to 20260729 \(27\)\n/,
  )
  expect(out.indexOf('out of sample')).toBeLessThan(out.indexOf('in sample  '))
  expect(out.indexOf('in sample  ')).toBeGreaterThan(out.indexOf('[2 rows x 8 columns]'))
})

test.each([
  [['--param', 'k=1'], "nothing reads the param 'k'. Did you mean 'w'? Params that are read: n, w"],
  [['--param', 'N=1'], "nothing reads the param 'N'. Did you mean 'n'? Params that are read: n, w"],
  [['--sweep', 'k=1,2'], "nothing reads the param 'k'. Did you mean 'w'? Params that are read: n, w"],
  [['--sweep', 'n=3,4', '--param', 'k=1'], "nothing reads the param 'k'. Did you mean 'w'? Params that are read: n, w"],
  [['--sweep', 'k=1,2', '--walk-forward', '15,10'], "nothing reads the param 'k'. Did you mean 'w'?"],
  [['--param', 'k=1', '--lang', 'zh'], "没有代码读取参数 'k'。是否指 'w'？读取的参数：n, w"],
])('%j: what nothing reads is refused, and nothing is printed', (words, said) => {
  for (const file of ['double-low.mjs', 'exported.mjs']) {
    const { code, out, err } = quotebook(['backtest', file, ...words], { cwd: dir })
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(said)])
  }
})

test('params are read by whatever makes the plan; values of the strategy itself are named', () => {
  writeFileSync(
    join(dir, 'from.mjs'),
    plan(doubleLow).replace("startdate: '20260601'", 'startdate: String(params.from ?? 20260601)'),
  )
  const words = ['--param', 'from=20260708', '--param', 'n=4', '--out', 'short']
  const { code, out, err } = quotebook(['backtest', 'from.mjs', ...words], { cwd: dir })
  expect([code, line(out, 'params')]).toEqual([0, 'from=20260708 n=4; of the strategy itself: w'])
  expect(JSON.parse(readFileSync(join(dir, 'short/summary.json'), 'utf8')).defaults).toEqual(['w'])
  expect(err).toContain('warning: only 16 days: figures of fewer than 20 days are mostly chance')
  expect(readFileSync(join(dir, 'short/tear-sheet.html'), 'utf8')).toContain('only 16 days: figures of fewer')
  const swept = quotebook(['backtest', 'from.mjs', '--param', 'from=20260601', '--sweep', 'w=0,1'], { cwd: dir })
  expect([swept.code, line(swept.out, 'params')]).toEqual([
    0,
    expect.stringMatching(/^from=20260601 w=\d; of the strategy itself: n$/),
  ])
  expect(line(quotebook(['backtest', 'from.mjs'], { cwd: dir }).out, 'params')).toBe(
    'of the strategy itself: from, n, w',
  )
})

test('--walk-forward needs two lengths, and params to choose from', () => {
  const wrong = quotebook(['backtest', 'double-low.mjs', '--walk-forward', '15'], { cwd: dir })
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('two whole numbers of days from 2')])
  const alone = quotebook(['backtest', 'double-low.mjs', '--walk-forward', '15,10'], { cwd: dir })
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--walk-forward needs --sweep')])
})

test('a strategy that knows the future is told, with exit code 1', () => {
  const { code, out, err } = quotebook(['backtest', 'clairvoyant.mjs'], { cwd: dir })
  expect(code).toBe(1)
  expect(line(out, 'look-ahead')).toContain('DECIDES BY THE FUTURE')
  expect(err).toContain('the strategy looks ahead')
})

test.each([
  ['nowhere.mjs', 'nowhere.mjs can not be loaded: ENOENT'],
  ['broken.mjs', 'broken.mjs can not be loaded: Unexpected end of input (broken.mjs:2)'],
  ['empty.mjs', 'empty.mjs must export, as default, { panel, strategy, options }'],
])('%s: one line, exit code 2', (file, said) => {
  const { code, out, err } = quotebook(['backtest', file], { cwd: dir })
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(said)
  expect(err.trim().split('\n')).toHaveLength(1)
})
