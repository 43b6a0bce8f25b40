// Deep: speaks Jupyter's protocol to the kernel, as a front end does.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { tempDir } from '../../helper/temp.js'

const folder = join(process.cwd(), 'notebooks')

interface Cell {
  readonly code: string
  /** Seconds after which it is interrupted. */
  readonly interrupt?: number
  /** Seconds that are waited after it. */
  readonly wait?: number
  /** Sent together with the next one. */
  readonly together?: boolean
  /** How a front end names it. */
  readonly id?: string
  /** What stands at its end is asked for, and nothing is run. */
  readonly inspect?: boolean
}

interface Result {
  readonly outputs: readonly {
    readonly type: string
    readonly text?: string
    readonly ename?: string
    readonly evalue?: string
    readonly traceback?: readonly string[]
    readonly data?: Readonly<Record<string, string>>
    readonly transient?: { readonly display_id?: string }
  }[]
  readonly others: Result['outputs']
  readonly reply: {
    readonly status: string
    readonly execution_count?: number
    readonly ename?: string
    readonly evalue?: string
  }
  readonly seconds: number
  /** What an inspected cell shows. */
  readonly shown?: string
}

function results(cells: readonly Cell[], env: NodeJS.ProcessEnv = {}, at = folder): readonly Result[] {
  const file = join(tempDir(), 'results.json')
  const { stderr } = spawnSync(python, [join(process.cwd(), 'test/helper/kernel-client.py'), at, file], {
    input: JSON.stringify(cells),
    env: { ...process.env, JUPYTER_PATH: join(folder, '.jupyter'), NODE_OPTIONS: '', ...env },
    encoding: 'utf8',
    timeout: 400_000,
  })
  if (!existsSync(file)) throw new Error(stderr)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const textOf = ({ outputs }: Result): string => outputs.map(({ text = '' }) => text).join('')
const errorOf = ({ outputs }: Result): string | undefined =>
  outputs.find(({ type }) => type === 'error')?.traceback?.join('\n')

const isThere = hasPythonPackage('jupyter_client')

test.runIf(isThere)('an interrupted cell stops within a second, and the kernel and its variables live', () => {
  const endless = [
    'for (;;) {}',
    'await null\nfor (;;) {}',
    'const later = async () => { await null; for (;;) {} }\nawait later()',
  ]
  const turning =
    'let n = 0\nfor (;;) {\n  await new Promise((resolve) => setTimeout(resolve, 50))\n  console.log(n++)\n}'
  const timers = 'setInterval(() => console.log("tick"), 50)\nawait new Promise(() => undefined)'
  const done = results([
    { code: 'const kept = 41' },
    ...endless.flatMap((code) => [{ code, interrupt: 0.5 }, { code: 'kept' }]),
    { code: turning, interrupt: 4, wait: 0.5 },
    { code: 'await new Promise((resolve) => setTimeout(resolve, 300))\nn' },
    { code: timers, interrupt: 4, wait: 0.5 },
    { code: 'await new Promise((resolve) => setTimeout(resolve, 300))\nkept' },
  ])
  const interrupted = [1, 3, 5, 7, 9].map((at) => done[at] as Result)
  for (const one of interrupted) {
    expect(one.reply).toMatchObject({ status: 'error', ename: 'interrupted', evalue: 'the cell was interrupted' })
    expect(one.seconds).toBeLessThan(process.env.CI ? 5 : 2)
  }
  expect([2, 4, 6].map((at) => textOf(done[at] as Result))).toEqual(['41\n', '41\n', '41\n'])
  const counted = Number(textOf(done[8] as Result))
  expect(textOf(done[7] as Result).match(/^\d+$/gm)).toHaveLength(counted)
  expect(done[8]?.others).toEqual([])
  expect(textOf(done[10] as Result)).toBe('41\n')
  expect(done[10]?.others).toEqual([])
})

test.runIf(isThere)('a query and a sweep that are interrupted end', () => {
  const done = results([
    { code: "import { connect } from 'quotebook'\nconst market = await connect()" },
    { code: "for (;;) await market.query('etf_minute', { symbols: 'all', tradedate: '2026-06-01' })", interrupt: 3 },
    { code: "(await market.symbols('convertible_daily')).length > 0" },
  ])
  expect(done[1]?.reply).toMatchObject({ status: 'error', ename: 'interrupted' })
  expect(textOf(done[2] as Result)).toBe('true\n')
})

test.runIf(isThere)('a failure is one error with its cell, line and text; what stood before it still stands', () => {
  const done = results([
    { code: 'const fail = () => { throw new RangeError("too far") }' },
    { code: 'const before = 41\nconst slow = [1, 2]\nconst after: string = fail()' },
    { code: 'before + slow.length' },
    { code: 'after' },
    { code: 'const word = "x"\nword.toFixd\nnope' },
    { code: 'Promise.reject(new Error("dropped"))\n1' },
    {
      code: "import { connect } from 'quotebook'\nawait (await connect()).query('st', { tradedat: '20260601' } as any)",
    },
    { code: 'const deep = (n: number): number => (n === 0 ? fail() : deep(n - 1))\ndeep(60)' },
  ])
  expect(done.map(({ reply }) => reply.status)).toEqual([
    'ok',
    'error',
    'ok',
    'error',
    'error',
    'error',
    'error',
    'error',
  ])
  expect(done.map(({ reply }) => reply.execution_count)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(errorOf(done[1] as Result)).toBe(
    'RangeError: too far\nline 1 of cell 1: const fail = () => { throw new RangeError("too far") }',
  )
  expect(textOf(done[2] as Result)).toBe('43\n')
  expect(errorOf(done[3] as Result)).toBe("type error: Cannot find name 'after'.\nline 1: after")
  expect(errorOf(done[4] as Result)).toMatch(
    /^type error: Property 'toFixd' .*\nline 2: word\.toFixd\ntype error: Cannot find name 'nope'\.\nline 3: nope$/,
  )
  expect(done[5]?.outputs.filter(({ type }) => type === 'error')).toHaveLength(1)
  expect(errorOf(done[5] as Result)).toMatch(/^unhandled rejection: Error: dropped\nline 1/)
  expect(errorOf(done[6] as Result)).toMatch(/^ParamsError \[INVALID_PARAMS\]: .*It takes: .*\nline 2: /)
  expect(errorOf(done[7] as Result)).toMatch(/^RangeError: too far\nline 1 of cell 1/)
  for (const { outputs, others } of done) expect(JSON.stringify([outputs, others])).not.toMatch(/\.cjs|evalmachine/)
})

test.runIf(isThere)('cells that were sent with one that fails are not run; one that is sent after it is', () => {
  const slow = 'await new Promise((resolve) => setTimeout(resolve, 300))\nthrow new Error("first")'
  const done = results([
    { code: slow, together: true },
    { code: '"second"', together: true },
    { code: '"third"' },
    { code: '"fourth"' },
    { code: 'setTimeout(() => { throw new Error("late") }, 500)\nnull', wait: 0.5 },
    { code: 'console.log("fifth")' },
  ])
  expect(done.map(({ reply }) => reply.status)).toEqual(['error', 'aborted', 'aborted', 'ok', 'ok', 'ok'])
  expect(textOf(done[3] as Result)).toBe('fourth\n')
  expect(done[5]?.others.map(({ evalue }) => evalue)).toEqual(['late'])
})

test.runIf(isThere)('an await may begin a cell in parentheses, and a promise at its end is awaited', () => {
  const done = results([
    { code: 'await (async () => 1)()\nconst two = await (await Promise.resolve({ json: async () => 2 })).json()' },
    { code: 'const later = async () => { await null; return two + 1 }\nlater()' },
    { code: 'Promise.reject(new Error("at the end"))' },
  ])
  expect(done.map(({ reply }) => reply.evalue ?? reply.status)).toEqual(['ok', 'ok', 'at the end'])
  expect(done.map(textOf).slice(0, 2)).toEqual(['', '3\n'])
})

test.runIf(isThere)('modules of the project are imported with their types, and again after an edit', () => {
  const dir = tempDir()
  for (const name of ['notebooks', 'strategies']) mkdirSync(join(dir, name))
  symlinkSync(join(folder, 'node_modules'), join(dir, 'notebooks/node_modules'))
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text)
  write('strategies/sign.mjs', 'export const sign = (x) => -x\n')
  write(
    'strategies/double.mjs',
    "import { sign } from './sign.mjs'\nexport default { score: (x) => sign(x) * 2, at: import.meta.url }\n",
  )
  write('helper.ts', 'export interface Row { a: number }\nexport const twice = (row: Row): number => row.a * 2\n')
  write('notebooks/near.ts', "export const near = 'near'\n")
  const edit = `(await import('fs')).writeFileSync(${JSON.stringify(join(dir, 'strategies/sign.mjs'))}, 'export const sign = (x) => x + 100')`
  const helper = JSON.stringify(join(dir, 'helper.ts'))
  const typed = `(await import('fs')).writeFileSync(${helper}, 'export const twice = (a: number): number => a * 3')\nnull`
  const score = "import double from '../strategies/double.mjs'\ndouble.score(3)"
  const done = results(
    [
      { code: score },
      { code: "import { twice } from '../helper.ts'\nimport { near } from './near'\nnear + twice({ a: 2 })" },
      { code: "twice('x')" },
      { code: "const other = await import('../helper.js')\nother.twice({ a: 3 })" },
      { code: `${edit}\nnull`, wait: 0.5 },
      { code: score },
      { code: 'double.at' },
      { code: typed, wait: 1 },
      { code: "import { twice } from '../helper.ts'\ntwice(3)" },
      { code: typed.replace('* 3', '* 4') },
      { code: "import { twice } from '../helper.ts'\ntwice(3)" },
      { code: "import { none } from '../none.ts'" },
    ],
    {},
    join(dir, 'notebooks'),
  )
  const answers = [
    '-6\n',
    'near4\n',
    '',
    '6\n',
    '',
    '206\n',
    `${pathToFileURL(join(dir, 'strategies/double.mjs'))}\n`,
    '',
    '9\n',
    '',
    '12\n',
    '',
  ]
  expect(done.map(textOf)).toEqual(answers)
  expect(done[2]?.reply.evalue).toMatch(/^Argument of type 'string' is not assignable to parameter of type 'Row'/)
  expect(done[11]?.reply.evalue).toMatch(/^Cannot find module '\.\.\/none\.ts'/)
})

test.runIf(isThere)('a wrong column in brackets is told before anything runs; what has no names is left alone', () => {
  const load = "const bonds = await market.load.convertibleDaily({ tradedate: '2026-06-01' })"
  const loose =
    "const counts = {}\ncounts['a'] = 1\nconst all = []\nall.push(1)\nfunction first(x) { return x[0] }\nfirst(all)"
  const done = results([
    { code: `import { connect } from 'quotebook'\nconst market = await connect()\n${load}` },
    { code: "bonds['clos']" },
    { code: "bonds['close'].values.length > 0" },
    { code: "[{ a: 1 }].map((row) => row['b'])" },
    { code: loose },
    { code: '%%time\n1' },
    { code: '!ls' },
  ])
  expect(done[1]?.reply.evalue).toMatch(/^Property 'clos' does not exist .*Did you mean 'close'\?$/)
  expect(textOf(done[2] as Result)).toBe('true\n')
  expect(errorOf(done[3] as Result)).toContain("Property 'b' does not exist on type '{ a: number; }'.")
  expect(textOf(done[4] as Result)).toBe('1\n')
  expect(done[5]?.reply.evalue).toContain("console.time('cell')")
  expect(done[6]?.reply.evalue).toContain('execSync')
})

test.runIf(isThere)(
  'the catalogue stands at the cursor: of loaders, params, columns; within a call its function',
  () => {
    const load = "const bonds = await market.load.convertibleDaily({ tradedate: '2026-06-01' })"
    const rows = "const row = (await market.table.convertibleDaily({ tradedate: '2026-06-01' })).get(0)"
    const done = results([
      { code: `import { connect, show } from 'quotebook'\nconst market = await connect()\n${load}\n${rows}` },
      { code: 'market.table.etfMinute', inspect: true },
      { code: 'row.bond_value', inspect: true },
      { code: 'bonds.cb_over_rate', inspect: true },
      { code: 'show(bonds, ', inspect: true },
    ])
    const [, loader, cell, column, call] = done.map(({ shown = '' }) => shown)
    expect(loader).toMatch(
      /ETF bars, 15 or 30 minutes\.[\s\S]*- `period` Bar period\. One of `15m`, `30m`\.[\s\S]*- `vwap` Yuan\./,
    )
    expect(cell).toMatch(/bond_value: number\s+Yuan\. Value of the bond cash flows alone\./)
    expect(column).toMatch(/cb_over_rate: Series\s+Percent\./)
    expect(call).toMatch(/show\(data: .*options\?: ShowOptions\)/)
  },
)

test.runIf(isThere)('a whole page at the end of a cell is shown in a frame', () => {
  const days = "['20260105', '20260106', '20260107', '20260108']"
  const code = `import { tearSheet } from 'quotebook'\nawait tearSheet({ days: ${days}, returns: [0.01, -0.02, 0.005, 0.01] })`
  const [first] = results([{ code }])
  const [shown] = first?.outputs ?? []
  expect(shown).toMatchObject({
    type: 'display_data',
    data: { 'text/plain': expect.stringMatching(/^\(a page of \d+ characters\)$/) },
  })
  const html = shown?.data?.['text/html'] ?? ''
  expect(html).toMatch(/<iframe class="quotebook-page" sandbox="allow-scripts[^"]*" srcdoc="&lt;!doctype html&gt;/i)
  // What a notebook that is not trusted leaves of it.
  expect(html.replace(/<style>.*?<\/style>|<iframe.*?<\/iframe>/gs, '').replace(/<[^>]+>/g, '')).toMatch(
    /trust the notebook/,
  )
})

test.runIf(isThere)(
  'charts have their plot in them, and one cell has the script by which all answer, also when it is run again',
  () => {
    const made =
      "import { chart, fromRows } from 'quotebook'\nconst table = fromRows([{ day: '20260601', close: 4.1 }, { day: '20260602', close: 4.2 }])"
    const first = "await chart(table, { x: 'day', y: 'close', title: '</script><b>' })"
    const second = "await chart(table, { x: 'day', y: 'close', kind: 'bar' })"
    const both = `(${first}).display()\n${second}`
    const drawn = [
      ...results([{ code: made }, { code: both }, { code: second }, { code: both }]),
      ...results([
        { code: made },
        { code: first, id: 'a' },
        { code: second, id: 'b' },
        { code: second, id: 'a' },
        { code: 'null', id: 'a' },
        { code: second, id: 'b' },
      ]),
    ]
    const hasScript = drawn.map(({ outputs }) => outputs.map(({ data }) => data?.['text/html']?.includes('<script>')))
    expect(hasScript.slice(1, 4)).toEqual([[true, false], [false], [true, false]])
    expect([5, 6, 7, 9].map((at) => hasScript[at])).toEqual([[true], [false], [true], [true]])
    const pictures = drawn.flatMap(({ outputs }) => outputs.flatMap(({ data }) => (data?.['text/html'] ? [data] : [])))
    for (const data of pictures) {
      expect(Object.keys(data).sort()).toEqual(['text/html', 'text/plain'])
      const { 'text/html': html = '' } = data
      const [, plot = ''] = /<script type="application\/json">(.*?)<\/script>/.exec(html) ?? []
      expect(JSON.parse(plot)).toMatchObject({ isAlone: true, x: { dates: ['20260601', '20260602'] } })
      const [, svg = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html) ?? []
      expect(Buffer.from(svg, 'base64').toString()).toMatch(/^<svg(?!.*prefers-color-scheme)/)
      expect(html.length).toBeLessThan(html.includes('<script>') ? 340_000 : 12_000)
      expect(html).not.toMatch(/(?:src|href)="(?!data:)/)
    }
  },
)

test.runIf(isThere)('long queries, sweeps and reports have one line that is updated in place and ends as text', () => {
  const late = 'await new Promise((resolve) => setTimeout(resolve, 1100))'
  const columns = "['open', 'close', 'pre_close', 'vol']"
  const make =
    "({ n }: { n: number }) => { return { score: (bond: { close: number }) => { const end = performance.now() + 1; while (performance.now() < end); return bond.close }, pick: { n, side: 'lowest' } } as const }"
  const asked = "await market.query('convertible_minute', { symbols: 'all' }, { days: 20 })"
  const done = results([
    { code: "import { connect, panel, report, sweep } from 'quotebook'\nconst market = await connect()" },
    { code: `${asked}\n${late}\n${asked}\nnull` },
    {
      code: `const prices = panel(await market.table.convertibleDaily({ startdate: '20260506', enddate: '20260729' }), { columns: ${columns} })`,
    },
    { code: `void sweep(prices, { n: [2, 3, 4, 5] }, ${make}, { cash: 1e6 })` },
    { code: `await report(market)\n${late}\nvoid (await report(market))` },
    {
      code: `${late}\nawait market.sync({ archive: ${JSON.stringify(join(tempDir(), 'own'))}, from: '20260701' })\nnull`,
    },
    { code: 'for (;;) await report(market)', interrupt: 3 },
    { code: '1' },
  ])
  const said = [
    /^convertible_minute: \d+ of 20, \d+ rows$/,
    /^sweep: 4 of 4 runs$/,
    /^report: (\d+) of \1$/,
    /^\w+: \d+ of \d+, \d+ rows$/,
    /^report: \d+ of \d+, .+$/,
  ]
  for (const [i, at] of [1, 3, 4, 5, 6].entries()) {
    const shown = (done[at] as Result).outputs.filter(({ type }) => type !== 'error')
    expect(shown.map(({ type }) => type)).toEqual(['display_data', ...shown.slice(1).map(() => 'update_display_data')])
    expect(shown.length).toBeGreaterThan(1)
    expect(new Set(shown.map(({ transient }) => transient?.display_id)).size).toBe(1)
    const last = shown.at(-1)?.data as Record<string, string>
    expect(shown.slice(0, -1).every(({ data }) => data?.['text/html']?.startsWith('<progress max='))).toBe(true)
    expect(last['text/plain']).toMatch(said[i] as RegExp)
    expect(last['text/html']).toBe(`<span>${last['text/plain']}</span>`)
  }
  expect(done[6]?.reply.ename).toBe('interrupted')
  expect(textOf(done[7] as Result)).toBe('1\n')
})

test.runIf(isThere)(
  'a mistyped column of a verb is told with the nearest one, and head and tail with what there is',
  () => {
    const load = "const bars = await market.table.convertibleDaily({ tradedate: '2026-06-01' })"
    const done = results([
      { code: `import { chart, connect, select, sort } from 'quotebook'\nconst market = await connect()\n${load}` },
      { code: "sort(bars, '-clos')" },
      { code: "select(bars, 'code', 'nam')" },
      { code: "await chart(bars, { x: 'cod', y: 'close' })" },
      { code: "sort(bars, 'nothing at all')" },
      { code: 'bars.head(3)' },
      { code: 'tail(bars)' },
      { code: "(await market.load.convertibleDaily({ tradedate: '2026-06-01' })).sortValues('clos')" },
    ])
    const told = done.map(({ reply }) => reply.evalue)
    expect(told.slice(1, 4)).toEqual([
      "there is no '-clos' here; did you mean '-close'?",
      "there is no 'nam' here; did you mean 'name'?",
      "there is no 'cod' here; did you mean 'code'?",
    ])
    expect(told[4]).toMatch(/^Argument of type '"nothing at all"' is not assignable/)
    expect(told[5]).toMatch(/^Property 'head' does not exist .* Write table\.slice\(0, 5\)/)
    expect(told[6]).toMatch(/^Cannot find name 'tail'\. Write .* frame\.tail\(5\)\.$/)
    expect(told[7]).toBe("there is no column 'clos'; did you mean 'close'?")
  },
)

test.runIf(isThere)('an empty cell takes at most 20 ms', () => {
  const done = results([
    { code: 'const before = process.cpuUsage()' },
    ...Array.from({ length: 30 }, () => ({ code: ' \n' })),
    { code: 'const used = process.cpuUsage(before)\nused.user / 30_000 + used.system / 30_000' },
  ])
  expect(done.every(({ reply }) => reply.status === 'ok')).toBe(true)
  expect(done.at(-2)?.reply.execution_count).toBe(31)
  expect(Number(textOf(done.at(-1) as Result))).toBeLessThan(20)
})

test.runIf(isThere)('rows and columns at the end of a cell are shown as tables', () => {
  const [, rows, column, mixed] = results([
    { code: "import { fromRows } from 'quotebook'\nconst table = fromRows([{ code: '510300.SH', close: 4.1 }])" },
    { code: '[{ a: 1, b: "x" }, { a: 2, b: "y" }]' },
    { code: 'table.getChild("close")' },
    { code: '[{ a: 1 }, 2]' },
  ])
  expect(rows?.outputs[0]?.data?.['text/plain']).toBe('a  b\n1  x\n2  y\n[2 rows x 2 columns]')
  expect(column?.outputs[0]?.data?.['text/plain']).toBe('value\n  4.1\n[1 rows x 1 columns]')
  expect(textOf(mixed as Result)).toBe('[ { a: 1 }, 2 ]\n')
})

test.runIf(isThere)('errors are in the language of the kernel', () => {
  const [first] = results(
    [
      {
        code: "import { connect } from 'quotebook'\nawait (await connect()).query('st', { tradedat: '20260601' } as any)",
      },
    ],
    { QUOTEBOOK_LANG: 'zh' },
  )
  expect(first?.reply.evalue).toMatch(/[\u4e00-\u9fff]/)
})
