import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { datasetNames } from '../../src/contract/catalogue.js'
import { main, quotebook } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

/** A folder with the built command and some files, where the shells run. */
let dir: string

beforeAll(() => {
  dir = tempDir()
  mkdirSync(join(dir, 'bin'))
  writeFileSync(join(dir, 'bin/quotebook'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(dir, 'bin/quotebook'), 0o755)
  writeFileSync(join(dir, 'bonds.csv'), '')
})

/** Shells that a machine may lack; bash is always there. */
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

function ran(shell: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): readonly string[] {
  const PATH = `${join(dir, 'bin')}${delimiter}${process.env.PATH}`
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd: dir,
    env: { ...process.env, HOME: dir, PATH, ...env },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

const cases: [line: string, words: readonly string[]][] = [
  ['que', ['query']],
  ['nothing', []],
  ['query ', datasetNames],
  ['watch convertible_d', ['convertible_daily']],
  ['watch st --hours ', ['session', 'always']],
  ['datasets etf', ['etf_minute']],
  ['import st ', []],
  ['ticks f', ['fetch']],
  ['keys ', ['add', 'list', 'revoke', 'help']],
  ['check st', ['st-list']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['query st --fo', ['--format']],
  ['query st --format ', ['table', 'json', 'csv', 'parquet', 'arrow', 'xlsx']],
  ['query st --out ', []],
  ['query etf_minute symbols=510300 p', ['period=']],
  ['query etf_minute period=', ['period=15m', 'period=30m']],
  ['query --format csv st sy', ['symbols=']],
  ['query st symbols=1 sy', []],
  ['query convertible_daily symbols=123124,', ['symbols=123124,110059.SH']],
  ['query st constructor=', []],
  ['query nothing sy', []],
  ['query st --fields symbol,', ['symbol,tradedate', 'symbol,name', 'symbol,type', 'symbol,type_name']],
  ['check vwap per', ['period=']],
  ['check st-list sy', ['symbols=']],
]

test.each(cases)('quotebook %s', (line, words) => {
  const { code, out, err } = quotebook(['complete', '--', ...line.split(' ')])
  expect([
    code,
    out
      .split('\n')
      .filter((word) => word !== '')
      .toSorted(),
    err,
  ]).toEqual([0, [...words].sort(), ''])
})

test('bash: words broken at =, a sign that it would read, files where nothing else fits', () => {
  const script = `eval "$(quotebook completion bash)"; _quotebook; printf '%s\\n' "\${COMPREPLY[@]}"`
  const completed = (line: string): readonly string[] =>
    ran('bash', ['--norc', '-c', script], { COMP_LINE: line, COMP_POINT: String(line.length) })
  expect(completed('quotebook query convertible_d')).toEqual(['convertible_daily'])
  expect(completed('quotebook query convertible_daily symb')).toEqual(['symbols='])
  expect(completed('quotebook query convertible_daily symbols=123124,1')).toEqual(['123124,110059.SH'])
  expect(completed('quotebook query hotstock type=ths\\&n')).toEqual(['ths\\&normal'])
  expect(completed('quotebook query st  --format ')).toHaveLength(6)
  expect(completed('quotebook check vwap --file ')).toEqual([])
  const spec = ran('bash', ['--norc', '-c', 'eval "$(quotebook completion bash)"; complete -p quotebook'])
  expect(spec).toEqual(['complete -o default -F _quotebook quotebook'])
})

test.skipIf(!isThere('fish'))('fish completes words, and files where nothing else fits', () => {
  const completed = (line: string): readonly string[] =>
    ran('fish', ['-N', '-c', `quotebook completion fish | source; complete -C '${line}'`])
  expect(completed('quotebook query convertible_d')).toEqual(['convertible_daily'])
  expect(completed('quotebook query etf_minute period=')).toEqual(['period=15m', 'period=30m'])
  expect(completed('quotebook check vwap --file bon')).toEqual(['bonds.csv'])
})

test.skipIf(!isThere('zsh'))('zsh reads its script', () => {
  const script = 'autoload -U compinit; compinit -u -D; eval "$(quotebook completion zsh)"; print $_comps[quotebook]'
  expect(ran('zsh', ['-f', '-c', script])).toEqual(['_quotebook'])
})

test('another shell is refused, and the help says where a script goes', () => {
  const other = quotebook(['completion', 'tcsh'])
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')])
  expect(quotebook(['completion', '--help']).out).toContain('eval "$(quotebook completion bash)"')
  expect(quotebook(['--help']).out).not.toMatch(/^ +complete /m)
})
