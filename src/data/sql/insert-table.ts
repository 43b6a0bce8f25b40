import { fillArray } from '../../frame/table/fresh-array.js'
import { type ColumnData, floatsIn, type RecordColumns } from '../../frame/table/values.js'
import { type Chunk, type Connection, type Engine, quoted, type Session } from './duckdb.js'

/** Rows that DuckDB takes at a time. */
const batch = 2048

/** The schema that cells wait in until they are put together. */
const waiting = 'quotebook_cells'

/** Writes the cells of some rows into a column of a chunk. */
type Fill = (chunk: Chunk, column: number, from: number, count: number) => void

/** A column on its way in: how it waits, and how it is read from there. */
interface Way {
  readonly type: 'double' | 'integer' | 'varchar' | 'varchar[]'
  readonly fill: Fill
  readonly read: (cell: string) => string
}

/** Numbers are copied as a whole: a validity bit at a time costs more than all the rest. */
function bulk(data: Float64Array | Int32Array): Fill {
  return (chunk, column, from, count) => {
    const vector = chunk.getColumnVector(column)
    const { items } = vector
    const cells = data.subarray(from, from + count)
    if (items instanceof Float64Array || items instanceof Int32Array) items.set(cells)
    else for (let i = 0; i < count; i++) vector.setItem(i, cells[i])
    vector.flush()
  }
}

function single(cell: (row: number) => unknown): Fill {
  return (chunk, column, from, count) => {
    const vector = chunk.getColumnVector(column)
    for (let i = 0; i < count; i++) vector.setItem(i, cell(from + i))
    vector.flush()
  }
}

/** NaN is missing: DuckDB would sort it above every number and find it equal to itself. */
const known = (cell: string): string => `nullif(${cell}, 'nan'::double)`

function wayOf(values: ColumnData, engine: Engine, words: string): Way {
  switch (values.type) {
    case 'float':
      return { type: 'double', fill: bulk(values.data), read: known }
    case 'int': {
      const { data, valid } = values
      if (!valid) return { type: 'integer', fill: bulk(data), read: (cell) => cell }
      const numbers = floatsIn(values) as Float64Array
      return { type: 'double', fill: bulk(numbers), read: (cell) => `${known(cell)}::integer` }
    }
    case 'boolean': {
      const { data, valid } = values
      const bits = fillArray(new Int32Array(data.length), (row) => (valid?.[row] === 0 ? -1 : (data[row] as number)))
      return { type: 'integer', fill: bulk(bits), read: (cell) => `nullif(${cell}, -1)::boolean` }
    }
    case 'dictionary':
      return {
        type: 'integer',
        fill: bulk(values.data),
        read: (cell) => `(select spelled from ${words})[nullif(${cell}, -1) + 1]`,
      }
    case 'string':
      return { type: 'varchar', fill: single((row) => values.data[row] ?? null), read: (cell) => cell }
    case 'list':
      return {
        type: 'varchar[]',
        fill: single((row) => {
          const list = values.data[row]
          return list ? engine.listValue(list) : null
        }),
        read: (cell) => cell,
      }
  }
}

async function append(session: Session, table: string, length: number, fills: readonly Fill[]): Promise<void> {
  const appender = await session.connection.createAppender(table, waiting)
  try {
    const chunk = session.engine.DuckDBDataChunk.create(fills.map((_, column) => appender.columnType(column)))
    for (let from = 0; from < length; from += batch) {
      const count = Math.min(batch, length - from)
      chunk.reset()
      chunk.rowCount = count
      fills.forEach((fill, column) => {
        fill(chunk, column, from, count)
      })
      appender.appendDataChunk(chunk)
    }
  } finally {
    appender.closeSync()
  }
}

/** The words of a column as one list: a row then looks its word up by its code. */
async function spell(session: Session, name: string, words: readonly string[]): Promise<void> {
  const { connection } = session
  await connection.run(`create table ${waiting}.${name}_each(code integer, word varchar)`)
  const places = Int32Array.from(words, (_, code) => code)
  await append(session, `${name}_each`, words.length, [bulk(places), single((row) => words[row])])
  await connection.run(
    `create table ${waiting}.${name} as select list(word order by code) as spelled from ${waiting}.${name}_each`,
  )
}

/** Makes the place where cells wait. */
export async function openWaiting(connection: Connection): Promise<void> {
  await connection.run(`create schema ${waiting}`)
}

/** Drops it, with whatever it still holds. */
export async function closeWaiting(connection: Connection): Promise<void> {
  await connection.run(`drop schema ${waiting} cascade`)
}

/**
 * Columns as a table of DuckDB: numbers DOUBLE or INTEGER, text VARCHAR, true and false BOOLEAN, lists VARCHAR[].
 * Missing, NaN included, is NULL.
 * @param at its number among the tables of the session
 */
export async function insertTable(session: Session, name: string, columns: RecordColumns, at: number): Promise<void> {
  const { connection, engine } = session
  const ways: Way[] = []
  for (const [column, values] of [...columns.columns.values()].entries()) {
    const words = `words${at}_${column}`
    if (values.type === 'dictionary') await spell(session, words, values.dictionary)
    ways.push(wayOf(values, engine, `${waiting}.${words}`))
  }
  const cells = `cells${at}`
  await connection.run(`create table ${waiting}.${cells}(${ways.map(({ type }, i) => `c${i} ${type}`).join(', ')})`)
  await append(
    session,
    cells,
    columns.length,
    ways.map(({ fill }) => fill),
  )
  const names = [...columns.columns.keys()]
  const read = ways.map((way, i) => `${way.read(`c${i}`)} as ${quoted(names[i] as string)}`)
  await connection.run(`create table main.${quoted(name)} as select ${read.join(', ')} from ${waiting}.${cells}`)
  await connection.run(`drop table ${waiting}.${cells}`)
}
