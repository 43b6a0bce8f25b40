import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, parseStrictJson } from '../../../../src/server/service/keys/strict-json.js'

const fail = (what: string): never => {
  throw new Error(what)
}

function plainOf(value: Json): unknown {
  if (value instanceof Map) {
    const fields = [...(value as ReadonlyMap<string, Json>)]
    return Object.fromEntries(fields.map(([name, inner]): unknown[] => [name, plainOf(inner)]))
  }
  return Array.isArray(value) ? value.map((part: Json) => plainOf(part)) : value
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    return String((error as Error).message).includes('a field stands twice') ? 'twice' : 'refused'
  }
}

test('reads what JSON.parse reads, and refuses what it refuses, and what has a field twice', () => {
  const torn = fc.tuple(
    fc.json({ maxDepth: 3 }),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '{', ']', ':', '0'),
  )
  const texts = torn.map(([text, at, gone, more]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + more + text.slice(place + gone)
  })
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 5 }), texts), (text) => {
      const ours = outcome(() => plainOf(parseStrictJson(text, fail)))
      if (ours !== 'twice') expect(ours).toEqual(outcome(() => JSON.parse(text)))
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['', 'line 1, column 1: the text ends too early'],
  ['{"a": 1,\n "\\u0061": 2}', 'line 2, column 2: a field stands twice'],
  ['{"a": 1,}', `line 1, column 9: a field name in "…" is expected here`],
  ['[1, 2\n 3]', `line 2, column 2: ',' or ']' is expected here`],
  ['{"a" 1}', `line 1, column 6: ':' is expected here`],
  ['{"a": "b\n"}', 'line 1, column 7: this text in "…" has a character that JSON does not allow'],
  ['{"a": secret}', 'line 1, column 7: a value is expected here'],
  ['{} {}', 'line 1, column 4: nothing more is expected here'],
  ['['.repeat(100_000), 'line 1, column 34: too deeply nested'],
])('%j is told by its place', (text, message) => {
  expect(() => parseStrictJson(text, fail)).toThrow(new Error(message))
})
