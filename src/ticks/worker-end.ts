import { parentPort, type TransferListItem } from 'node:worker_threads'
import { QuotebookError } from '../contract/error.js'
import { failureReason } from './poison.js'
import type { WorkerMessage } from './pool.js'

export interface TaskResult<Result> {
  readonly result: Result
  readonly transfer?: readonly TransferListItem[]
}

/**
 * The other end of `startPool`, in the worker: answers one task after another.
 * @param handle does a task; what it tells on its way keeps the pool's patience
 * @param isSpent whether a fresh worker should take the next task, say because this one has grown large
 */
export function serveTasks<Task, Result>(
  handle: (task: Task, tell: (told: unknown) => void) => Promise<TaskResult<Result>>,
  isSpent: () => boolean = () => false,
): void {
  const port = parentPort
  if (!port) throw new QuotebookError('USAGE', 'this is the code of a worker thread')
  const say = (said: WorkerMessage<Result>, transfer: readonly TransferListItem[] = []): void =>
    port.postMessage(said, transfer)
  port.on('message', async (task: Task) => {
    try {
      const { result, transfer } = await handle(task, (told) => say({ told }))
      say({ result, spent: isSpent() }, transfer)
    } catch (error) {
      const code = error instanceof QuotebookError ? error.code : undefined
      // Of a decoder that has failed other parts may still be at work, and break down later, in the midst of another task.
      say({ failed: failureReason(error), code, spent: code === undefined || code === 'FILE' || isSpent() })
    }
  })
}
