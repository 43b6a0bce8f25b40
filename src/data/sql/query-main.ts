import { readFileSync } from 'node:fs'
import own from 'node:process'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sent } from '../../contract/sentence.js'
import type { FromQuery, QueryTask } from './query-apart.js'
import { runQuery } from './run-query.js'

/** Ends when the other process has taken it in, so that no more than one piece waits. */
function tell(message: FromQuery): Promise<void> {
  return new Promise((done) => own.send?.(message, undefined, undefined, () => done()) ?? done())
}

/** Chunks that were read lie in memory until they are collected, which Node, who knows nothing of them, would put off. */
const collect = (): void => (globalThis as { gc?: () => void }).gc?.()

/** Most bytes in memory so far. On Linux this process's own: that of getrusage begins with the one of whoever started it. */
function peak(): number {
  try {
    return 1024 * Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return 1024 * own.resourceUsage().maxRSS
  }
}

async function answer({ folder, engineMemory, ...job }: QueryTask): Promise<void> {
  const give = async (rows: Extract<FromQuery, { kind: 'rows' }>['rows']) => {
    await tell({ kind: 'rows', rows })
    collect()
  }
  try {
    await runQuery({ ...job, signal: undefined }, { folder, engineMemory, give })
    await tell({ kind: 'done', peak: peak() })
  } catch (error) {
    const code = error instanceof QuotebookError ? error.code : undefined
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : undefined
    await tell({ kind: 'failed', peak: peak(), code, message: sent(messageOf(error)), cause: cause && String(cause) })
  }
}

// At once: an end in order would wait for what DuckDB computes.
own.on('disconnect', () => own.kill(own.pid, 'SIGKILL'))
own.on('message', (task: QueryTask) => void answer(task))
