import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { quotebook, type Ran, root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

let dir: string
const run = (...args: readonly string[]): Ran => quotebook(args, { cwd: dir, env: { NODE_OPTIONS: '' } })

/** The same strategy with types, and without. */
const typed = `import { panel, type BacktestOptions } from 'quotebook'
import type { Bar } from './lib/score.ts'
import { scoreOf } from './lib/score.ts'

interface Params { readonly w?: number; readonly n?: number }
export const make = ({ w = 1, n = 5 }: Params) => ({
  score: (bar: Bar): number => scoreOf(bar, w),
  pick: { n, side: 'lowest' as const },
  when: { weekly: 1 as const },
})
const options: BacktestOptions = { cash: 1e6 }
export default async ({ market }: { market: any }) => ({
  panel: panel(await market.table.convertibleDaily({ startdate: '20260601' }), {
    columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] as const,
  }),
  make,
  options,
})
`
const score = `export interface Bar { readonly close: number; readonly cb_over_rate: number }
export const scoreOf = (bar: Bar, w: number): number => bar.close + w * bar.cb_over_rate
`
const plain = typed
  .replace(/^import (\{ panel), type BacktestOptions/, 'import $1')
  .replace(/^import type .*\n|^interface .*\n/gm, '')
  .replace(/: (Params|Bar|number|BacktestOptions|\{ market: any \})\b|: \{ market: any \}| as const/g, '')
  .replace("'./lib/score.ts'", "'./lib/score.mjs'")

beforeAll(() => {
  dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(root, join(dir, 'node_modules', 'quotebook'))
  mkdirSync(join(dir, 'lib'))
  writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs" }')
  writeFileSync(join(dir, 'lib/score.ts'), score)
  writeFileSync(join(dir, 'lib/score.mjs'), score.replace(/^export interface.*\n/, '').replace(/: (Bar|number)/g, ''))
  for (const name of ['low.ts', 'low.mts']) writeFileSync(join(dir, name), typed)
  writeFileSync(join(dir, 'low.mjs'), plain)
  writeFileSync(join(dir, 'mixed.mjs'), plain.replace('score.mjs', 'score.ts'))
})

const figures = ({ out }: Ran): string => out.slice(0, out.indexOf('hash'))

test.each(['low.ts', 'low.mts', 'mixed.mjs'])('%s: alone and in threads as in JavaScript', (name) => {
  const [alone, wanted] = [run('backtest', name, '--param', 'n=4'), run('backtest', 'low.mjs', '--param', 'n=4')]
  expect([alone.code, alone.err]).toEqual([0, wanted.err])
  expect(figures(wanted)).toContain('equity')
  expect(figures(alone)).toBe(figures(wanted))
  const words = ['--sweep', 'w=0,1', '--sweep', 'n=3,5', '--threads', '2']
  const [swept, same] = [run('backtest', name, ...words), run('backtest', 'low.mjs', ...words)]
  expect([swept.code, figures(swept)]).toEqual([0, figures(same)])
})

test('a tear sheet of a strategy in TypeScript is made again by verify', () => {
  expect(run('backtest', 'low.ts', '--out', 'made').code).toBe(0)
  const { code, out } = run('verify', 'made/tear-sheet.html', '--code', 'low.ts')
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'the same to the byte'])
  writeFileSync(join(dir, 'other.ts'), typed.replace('w = 1', 'w = 2'))
  expect(run('verify', 'made/tear-sheet.html', '--code', 'other.ts').code).toBe(1)
})

test.each([
  [
    'enum.ts',
    'const a = 1\n\nenum Side { low }\n',
    'TypeScript enum is not supported: types are only stripped (enum.ts:3)',
  ],
  [
    'field.ts',
    'class A {\n  constructor(private readonly n: number) {}\n}\n',
    'parameter property is not supported: types are only stripped (field.ts:2)',
  ],
  [
    'space.mts',
    '\nnamespace N {\n  export const a = 1\n}\n',
    'namespace declaration is not supported: types are only stripped (space.mts:2)',
  ],
  ['cut.ts', 'const a: number = 1\n\na b\n', "Expected ';', '}' or <eof> (cut.ts:3)"],
  ['twice.ts', 'let a: number = 1\n\nlet a = 2\n', "Identifier 'a' has already been declared (twice.ts:3)"],
  ['cut.mjs', 'const a = 1\n\na b\n', "Unexpected identifier 'b' (cut.mjs:3)"],
  ['end.mjs', 'export default {\n', 'Unexpected end of input (end.mjs:2)'],
  ['cut.js', 'const a = 1\n\n\na b\n', "Unexpected identifier 'b' (cut.js:4)"],
  ['typed.mjs', '\nconst a: number = 1\nexport default a\n', 'Missing initializer in const declaration (typed.mjs:2)'],
  ['outer.mjs', "import './lib/cut.mjs'\n", "Unexpected identifier 'b' (lib/cut.mjs:2)"],
  ['outer.ts', "import './lib/cut.ts'\n", "Expected ';', '}' or <eof> (lib/cut.ts:2)"],
  [
    'lacks.ts',
    "import { panel } from 'quotebook'\nimport { panell } from 'quotebook'\n",
    "export named 'panell' (lacks.ts:2)",
  ],
  ['throws.ts', 'const a: any = undefined\n\na.b\n', "Cannot read properties of undefined (reading 'b') (throws.ts:3)"],
])('%s: file and line in one line, exit code 2', (name, text, said) => {
  for (const other of ['cut.ts', 'cut.mjs']) writeFileSync(join(dir, 'lib', other), 'const a = 1\na b\n')
  writeFileSync(join(dir, name), text)
  const { code, out, err } = run('backtest', name)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(`${name} can not be loaded: `)
  expect(err).toContain(said)
  expect(err.trim().split('\n')).toHaveLength(1)
})
