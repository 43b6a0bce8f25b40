import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromRows } from '../../src/frame/table/from-rows.js'
import { toCsv, toJson } from '../../src/frame/write-data.js'

/* Texts are written as bytes, and short decimals by their digits: what comes of it is held against JavaScript's own spelling. */

const decimal = fc
  .tuple(fc.integer({ min: -(2 ** 48), max: 2 ** 48 }), fc.nat(8))
  .map(([whole, places]) => whole / 10 ** places)
const number = fc.oneof(
  decimal,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    0,
    1e-6,
    9.99999e-7,
    1e15,
    999999999999999,
    123456789.123456,
    1e21,
    5e-324,
    0.1 + 0.2,
    1.005,
    2251799813685249.5,
  ),
)

test('a number is spelled as JavaScript spells it', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), (numbers) => {
      const rows = numbers.map((one) => (one === 0 ? 0 : one)).map((one) => ({ 一: one, name: '债' }))
      expect(toJson(fromRows(rows))).toBe(JSON.stringify(rows))
    }),
    { numRuns: 400 },
  )
})

test('texts of all lengths and letters stand between the numbers as they are', () => {
  const letter = fc.oneof(
    fc.constantFrom('a', '债', 'é', '😀', '"', ',', '\n'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  )
  const text = fc.oneof(
    fc.array(letter, { maxLength: 12 }).map((all) => all.join('')),
    fc.constant('很长'.repeat(15_000)),
  )
  const quoted = (one: string): string => (/[",\r\n]/.test(one) || one === '' ? `"${one.replaceAll('"', '""')}"` : one)
  fc.assert(
    fc.property(fc.array(fc.tuple(text, decimal), { minLength: 1, maxLength: 20 }), (pairs) => {
      const rows = pairs.map(([one, two]) => [`x${one}`, two === 0 ? 0 : two, `y${one}`])
      const written = toCsv(fromRows(rows, { columns: ['a', 'b', 'c'] }))
      const [, ...lines] = [
        `a,b,c`,
        ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? quoted(cell) : `${cell}`)).join(',')),
      ]
      expect(written === `a,b,c\n${lines.join('\n')}\n`).toBe(true)
    }),
    { numRuns: 60 },
  )
})
