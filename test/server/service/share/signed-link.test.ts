import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShareLinks } from '../../../../src/server/service/share/signed-link.js'

const secret = Buffer.alloc(32, 7)
const window = { from: '20260101', to: '20261231' }
const time = Date.parse('2026-07-29T04:00:00Z')

test('callers, days and times have links of their own; another secret knows none of them', () => {
  const links = new ShareLinks(secret, 7200)
  const made = [
    links.issue('alice', window, time),
    links.issue('bob', window, time),
    links.issue('alice', { ...window, from: '20260102' }, time),
    links.issue('alice', window, time + 7_200_000),
  ]
  expect(new Set(made.map(({ token }) => token)).size).toBe(4)
  expect(new Set(made.map(({ password }) => password)).size).toBe(4)
  for (const { token } of made) expect(new ShareLinks(Buffer.alloc(32, 8), 7200).read(token)).toBeUndefined()
})

test('property: whoever asks gets more than half of a lifetime, and the same link while that holds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 100_000 }), fc.integer({ min: 0, max: 4e12 }), (lifetime, at) => {
      const links = new ShareLinks(secret, lifetime)
      const { expires, token } = links.issue('a', window, at)
      const left = expires - at / 1000
      const half = Math.floor(lifetime / 2)
      expect(left).toBeGreaterThan(half)
      expect(left).toBeLessThanOrEqual(2 * half)
      expect(links.issue('a', window, (expires - half) * 1000 - 1).token).toBe(token)
      expect(links.issue('a', window, (expires - half) * 1000).token).not.toBe(token)
    }),
  )
})

test('property: no other text is a link', () => {
  const links = new ShareLinks(secret, 7200)
  const { token } = links.issue('alice', window, time)
  const letters = 'ABCabc012-_'
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...letters), (at, letter) => {
      const other = token.slice(0, at) + letter + token.slice(at + 1)
      expect(links.read(other) === undefined).toBe(other !== token)
    }),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => links.read(text) === undefined))
  expect(links.read(token.replace('20261231', '20271231'))).toBeUndefined()
  expect(links.read(`${token}A`)).toBeUndefined()
  expect(links.read('')).toBeUndefined()
})
