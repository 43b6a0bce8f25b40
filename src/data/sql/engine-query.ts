import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { floatColumn } from '../../frame/table/present-cells.js'
import { type ColumnData, nulls, type RecordColumns, textCells, textIn } from '../../frame/table/values.js'
import type { ScanEngine } from '../archive/store/archive-store.js'
import {
  type ClickHouseClient,
  quotedName,
  type StatementOptions,
  textLiteral,
} from '../clickhouse/clickhouse-client.js'
import { formOfType, typeOfForm } from '../clickhouse/column-types.js'
import { queryDatabase } from '../clickhouse/query-database.js'
import { ClickHouseError } from '../clickhouse/server-errors.js'
import { bareText, bindParams } from './bind-params.js'
import { memoryOf, outOfMemory } from './duckdb.js'
import { checkCounts, type EngineView } from './engine-views.js'
import { type SqlParams, unknownTable } from './run-query.js'

/** A query over an archive that lies in an engine. */
interface EngineJob {
  readonly engine: ScanEngine
  readonly text: string
  readonly views: readonly EngineView[]
  /** Tables that are handed over. */
  readonly relations: ReadonlyMap<string, RecordColumns>
  readonly known: readonly string[]
  readonly params: SqlParams | undefined
  readonly signal: AbortSignal | undefined
  readonly memory: string | number | undefined
}

/** Bytes that a query may take when nothing is said: what DuckDB has at most. */
const usual = 4 * 2 ** 30
/** Seconds that a query may take. */
const longest = 600
/** Exceptions: no such table, not in readonly mode, more than its memory, a result that is too large. */
const [unknown, writes, memoryLimit, resultLimit] = [60, 164, 241, 396]

function asSqlError(error: unknown, database: string, job: EngineJob, memory: number): unknown {
  if (!(error instanceof ClickHouseError) || error.exception === undefined) return error
  const said = messageOf(error).replaceAll(`${database}.`, '')
  if (error.exception === memoryLimit || (error.exception === resultLimit && /bytes/.test(said)))
    return outOfMemory(memory, error)
  if (error.exception === writes)
    return new QuotebookError('SQL', sentence`a query may only SELECT: ${said}`, { cause: error })
  const name = error.exception === unknown ? /Table (\S+?) doesn't exist/.exec(said)?.[1] : undefined
  if (name !== undefined) return unknownTable(name, job.known, error)
  return error.code === 'SERVICE' ? new QuotebookError('SQL', said, { cause: error }) : error
}

/** A name before a point: of a database, or of a table before its column. `system.numbers` and `one` tell nothing. */
const qualifiers =
  /(`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|\b[A-Za-z_]\w*)\s*\.\s*(?!(?:numbers|numbers_mt|one)\b)(?=[`"A-Za-z_])/g

/**
 * In what is read only the server would still end the queries of others, and read whatever database its user may.
 * @throws QuotebookError SQL for what is no select from the archive and the tables handed over
 */
async function checkSelects(server: ClickHouseClient, own: string, { text, relations, signal }: EngineJob) {
  const bare = bareText(text).trim()
  const word = /^[\s(]*(\S+)/.exec(bare)?.[1] ?? ''
  if (!/^(select|with|desc|describe|exists)\b/i.test(word)) {
    throw new QuotebookError('SQL', sentence`a query may only SELECT, not ${word.slice(0, 40)}`)
  }
  if (/\bwith\s+totals\b/i.test(bare))
    throw new QuotebookError('SQL', sentence`WITH TOTALS has no form here; ask twice`)
  const before = [...bare.matchAll(qualifiers)].map(([, name = '']) => name)
  if (before.length === 0) return
  const found = await server.columns('select name from system.databases', { signal })
  const databases = new Set(found ? textCells(found, 'name') : [])
  for (const name of before) {
    const plain = name.replace(/^[`"]|[`"]$/g, '')
    if (plain === own || relations.has(plain) || (!databases.has(plain) && !name.includes('\\'))) continue
    throw new QuotebookError(
      'SQL',
      sentence`a query reads the archive and the tables handed over, not database ${name}`,
    )
  }
}

/** One query, without what would end it early. */
function queryText({ text, params }: EngineJob): string {
  const query = text.trim().replace(/(;\s*)+$/, '')
  if (query === '') throw new QuotebookError('SQL', sentence`the text is empty`)
  return bindParams(query, params)
}

/** NaN is missing, and text is codes, as of every query. */
function plainCells(values: ColumnData): ColumnData {
  if (values.type === 'string') return textIn(values) as ColumnData
  return values.type === 'float' ? floatColumn(values.data) : values
}

function plain({ length, columns }: RecordColumns): RecordColumns {
  return { length, columns: new Map([...columns].map(([name, values]) => [name, plainCells(values)])) }
}

async function emptyResult(client: ClickHouseClient, query: string, options: StatementOptions): Promise<RecordColumns> {
  const about = await client.columns(`describe (${query}\n)`, options)
  const types = about ? textCells(about, 'type') : []
  const names = about ? textCells(about, 'name') : []
  const columns = names.map((name, at) => [name as string, nulls(formOfType(types[at] as string), 0)] as const)
  return { length: 0, columns: new Map(columns) }
}

async function makeDatabase(server: ClickHouseClient, database: string, signal: AbortSignal | undefined) {
  await server.command(`create database ${database}`, { signal }).catch((error: unknown) => {
    if (!(error instanceof ClickHouseError && error.exception === writes)) throw error
    const what = sentence`SQL makes a database for each query, such as ${database}, which this user may not`
    throw new ClickHouseError('FORBIDDEN', what, server.node, { cause: error })
  })
}

async function prepare(client: ClickHouseClient, { views, relations, signal }: EngineJob): Promise<void> {
  for (const { name, select } of views) await client.command(`create view ${quotedName(name)} as ${select}`, { signal })
  for (const [name, given] of relations) {
    const columns = plain(given)
    // An aggregate over no rows is missing then, and no 0.
    const types = new Map([...columns.columns].map(([column, { type }]) => [column, typeOfForm(type, true)]))
    const declared = [...types].map(([column, type]) => `${quotedName(column)} ${type}`).join(', ')
    await client.command(`create table ${quotedName(name)} (${declared}) engine = Memory`, { signal })
    await client.insert(name, columns, { types, signal })
  }
}

async function run(client: ClickHouseClient, job: EngineJob, query: string, memory: number): Promise<RecordColumns> {
  const settings = {
    max_memory_usage: memory,
    max_bytes_before_external_group_by: Math.floor(memory / 2),
    max_bytes_before_external_sort: Math.floor(memory / 2),
    max_result_bytes: memory,
    max_execution_time: longest,
    // A row that a join finds nothing for has nothing there, and no 0 or empty text.
    join_use_nulls: 1,
    join_default_strictness: 'ALL',
    // Last: nothing can be set after it.
    readonly: 1,
  }
  const options = { settings, signal: job.signal, queryId: client.database }
  const rows = await client.columns(query, options)
  return rows ? plain(rows) : emptyResult(client, query, options)
}

/**
 * Runs a query in the engine that holds an archive, in a database of its own that is dropped afterwards: views of the state
 * that is asked, and the tables handed over.
 * @throws QuotebookError SQL with what the server says, ARCHIVE where rows lack, TIMEOUT; the signal's reason
 */
export async function runEngineQuery(job: EngineJob): Promise<RecordColumns> {
  const { engine, signal } = job
  signal?.throwIfAborted()
  const memory = job.memory === undefined ? usual : memoryOf(job.memory)
  const query = queryText(job)
  for (const view of job.views) await checkCounts(engine, view, signal)
  const database = queryDatabase(engine.client.database)
  const server = engine.client.withDatabase('system')
  const client = engine.client.withDatabase(database)
  // The server goes on with a query whose caller has gone.
  const stop = (): void => {
    server.command(`kill query where query_id = ${textLiteral(database)} async`).catch(() => undefined)
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await checkSelects(server, engine.client.database, job)
    await makeDatabase(server, database, signal)
    await prepare(client, job)
    return await run(client, job, query, memory)
  } catch (error) {
    signal?.throwIfAborted()
    throw asSqlError(error, database, job, memory)
  } finally {
    signal?.removeEventListener('abort', stop)
    await server.command(`drop database if exists ${database}`).catch(() => undefined)
    await client.close()
    await server.close()
  }
}
