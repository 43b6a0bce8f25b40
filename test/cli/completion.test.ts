import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '../helper/cli.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-completion-'))
writeFileSync(join(dir, 'quotebook'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
chmodSync(join(dir, 'quotebook'), 0o755)
afterAll(() => rmSync(dir, { recursive: true }))

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
