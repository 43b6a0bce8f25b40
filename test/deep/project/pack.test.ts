// Deep: packs, and installs by npm and pnpm.
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localRegistry } from '../../helper/registry.js'
import { tempDir } from '../../helper/temp.js'

/*
 * The packed package in an empty folder, installed by npm and by pnpm without overrides or network: the registry is one
 * of ours that knows nothing but the declared dependencies.
 */

const run = promisify(execFile)
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name)))

let home: string
let file: string
let packed: {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}
let registry: Awaited<ReturnType<typeof localRegistry>>

beforeAll(async () => {
  home = tempDir()
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  packed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))[0]
  file = join(home, packed.filename)
  registry = await localRegistry()
})

afterAll(() => registry.close())

test('the packed package holds what it needs and no more', () => {
  const paths = packed.files.map(({ path }) => path)
  for (const path of [
    'dist/esm/index.js',
    'dist/cjs/index.js',
    'dist/cli/quotebook.cjs',
    'dist/cli/LICENCES.txt',
    'dist/danfo/danfo.cjs',
    'dist/danfo/LICENCES.txt',
    'dist/lib/echarts.cjs',
    'dist/lib/parquet_wasm_bg.wasm',
    'dist/lib/LICENCES.txt',
    'dist/lib/page/index.html',
    'dist/lib/page/app.js',
    'dist/lib/page/LICENCES.txt',
    'dist/lib/markup.cjs',
    'dist/lib/notebook-kernel.cjs',
    'dist/lib/notebook-runner.cjs',
    'notebooks/01-look-around.ipynb',
    'notebooks/zh/01-look-around.md',
    'notebooks/start/my-notebook.ipynb',
    'notebooks/package-lock.json',
    'src/root.cjs',
    'src/import-module.cjs',
    'src/locale.cjs',
    'src/contract/locale/zh.json',
    'src/research/report/page.css',
    'data/sample/manifest.json',
    'README.md',
    'LICENSE',
  ])
    expect(paths).toContain(path)
  expect(packed.unpackedSize).toBeLessThan(33e6)
  expect(
    paths.filter((path) =>
      /^(test|src\/(?!(?:root|import-module|locale)\.cjs|contract\/locale\/zh\.json|research\/report\/page\.css)|reports|\.ci|notebooks\/(node_modules|quotebook|.*\.mjs$(?<!strategies.*)))/.test(
        path,
      ),
    ),
  ).toEqual([])
})

/** An empty project whose package manager knows our registry only. */
function project(name: string): { dir: string; env: Record<string, string | undefined> } {
  const dir = join(home, name)
  mkdirSync(dir)
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  writeFileSync(join(dir, '.npmrc'), `registry=${registry.url}/\naudit=false\nfund=false\nupdate-notifier=false\n`)
  copyFileSync('test/deep/project/consumer.mjs', join(dir, 'consumer.mjs'))
  const own = join(home, `${name}-home`)
  return { dir, env: { ...clean, HOME: own, XDG_DATA_HOME: own, XDG_CACHE_HOME: own, XDG_STATE_HOME: own, CI: 'true' } }
}

async function check(dir: string): Promise<void> {
  const { stdout } = await run(process.execPath, ['consumer.mjs'], { cwd: dir, env: { ...clean, TZ: 'UTC' } })
  const said = JSON.parse(stdout)
  const repository = await run(process.execPath, [
    '--input-type=module',
    '-e',
    readFileSync('test/deep/project/consumer.mjs', 'utf8'),
  ])
  const { sql, ...here } = JSON.parse(repository.stdout)
  expect(said).toEqual({ ...here, sql: ['PACKAGE', expect.stringMatching(/npm install @duckdb\/node-api@/)] })
  expect([said.exact, said.refused, sql]).toEqual([12345678901.23, true, 1])
  expect(said.ticks).toEqual([3737, 808, 39.39, true, 29795])
  const lock = ['package-lock.json', 'pnpm-lock.yaml'].map((name) => join(dir, name)).find((path) => existsSync(path))
  expect(readFileSync(String(lock), 'utf8')).not.toMatch(
    /tensorflow|tfjs|mathjs|duckdb\/node-bindings|danfojs-node|xlsx@/,
  )
}

test('npm installs it, and it loads, sorts, groups and joins', async () => {
  const { dir, env } = project('with-npm')
  await run('npm', ['install', file, '--cache', join(home, 'npm-cache')], { cwd: dir, env })
  expect(readdirSync(join(dir, 'node_modules'))).toContain('quotebook')
  await check(dir)
  const cli = await run(join(dir, 'node_modules/.bin/quotebook'), ['query', 'st', '--format', 'csv'], { cwd: dir, env })
  expect(cli.stdout.split('\n').length).toBeGreaterThan(3)
})

/** A notebook of one cell. */
function oneCell(path: string, source: string): string {
  const cell = { cell_type: 'code', execution_count: null, id: 'one', metadata: {}, outputs: [], source }
  writeFileSync(path, JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }))
  return path
}

/*
 * Needs the folder that npm has installed it into. What the kernel's lock file proves are the tarballs of npm's registry; ours
 * holds the same files in others.
 */
test('a research folder begun with it installs, and runs its notebooks and those of other folders', async () => {
  const dir = join(home, 'with-npm')
  const own = join(home, 'with-npm-home')
  const env = { ...clean, HOME: own, LC_ALL: 'C', npm_config_registry: `${registry.url}/`, npm_config_audit: 'false' }
  const cli = join(dir, 'node_modules/.bin/quotebook')
  const shown =
    "import { connect, show } from 'quotebook'\nconst market = await connect()\nshow(await market.table.st(), { rows: 2 })"
  const alone = oneCell(join(home, 'alone.ipynb'), shown)
  const early = run(cli, ['notebook', 'run', alone], { cwd: dir, env })
  await expect(early).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/tslab.*is not installed: run 'npm/),
  })

  expect((await run(cli, ['notebook', 'init', 'research'], { cwd: dir, env })).stderr).toMatch(
    /&& npm install\n.*run\n$/,
  )
  const research = join(dir, 'research')
  const lock = join(research, 'kernel/package-lock.json')
  writeFileSync(lock, readFileSync(lock, 'utf8').replace(/,\s*"integrity": "[^"]*"|"integrity": "[^"]*",/g, ''))
  const installed = await run('npm', ['install', '--cache', join(home, 'npm-cache')], { cwd: research, env })
  expect(installed.stderr).not.toContain('install scripts')

  const tsc = await run(join(research, 'node_modules/.bin/tsc'), ['--version'])
  expect(tsc.stdout).toBe(`Version ${JSON.parse(readFileSync('package.json', 'utf8')).devDependencies.typescript}\n`)
  await run('npm', ['run', 'check'], { cwd: research, env })

  const notebooks = ['notebooks/my-notebook.ipynb', 'notebooks/05-auction-ticks.ipynb', alone]
  const ran = await run('node_modules/.bin/quotebook', ['notebook', 'run', ...notebooks, '--out', 'pages'], {
    cwd: research,
    env,
  })
  expect([ran.stdout, ran.stderr]).toEqual([
    'pages/my-notebook.html\npages/05-auction-ticks.html\npages/alone.html\n',
    // On a slow machine it says how far it is.
    expect.stringMatching(/^(notebooks: .*\n)*$/),
  ])
  for (const name of ['my-notebook', '05-auction-ticks', 'alone']) {
    const page = readFileSync(join(research, 'pages', `${name}.html`), 'utf8')
    expect(page).toMatch(/<table/)
    expect(page).not.toContain(home)
  }
  const wrong = oneCell(join(home, 'wrong.ipynb'), `${shown}\nmarket.tables`)
  const failing = run('node_modules/.bin/quotebook', ['notebook', 'run', wrong], { cwd: research, env })
  const said = `quotebook: ${wrong} cell 1 line 4: type error: Property 'tables' does not exist`
  await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
})

test('pnpm installs it, and it loads, sorts, groups and joins', async () => {
  const { dir, env } = project('with-pnpm')
  const pnpm = resolve('node_modules/pnpm/bin/pnpm.cjs')
  await run(process.execPath, [pnpm, 'add', file, '--store-dir', join(home, 'store')], { cwd: dir, env })
  expect(readdirSync(join(dir, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['quotebook'])
  await check(dir)
})
