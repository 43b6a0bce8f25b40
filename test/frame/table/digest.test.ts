import { spawnSync } from 'node:child_process'
import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Schema,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digest } from '../../../src/frame/table/digest.js'

type Cell = number | string | boolean | readonly string[] | null
type Kind = 'number' | 'boolean' | 'text' | 'list'
type Column = readonly [name: string, kind: Kind, cells: readonly Cell[]]

/** How a table may be put together: where its chunks end, how wide its numbers are, whether and how its texts are coded. */
interface Form {
  readonly cuts: readonly number[]
  readonly narrow: boolean
  readonly coded: boolean
  readonly backwards: boolean
}

function numberType(cells: readonly Cell[], narrow: boolean): DataType {
  const given = cells.filter((cell): cell is number => cell !== null)
  if (!narrow) return new Float64()
  if (given.every((cell) => Number.isInteger(cell) && Math.abs(cell) < 128 && !Object.is(cell, -0))) return new Int8()
  if (given.every((cell) => (cell | 0) === cell && !Object.is(cell, -0))) return new Int32()
  return given.every((cell) => Math.fround(cell) === cell) ? new Float32() : new Float64()
}

function codedVector(cells: readonly Cell[], backwards: boolean): Vector {
  const words = [...new Set(cells.filter((cell) => cell !== null))] as string[]
  if (backwards) words.reverse().push('nobody says this')
  const nullBitmap = new Uint8Array(Math.ceil(cells.length / 8))
  cells.forEach((cell, i) => {
    if (cell !== null) nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7))
  })
  return makeVector(
    makeData({
      type: new Dictionary(new Utf8(), new Int32()),
      length: cells.length,
      nullCount: cells.filter((cell) => cell === null).length,
      nullBitmap,
      data: Int32Array.from(cells, (cell) => (cell === null ? 0 : words.indexOf(cell as string))),
      dictionary: vectorFromArray(words, new Utf8()),
    }),
  )
}

function vectorOf([, kind, cells]: Column, { cuts, narrow, coded, backwards }: Form): Vector {
  const ends = [...new Set([...cuts.map((cut) => cut % (cells.length + 1)), cells.length])].sort((a, b) => a - b)
  const chunks = ends
    .map((end, i) => cells.slice(ends[i - 1] ?? 0, end))
    .filter(({ length }, i) => length > 0 || i === 0)
  const types = {
    number: () => numberType(cells, narrow),
    boolean: () => new Bool(),
    text: () => new Utf8(),
    list: () => new List(new Field('item', new Utf8())),
  }
  const type = types[kind]()
  const one = (part: readonly Cell[]): Vector =>
    kind === 'text' && coded ? codedVector(part, backwards) : vectorFromArray(part as never, type)
  return new Vector(chunks.flatMap((part) => [...one(part).data]))
}

const tableOf = (columns: readonly Column[], form: Form): Table =>
  new Table(Object.fromEntries(columns.map((column) => [column[0], vectorOf(column, form)])) as never)

const text = fc.oneof(
  fc.constantFrom('', '600519', 'ST', '集合竞价', '\u0000', '\ud83d\ude00', 'a'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const number = fc.oneof(
  fc.integer({ min: -130, max: 130 }),
  fc.integer(),
  fc.constantFrom(-0, 0.1, 1.5, 2 ** 53, 5e-324),
  fc.double({ noNaN: true }),
)
const cellsOf: Readonly<Record<Kind, fc.Arbitrary<Cell>>> = {
  number,
  boolean: fc.boolean(),
  text,
  list: fc.array(text, { maxLength: 3 }),
}
const columns = fc.integer({ min: 0, max: 12 }).chain((rows) =>
  fc.uniqueArray(
    fc.constantFrom<Kind>('number', 'boolean', 'text', 'list').chain((kind) =>
      fc.tuple(
        fc.string({ minLength: 1, maxLength: 3 }).filter((name) => name !== '__proto__' && !/^\d/.test(name)),
        fc.constant(kind),
        fc.array(fc.option(cellsOf[kind], { freq: 4 }), { minLength: rows, maxLength: rows }),
      ),
    ),
    { minLength: 1, maxLength: 4, selector: ([name]) => name },
  ),
) as fc.Arbitrary<readonly Column[]>
const form: fc.Arbitrary<Form> = fc.record({
  cuts: fc.array(fc.nat(20), { maxLength: 4 }),
  narrow: fc.boolean(),
  coded: fc.boolean(),
  backwards: fc.boolean(),
})
const plain: Form = { cuts: [], narrow: false, coded: false, backwards: false }

test('chunks, codes and widths make no difference', () => {
  fc.assert(
    fc.property(columns, form, form, (given, one, other) => {
      expect(digest(tableOf(given, one))).toBe(digest(tableOf(given, other)))
    }),
    { numRuns: 150 },
  )
})

test('it is the sha256 that Python makes of the same cells', () => {
  const cases = fc.sample(columns, { numRuns: 150, seed: 1 })
  const infinite = (cell: Cell): Cell => (cell === Infinity || cell === -Infinity ? String(cell) : cell)
  const lines = cases.map((given) => {
    const rows = given[0]?.[2].length
    return JSON.stringify({ rows, columns: given.map(([name, kind, cells]) => [name, kind, cells.map(infinite)]) })
  })
  const ran = spawnSync('python3', ['test/frame/table/digest.py'], { input: lines.join('\n'), encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  expect(ran.stdout.trim().split('\n')).toEqual(cases.map((given) => digest(tableOf(given, plain))))
})

test('a missing number is NaN whatever lies below it, and -0 is 0', () => {
  const of = (values: Float64Array): string => digest(new Table({ x: makeVector(values) }))
  const bits = (high: number, low: number): number => new Float64Array(Uint32Array.of(low, high).buffer)[0] as number
  const other = new Float64Array(Uint32Array.of(1, 0xfff80000, 0, 0).buffer)
  expect(Number.isNaN(bits(0xfff80000, 1))).toBe(true)
  expect(of(other)).toBe(of(Float64Array.of(Number.NaN, 0)))
  expect(of(Float64Array.of(Number.NaN, -0))).toBe(of(Float64Array.of(Number.NaN, 0)))
  const nothing = new Table({ x: vectorFromArray([null, 0], new Float64()) })
  expect(digest(nothing)).toBe(of(other))
  expect(digest(new Table({ x: vectorFromArray([null, 0n], new Int64()) }))).toBe(of(other))
})

test('JSON is the same with blanks and without', () => {
  const field = new Field('j', new Utf8(), true, new Map([['kind', 'json']]))
  const of = (json: string): string => {
    const { data } = vectorFromArray([json, null], new Utf8())
    return digest(new Table(new Schema([field]), { j: new Vector(data) } as never))
  }
  expect(of('{ "a": [1, 2] }')).toBe(of('{"a":[1,2]}'))
  expect(of('{"a":[1,2]}')).not.toBe(of('{"a":[1,3]}'))
  expect(() => of('{')).toThrow("column 'j', row 1: { is not JSON")
})
