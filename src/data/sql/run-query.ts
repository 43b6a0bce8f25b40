import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { type RecordColumns, textCells } from '../../frame/table/values.js'
import {
  type Chunk,
  type Connection,
  type Engine,
  lock,
  memoryOf,
  open,
  outOfMemory,
  type Prepared,
  type Result,
  type Session,
  type Type,
} from './duckdb.js'
import { closeWaiting, insertTable, openWaiting } from './insert-table.js'
import { missingTest, resultColumns } from './query-result.js'

/** A value of a query: a list of text for `= any($codes)`; null and NaN are missing. */
export type SqlParam = string | number | boolean | null | readonly string[]

/** By place (`$1`, `?`) or by name (`$from`). */
export type SqlParams = readonly SqlParam[] | Readonly<Record<string, SqlParam>>

function bound(value: unknown, name: string, engine: Engine): readonly [unknown, Type] {
  if (typeof value === 'string') return [value, engine.VARCHAR]
  if (typeof value === 'boolean') return [value, engine.BOOLEAN]
  if (value === null || Number.isNaN(value)) return [null, engine.VARCHAR]
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return [value, engine.DOUBLE]
    return value === (value | 0) ? [value, engine.INTEGER] : [BigInt(value), engine.BIGINT]
  }
  if (Array.isArray(value) && value.every((word) => typeof word === 'string')) {
    return [engine.listValue(value), engine.LIST(engine.VARCHAR)]
  }
  throw wrongParam(name)
}

/**
 * Params as DuckDB binds them.
 * @throws QuotebookError USAGE for a value that is none of SqlParam
 */
function binding(params: SqlParams, engine: Engine) {
  const pairs = Object.entries(params).map(
    ([name, value]) =>
      [name, bound(value, Array.isArray(params) ? `$${Number(name) + 1}` : `$${name}`, engine)] as const,
  )
  const pick = <T>(part: (pair: readonly [unknown, Type]) => T) =>
    Array.isArray(params)
      ? pairs.map(([, pair]) => part(pair))
      : Object.fromEntries(pairs.map(([name, pair]) => [name, part(pair)]))
  return { values: pick(([value]) => value), types: pick(([, type]) => type), count: pairs.length }
}

/** What DuckDB says is wrong, in one line: without its own guesses, with the line of the text where it is known. */
function oneLine(message: Words): Words {
  const [said = '', ...place] = message.replace(/^Failed to extract statements: /, '').split(/\n\s*LINE /)
  const line = /^(\d+)/.exec(place[0] ?? '')?.[1]
  const text = said.trim().replace(/\s*\n\s*/g, ' ')
  return line === undefined || line === '1' ? text : sentence`${text} (line ${line})`
}

/** What DuckDB, its client and Node say where memory ends. */
const memoryWords =
  /^Out of Memory Error|bad_alloc|\ballocat(e|ion)\b.*\bfailed|^Data cannot be cloned, out of memory|\bENOMEM\b/i

/**
 * An error of DuckDB as ours.
 * @param relations the tables that a query may name
 */
function sqlError(error: unknown, relations: readonly string[], { memory, isApart }: Session): unknown {
  if (error instanceof QuotebookError) return error
  const message = String(messageOf(error))
  if (memoryWords.test(message)) return outOfMemory(memory, error, isApart)
  const unknown = /^Catalog Error: Table with name ([\s\S]*?) does not exist!/.exec(message)?.[1]
  if (unknown === undefined) return new QuotebookError('SQL', oneLine(message), { cause: error })
  return unknownTable(unknown, relations, error)
}

/** A table that a query names and does not know. */
export function unknownTable(unknown: string, relations: readonly string[], error: unknown): QuotebookError {
  if (/[/.]/.test(unknown)) {
    const right = sentence`SQL opens no files: hand over a table, as in { tables: { bars } }`
    return new QuotebookError('SQL', sentence`unknown table '${unknown}'; ${right}`, { cause: error })
  }
  const hint = relations.length > 0 ? nameHint(unknown, relations) : sentence`hand it over: { tables: { … } }`
  return new QuotebookError('SQL', sentence`unknown table '${unknown}'; ${hint}`, { cause: error })
}

/** A value that is none of SqlParam. */
export function wrongParam(name: string): QuotebookError {
  return new QuotebookError(
    'USAGE',
    sentence`param ${name} must be text, a number, true, false, null or a list of text`,
  )
}

/** A column that SQL would make text of, numbers and all. */
export function mixedColumn(name: string): QuotebookError {
  const message = sentence`column '${name}' is text in some tick files and numbers in others, which SQL would take for text; read the days apart`
  return new QuotebookError('SQL', message)
}

/** What a query may name beside the tables handed over: files that DuckDB reads itself. */
interface Views {
  readonly files: readonly string[]
  readonly statements: readonly string[]
  readonly mixed?: string | undefined
}

export interface QueryJob {
  readonly text: string
  readonly relations: ReadonlyMap<string, RecordColumns>
  readonly views: Views
  /** Every name that the text could have used, for the hint. */
  readonly known: readonly string[]
  readonly params: SqlParams | undefined
  readonly signal: AbortSignal | undefined
  readonly memory: string | number | undefined
}

type Statements = Awaited<ReturnType<Connection['extractStatements']>>

/** The statements of a text. DuckDB's client can not say that there are none. */
async function statementsOf(connection: Connection, text: string): Promise<Statements> {
  const switched = /\benable_(logging|profiling)\b/i.exec(text)
  if (switched)
    throw new QuotebookError('SQL', sentence`${switched[0]} is not for here: it writes files, or ends the process`)
  try {
    return await connection.extractStatements(text)
  } catch (cause) {
    if (!/^Error in native callback/.test(String(messageOf(cause)))) throw cause
    throw new QuotebookError('SQL', sentence`the text is empty`, { cause })
  }
}

/**
 * Statements that stay inside the database. The rest is refused here and not left to DuckDB, which lets COPY write over
 * the very files that it may read; EXPLAIN ANALYZE and EXECUTE would run a COPY within.
 */
const allowed = ['SELECT', 'CREATE', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER'] as const

function checkKind({ statementType }: Prepared, { StatementType }: Engine): void {
  if (allowed.some((kind) => StatementType[kind] === statementType)) return
  const kind =
    Object.keys(StatementType).find((name) => StatementType[name] === statementType) ?? sentence`this statement`
  throw new QuotebookError('SQL', sentence`${kind} is not for here; a query may ${allowed.join(', ')}`)
}

interface Answer {
  readonly result: Result
  readonly chunks: readonly Chunk[]
}

/** Bytes of a chunk: sixteen a cell, and those of texts. Where a text is missing, its length is whatever the memory held. */
function bytesOf(chunk: Chunk, columns: number, texts: readonly number[]): number {
  const { rowCount } = chunk
  let bytes = 16 * columns * rowCount
  for (const column of texts) {
    const vector = chunk.getColumnVector(column)
    const { dataView } = vector
    if (!(dataView instanceof DataView)) continue
    const isMissing = missingTest(vector)
    for (let row = 0; row < rowCount; row++) if (!isMissing(row)) bytes += dataView.getUint32(16 * row, true)
  }
  return bytes
}

/** Takes rows of the answer, as many at a time as lie in some MiB. */
type Give = (rows: RecordColumns) => Promise<void>

/** Bytes of rows that are given at once. */
const piece = 2 ** 22

/** The rows of a result that have not been given away; of a statement that is not the last one they are let go. */
async function fetched(
  result: Result,
  { engine, memory, isApart }: Session,
  keep: boolean,
  give?: Give,
): Promise<Answer> {
  const columns = Array.from({ length: result.columnCount }, (_, column) => column)
  const texts = columns.filter((column) => result.columnTypeId(column) === engine.DuckDBTypeId['VARCHAR'])
  const chunks: Chunk[] = []
  let [bytes, given] = [0, 0]
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return { result, chunks }
    if (!keep) continue
    bytes += bytesOf(chunk, columns.length, texts)
    if (bytes > memory) throw outOfMemory(memory, undefined, isApart)
    chunks.push(chunk)
    if (!give || bytes - given < piece) continue
    await give(resultColumns(result, engine, {}, chunks.splice(0)))
    given = bytes
  }
}

/**
 * Why the rows of a statement ended before their time. DuckDB's client ends a stream without a word, and tells where all are
 * asked for at once: no more than have come, since the cause is met again. One that is not was the memory.
 */
async function reasonOf(prepared: Prepared, { memory, isApart }: Session): Promise<unknown> {
  try {
    await prepared.run()
    return outOfMemory(memory, undefined, isApart)
  } catch (error) {
    return error
  }
}

/** Runs all statements; the last one answers. */
async function answer(session: Session, text: string, params: SqlParams, give?: Give): Promise<Answer> {
  const { connection, engine } = session
  const statements = await statementsOf(connection, text)
  let last: Answer | undefined
  for (let i = 0; i < statements.count; i++) {
    const prepared = await statements.prepare(i)
    const isLast = i === statements.count - 1
    try {
      checkKind(prepared, engine)
      if (isLast) {
        const { values, types, count } = binding(params, engine)
        if (count > prepared.parameterCount) {
          throw new QuotebookError(
            'SQL',
            sentence`${count} params were given, and the text has ${prepared.parameterCount}`,
          )
        }
        if (count > 0) prepared.bind(values, types)
      }
      last = await fetched(await prepared.stream(), session, isLast, give)
      if (last.result.returnType !== engine.ResultReturnType.INVALID) continue
      last = undefined
      throw await reasonOf(prepared, session)
    } finally {
      prepared.destroySync()
    }
  }
  if (last && last.result.returnType === engine.ResultReturnType.QUERY_RESULT) return last
  throw new QuotebookError('SQL', sentence`the last statement gives no rows; end with a select`)
}

/** Stops whatever runs once the signal says so, again and again, because a query that is about to start forgets it. */
function watch(connection: Connection, signal: AbortSignal | undefined): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    connection.interrupt()
    timer ??= setInterval(stop, 20)
  }
  signal?.addEventListener('abort', stop)
  return () => {
    signal?.removeEventListener('abort', stop)
    clearInterval(timer)
  }
}

/** @throws QuotebookError SQL for a column that is text in some tick files and numbers in others */
async function checkMixed({ connection, engine }: Session, mixed: string | undefined): Promise<void> {
  if (mixed === undefined) return
  const { columns: of } = resultColumns(await connection.run(mixed), engine)
  const [name] = textCells({ length: 1, columns: of }, 'name')
  if (name) throw mixedColumn(name)
}

/** A folder for what has no room in memory; none where none can be made. */
export async function withFolder<T>(use: (folder: string | undefined) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quotebook-sql-')).catch(() => undefined)
  try {
    return await use(folder)
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function runIn(session: Session, job: QueryJob, give?: Give): Promise<RecordColumns> {
  const { signal } = job
  const { connection, engine } = session
  const unwatch = watch(connection, signal)
  try {
    await openWaiting(connection)
    for (const [at, [name, columns]] of [...job.relations].entries()) {
      signal?.throwIfAborted()
      await insertTable(session, name, columns, at)
    }
    await closeWaiting(connection)
    await lock(connection, job.views.files)
    for (const statement of job.views.statements) await connection.run(statement)
    await checkMixed(session, job.views.mixed)
    signal?.throwIfAborted()
    const { result, chunks } = await answer(session, job.text, job.params ?? [], give)
    signal?.throwIfAborted()
    const rows = resultColumns(result, engine, {}, chunks)
    await give?.(rows)
    return rows
  } catch (error) {
    signal?.throwIfAborted()
    throw sqlError(error, job.known, session)
  } finally {
    unwatch()
    session.close()
  }
}

/** Where a query runs that is in a process of its own. */
interface Place {
  readonly folder: string | undefined
  readonly engineMemory: number
  readonly give: Give
}

/**
 * Runs a query in a database of its own and gives its rows; with a place, the last of them.
 * @throws QuotebookError SQL with what DuckDB says; the signal's reason when it was aborted
 */
export async function runQuery(job: QueryJob, place?: Place): Promise<RecordColumns> {
  job.signal?.throwIfAborted()
  const memory = job.memory === undefined ? undefined : memoryOf(job.memory)
  if (place) return runIn(await open({ memory, ...place }), job, place.give)
  return withFolder(async (folder) => runIn(await open({ memory, folder }), job))
}
