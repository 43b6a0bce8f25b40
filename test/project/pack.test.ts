import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localRegistry } from '../helper/registry.js'
import { tempDir } from '../helper/temp.js'

/*
 * The packed package in an empty folder, installed by npm and by pnpm without overrides or network: the registry is one
 * of ours that knows nothing but the declared dependencies.
 */

const run = promisify(execFile)
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name)))

let home: string
let file: string
let registry: Awaited<ReturnType<typeof localRegistry>>

beforeAll(async () => {
  home = tempDir()
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  const packed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  file = join(home, packed[0].filename)
  registry = await localRegistry()
})

afterAll(() => registry.close())

/** An empty project whose package manager knows our registry only. */
function project(name: string): { dir: string; env: Record<string, string | undefined> } {
  const dir = join(home, name)
  mkdirSync(dir)
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  writeFileSync(join(dir, '.npmrc'), `registry=${registry.url}/\naudit=false\nfund=false\nupdate-notifier=false\n`)
  copyFileSync('test/project/consumer.mjs', join(dir, 'consumer.mjs'))
  const own = join(home, `${name}-home`)
  return { dir, env: { ...clean, HOME: own, XDG_DATA_HOME: own, XDG_CACHE_HOME: own, XDG_STATE_HOME: own, CI: 'true' } }
}

async function check(dir: string): Promise<void> {
  const { stdout } = await run(process.execPath, ['consumer.mjs'], { cwd: dir, env: { ...clean, TZ: 'UTC' } })
  const said = JSON.parse(stdout)
  const repository = await run(process.execPath, [
    '--input-type=module',
    '-e',
    readFileSync('test/project/consumer.mjs', 'utf8'),
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

test('pnpm installs it, and it loads, sorts, groups and joins', async () => {
  const { dir, env } = project('with-pnpm')
  const pnpm = resolve('node_modules/pnpm/bin/pnpm.cjs')
  await run(process.execPath, [pnpm, 'add', file, '--store-dir', join(home, 'store')], { cwd: dir, env })
  expect(readdirSync(join(dir, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['quotebook'])
  await check(dir)
})
