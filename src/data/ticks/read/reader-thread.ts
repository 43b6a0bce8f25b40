import type { TransferListItem } from 'node:worker_threads'
import { QuotebookError } from '../../../contract/error.js'
import type { DecodedColumns } from '../../../frame/table/parquet-file/decode-columns.js'
import type { ColumnData } from '../../../frame/table/values.js'
import { serveTasks } from '../../../threads/worker-pool.js'
import { type DayFile, type DaySelection, readDay } from './read-day.js'

export interface ReadTask {
  readonly file: DayFile
  readonly selection: DaySelection
}

function buffersOf(values: ColumnData): readonly ArrayBufferLike[] {
  if (values.type === 'string' || values.type === 'list') return []
  const valid = 'valid' in values ? values.valid : null
  return valid ? [values.data.buffer, valid.buffer] : [values.data.buffer]
}

serveTasks<ReadTask, DecodedColumns>(async ({ file, selection }) => {
  // The pool says of what cannot be read which file it is.
  const result = await readDay(file, selection).catch((error: unknown) => {
    throw error instanceof QuotebookError && error.code === 'FILE' ? error.cause : error
  })
  const buffers = [...result.columns.columns.values()].flatMap(buffersOf)
  return { result, transfer: [...new Set(buffers)] as TransferListItem[] }
})
