import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { asTable } from './as-table.js'
import type { Data } from './data.js'
import { named } from './ipc.js'
import { afterFailure, engine, write } from './parquet-engine.js'
import { asWritten } from './provenance.js'
import { readable } from './readable.js'
import { richTable } from './show/hooks.js'

/**
 * A table or a DataFrame as one ZSTD-compressed Parquet file; schema metadata travels with it. Equal tables give equal bytes.
 * @throws QuotebookError INVALID_VALUE for data without columns or a column without a name
 */
export async function toParquet(data: Data, options: { rowGroup?: number } = {}): Promise<Uint8Array> {
  const table = asWritten(named(asTable(data)))
  if (table.numCols === 0) throw new QuotebookError('INVALID_VALUE', 'Parquet can not carry data without columns')
  return write(tableToIPC(table, 'stream'), options.rowGroup ?? 131_072)
}

/**
 * A Parquet file as a table.
 * @throws QuotebookError FILE when the bytes are not a whole Parquet file
 */
export async function fromParquet(bytes: Uint8Array, name = 'the file'): Promise<Table> {
  const { readParquet } = await engine()
  try {
    return richTable(readable(tableFromIPC(readParquet(bytes, { batchSize: 131_072 }).intoIPCStream()), name))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    afterFailure(cause)
    throw new QuotebookError('FILE', `${name} is not a whole Parquet file (${String(cause)})`, { cause })
  }
}
