import { Readable } from 'node:stream'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type ColumnType, concatRows, type RecordColumns } from '../../frame/table/values.js'
import { StreamedExceptionError } from './byte-feed.js'
import { type ClickHouseAddress, clickHouseName } from './clickhouse-address.js'
import { typesOf } from './column-types.js'
import { nativeBytes, readNative } from './native-codec.js'
import { ClickHouseError, clickHouseError } from './server-errors.js'

/** Settings of a query, under ClickHouse's own names. */
export type ClickHouseSettings = Readonly<Record<string, string | number>>

/** How one statement is run. */
export interface StatementOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until it must be done (default: ten minutes). */
  readonly deadline?: number | undefined
  readonly settings?: ClickHouseSettings | undefined
  /** What the server knows it by, to be ended by (default: one of the client's own). */
  readonly queryId?: string | undefined
}

/** How columns are read. */
export interface ReadOptions extends StatementOptions {
  /** Forms of columns that are not those of their types: `string`, `boolean`, `float`. */
  readonly forms?: ReadonlyMap<string, ColumnType> | undefined
}

/** How columns are inserted. */
export interface InsertOptions extends StatementOptions {
  /** Types of the columns (default: those that their cells have). */
  readonly types?: ReadonlyMap<string, string> | undefined
}

/** What is needed of the package. */
interface Driver {
  exec(params: {
    readonly query: string
    readonly values?: Readable
    readonly abort_signal: AbortSignal
    readonly clickhouse_settings: ClickHouseSettings
    readonly query_id?: string
  }): Promise<{ readonly stream: Readable }>
  close(): Promise<void>
}

const tenMinutes = 600_000
/** A block of an answer: a megabyte is what it would be. */
const largeBlocks = { preferred_block_size_bytes: 2 ** 24 }
/** A user's profile may end a query early with what it has by then, or leave out a server: an answer is whole or an error. */
const wholeAnswers = {
  ...Object.fromEntries(
    ['result', 'read', 'timeout', 'group_by', 'sort', 'distinct', 'set', 'join', 'transfer'].map((what) => [
      `${what}_overflow_mode`,
      'throw',
    ]),
  ),
  skip_unavailable_shards: 0,
  // One replica of a shard is asked, and none that lags while another does not.
  max_parallel_replicas: 1,
  max_replica_delay_for_distributed_queries: 1,
  fallback_to_stale_replicas_for_distributed_queries: 1,
  // A list of parts, or of codes, is part of the text.
  max_query_size: 2 ** 26,
  max_ast_elements: 2 ** 22,
  max_expanded_ast_elements: 2 ** 22,
  // With these the reply begins before the server knows whether it can do what is asked.
  send_progress_in_http_headers: 0,
}
/** Connections to one server at once. */
const connections = 16

async function driverOf({ url, database, user, password }: ClickHouseAddress): Promise<Driver> {
  const { ClickHouseLogLevel, createClient } = await import('#clickhouse')
  const client = createClient({
    url,
    database,
    username: user ?? 'default',
    password: password ?? '',
    application: 'quotebook',
    max_open_connections: connections,
    request_timeout: tenMinutes,
    // It would write queries and addresses to the terminal.
    log: { level: ClickHouseLogLevel.OFF },
  })
  return client as unknown as Driver
}

/** A name as SQL writes it. */
export function quotedName(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``
}

/** A text as SQL writes it. */
export function textLiteral(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`
}

/** All that comes, in its order. */
export async function collected<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

/** A ClickHouse server behind its HTTP interface: columns in, columns out, no rows in between. */
export class ClickHouseClient {
  /** `clickhouse://host:port/database`, for people. */
  readonly name: string
  /** `host:port`, as errors say it. */
  readonly node: string
  readonly database: string
  readonly #address: ClickHouseAddress
  #driver: Promise<Driver> | undefined

  constructor(address: ClickHouseAddress) {
    this.#address = address
    this.name = clickHouseName(address)
    this.node = new URL(address.url).host
    this.database = address.database
  }

  /** The same server with another database; `close` is its own. */
  withDatabase(database: string): ClickHouseClient {
    return new ClickHouseClient({ ...this.#address, database })
  }

  /** Asks the server itself, on which the database need not be there. */
  async atServer<T>(use: (server: ClickHouseClient) => Promise<T>): Promise<T> {
    const server = this.withDatabase('system')
    try {
      return await use(server)
    } finally {
      await server.close()
    }
  }

  /** The same database on another server, for the same user. */
  withServer(url: string): ClickHouseClient {
    return new ClickHouseClient({ ...this.#address, url })
  }

  /**
   * The blocks of a query's result, as they come. One without rows has no blocks.
   * @throws ClickHouseError which node, and why; the signal's reason
   */
  async *blocks(sql: string, options: ReadOptions = {}): AsyncGenerator<RecordColumns> {
    try {
      const settings = { ...largeBlocks, ...options.settings }
      yield* readNative(this.read(`${sql}\nformat Native`, { ...options, settings }), options.forms)
    } catch (error) {
      options.signal?.throwIfAborted()
      throw clickHouseError(error, this.node)
    }
  }

  /** All rows of a query; undefined where there is none. @throws as `blocks` does */
  async columns(sql: string, options: ReadOptions = {}): Promise<RecordColumns | undefined> {
    const blocks = await collected(this.blocks(sql, options))
    return blocks.length === 0 ? undefined : concatRows(blocks)
  }

  /** Runs a statement that gives no rows. @throws as `blocks` does */
  async command(sql: string, options: StatementOptions = {}): Promise<void> {
    await this.#silent(this.read(sql, options))
  }

  /** A reply that began before the server knew has its exception in its body, and nothing else. */
  async #silent(reply: AsyncIterable<Uint8Array>): Promise<void> {
    const said = Buffer.concat(await collected(reply)).toString()
    if (/^Code: \d/.test(said)) throw clickHouseError(new StreamedExceptionError(said), this.node)
  }

  /**
   * Inserts columns, each under its name. They are there when it has ended; where it fails, some may be.
   * @throws as `blocks` does, QuotebookError INVALID_VALUE for a cell that a type has no place for
   */
  async insert(table: string, columns: RecordColumns, options: InsertOptions = {}): Promise<void> {
    if (columns.length === 0) return
    // The bytes name the columns: a list of many would be too long for the address that a statement stands in.
    await this.send(
      `insert into ${quotedName(table)} format Native`,
      nativeBytes(columns, options.types ?? typesOf(columns)),
      options,
    )
  }

  /** Runs an insert that names its format, with the bytes of its rows. @throws as `blocks` does */
  async send(
    sql: string,
    bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    options: StatementOptions = {},
  ): Promise<void> {
    // A Distributed table would take the rows in and send them on later.
    const settings = { insert_distributed_sync: 1, ...options.settings }
    await this.#silent(this.read(sql, { ...options, settings }, Readable.from(bytes)))
  }

  /** The bytes of an answer as they come, of a statement that names its format. @throws as `blocks` does */
  async *read(query: string, options: StatementOptions = {}, values?: Readable): AsyncGenerator<Uint8Array> {
    const { signal, deadline = tenMinutes, settings = {}, queryId } = options
    signal?.throwIfAborted()
    const late = AbortSignal.timeout(deadline)
    const leave = new AbortController()
    const ending = AbortSignal.any([late, leave.signal, ...(signal ? [signal] : [])])
    try {
      this.#driver ??= driverOf(this.#address)
      const driver = await this.#driver
      const given = {
        query,
        ...(values ? { values } : {}),
        abort_signal: ending,
        clickhouse_settings: { ...wholeAnswers, ...settings },
        ...(queryId ? { query_id: queryId } : {}),
      }
      const { stream } = await driver.exec(given)
      const stop = (): void => {
        stream.destroy(new Error('aborted'))
      }
      ending.addEventListener('abort', stop, { once: true })
      for await (const chunk of stream) yield chunk as Uint8Array
    } catch (error) {
      signal?.throwIfAborted()
      if (late.aborted) {
        throw new ClickHouseError('TIMEOUT', sentence`not done within ${deadline / 1000} seconds`, this.node, {
          cause: error,
        })
      }
      throw clickHouseError(error, this.node)
    } finally {
      leave.abort(new QuotebookError('CUT_OFF', sentence`not wanted any more`))
    }
  }

  /** Ends its connections. The next statement opens new ones. */
  async close(): Promise<void> {
    const driver = this.#driver
    this.#driver = undefined
    await (await driver?.catch(() => undefined))?.close()
  }
}
