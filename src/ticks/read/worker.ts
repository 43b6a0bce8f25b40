import type { TransferListItem } from 'node:worker_threads'
import type { Values } from '../../frame/values.js'
import { answerTasks } from '../worker-end.js'
import { type DayFile, readDay, type Wanted } from './day.js'
import type { Decoded } from './decode.js'

export interface Task {
  readonly file: DayFile
  readonly wanted: Wanted
}

function buffersOf(values: Values): readonly ArrayBufferLike[] {
  if (values.form === 'strings' || values.form === 'lists') return []
  const valid = 'valid' in values ? values.valid : null
  return valid ? [values.data.buffer, valid.buffer] : [values.data.buffer]
}

answerTasks<Task, Decoded>(async ({ file, wanted }) => {
  const result = await readDay(file, wanted)
  const buffers = [...result.columns.of.values()].flatMap(buffersOf)
  return { result, transfer: [...new Set(buffers)] as TransferListItem[] }
})
