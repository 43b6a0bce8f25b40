import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messageOf } from '../../../../src/contract/error.js'
import { formatKeys, type KeyEntry } from '../../../../src/server/service/keys/key-file.js'
import { KeyRing } from '../../../../src/server/service/keys/key-ring.js'
import { tempDir } from '../../../helper/temp.js'

const keyOf = (name: string): string => `key-of-${name}-5e1f00aa`
const entry = (name: string, more: Partial<KeyEntry> = {}): KeyEntry => ({
  name,
  sha256: createHash('sha256').update(keyOf(name)).digest('hex'),
  plan: 'flagship',
  expiry: null,
  rate: null,
  added: null,
  ...more,
})

function stage(...keys: KeyEntry[]) {
  const file = join(tempDir(), 'keys.json')
  const write = (...now: KeyEntry[]): void => writeFileSync(file, formatKeys(now))
  write(...keys)
  const state = { time: Date.parse('2026-06-30T15:59:59.999Z'), now: 5000 }
  const faults: string[] = []
  const reads: number[] = []
  const ring = new KeyRing(file, {
    time: () => state.time,
    clock: { now: () => state.now },
    onFault: ({ code, message }) => faults.push(`${code} ${message.replace(file, 'FILE')}`),
    onRead: (count) => reads.push(count),
  })
  const said = (name: string): string => {
    try {
      const caller = ring.authenticate(keyOf(name))
      if (caller instanceof Promise) return 'a limit of this process has to be asked for'
      return `${caller.name} ${caller.plan}`
    } catch (error) {
      return String(messageOf(error))
    }
  }
  return { file, write, state, faults, reads, ring, said }
}

const invalid = 'apikey is not valid'

test('what a key has used up stays used up when the file is read again; another rate begins anew', () => {
  const { said, write, state } = stage(entry('alice', { rate: 1 }), entry('bob', { rate: 1 }))
  said('alice')
  said('bob')
  write(entry('alice', { rate: 1, plan: 'free' }), entry('bob', { rate: 60 }), entry('carol'))
  state.now += 1000
  expect(said('carol')).toBe('carol flagship')
  expect(said('alice')).toContain('try again in 59 s')
  expect(said('bob')).toBe('bob flagship')
})

const breakages: [string, (file: string) => void, RegExp][] = [
  ['gone', (file) => rmSync(file), /^KEYS FILE: the key file does not exist/],
  ['cut short', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100)), /^KEYS FILE: is not JSON; /],
  [
    'a directory',
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    /^KEYS FILE: is not a file/,
  ],
  ['huge', (file) => writeFileSync(file, ' '.repeat(2_000_000)), /^KEYS FILE: is longer than 1048576 bytes/],
]

test.each(breakages)('a file that is %s opens no door and closes none, and is told once', (_, destroy, message) => {
  const { said, write, state, faults, reads, file } = stage(entry('alice', { rate: 6 }))
  destroy(file)
  for (let i = 0; i < 5; i++) {
    state.now += 10_000
    expect([said('alice'), said('bob')]).toEqual(['alice flagship', invalid])
  }
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(message)
  expect(faults[0]).toContain('the keys read before stay in force, also those that were to be revoked')
  expect(reads).toEqual([])
  rmSync(file, { recursive: true, force: true })
  write(entry('bob'))
  state.now += 1000
  expect([said('alice'), said('bob'), reads]).toEqual([invalid, 'bob flagship', [1]])
  destroy(file)
  state.now += 1000
  said('bob')
  expect(faults).toHaveLength(2)
})
