import type { TransferListItem } from 'node:worker_threads'
import { QuotebookError } from '../../contract/error.js'
import type { ColumnData } from '../../table/values.js'
import { answerTasks } from '../worker-end.js'
import { type DayFile, readDay, type Wanted } from './day.js'
import type { Decoded } from './decode.js'

export interface Task {
  readonly file: DayFile
  readonly wanted: Wanted
}

function buffersOf(values: ColumnData): readonly ArrayBufferLike[] {
  if (values.form === 'strings' || values.form === 'lists') return []
  const valid = 'valid' in values ? values.valid : null
  return valid ? [values.data.buffer, valid.buffer] : [values.data.buffer]
}

answerTasks<Task, Decoded>(async ({ file, wanted }) => {
  // The pool says of what cannot be read which file it is.
  const result = await readDay(file, wanted).catch((error: unknown) => {
    throw error instanceof QuotebookError && error.code === 'FILE' ? error.cause : error
  })
  const buffers = [...result.columns.of.values()].flatMap(buffersOf)
  return { result, transfer: [...new Set(buffers)] as TransferListItem[] }
})
