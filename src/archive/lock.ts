import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import lockfile from 'proper-lockfile'
import { realClock } from '../source/transport/clock.js'

/** A lock that this process has. */
export interface Held {
  /** Why it is no longer held: another process took it, because this one did not answer for too long. */
  readonly lost: Error | undefined
  release(): Promise<void>
}

/** Between two tries, ms. */
const pause = 250

/** Another process has it, or took it away from one that was killed in the very moment in which this one did. */
function isTaken(error: unknown, path: string): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ELOCKED' || (code === 'ENOENT' && existsSync(dirname(path)))
}

/**
 * Takes the lock that `path` names (a directory, made and removed again); undefined when another process keeps it.
 * @param waitMs how long to wait for it; a process that was killed with the lock counts as gone after 10 seconds
 * @throws the error of the file system where the directory can not be made; the signal's reason, while it waits
 */
export async function hold(path: string, waitMs: number, signal?: AbortSignal): Promise<Held | undefined> {
  const state: { lost: Error | undefined } = { lost: undefined }
  const onCompromised = (error: Error): void => {
    state.lost = error
  }
  for (let tries = Math.ceil(waitMs / pause); ; tries--) {
    try {
      const release = await lockfile.lock(path, { lockfilePath: path, realpath: false, stale: 10_000, onCompromised })
      return {
        get lost() {
          return state.lost
        },
        release: async () => {
          if (!state.lost) await release()
        },
      }
    } catch (error) {
      // Only a lock that is taken is worth waiting for; the package would try again after every error.
      if (!isTaken(error, path)) throw error
      if (tries <= 0) return undefined
      await realClock.sleep(pause, signal)
    }
  }
}
