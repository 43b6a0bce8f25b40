import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { bundled } from '../helper/bundle.js'
import type { Ran } from '../helper/cli.js'
import { tempDir } from '../helper/temp.js'

let program: string
beforeAll(async () => {
  program = await bundled(`
    import { Command, CommanderError } from 'commander'
    import { keysCommand } from './src/cli/command/keys-command.ts'
    const strict = (command) => {
      for (const below of command.commands) strict(below)
      return command.exitOverride()
    }
    strict(new Command('quotebook').addCommand(keysCommand())).parseAsync().catch((error) => {
      const known = error instanceof CommanderError
      if (!known) process.stderr.write('quotebook: ' + error.message + '\\n')
      process.exitCode = known ? (error.exitCode === 0 ? 0 : 2) : error.code === 'USAGE' ? 2 : 1
    })
  `)
})

function keys(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const { QUOTEBOOK_KEYS: _, ...own } = process.env
  const ran = spawnSync(process.execPath, [program, 'keys', ...args], { env: { ...own, ...env }, encoding: 'utf8' })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

const newFile = (): string => join(tempDir(), 'keys.json')

test('add gives the key alone on stdout, this once; the file holds its hash', () => {
  const file = newFile()
  const ran = keys(['add', 'alice', '--keys', file, '--plan', 'professional', '--expiry', '20991231', '--rate', '600'])
  expect([ran.code, ran.err]).toEqual([
    0,
    `added alice to ${file}: professional, good until 20991231, 600 requests a minute\nthis is the only time the key is shown; the file holds its hash\n`,
  ])
  expect(ran.out).toMatch(/^qb_[0-9a-f]{64}\n$/)
  const key = ran.out.trim()
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(key.slice(3, 20))
  const sha256 = createHash('sha256').update(key).digest('hex')
  expect(JSON.parse(text)).toMatchObject({
    format: 1,
    keys: [{ name: 'alice', sha256, plan: 'professional', expiry: '20991231', rate: 600 }],
  })
  // What the file holds of a key is what anyone would compute of it.
  const others = spawnSync('sha256sum', { input: key, encoding: 'utf8' })
  expect(others.stdout.slice(0, 64)).toBe(sha256)
})

test('list shows all but the keys; revoke takes one out', () => {
  const file = newFile()
  const env = { QUOTEBOOK_KEYS: file }
  const made = ['bob', '研究部'].map((name) => keys(['add', name], env).out.trim())
  const old = JSON.parse(readFileSync(file, 'utf8')) as { keys: object[] }
  old.keys.push({ name: 'old', sha256: 'c'.repeat(64), plan: 'free', expiry: '20200131', rate: 6, added: '20190101' })
  writeFileSync(file, JSON.stringify(old))
  const { code, out, err } = keys(['list'], env)
  expect([code, err]).toEqual([0, ''])
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  expect(lines[0]).toEqual(['name', 'plan', 'expiry', 'rate', 'added', 'state'])
  expect(lines.slice(1).map((cells) => [cells[0], cells[2], cells.at(-1)])).toEqual([
    ['bob', 'never', 'good'],
    ['old', '20200131', 'expired'],
    ['研究部', 'never', 'good'],
  ])
  const json = keys(['list', '--format', 'json'], env)
  const rows = JSON.parse(json.out) as Record<string, unknown>[]
  expect(rows[1]).toEqual({
    name: 'old',
    plan: 'free',
    expiry: '20200131',
    rate: 6,
    added: '20190101',
    state: 'expired',
  })
  expect(rows[0]).toMatchObject({ name: 'bob', expiry: null, rate: null, state: 'good' })
  expect(keys(['list', '--format', 'csv'], env).out.split('\n')[0]).toBe('name,plan,expiry,rate,added,state')
  for (const text of [out, json.out]) {
    for (const key of made) expect(text).not.toContain(key.slice(3, 12))
    for (const hash of readFileSync(file, 'utf8').match(/[0-9a-f]{64}/g) ?? [])
      expect(text).not.toContain(hash.slice(0, 12))
  }
  const revoked = keys(['revoke', 'bob'], env)
  expect([revoked.code, revoked.out]).toEqual([0, ''])
  expect(revoked.err).toContain(`revoked bob in ${file}`)
  expect(JSON.parse(keys(['list', '--format', 'json'], env).out)).toHaveLength(2)
})

test('a file that holds no keys is no error', () => {
  const file = newFile()
  keys(['add', 'alice', '--keys', file])
  keys(['revoke', 'alice', '--keys', file])
  expect(keys(['list', '--keys', file])).toEqual({ code: 0, out: '', err: `${file} holds no keys\n` })
  expect(keys(['list', '--keys', file, '--format', 'json']).out).toBe('[]\n')
})

const failures: [string, string[], number, RegExp][] = [
  ['no key file', ['list'], 2, /^quotebook: which key file\? Give --keys FILE, or set QUOTEBOOK_KEYS\n$/],
  [
    'a file that is not there',
    ['list', '--keys', 'FILE.none'],
    1,
    /^quotebook: .*FILE.none does not exist; quotebook keys add/,
  ],
  [
    'a name that is near',
    ['revoke', 'alcie', '--keys', 'FILE'],
    1,
    /^quotebook: .*has no key named alcie; did you mean alice\?\n$/,
  ],
  ['a name that is taken', ['add', 'alice', '--keys', 'FILE'], 1, /has a key named alice already; revoke it first/],
  [
    'a plan unknown',
    ['add', 'bob', '--keys', 'FILE', '--plan', 'gold'],
    2,
    /Allowed choices are free, professional, flagship/,
  ],
  ['a day that is none', ['add', 'bob', '--keys', 'FILE', '--expiry', '20260230'], 2, /It must be a date YYYYMMDD/],
  ['a day that is past', ['add', 'bob', '--keys', 'FILE', '--expiry', '20200101'], 2, /expiry 20200101 is past/],
  ['a rate of 0', ['add', 'bob', '--keys', 'FILE', '--rate', '0'], 2, /whole number of at least 1/],
  [
    'a key for a name',
    ['add', 'qb_5e1f00aa', '--keys', 'FILE'],
    2,
    /^quotebook: this is no name for a key: it takes at most 40/,
  ],
  ['a key to revoke', ['revoke', 'qb_5e1f00aa', '--keys', 'FILE'], 1, /^quotebook: this is no name of a key/],
]

test.each(failures)('%s: one clear line, nothing changed', (_, args, code, message) => {
  const file = newFile()
  keys(['add', 'alice', '--keys', file])
  const before = readFileSync(file, 'utf8')
  const ran = keys(args.map((arg) => arg.replace('FILE', file)))
  expect([ran.code, ran.out]).toEqual([code, ''])
  expect(ran.err.replaceAll(file, 'FILE')).toMatch(message)
  expect(ran.err).not.toContain('5e1f')
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(existsSync(`${file}.lock`)).toBe(false)
})
