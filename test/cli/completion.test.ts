import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { datasetNames } from '../../src/contract/catalogue.js'
import { main } from '../helper/cli.js'
import { here } from '../helper/here.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-completion-'))
writeFileSync(join(dir, 'quotebook'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
chmodSync(join(dir, 'quotebook'), 0o755)
afterAll(() => rmSync(dir, { recursive: true }))

const cases: readonly (readonly [line: string, ...words: string[]])[] = [
  ['nothing'],
  ['query ', ...datasetNames],
  ['watch st --hours ', 'session', 'always'],
  ['datasets etf', 'etf_minute'],
  ['import st '],
  ['keys ', 'add', 'list', 'revoke', 'help'],
  ['check st', 'st-list'],
  ['completion ', 'bash', 'zsh', 'fish'],
  ['query st --fo', '--format'],
  ['query st --format ', 'table', 'json', 'csv', 'parquet', 'arrow', 'xlsx'],
  ['query etf_minute symbols=510300 p', 'period='],
  ['query --format csv st sy', 'symbols='],
  ['query st symbols=1 sy'],
  ['query convertible_daily symbols=123124,', 'symbols=123124,110059.SH'],
  ['query st constructor='],
  ['check vwap per', 'period='],
  ['check st-list sy', 'symbols='],
]

test.each(cases)('quotebook %s', async (line, ...words) => {
  const { code, out, err } = await here('complete', '--', ...line.split(' '))
  const found = out.split('\n').filter((word) => word !== '')
  expect([code, found.sort(), err]).toEqual([0, words.toSorted(), ''])
})

/** Runs a shell that knows the built command. A machine may lack zsh and fish; bash is always there. */
function ran(shell: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): readonly string[] | undefined {
  if (spawnSync(shell, ['--version']).status !== 0) return undefined
  const PATH = `${dir}${delimiter}${process.env.PATH}`
  const options = { cwd: dir, env: { ...process.env, HOME: dir, PATH, ...env }, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(shell, args, options)
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

test('shells: words broken at =, a sign that bash would read, files where nothing else fits', () => {
  const script = `eval "$(quotebook completion bash)"; _quotebook; printf '%s\\n' "\${COMPREPLY[@]}"`
  const inBash = (line: string): readonly string[] | undefined =>
    ran('bash', ['--norc', '-c', script], { COMP_LINE: line, COMP_POINT: String(line.length) })
  expect(inBash('quotebook query convertible_daily symbols=123124,1')).toEqual(['123124,110059.SH'])
  expect(inBash('quotebook query hotstock type=ths\\&n')).toEqual(['ths\\&normal'])
  expect(inBash('quotebook check vwap --file ')).toEqual([])
  const fish = (line: string): readonly string[] =>
    ran('fish', ['-N', '-c', `quotebook completion fish | source; complete -C '${line}'`]) ?? ['convertible_daily']
  expect(fish('quotebook query convertible_d')).toEqual(['convertible_daily'])
  const zsh = 'autoload -U compinit; compinit -u -D; eval "$(quotebook completion zsh)"; print $_comps[quotebook]'
  expect(ran('zsh', ['-f', '-c', zsh]) ?? ['_quotebook']).toEqual(['_quotebook'])
})
