import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'

const dir = mkdtempSync(join(tmpdir(), 'quotebook-keys-'))
const file = join(dir, 'keys.json')
beforeAll(async () => {
  await here('keys', 'add', 'alice', '--keys', file, '--expiry', '20991231')
  await here('keys', 'add', '研究部', '--keys', file)
})
afterAll(() => rmSync(dir, { recursive: true }))

test.each<[args: string, code: number, said: string]>([
  ['list', 2, 'quotebook: which key file? Give --keys FILE, or set QUOTEBOOK_KEYS\n'],
  ['list --keys FILE.none', 1, 'FILE.none does not exist; quotebook keys add'],
  ['add alice --keys FILE', 1, 'has a key named alice already; revoke it first'],
  ['add bob --keys FILE --plan gold', 2, 'Allowed choices are free, professional, flagship'],
  ['add bob --keys FILE --expiry 20260230', 2, 'It must be a date YYYYMMDD'],
  ['add bob --keys FILE --expiry 20200101', 2, 'expiry 20200101 is past'],
  ['add bob --keys FILE --rate 0', 2, 'whole number of at least 1'],
  ['add qb_5e1f00aa --keys FILE', 2, 'quotebook: this is no name for a key: it takes at most 40'],
  ['revoke qb_5e1f00aa --keys FILE', 1, 'quotebook: this is no name of a key'],
])('keys %s: one clear line, nothing changed', async (args, code, said) => {
  const before = readFileSync(file, 'utf8')
  const ran = await here('keys', ...args.split(' ').map((word) => word.replace('FILE', file)))
  expect([ran.code, ran.out, ran.err.replaceAll(file, 'FILE')]).toEqual([code, '', expect.stringContaining(said)])
  expect(ran.err).not.toContain('5e1f')
  expect([readFileSync(file, 'utf8'), existsSync(`${file}.lock`)]).toEqual([before, false])
})
