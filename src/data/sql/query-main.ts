import own from 'node:process'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { FromQuery, QueryTask } from './query-apart.js'
import { runQuery } from './run-query.js'

/** Ends when the other process has taken it in, so that no more than one piece waits. */
function tell(message: FromQuery): Promise<void> {
  return new Promise((done) => own.send?.(message, undefined, undefined, () => done()) ?? done())
}

/** Chunks that were read lie in memory until they are collected, which Node, who knows nothing of them, would put off. */
const collect = (): void => (globalThis as { gc?: () => void }).gc?.()

async function answer({ folder, engineMemory, ...job }: QueryTask): Promise<void> {
  const give = async (rows: Extract<FromQuery, { kind: 'rows' }>['rows']) => {
    await tell({ kind: 'rows', rows })
    collect()
  }
  try {
    await runQuery({ ...job, signal: undefined }, { folder, engineMemory, give })
    await tell({ kind: 'done', resident: own.memoryUsage.rss() })
  } catch (error) {
    const code = error instanceof QuotebookError ? error.code : undefined
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : undefined
    await tell({ kind: 'failed', resident: own.memoryUsage.rss(), code, message: messageOf(error), cause })
  }
}

// At once: an end in order would wait for what DuckDB computes.
own.on('disconnect', () => own.kill(own.pid, 'SIGKILL'))
own.on('message', (task: QueryTask) => void answer(task))
