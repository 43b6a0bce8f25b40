import { resolve } from 'node:path'
import { QuotebookError } from '../../contract/error.js'
import type { RecordColumns } from '../../frame/table/values.js'
import { literal, open, quoted, type Session } from './duckdb.js'
import { resultColumns } from './query-result.js'

/** Rows of a Parquet file whose text in a column lies in one of some ranges. */
interface Search {
  readonly path: string
  /** No two of the file alike but for capitals: SQL does not tell them apart. */
  readonly columns: readonly string[]
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

async function search({ engine, connection }: Session, wanted: Search): Promise<RecordColumns> {
  const { path, columns, column, ranges } = wanted
  const name = quoted(column)
  const tests = ranges.map(([from, below]) => `(${name} >= ${literal(from)} and ${name} < ${literal(below)})`)
  const names = columns.map(quoted).join(', ')
  // A directory named `price=1` would give every row this price.
  const file = `read_parquet(${literal(resolve(path))}, hive_partitioning = false)`
  const result = await connection.run(`select ${names} from ${file} where ${tests.join(' or ')}`)
  return resultColumns(result, engine, { keepNaN: true })
}

/**
 * The rows in the order of the file; undefined where DuckDB is not installed, or has another opinion of the file: then
 * somebody else has to look. One search after another.
 */
export function findRows(wanted: Search): Promise<RecordColumns | undefined> {
  const found = turn.then(async () => {
    const session = await kept()
    return session && search(session, wanted).catch(() => undefined)
  })
  turn = found.catch(() => undefined)
  return found
}
