import fc from 'fast-check'
import type { Column } from '../../src/contract/column.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { dateOf, dayNumber } from '../../src/contract/date.js'

const two = (number: number): string => String(number).padStart(2, '0')
const hour = fc.integer({ min: 0, max: 23 }).map(two)
const sixtieth = fc.integer({ min: 0, max: 59 }).map(two)
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })

const code = fc.oneof(
  digits(6),
  digits(5).map((bare) => `${bare}.HK`),
  fc.tuple(digits(6), fc.constantFrom('SH', 'SZ', 'BJ')).map((parts) => parts.join('.')),
)
const date = fc.integer({ min: dayNumber('20000101'), max: dayNumber('20401231') }).map(dateOf)
const clock = fc
  .tuple(hour, sixtieth, sixtieth, fc.constantFrom('', '.000', '.123'))
  .map(([h, m, s, ms]) => `${h}:${m}:${s}${ms}`)
const moment = fc
  .tuple(date, hour, sixtieth, sixtieth)
  .map(([d, h, m, s]) => `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6)}T${h}:${m}:${s}`)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('', 'null', 'NaN', '000001', '贵州茅台', 'a,b', '"quoted"', 'two\nlines', '=1+1', '😀', '\uFEFFbom'),
)
const cents = fc.integer({ min: -(10 ** 15), max: 10 ** 15 }).map((whole) => whole / 100)
const number = fc
  .oneof(
    cents,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1.005, 12345678901.23),
  )
  .map((value) => (value === 0 ? 0 : value))
/** As JSON carries it: without -0. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => value !== null)

function present({ kind, values }: Column): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values)
  switch (kind) {
    case 'code':
      return code
    case 'date':
      return date
    case 'minute':
      return fc.tuple(hour, sixtieth).map((parts) => parts.join(''))
    case 'clock':
      return clock
    case 'moment':
      return moment
    case 'id':
      return fc.oneof(digits(19), digits(1))
    case 'label':
    case 'text':
      return text
    case 'number':
      return number
    case 'integer':
      return fc.integer()
    case 'long':
      return fc.maxSafeNat()
    case 'boolean':
      return fc.boolean()
    case 'texts':
      return fc.array(code, { maxLength: 5 })
    case 'json':
      return json
  }
}

/** Any cell that a column may hold, in the wire form. */
export function arbitraryCell(column: Column): fc.Arbitrary<unknown> {
  return column.nullable ? fc.option(present(column), { freq: 4 }) : present(column)
}

export interface RowsOptions {
  /** Columns wanted, in order; all of the wire when absent. Stored columns may be named. */
  readonly columns?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
}

/** Rows of a dataset in the wire form, in any order, unique by its key as far as the key is among the columns. */
export function arbitraryRows(dataset: Dataset, options: RowsOptions = {}): fc.Arbitrary<unknown[][]> {
  const { columns = Object.keys(dataset.columns), minLength = 0, maxLength = 12 } = options
  const cells = columns.map((name) => {
    const column = dataset.columns[name] ?? dataset.stored?.[name]
    if (!column) throw new Error(`${dataset.name} has no column ${name}`)
    return arbitraryCell(column)
  })
  const key = dataset.key.map((name) => columns.indexOf(name)).filter((at) => at >= 0)
  return fc.uniqueArray(fc.tuple(...cells), {
    minLength,
    maxLength,
    selector: (row: unknown[]) => (key.length ? JSON.stringify(key.map((at) => row[at])) : row),
  })
}
