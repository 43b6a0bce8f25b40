import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { quotebook, type Ran, root } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

let dir: string
const run = (...args: readonly string[]): Ran => quotebook(args, { cwd: dir })
const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1)

beforeAll(() => {
  dir = tempDir()
  mkdirSync(join(dir, 'node_modules'))
  symlinkSync(root, join(dir, 'node_modules', 'quotebook'))
  writeFileSync(
    join(dir, 'lowest.mjs'),
    `import { panel } from 'quotebook'
export default async ({ market }) => ({
  panel: panel(await market.table.convertibleDaily({ startdate: '20260601' }), {
    columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'],
  }),
  make: ({ n = 5 }) => ({ score: (bar) => bar.close, pick: { n, side: 'lowest' }, when: { weekly: 1 } }),
  options: { cash: 1e6 },
})
`,
  )
  expect(run('report', '--days', '3', '--out', 'report.html').code).toBe(0)
})

test('a report: the same is 0, a changed figure is 1 and is named, in both languages and as JSON', () => {
  const same = run('verify', 'report.html')
  expect([same.code, lastLine(same.out)]).toEqual([0, 'the same to the byte'])
  const page = readFileSync(join(dir, 'report.html'), 'utf8')
  const [whole = '', , shown = ''] = /<data class="value[^"]*" value="([^"]*)">([^<]*)</.exec(page) ?? []
  writeFileSync(join(dir, 'forged.html'), page.replace(whole, whole.replace(`>${shown}<`, '>99.99<')))
  const forged = run('verify', 'forged.html', '--lang', 'zh')
  expect([forged.code, lastLine(forged.out)]).toEqual([1, '不相同：页面生成后被改动'])
  expect(forged.out).toContain(`页面为 99.99`)
  const { code, out } = run('verify', 'forged.html', '--format', 'json')
  const found = JSON.parse(out)
  expect([code, found.same, found.sealed, found.reasons, found.figures.length]).toEqual([
    1,
    false,
    false,
    ['altered'],
    1,
  ])
})

test('a tear sheet is made again from the strategy that the user names; never from the page', () => {
  const made = run('backtest', 'lowest.mjs', '--sweep', 'n=3,4', '--walk-forward', '15,10', '--out', 'made')
  expect(made.code).toBe(0)
  const alone = run('verify', 'made/tear-sheet.html')
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('give --code FILE')])
  const same = run('verify', 'made/tear-sheet.html', '--code', 'lowest.mjs')
  expect([same.code, lastLine(same.out)]).toEqual([0, 'the same to the byte'])
  const text = readFileSync(join(dir, 'lowest.mjs'), 'utf8')
  writeFileSync(join(dir, 'lowest.mjs'), text.replace("'lowest'", "'highest'"))
  const other = run('verify', 'made/tear-sheet.html', '--code', 'lowest.mjs')
  expect([other.code, lastLine(other.out)]).toEqual([1, 'NOT the same: other inputs; other code'])
  writeFileSync(join(dir, 'lowest.mjs'), text)
  const page = readFileSync(join(dir, 'made/tear-sheet.html'), 'utf8')
  expect(run('backtest', 'lowest.mjs', '--param', 'n=4', '--out', 'four').code).toBe(0)
  const two = run('verify', 'made/tear-sheet.html', '--against', 'four/tear-sheet.html')
  expect([two.code, two.out]).toEqual([1, expect.stringContaining('option command')])
  expect(page).not.toContain(dir)
})

test('the page of a notebook is made again from the notebook', () => {
  const cells = [
    { cell_type: 'markdown', id: 'a', metadata: {}, source: '# Two bonds' },
    { cell_type: 'code', id: 'b', metadata: {}, outputs: [], execution_count: null, source: '1 + 1' },
  ]
  const file = join(dir, 'two.ipynb')
  writeFileSync(file, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }))
  expect(run('notebook', 'run', 'two.ipynb', '--out', 'pages').code).toBe(0)
  const same = run('verify', 'pages/two.html', '--code', 'two.ipynb')
  expect([same.code, lastLine(same.out)]).toEqual([0, 'the same to the byte'])
  writeFileSync(file, readFileSync(file, 'utf8').replace('1 + 1', '1 + 2'))
  const other = run('verify', 'pages/two.html', '--code', 'two.ipynb')
  expect([other.code, lastLine(other.out)]).toEqual([1, 'NOT the same: other code'])
})

test.each([
  ['no.html', /no\.html: ENOENT/, undefined],
  ['plain.html', /holds no manifest/, '<!doctype html><p>1</p>'],
  [
    'two.html',
    /several manifests/,
    '<meta name="quotebook-manifest" content="{}"><meta name="quotebook-manifest" content="{}">',
  ],
  [
    'odd.html',
    /is not to be read: its form is {2}\[31m/,
    '<meta name="quotebook-manifest" content="{&quot;form&quot;:&quot;\\u001b[31m&quot;}">',
  ],
  [
    'code.html',
    /kind is none of report/,
    '<script>process.exit(7)</script><meta name="quotebook-manifest" content="{&quot;form&quot;:1,&quot;kind&quot;:&quot;x&quot;}">',
  ],
])('what is no page of Quotebook is told in a line, with exit code 2: %s', (name, message, text) => {
  if (text !== undefined) writeFileSync(join(dir, name), text)
  const { code, out, err } = run('verify', name)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(message)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(err).not.toContain('\u001b')
})

test('of an input that is another, both checksums are there by their first digits, in lines that fit', () => {
  expect(run('sample', '--archive', 'other', '--days', '3', '--seed', '7').code).toBe(0)
  const { code, out } = run('verify', 'report.html', '--source', 'other')
  expect(code).toBe(1)
  const inputs = out.split('\n').filter((line) => line.startsWith('input '))
  expect(inputs.length).toBeGreaterThan(5)
  const both = /sha256 [0-9a-f]{12}… in the page, \d+ rows, complete, sha256 [0-9a-f]{12}… here$/
  const others = inputs.filter((one) => !one.includes('nothing'))
  expect(others.length).toBeGreaterThan(5)
  for (const line of others) expect(line).toMatch(both)
  const { inputs: whole } = JSON.parse(run('verify', 'report.html', '--source', 'other', '--format', 'json').out)
  expect(whole[0].page).toMatch(/sha256 [0-9a-f]{64}$/)
})
