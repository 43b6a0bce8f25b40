import fc from 'fast-check'
import { join, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { names, plain, positive, type Row, rows, tableOf } from '../helper/rows.js'

function slowJoin(left: readonly Row[], right: readonly Row[], keys: readonly string[], how: string): Row[] {
  const rest = names.filter((name) => !keys.includes(name))
  const equal = (a: Row, b: Row): boolean => keys.every((name) => a[name] !== null && a[name] === b[name])
  const beside = (a: Row | undefined, b: Row | undefined): Row => ({
    ...Object.fromEntries(names.map((name) => [name, a?.[name] ?? (keys.includes(name) ? b?.[name] : null) ?? null])),
    ...Object.fromEntries(rest.map((name) => [`${name}_right`, b?.[name] ?? null])),
  })
  const out = left.flatMap((a) => {
    const partners = right.filter((b) => equal(a, b))
    return partners.length === 0 && how !== 'inner' ? [beside(a, undefined)] : partners.map((b) => beside(a, b))
  })
  const lonely = right.filter((b) => !left.some((a) => equal(a, b)))
  return how === 'outer' ? [...out, ...lonely.map((b) => beside(undefined, b))] : out
}

test('join is the slow comparison of all pairs', () => {
  const on = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  const how = fc.constantFrom('left', 'inner', 'outer' as const)
  fc.assert(
    fc.property(rows(), rows(), on, how, (left, right, keys, which) => {
      const found = join(tableOf(left), tableOf(right), { on: keys, how: which })
      expect(plain(found)).toEqual(positive(slowJoin(left, right, keys, which)))
    }),
    { numRuns: 60 },
  )
})

test('keys of other names, whole numbers beside doubles, dictionaries beside text', () => {
  const left = tableOf([
    { x: 1, name: 'a' },
    { x: 2.5, name: 'b' },
  ])
  const right = tableOf([
    { i: 1, code: 'a' },
    { i: 7, code: 'b' },
  ])
  expect(plain(join(left, right, { on: { x: 'i' }, suffix: '2' })).map(({ x, code2 }) => [x, code2])).toEqual([
    [1, 'a'],
    [2.5, null],
  ])
  const outer = join(left, right, { on: { x: 'i', name: 'code' }, how: 'outer' })
  expect(plain(outer).map(({ x, name }) => [x, name])).toEqual([
    [1, 'a'],
    [2.5, 'b'],
    [7, 'b'],
  ])
  expect(outer.schema.names).toEqual(['code', 'name', 'x', 'i', 'flag', 'name_right', 'x_right', 'flag_right'])
})

test("'000001' is no number", () => {
  const [left, right] = [tableOf([{ code: '000001' }]), tableOf([{ i: 1 }])]
  expect(() => join(left, right, { on: { code: 'i' } })).toThrow(
    "key 'code' holds text and key 'i' of the right numbers, which are never equal; text read as numbers loses its zeros",
  )
})

test('`validate` names the rows, and other refusals', () => {
  const [left, right] = [
    tableOf([{ code: 'b' }, { code: 'a' }]),
    tableOf([{ code: 'a' }, { code: 'b' }, { code: 'a' }]),
  ]
  expect(() => join(left, right, { on: 'code', validate: 'many to one' })).toThrow(
    'rows 1 and 3 of the right share the keys code with row 2 of the left',
  )
  expect(join(tableOf([{ code: 'b' }]), right, { on: 'code', validate: 'many to one' }).numRows).toBe(1)
  expect(() => join(left, right, { on: 'code', how: 'right' as never })).toThrow('how must be left, inner or outer')
  expect(() => join(left, right, { on: 'code', suffix: '' })).toThrow("two columns would be named 'name'")
  // @ts-expect-error a typo
  expect(() => join(left, right, { on: 'cod' })).toThrow("no column 'cod'")
})

test('the result has the form of the left', () => {
  const [left, right] = [tableOf([{ code: '000001', x: 1 }]), tableOf([{ code: '000001', x: 2 }])]
  const frame = join(toDataFrame(left), right, { on: 'code' })
  expect(frame.x_right.values).toEqual([2])
  expect(join(left, toDataFrame(right), { on: 'code' }).getChild('x_right')?.get(0)).toBe(2)
})
