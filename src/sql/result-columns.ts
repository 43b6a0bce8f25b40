import { messageOf, QuotebookError } from '../contract/error.js'
import type { ColumnData, RecordColumns } from '../table/values.js'
import { dayOf, decimalOf, InexactCellError, jsonOf, momentOf, timeOf, wholeOf, zonedOf } from './convert-cell.js'
import type { Chunk, Engine, Result, Type, Vector } from './duckdb.js'
import { WordCache } from './word-cache.js'

/** Takes the cells of one column, chunk by chunk. */
interface Taker {
  take(vector: Vector, from: number, count: number): void
  values(): ColumnData
}

/** Whether an item of a vector is missing. Bits are read eight at a time where they can be seen. */
function missing(vector: Vector): (item: number) => boolean {
  const { validity } = vector
  if (!validity) return (item) => vector.getItem(item) === null
  const { data } = validity
  if (data === null) return () => false
  if (data instanceof BigUint64Array) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    return (item) => (((bytes[item >> 3] as number) >> (item & 7)) & 1) === 0
  }
  return (item) => !validity.itemValid(item)
}

function floats(length: number, numberOf: (value: unknown) => number, keepNaN: boolean): Taker {
  const data = new Float64Array(length)
  const valid = new Uint8Array(length)
  let whole = true
  return {
    take(vector, from, count) {
      const isMissing = missing(vector)
      const items = vector.items instanceof Float64Array ? vector.items : undefined
      for (let i = 0; i < count; i++) {
        const isNull = isMissing(i)
        const number = isNull ? Number.NaN : items ? (items[i] as number) : numberOf(vector.getItem(i))
        data[from + i] = number
        if (isNull || (!keepNaN && Number.isNaN(number))) whole = false
        else valid[from + i] = 1
      }
    },
    values: () => ({ type: 'float', data, valid: whole ? null : valid }),
  }
}

function ints(length: number): Taker {
  const data = new Int32Array(length)
  const valid = new Uint8Array(length)
  let whole = true
  return {
    take(vector, from, count) {
      const isMissing = missing(vector)
      const items = vector.items instanceof Int32Array ? vector.items : undefined
      for (let i = 0; i < count; i++) {
        if (isMissing(i)) {
          whole = false
          continue
        }
        data[from + i] = items ? (items[i] as number) : (vector.getItem(i) as number)
        valid[from + i] = 1
      }
    },
    values: () => ({ type: 'int', data, valid: whole ? null : valid }),
  }
}

function flags(length: number): Taker {
  const data = new Uint8Array(length)
  const valid = new Uint8Array(length)
  let whole = true
  return {
    take(vector, from, count) {
      for (let i = 0; i < count; i++) {
        const cell = vector.getItem(i)
        if (cell === null) whole = false
        else {
          valid[from + i] = 1
          data[from + i] = cell === true ? 1 : 0
        }
      }
    },
    values: () => ({ type: 'boolean', data, valid: whole ? null : valid }),
  }
}

function words(length: number, textOf: (value: unknown) => string, seen?: WordCache): Taker {
  const data = new Int32Array(length).fill(-1)
  const list: string[] = []
  const codeOf = new Map<string, number>()
  const spelled = (text: string): number => {
    let code = codeOf.get(text)
    if (code === undefined) {
      code = list.push(text) - 1
      codeOf.set(text, code)
    }
    return code
  }
  return {
    take(vector, from, count) {
      const isMissing = missing(vector)
      for (let i = 0; i < count; i++) {
        if (isMissing(i)) continue
        let code = seen?.codeAt(vector, i)
        if (code === undefined) {
          code = spelled(textOf(vector.getItem(i)))
          seen?.keep(code)
        }
        data[from + i] = code
      }
    },
    values: () => ({ type: 'dictionary', data, dictionary: list }),
  }
}

function listOf(value: unknown): readonly string[] {
  const { items } = value as { readonly items: readonly (string | null)[] }
  if (items.includes(null)) throw new InexactCellError('a list of text may hold no NULL; leave it out with list_filter')
  return items as readonly string[]
}

function lists(length: number): Taker {
  const data = new Array<readonly string[] | null>(length).fill(null)
  return {
    take(vector, from, count) {
      for (let i = 0; i < count; i++) {
        const cell = vector.getItem(i)
        if (cell !== null) data[from + i] = listOf(cell)
      }
    },
    values: () => ({ type: 'list', data }),
  }
}

interface TakeOptions {
  /** NaN stays a number; missing when absent. */
  readonly keepNaN?: boolean
}

function takerOf(
  typeId: number,
  type: Type,
  length: number,
  { DuckDBTypeId: is }: Engine,
  { keepNaN = false }: TakeOptions,
): Taker | undefined {
  switch (typeId) {
    case is.DOUBLE:
    case is.FLOAT:
    case is.UINTEGER:
    case is.BIGINT:
    case is.UBIGINT:
    case is.HUGEINT:
    case is.UHUGEINT:
      return floats(length, wholeOf, keepNaN)
    case is.DECIMAL:
      return floats(length, decimalOf, keepNaN)
    case is.TINYINT:
    case is.SMALLINT:
    case is.INTEGER:
    case is.UTINYINT:
    case is.USMALLINT:
    case is.SQLNULL:
      return ints(length)
    case is.BOOLEAN:
      return flags(length)
    case is.VARCHAR:
      return words(length, String, new WordCache())
    case is.UUID:
      return words(length, String)
    case is.DATE:
      return words(length, dayOf)
    case is.TIME:
      return words(length, timeOf)
    case is.TIMESTAMP:
    case is.TIMESTAMP_S:
    case is.TIMESTAMP_MS:
    case is.TIMESTAMP_NS:
      return words(length, momentOf)
    case is.TIMESTAMP_TZ:
      return words(length, zonedOf)
    case is.LIST:
      return String(type) === 'VARCHAR[]' ? lists(length) : words(length, jsonOf)
    case is.ARRAY:
    case is.STRUCT:
    case is.MAP:
      return words(length, jsonOf)
    default:
      return undefined
  }
}

/** The names of a result; two columns of one name would hide each other. */
function namesOf(result: Result): string[] {
  const names = Array.from({ length: result.columnCount }, (_, column) => result.columnName(column))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return names
  throw new QuotebookError('SQL', `the result has two columns '${twice}'; give one another name: … as ${twice}_2`)
}

/**
 * A result as columns in memory, of the chunks that were fetched of it or of all that it holds.
 * @throws QuotebookError SQL for two columns of one name, a type that has no form here, and a number or date that can
 * not be told exactly: the message says which cast would
 */
export function resultColumns(
  result: Result,
  engine: Engine,
  options: TakeOptions = {},
  chunks: readonly Chunk[] = Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i)),
): RecordColumns {
  const names = namesOf(result)
  const length = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0)
  const of = new Map<string, ColumnData>()
  for (const [column, name] of names.entries()) {
    const type = result.columnType(column)
    const taker = takerOf(result.columnTypeId(column), type, length, engine, options)
    if (!taker) {
      const kind = String(type).split('(')[0]
      throw new QuotebookError('SQL', `column '${name}' is of type ${kind}; cast it to text or a number: ::varchar`)
    }
    let from = 0
    for (const chunk of chunks) {
      try {
        taker.take(chunk.getColumnVector(column), from, chunk.rowCount)
      } catch (cause) {
        if (!(cause instanceof InexactCellError)) throw cause
        throw new QuotebookError('SQL', `column '${name}': ${messageOf(cause)}`, { cause })
      }
      from += chunk.rowCount
    }
    of.set(name, taker.values())
  }
  return { length, columns: of }
}
