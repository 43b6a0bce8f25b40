import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, JsonSyntaxError, parseStrictJson } from '../../../../src/server/service/keys/strict-json.js'

/** As JSON.parse gives it; a field `__proto__` is a field. */
function plainOf(value: Json): unknown {
  if (value instanceof Map) {
    const fields = [...(value as ReadonlyMap<string, Json>)]
    return { entries: fields.map(([name, inner]): unknown => [name, plainOf(inner)]) }
  }
  return Array.isArray(value) ? value.map((part: Json) => plainOf(part)) : value
}

function entriesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entriesOf)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]): unknown => [name, entriesOf(inner)])
  // Names that are whole numbers come first in an object, wherever they stand in the text.
  return { entries: fields }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = (value as { entries: [string, unknown][] }).entries
  return { entries: entries.map(([name, inner]) => [name, sorted(inner)]).sort() }
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch {
    return 'refused'
  }
}

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, 2, '\t'), (text, indent) => {
      const spaced = JSON.stringify(JSON.parse(text), null, indent)
      expect(sorted(plainOf(parseStrictJson(spaced)))).toEqual(sorted(entriesOf(JSON.parse(spaced))))
    }),
  )
})

test('refuses what JSON.parse refuses, and of the rest only what has a field twice', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '1',
    '-0.5e3',
    '01',
    '.5',
    'true',
    'nul',
    ' ',
    '"',
  )
  const torn = fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.string({ unit: 'binary', maxLength: 2 }))
  const mutated = torn.map(([text, at, gone, more]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + more + text.slice(place + gone)
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 12 }).map((some) => some.join('')),
        mutated,
      ),
      (text) => {
        const ours = outcome(() => sorted(plainOf(parseStrictJson(text))))
        const theirs = outcome(() => sorted(entriesOf(JSON.parse(text))))
        if (ours === 'refused' && theirs !== 'refused')
          expect(() => parseStrictJson(text)).toThrow(/a field stands twice/)
        else expect(ours).toEqual(theirs)
      },
    ),
    { numRuns: 3000 },
  )
})

const faults: [string, string][] = [
  ['', 'line 1, column 1: the text ends too early'],
  ['{"a": 1,\n "a": 2}', 'line 2, column 2: a field stands twice'],
  ['{"a": 1,\n "\\u0061": 2}', 'line 2, column 2: a field stands twice'],
  ['{"a": 1,}', `line 1, column 9: a field name in "…" is expected here`],
  ['[1, 2\n 3]', `line 2, column 2: ',' or ']' is expected here`],
  ['{"a" 1}', `line 1, column 6: ':' is expected here`],
  ["{'a': 1}", `line 1, column 2: a field name in "…" is expected here`],
  ['{"a": "b\n"}', 'line 1, column 7: this text in "…" has a character that JSON does not allow'],
  ['{"a": secret}', 'line 1, column 7: a value is expected here'],
  ['{} {}', 'line 1, column 4: nothing more is expected here'],
  ['{"a": [', 'line 1, column 8: the text ends too early'],
  ['['.repeat(100_000), 'line 1, column 34: too deeply nested'],
]

test.each(faults)('%j is told by its place', (text, message) => {
  expect(() => parseStrictJson(text)).toThrow(JsonSyntaxError)
  expect(outcome(() => parseStrictJson(text))).toBe('refused')
  try {
    parseStrictJson(text)
  } catch (error) {
    expect((error as Error).message).toBe(message)
  }
})
