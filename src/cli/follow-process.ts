import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { QuotebookError } from '../contract/error.js'
import { readFollowStatus } from '../data/archive/follow-status.js'
import { manifestFile } from '../data/archive/manifest.js'
import { realClock } from '../data/source/transport/clock.js'
import { say } from './chosen-language.js'

/** The process that keeps an archive up to a source beside one that serves it. */
export interface FollowProcess {
  /** Ends when the process does by itself. @throws QuotebookError always: nobody told it to */
  readonly ended: Promise<never>
  /** Ends when there is an archive to serve; a new one, when the first run is over. */
  hasRows(): Promise<void>
  /** Tells it to end after what is under way, and waits. */
  end(): Promise<void>
}

function endOf(child: ChildProcess): Promise<never> {
  return once(child, 'exit').then(([code]) => {
    throw new QuotebookError('ARCHIVE', say('follow process ended', { code: String(code) }))
  })
}

/**
 * `quotebook sync --follow` as a process of its own, so that answers never wait for a sync. It ends with this one, however that
 * ends: it is told by the channel between them.
 * @param apikey goes by the environment, which no other user can read
 */
export function followProcess(dir: string, source: string, apikey: string | undefined): FollowProcess {
  const wasThere = existsSync(join(dir, manifestFile))
  const args = ['sync', '--source', source, '--archive', dir, '--follow']
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] as string, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...(apikey === undefined ? {} : { QUOTEBOOK_APIKEY: apikey }) },
  })
  child.channel?.unref()
  const ended = endOf(child)
  ended.catch(() => undefined)
  return {
    ended,
    hasRows: async () => {
      const isThere = (): boolean => existsSync(join(dir, manifestFile))
      if (wasThere) return
      while (!isThere() || !(await readFollowStatus(dir))?.counts.runs)
        await Promise.race([ended, realClock.sleep(250)])
    },
    end: async () => {
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
    },
  }
}
