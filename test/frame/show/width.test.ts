import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { padText, textWidth, truncateText } from '../../../src/frame/show/text-width.js'

interface Widths {
  readonly runs: readonly (readonly [first: number, last: number, width: number])[]
}

test('characters are as wide as Unicode says (widths.py)', () => {
  const { runs } = JSON.parse(readFileSync('test/frame/show/widths.json', 'utf8')) as Widths
  const wrong: string[] = []
  let seen = 0
  for (const [first, last, width] of runs) {
    for (let code = first; code <= last; code++, seen++) {
      if (textWidth(String.fromCodePoint(code)) !== width) wrong.push(`U+${code.toString(16)} is ${width}`)
    }
  }
  expect(wrong).toEqual([])
  expect(seen).toBeGreaterThan(30_000)
})

test.each([
  ['示例转债', 8],
  ['＊ST海润', 8],
  ['*ST海润', 7],
  ['e\u0301', 1],
  ['📈', 2],
  ['👩‍👩‍👧', 2],
  ['👍🏽', 2],
  ['🇨🇳', 2],
  ['❤️', 2],
  ['', 0],
  ['a\u200bb', 2],
] as const)('%j takes %i', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

const words = fc.string({
  unit: fc.constantFrom('a', '1', '转', 'Ａ', '…', 'e\u0301', '👍🏽', '🇨🇳', ' '),
  maxLength: 30,
})

test('what is cut fits, is whole where it fits, and breaks no character', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (text, most) => {
      const short = truncateText(text, most)
      expect(textWidth(short)).toBeLessThanOrEqual(most)
      if (textWidth(text) <= most) expect(short).toBe(text)
      else {
        expect(short.endsWith('…')).toBe(true)
        expect(text.startsWith(short.slice(0, -1))).toBe(true)
        expect(text.slice(short.length - 1)).not.toMatch(/^[\u0301\u{1f3fd}]/u)
        expect(textWidth(short)).toBeGreaterThanOrEqual(most - 1)
      }
    }),
  )
})

test('what is padded has the width asked for, on the side asked for', () => {
  expect(padText('转债', 6, false)).toBe('转债  ')
  expect(padText('转债', 6, true)).toBe('  转债')
  expect(padText('转债', 3, true)).toBe('转债')
})
