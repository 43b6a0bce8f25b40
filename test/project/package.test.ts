import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { main, root } from '../helper/cli.js'
import { tempDir, tempFile } from '../helper/temp.js'

const pack = JSON.parse(readFileSync('package.json', 'utf8'))
const lock = readFileSync('package-lock.json', 'utf8')

test('versions are exact; nothing is installed from elsewhere than the registry', () => {
  for (const [name, version] of Object.entries({ ...pack.dependencies, ...pack.devDependencies })) {
    expect(version, name).toMatch(/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-r\.\d+)?$/)
  }
  const packages: Record<string, { resolved?: string; version?: string }> = JSON.parse(lock).packages
  for (const [path, { resolved, version }] of Object.entries(packages)) {
    expect([path, resolved]).toEqual([path, undefined])
    expect(version, path).toBeTruthy()
  }
})

test('no tensor library, CDN tarball or deprecated downloader is in the tree', () => {
  for (const name of ['@tensorflow/tfjs-node', 'mathjs', 'request', 'xlsx', 'node-fetch']) {
    expect(pack.overrides['danfojs-node'][name]).toBe('npm:empty-npm-package@1.0.0')
    expect(readdirSync(`node_modules/${name}`).sort().join(), name).not.toContain('lib')
  }
})

test('importing the package loads nothing heavy, in either build', () => {
  const heavy = /echarts|parquet.wasm|duckdb|commander|cli-table3|pure-rand|undici|mute-stream|prom-client/
  const cjs = "require('./dist/cjs/index.js'); console.log(JSON.stringify(Object.keys(require.cache)))"
  const loaded = JSON.parse(execFileSync(process.execPath, ['-e', cjs], { encoding: 'utf8' })) as string[]
  expect(loaded).toContain(join(process.cwd(), 'dist/cjs/index.js'))
  expect(loaded.filter((path) => /apache-arrow/.test(path) || heavy.test(path.replace(process.cwd(), '')))).toEqual([])
  const hook = `data:text/javascript,${encodeURIComponent("import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent('export async function load(u, c, n) { process._rawDebug(u); return n(u, c) }'))")}`
  const esm = spawnSync(process.execPath, ['--import', hook, '-e', "import('./dist/esm/index.js')"], {
    encoding: 'utf8',
  })
  const urls = esm.stderr.split('\n').filter((line) => line.startsWith('file:'))
  expect(urls.length).toBeGreaterThan(50)
  expect(urls.filter((url) => heavy.test(url.replace(process.cwd(), '')) && !url.includes('/dist/esm/'))).toEqual([])
})

/** Files, outside Node, that a command loads. */
function loadedBy(...words: readonly string[]): readonly string[] {
  const list = "process.on('exit', () => process._rawDebug(JSON.stringify(Object.keys(require.cache))))"
  const hook = tempFile('list.cjs', list)
  const ran = spawnSync(process.execPath, ['--require', hook, main, ...words], { encoding: 'utf8' })
  const paths: string[] = JSON.parse(ran.stderr.trimEnd().split('\n').at(-1) ?? '')
  return paths.filter((path) => path !== hook).map((path) => relative(root, path))
}

test('a command reads the rooms that it needs and the bundles that they read, and whatever is heavy when it is wanted', () => {
  const files = (paths: readonly string[]) => paths.filter((path) => !/^dist\/cli\/(chunk|node)-/.test(path)).sort()
  const always = [relative(root, main), 'src/locale.cjs', 'src/root.cjs']
  expect(files(loadedBy('--help'))).toEqual(always)
  const query = [...always, 'dist/cli/data.cjs', 'dist/lib/parquet_wasm.cjs']
  expect(files(loadedBy('query', 'st'))).toEqual(query.sort())
  const report = [...query, 'dist/cli/research.cjs', 'dist/lib/echarts.cjs', 'dist/lib/simple-statistics.cjs']
  expect(
    files(loadedBy('report', '--days', '1', '--section', 'indices', '--out', join(tempDir(), 'report.html'))),
  ).toEqual([...report, 'src/import-module.cjs'].sort())
})

test('one source, two builds: both answer alike', () => {
  const ask =
    "const m = await q.connect(); const t = await m.load.etfMinute({ symbols: '510300' }); console.log(JSON.stringify([t.shape, t.values[0], q.checkVwap(t).counts]))"
  const esm = execFileSync(process.execPath, ['--input-type=module', '-e', `import * as q from 'quotebook'; ${ask}`], {
    encoding: 'utf8',
  })
  const cjs = execFileSync(process.execPath, ['-e', `const q = require('quotebook'); (async () => { ${ask} })()`], {
    encoding: 'utf8',
  })
  expect(esm).toBe(cjs)
  expect(JSON.parse(esm)[0]).toEqual([9, 11])
})

test('its licence is MIT', () => {
  expect(readFileSync('LICENSE', 'utf8')).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} Quotebook contributors\n/)
  expect(pack.license).toBe('MIT')
})
