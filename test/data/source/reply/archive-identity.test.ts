import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ArchiveIdentity,
  archiveHeader,
  commonIdentity,
  readArchiveHeader,
} from '../../../../src/data/source/reply/archive-identity.js'

const state = 'a'.repeat(64)
const hex = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 64, maxLength: 64 })
const states = hex.map((digits) => digits.map((digit) => digit.toString(16)).join(''))
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the header does not carry
const odd = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const text = (maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength }).filter((word) => !odd.test(word))
const identities: fc.Arbitrary<ArchiveIdentity> = fc.record(
  {
    name: text(40),
    state: states,
    about: text(100),
    partial: fc.uniqueArray(fc.constantFrom('news', 'st', 'hotstock'), { minLength: 1 }),
  },
  { requiredKeys: ['name', 'state'] },
)

describe('the header of the archive behind an answer', () => {
  test('is read as it was written, in ASCII that a header can carry', () => {
    fc.assert(
      fc.property(identities, (identity) => {
        const header = archiveHeader(identity)
        expect(header).toMatch(/^[\x21-\x7e]{1,4096}$/)
        expect(readArchiveHeader(header)).toEqual(identity)
      }),
    )
  })

  test('has the form that a service of another make could write', () => {
    expect(decodeURIComponent(archiveHeader({ name: 'sample', state, about: '合成' }))).toBe(
      `{"name":"sample","state":"${state}","about":"合成"}`,
    )
  })

  test('fits, however much there is to say: the warning is cut and not left out', () => {
    const read = readArchiveHeader(archiveHeader({ name: '库'.repeat(500), state, about: '合成数据。'.repeat(2000) }))
    expect(read?.state).toBe(state)
    expect(read?.about).toMatch(/^合成数据。.*…$/)
    expect(readArchiveHeader(archiveHeader({ name: '\ud800', state, about: '\udfff' }))?.name).toBe('\ufffd')
  })

  const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))
  test.each([
    undefined,
    '',
    '%',
    '%zz',
    'null',
    '[]',
    '"text"',
    encoded({}),
    encoded({ name: 'a' }),
    encoded({ state }),
    encoded({ name: '', state }),
    encoded({ name: 1, state }),
    encoded({ name: 'a\nb', state }),
    encoded({ name: 'a'.repeat(201), state }),
    encoded({ name: 'a', state: state.slice(1) }),
    encoded({ name: 'a', state: 'g'.repeat(64) }),
    encoded({ name: 'a', state, about: 7 }),
    encoded({ name: 'a', state, about: '\u001b[31m' }),
    encoded({ name: 'a', state, partial: 'st' }),
    encoded({ name: 'a', state, partial: ['a b'] }),
    encoded({ name: 'a', state, partial: [['st']] }),
    encoded({ name: 'a', state, partial: Array(101).fill('st') }),
    `${encoded({ name: 'a', state })}${'%20'.repeat(1400)}`,
  ])('%j is none', (header) => expect(readArchiveHeader(header)).toBeUndefined())
})

describe('what two replies agree on', () => {
  test('is theirs when they say the same, and only what both say when not', () => {
    fc.assert(
      fc.property(identities, identities, (one, other) => {
        expect(commonIdentity(one, one)).toEqual({ about: undefined, partial: undefined, ...one })
        const both = commonIdentity(one, other)
        expect(both.state).toBe(one.state === other.state ? one.state : undefined)
        expect(both.name).toBe(one.name === other.name ? one.name : undefined)
        for (const { about, partial } of [one, other]) {
          if (about !== undefined) expect(both.about).toContain(about)
          for (const name of partial ?? []) expect(both.partial).toContain(name)
        }
        expect(commonIdentity(both, one)).toEqual(both)
      }),
    )
  })

  test('a reply that tells nothing leaves neither name nor state, and the warning', () => {
    expect(commonIdentity({ name: 'a', state, about: 'SYNTHETIC' }, {})).toEqual({ about: 'SYNTHETIC' })
  })
})
