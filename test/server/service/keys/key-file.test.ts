import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beijingDay } from '../../../../src/contract/date.js'
import { plans } from '../../../../src/server/service/authenticator.js'
import { formatKeys, isKeyName, type KeyEntry, parseKeys } from '../../../../src/server/service/keys/key-file.js'

const key = 'qb_5e1f00aa5e1f00aa5e1f00aa5e1f00aa5e1f00aa5e1f00aa5e1f00aa5e1f00aa'
const sha256 = createHash('sha256').update(key).digest('hex')
const good = { name: 'alice', sha256, plan: 'professional', expiry: '20270630', rate: 600, added: '20260101' }
const other = { ...good, name: 'bob', sha256: 'b'.repeat(64) }

const file = (...keys: unknown[]): string => JSON.stringify({ format: 1, keys })
const messageOf = (text: string): string => {
  try {
    parseKeys(text, 'keys.json')
  } catch (error) {
    expect((error as { code?: string }).code).toBe('KEYS')
    expect((error as Error).cause).toBeUndefined()
    return (error as Error).message
  }
  return 'read'
}

const day = fc.integer({ min: 0, max: 60_000 }).map((n) => beijingDay(n * 86_400_000))
const entry: fc.Arbitrary<KeyEntry> = fc.record({
  name: fc.stringMatching(/^[a-zA-Z0-9研究][a-zA-Z0-9._@+-]{0,18}$/).filter(isKeyName),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  plan: fc.constantFrom(...plans),
  expiry: fc.option(day),
  rate: fc.option(fc.integer({ min: 1 })),
  added: fc.option(day),
})
const entries = fc
  .uniqueArray(entry, { selector: ({ name }) => name })
  .filter((keys) => new Set(keys.map((one) => one.sha256)).size === keys.length)

test('what is written is read, sorted by name, and is the same bytes whatever the order', () => {
  fc.assert(
    fc.property(entries, (keys) => {
      const text = formatKeys(keys)
      const read = parseKeys(text, 'keys.json')
      expect(read).toEqual([...keys].sort((a, b) => (a.name < b.name ? -1 : 1)))
      expect(formatKeys([...keys].reverse())).toBe(text)
    }),
  )
})

const wrong = (change: object): string => file(good, { ...other, ...change })
const { expiry: _, ...noExpiry } = other
const faults: [string, string, RegExp][] = [
  ['no JSON', '{"format":1,"keys":[', /is not JSON$/],
  ['an empty file', '', /is not JSON$/],
  ['a slip in a name', '{"format":1,"kyes":[],"keys":[]}', /its field number 2 is unknown; did you mean 'keys'\?/],
  [
    'a field unknown',
    wrong({ exipry: null }),
    /entry 2 \(bob\): its field number 7 is unknown; did you mean 'expiry'\?/,
  ],
  ['the key for a field', wrong({ [key]: 1 }), /entry 2 \(bob\): its field number 7 is unknown; there are: name,/],
  ['the key for a name', wrong({ name: key }), /entry 2, field name: it must be at most 40/],
  ['the key for its hash', wrong({ sha256: key }), /entry 2 \(bob\), field sha256: it must be the sha256 of the key/],
  ['a plan unknown', wrong({ plan: 'gold' }), /entry 2 \(bob\), field plan: it must be one of "free", "professional"/],
  ['no expiry', file(good, noExpiry), /entry 2 \(bob\), field expiry: it is missing/],
  ['a day that is none', wrong({ expiry: '20260230' }), /entry 2 \(bob\), field expiry: it must be a date "YYYYMMDD"/],
  ['a rate of 0', wrong({ rate: 0 }), /entry 2 \(bob\), field rate: it must be a whole number/],
  ['a name twice', wrong({ name: 'alice' }), /entry 2 \(alice\), field name: it is that of entry 1 too/],
  ['a key twice', wrong({ sha256 }), /entry 2 \(bob\), field sha256: it is that of entry 1 too/],
  ['an expiry twice', file(good).replace('"rate"', '"expiry":null,"rate"'), /a field stands twice/],
]

test.each(faults)('%s is refused by file, entry and field, and no key is repeated', (_, text, message) => {
  const said = messageOf(text)
  expect(said).toMatch(message)
  expect(said).toMatch(/^keys\.json: /)
  for (const secret of [key, sha256, 'qb_5e1f', '8c6976e5', 'b'.repeat(16)]) expect(said).not.toContain(secret)
})

test('wherever a key is put into a file by mistake, no fault repeats a piece of it', () => {
  const whole = JSON.stringify({ format: 1, keys: [good, other] }, null, 2)
  const pieces = Array.from({ length: key.length - 7 }, (_, i) => key.slice(i, i + 8))
  let refused = 0
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(40), fc.constantFrom('', '"', "'"), (at, gone, quote) => {
      const text = whole.slice(0, at) + quote + key + quote + whole.slice(at + gone)
      const said = messageOf(text)
      if (said !== 'read') refused++
      expect(pieces.filter((piece) => said.includes(piece))).toEqual([])
    }),
    { numRuns: 500 },
  )
  expect(refused).toBeGreaterThan(375)
})

test('names of people and desks are names; keys are not', () => {
  for (const name of [
    'alice',
    '研究部',
    'desk 3',
    'cron.nightly',
    'a@b.example',
    'research-desk-shanghai-2026',
    '王五-notebook',
  ])
    expect(isKeyName(name), name).toBe(true)
  const secrets = ['0f8fad5b-d9cb-469f-a165-70867728950e', 'sk-proj-abcDEF1234567890abcdef', 'QB_short', 'x'.repeat(41)]
  for (const name of [...secrets, key, sha256, ' a', 'a ', 'a  b', 'a\tb', 'a\u202Eb', '-rf', '../x', 'a/b', '<b>'])
    expect(isKeyName(name), name).toBe(false)
})
