import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quotebook } from './helper/command.js'
import { bytesBelow, folder, removeFolders } from './helper/files.js'

removeFolders()

function notebook(dir: string, name: string, cells: readonly string[]): string {
  const made = cells.map((source, i) => ({
    cell_type: source.startsWith('#') ? 'markdown' : 'code',
    id: `c${i}`,
    metadata: {},
    ...(source.startsWith('#') ? {} : { outputs: [], execution_count: null }),
    source,
  }))
  const path = join(dir, `${name}.ipynb`)
  writeFileSync(path, JSON.stringify({ cells: made, metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  return path
}

test('init makes a research folder in the language asked for, once, and says what to do next', () => {
  const dir = folder()
  const ran = quotebook(['notebook', 'init', 'my research', '--lang', 'zh'], { cwd: dir })
  expect([ran.code, ran.out]).toEqual([0, 'my research\n'])
  expect(ran.err).toContain("\n  cd 'my research' && npm install\n  npx quotebook notebook run\n")
  const own = join(dir, 'my research')
  const before = bytesBelow(own)
  for (const path of ['package.json', '.gitignore', 'notebooks/my-notebook.ipynb', 'strategies/double-low.mjs'])
    expect(Object.keys(before)).toContain(path)
  expect(readFileSync(join(own, 'notebooks/my-notebook.ipynb'), 'utf8')).toMatch(/[\u4e00-\u9fff]/)
  expect(readFileSync(join(own, '.gitignore'), 'utf8')).toMatch(/^keys\.json$/m)
  const tgz = Object.keys(before).find((path) => path.endsWith('.tgz')) ?? ''
  expect(statSync(join(own, tgz)).size).toBeGreaterThan(1_000_000)
  const again = quotebook(['notebook', 'init', own])
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('is not empty: it has ')])
  expect(bytesBelow(own)).toEqual(before)
})

test('run makes a page that verify makes again; a cell that fails is one line with its place, and exit code 1', () => {
  const dir = folder()
  symlinkSync(join(process.cwd(), 'notebooks/node_modules'), join(dir, 'node_modules'))
  const good = notebook(dir, 'good', [
    '# Two of them',
    "import { connect, show } from 'quotebook'\nconst market = await connect()",
    'const table = await market.table.st()\nshow(table)',
    "console.log('<b>' + (1 + 1))",
  ])
  const ran = quotebook(['notebook', 'run', good, '--out', 'pages'], { cwd: dir })
  // On a busy machine it tells how far it is.
  const err = ran.err.replaceAll(/^notebooks: .*\n/gm, '')
  expect({ ...ran, err }).toEqual({ code: 0, out: 'pages/good.html\n', err: '' })
  const page = readFileSync(join(dir, 'pages/good.html'), 'utf8')
  expect(page).toMatch(/<h1[^>]*>Two of them<\/h1>/)
  expect(page).toMatch(/<table[\s\S]*000725/)
  expect(page).toContain('&lt;b&gt;2')
  expect(page).not.toMatch(/<(script|iframe)\b/)
  expect(quotebook(['verify', 'pages/good.html', '--code', good], { cwd: dir }).code).toBe(0)
  const bad = notebook(dir, 'bad', ["console.log('ran')", 'const x = 1\nthrow new RangeError("too far: " + x)', '1'])
  const failed = quotebook(['notebook', 'run', bad, '--out', 'pages', '--lang', 'zh'], { cwd: dir })
  expect([failed.code, failed.err]).toEqual([
    1,
    `quotebook: ${bad} 第 2 个单元第 2 行：RangeError: too far: 1 | throw new RangeError("too far: " + x)\n`,
  ])
  expect(readFileSync(join(dir, 'pages/bad.html'), 'utf8')).toContain('<pre class="stdout" tabindex="0">ran</pre>')
})

test('what can not be run is refused before anything is written', () => {
  const dir = folder()
  writeFileSync(join(dir, 'file.ipynb'), '{')
  for (const [args, said] of [
    [['none.ipynb'], 'quotebook: none.ipynb: no such file\n'],
    [['file.ipynb'], 'quotebook: file.ipynb: not a notebook: not JSON\n'],
    [['.', '--out', ''], 'quotebook: --out is empty; give the name of a folder\n'],
  ] as const)
    expect(quotebook(['notebook', 'run', ...args], { cwd: dir })).toEqual({ code: 2, out: '', err: said })
  expect(existsSync(join(dir, 'reports'))).toBe(false)
})

test('the kernel for Jupyter is shown, and written only when asked to', () => {
  const env = { JUPYTER_DATA_DIR: folder() }
  const file = join(env.JUPYTER_DATA_DIR, 'kernels/quotebook/kernel.json')
  const shown = quotebook(['notebook', 'kernel'], { env })
  expect([shown.code, existsSync(file)]).toEqual([0, false])
  expect(JSON.parse(shown.out)).toMatchObject({ language: 'typescript', display_name: 'TypeScript (Quotebook)' })
  expect(quotebook(['notebook', 'kernel', '--install'], { env }).out).toBe(`${file}\n`)
  expect(readFileSync(file, 'utf8')).toBe(shown.out)
})
