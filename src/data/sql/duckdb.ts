import { createRequire } from 'node:module'
import { join } from 'node:path'
import root from '#root'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

const units: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
}

/**
 * The option `memory` in bytes: a number of them, or a text such as '2GB' or '512MiB'.
 * @throws QuotebookError USAGE
 */
export function memoryOf(memory: unknown): number {
  const [, count = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b)\s*$/i.exec(String(memory)) ?? []
  const bytes =
    typeof memory === 'number' ? memory : Math.floor(Number(count) * (units[unit.toUpperCase()] ?? Number.NaN))
  if (Number.isSafeInteger(bytes) && bytes >= 2 ** 20) return bytes
  const right = sentence`'2GB', '512MiB' or a number of bytes, of at least 1 MiB`
  throw new QuotebookError(
    'USAGE',
    sentence`sql: memory must be ${right}, not ${JSON.stringify(memory) ?? String(memory)}`,
  )
}

/** What a query may take when nothing is said: a quarter of the machine, of which DuckDB would take four fifths; at most 4 GiB. */
export function memoryShare(whole: string): number {
  return Math.floor(Math.min(memoryOf(whole) / 0.8 / 4, 4 * 2 ** 30))
}

/** Bytes in words of the option. */
function inWords(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20}MiB` : `${Math.round(bytes / 1e6)}MB`
}

/** A query that wants more than its room. Whoever asks from outside has it in a process of its own (`isApart`), and can't widen it. */
export function outOfMemory(memory: number, cause?: unknown, isApart = false): QuotebookError {
  const has = sentence`the query needs more memory than the ${inWords(memory)} it may take (and four times as much on the disk)`
  const less = sentence`name fewer columns, aggregate, or LIMIT the rows`
  const right = isApart ? less : sentence`${less}, or raise the option memory: { memory: '${inWords(2 * memory)}' }`
  return new QuotebookError('SQL', sentence`${has}; ${right}`, { cause })
}

/*
 * What Quotebook needs of `@duckdb/node-api`, in its own words: the package is optional, so no declaration of ours may
 * name a type of it. `items`, `dataView` and `validity` are private to it: they are used where they are what they are in the tested version, and
 * every use has a way without them.
 */

export interface Validity {
  itemValid(item: number): boolean
  readonly data?: unknown
}

export interface Vector {
  readonly itemCount: number
  readonly items?: unknown
  readonly dataView?: unknown
  readonly validity?: Validity
  getItem(item: number): unknown
  setItem(item: number, value: unknown): void
  flush(): void
}

export interface Chunk {
  rowCount: number
  reset(): void
  getColumnVector(column: number): Vector
}

/** Handed back to the engine, never looked into. */
export type Type = object

export interface Result {
  readonly returnType: number
  readonly columnCount: number
  readonly chunkCount: number
  columnName(column: number): string
  columnTypeId(column: number): number
  columnType(column: number): Type
  getChunk(chunk: number): Chunk
  fetchChunk(): Promise<Chunk | null>
}

export interface Prepared {
  readonly statementType: number
  readonly parameterCount: number
  bind(values: readonly unknown[] | Readonly<Record<string, unknown>>, types: unknown): void
  run(): Promise<Result>
  /** As run, and the rows come with fetchChunk: those of run lie in memory that no limit knows of. */
  stream(): Promise<Result>
  destroySync(): void
}

interface Appender {
  columnType(column: number): Type
  appendDataChunk(chunk: Chunk): void
  closeSync(): void
}

export interface Connection {
  run(sql: string): Promise<Result>
  extractStatements(sql: string): Promise<{ readonly count: number; prepare(index: number): Promise<Prepared> }>
  createAppender(table: string, schema: string): Promise<Appender>
  interrupt(): void
  closeSync(): void
}

interface Instance {
  connect(): Promise<Connection>
  closeSync(): void
}

export interface Engine {
  readonly DuckDBInstance: { create(path: string, options: Readonly<Record<string, string>>): Promise<Instance> }
  readonly DuckDBDataChunk: { create(types: readonly Type[]): Chunk }
  readonly DuckDBTypeId: Readonly<Record<string, number>>
  readonly StatementType: Readonly<Record<string, number>>
  readonly ResultReturnType: { readonly QUERY_RESULT: number; readonly INVALID: number }
  readonly BOOLEAN: Type
  readonly INTEGER: Type
  readonly BIGINT: Type
  readonly DOUBLE: Type
  readonly VARCHAR: Type
  LIST(of: Type): Type
  listValue(items: readonly unknown[]): unknown
}

/** The version that this code is written against and tested with. */
const duckdbVersion = '1.5.6-r.1'

const neededWords = (why = sentence`it is not installed`): Words =>
  sentence`SQL needs the package @duckdb/node-api, and ${why}. Run: npm install @duckdb/node-api@${duckdbVersion}`

/** What says that DuckDB is not installed; undefined where it is. Looks for the package, and loads nothing. */
export function withoutDuckDb(): Words | undefined {
  try {
    createRequire(join(root, 'package.json')).resolve('@duckdb/node-api')
    return undefined
  } catch {
    return neededWords()
  }
}

async function load(): Promise<Engine> {
  try {
    return (await import('@duckdb/node-api')) as unknown as Engine
  } catch (cause) {
    const why = /Cannot find (module|package) '@duckdb\/node-api'/.test(String(messageOf(cause)))
      ? undefined
      : sentence`it does not load here: ${messageOf(cause).split('\n')[0]}`
    throw new QuotebookError('PACKAGE', neededWords(why), { cause })
  }
}

let loaded: Promise<Engine> | undefined

/**
 * DuckDB, loaded on first use.
 * @throws QuotebookError PACKAGE when it is not installed
 */
export function engine(): Promise<Engine> {
  loaded ??= load()
  loaded.catch(() => {
    loaded = undefined
  })
  return loaded
}

export interface Session {
  readonly engine: Engine
  readonly connection: Connection
  /** Bytes of memory that it may take. */
  readonly memory: number
  /** Whether it has a process of its own. */
  readonly isApart: boolean
  close(): void
}

/** Bytes in memory (a share of the machine when absent), and a folder for four times as many where one is given. */
interface MemoryLimit {
  readonly memory?: number | undefined
  /** What of it DuckDB may take, in a process of its own; absent, all. */
  readonly engineMemory?: number | undefined
  readonly folder?: string | undefined
}

async function limit(connection: Connection, { memory, engineMemory }: MemoryLimit): Promise<number> {
  const whole = await connection.run("select current_setting('memory_limit')")
  const bytes = memory ?? memoryShare(String(whole.getChunk(0).getColumnVector(0).getItem(0)))
  await connection.run(`set memory_limit = '${engineMemory ?? bytes}B'`)
  await connection.run(`set max_temp_directory_size = '${4 * bytes}B'`)
  return bytes
}

/**
 * A database in memory that computes the same each time: one thread, no extension from elsewhere, a fixed time zone and
 * seed, nothing written to a disk but what has no room in memory.
 */
export async function open(most: MemoryLimit = {}): Promise<Session> {
  const duckdb = await engine()
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    temp_directory: most.folder ?? '',
    // It takes a file for the same as long as its time of change is the same.
    enable_external_file_cache: 'false',
  })
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await connection.run("set TimeZone = 'Asia/Shanghai'")
    await connection.run('select setseed(0.5)')
    return {
      engine: duckdb,
      connection,
      memory: await limit(connection, most),
      isApart: most.engineMemory !== undefined,
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** A name as SQL writes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL writes it. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** From here on the session reads the given files and no others, opens nothing else, and keeps its settings. */
export async function lock(connection: Connection, files: readonly string[]): Promise<void> {
  if (files.length > 0) await connection.run(`set allowed_paths = [${files.map(literal).join(', ')}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}
