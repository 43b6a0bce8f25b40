import { spawnSync } from 'node:child_process'
import {
  Field,
  Float32,
  Float64,
  Int8,
  Int64,
  makeVector,
  Schema,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toTable } from '../../../src/frame/table/arrow.js'
import { digest } from '../../../src/frame/table/digest.js'
import { floatColumn } from '../../../src/frame/table/present-cells.js'
import type { ColumnData } from '../../../src/frame/table/values.js'

type Cell = number | string | boolean | readonly string[] | null
type Kind = 'number' | 'boolean' | 'text' | 'list'
type Column = readonly [name: string, kind: Kind, cells: readonly Cell[]]

/** How a table may be put together: where it is cut, whether whole numbers are narrow, whether and how its texts are coded. */
interface Form {
  readonly cut: number
  readonly narrow: boolean
  readonly coded: boolean
  readonly backwards: boolean
}

function valuesOf([, kind, cells]: Column, { narrow, coded, backwards }: Form): ColumnData {
  const valid = Uint8Array.from(cells, (cell) => Number(cell !== null))
  if (kind === 'list') return { type: 'list', data: cells as (readonly string[] | null)[] }
  if (kind === 'boolean') return { type: 'boolean', data: Uint8Array.from(cells as number[]), valid }
  if (kind === 'number') {
    const isInt = (cell: Cell): boolean => cell === null || ((cell as number) | 0) === cell
    if (narrow && cells.every(isInt)) return { type: 'int', data: Int32Array.from(cells as number[]), valid }
    return floatColumn(Float64Array.from(cells, (cell) => (cell as number | null) ?? Number.NaN))
  }
  if (!coded) return { type: 'string', data: cells as (string | null)[] }
  const words = [...new Set(cells.filter((cell) => cell !== null))] as string[]
  if (backwards) words.reverse().push('nobody says this')
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => words.indexOf(cell as string)),
    dictionary: words,
  }
}

function tableOf(columns: readonly Column[], form: Form): Table {
  const length = columns[0]?.[2].length ?? 0
  const of = new Map(columns.map((column) => [column[0], valuesOf(column, form)]))
  const table = toTable({ length, columns: of }, {})
  const cut = form.cut % (length + 1)
  return cut === 0 ? table : table.slice(0, cut).concat(table.slice(cut))
}

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
  cut: fc.nat(20),
  narrow: fc.boolean(),
  coded: fc.boolean(),
  backwards: fc.boolean(),
})

test('it is the sha256 that Python makes of the same cells; chunks, codes and widths make no difference', () => {
  const cases = fc.sample(columns, { numRuns: 150, seed: 1 })
  const forms = fc.sample(form, { numRuns: 150, seed: 2 })
  const infinite = (cell: Cell): Cell => (cell === Infinity || cell === -Infinity ? String(cell) : cell)
  const lines = cases.map((given) => {
    const rows = given[0]?.[2].length
    return JSON.stringify({ rows, columns: given.map(([name, kind, cells]) => [name, kind, cells.map(infinite)]) })
  })
  const ran = spawnSync('python3', ['test/frame/table/digest.py'], { input: lines.join('\n'), encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  expect(ran.stdout.trim().split('\n')).toEqual(cases.map((given, i) => digest(tableOf(given, forms[i] as Form))))
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

test('numbers of any width are the same', () => {
  const of = (type: Float32 | Float64 | Int8): string =>
    digest(new Table({ x: vectorFromArray([1, -3, null, 100], type) }))
  expect([of(new Int8()), of(new Float32())]).toEqual(Array(2).fill(of(new Float64())))
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
