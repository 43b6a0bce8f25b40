import type { IncomingMessage } from 'node:http'
import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { runApart } from '../../../data/sql/query-apart.js'
import type { SqlParams } from '../../../data/sql/run-query.js'
import { archiveSql } from '../../../data/sql/sql.js'
import type { Market } from '../../../market.js'
import { RefusedError } from '../refused-error.js'

/** SQL that comes from outside. */
export interface GuardedSql {
  readonly text: unknown
  /** Values of `$1`, `$2`, …. */
  readonly params: unknown
  /** Whether it may read the tick files. */
  readonly hasTicks: boolean
  readonly signal: AbortSignal
}

/** Bytes that it may take in memory. */
const memory = 2 ** 28

/** Milliseconds that it may take. */
const most = 60_000

/** Runs what ends when whoever asked goes away, or after a minute. */
export async function untilGone<T>({ socket }: IncomingMessage, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const abort = (): void => ended.abort()
  const late = new RefusedError(503, sentence`the query took longer than ${most / 1000} s`)
  const timer = setTimeout(() => ended.abort(late), most)
  socket.once('close', abort)
  try {
    return await run(ended.signal)
  } finally {
    clearTimeout(timer)
    socket.off('close', abort)
  }
}

/** What tells of the machine and not of the data, and what runs a text that is put together while it runs. */
const inner =
  /\b(?:duckdb_|pragma_|parquet_|pg_|sqlite_)\w+|\b(?:information_schema|current_setting)\b|\bquery\w*\s*"?\s*\(/i

/**
 * A query of somebody else over the archive: in a process of its own, with its memory bounded, without the network, files or the names of this machine.
 * @throws QuotebookError SQL for what is not for it, FORBIDDEN for ticks without the plan, USAGE where there is no archive
 */
export async function guardedSql(market: Market, { text, params, hasTicks, signal }: GuardedSql): Promise<Table> {
  const [machine] = inner.exec(String(text)) ?? []
  if (machine !== undefined)
    throw new QuotebookError('SQL', sentence`${machine} is not for here; describe_dataset tells the columns of a table`)
  // As `sql` itself tells whether a text names them.
  if (!hasTicks && /(?<!\w)ticks(?!\w)/i.test(String(text)))
    throw new QuotebookError('FORBIDDEN', sentence`the plan of the key does not include the auction-tick files`)
  const options = { signal, memory, ...(params ? { params: params as SqlParams } : {}) }
  if (!market.archive) throw new QuotebookError('USAGE', sentence`sql needs an archive`)
  return archiveSql(market.archive, String(text), options, runApart)
}
