import { resolve } from 'node:path'
import { QuotebookError } from '../../contract/error.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../frame/table/values.js'
import { literal, open, quoted, type Session } from './duckdb.js'
import { resultColumns } from './query-result.js'

/** Rows of a Parquet file whose text in a column lies in one of some ranges. */
interface Search {
  readonly path: string
  /** No two of the file alike but for capitals: SQL does not tell them apart. */
  readonly columns: readonly string[]
  /** Those of text. */
  readonly texts?: readonly string[]
  readonly column: string
  /** From the first, below the second. */
  readonly ranges: readonly (readonly [from: string, below: string])[]
}

let session: Promise<Session> | undefined
let turn: Promise<unknown> = Promise.resolve()

/** DuckDB, kept from one search to the next; undefined where it is not installed. */
async function kept(): Promise<Session | undefined> {
  session ??= open()
  try {
    return await session
  } catch (error) {
    session = undefined
    if (error instanceof QuotebookError && error.code === 'PACKAGE') return undefined
    throw error
  }
}

/** Bytes of text that are found at most. DuckDB makes each anew, so that a file of a megabyte can unpack to gigabytes. */
const mostText = 2 ** 29

async function search({ engine, connection }: Session, wanted: Search): Promise<RecordColumns | undefined> {
  const { path, columns, texts = [], column, ranges } = wanted
  const name = quoted(column)
  const tests = ranges.map(([from, below]) => `(${name} >= ${literal(from)} and ${name} < ${literal(below)})`)
  const names = columns.map(quoted).join(', ')
  // A directory named `price=1` would give every row this price.
  const file = `read_parquet(${literal(resolve(path))}, hive_partitioning = false)`
  const found = `from ${file} where ${tests.join(' or ')}`
  const sizes = texts.map((text) => `coalesce(sum(strlen(${quoted(text)})), 0)`)
  const sum = `select cast(${['0', ...sizes].join(' + ')} as double) as size ${found}`
  const { columns: about } = await resultColumns(await connection.run(sum), engine)
  const size = cellOf(about.get('size') as ColumnData, 0)
  if (Number(size) > mostText) return undefined
  const result = await connection.run(`select ${names} ${found}`)
  return resultColumns(result, engine, { keepNaN: true })
}

/**
 * The rows in the order of the file; undefined where DuckDB is not installed, has another opinion of the file, or would need too
 * much memory: then somebody else has to look. One search after another.
 */
export function findRows(wanted: Search): Promise<RecordColumns | undefined> {
  const found = turn.then(async () => {
    const session = await kept()
    return session && search(session, wanted).catch(() => undefined)
  })
  turn = found.catch(() => undefined)
  return found
}
