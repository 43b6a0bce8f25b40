/* Deep: a copy of the package without DuckDB. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../helper/cli.js'
import { tempDir } from '../../helper/temp.js'

/** The package as it is installed where nobody asked for DuckDB: every other package is there. */
function installedWithoutDuckDb(): string {
  const dir = tempDir()
  for (const path of [
    'package.json',
    'src/root.cjs',
    'src/locale.cjs',
    'src/contract/locale/zh.json',
    'src/import-module.cjs',
    'src/research/report/page.css',
    'dist/cli',
  ])
    cpSync(join(root, path), join(dir, path), { recursive: true })
  for (const path of ['data', 'dist/lib', 'dist/danfo']) symlinkSync(join(root, path), join(dir, path))
  mkdirSync(join(dir, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@duckdb') symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name))
  return join(dir, 'dist/cli/quotebook.cjs')
}

test('without DuckDB no tool sql is offered, and a line says what to install', () => {
  const main = installedWithoutDuckDb()
  const check = (...more: readonly string[]) =>
    spawnSync(process.execPath, [main, 'mcp', '--check', ...more], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', QUOTEBOOK_SOURCE: 'sample' },
    })
  const { status, stdout, stderr } = check()
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    0,
    [expect.stringMatching(/^agents get no tool sql: .* npm install @duckdb\/node-api@\S+$/)],
  ])
  const names = stdout.split('\n').map((line) => line.split(' ')[0])
  expect(names).not.toContain('sql')
  expect(names).toEqual(expect.arrayContaining(['check', 'report', 'performance', 'prompt']))
  expect(stdout).not.toContain('FAILED')
  expect(check('--lang', 'zh').stderr).toMatch(
    /^智能体没有 sql 工具：.*未安装。请运行：npm install @duckdb\/node-api@\S+\n$/,
  )
})
