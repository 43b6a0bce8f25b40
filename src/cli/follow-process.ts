import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beijingTime } from '../contract/date.js'
import { QuotebookError } from '../contract/error.js'
import { readFollowStatus, writeFollowStatus } from '../data/archive/follow-status.js'
import { manifestFile } from '../data/archive/manifest.js'
import { realClock, waitAfter, wallTime } from '../data/source/transport/clock.js'
import { say } from './chosen-language.js'
import { notifier } from './notify.js'
import { log } from './output.js'
import { ownProcess } from './own-process.js'

/** The process that keeps an archive up to a source beside one that serves it. */
export interface FollowProcess {
  /** Ends when following is of no use. @throws QuotebookError always: nobody told it to */
  readonly ended: Promise<never>
  /** Ends when there is an archive to serve; a new one, when the first run is over. */
  hasRows(): Promise<void>
  /** Tells it to end after what is under way, and waits. */
  end(): Promise<void>
}

/** Milliseconds after which another process follows: twice as long each time, unless it lived for the longest of them. */
const [shortest, longest] = [60_000, 3_600_000]
/** Exit code of wrong words: no waiting mends them. */
const usage = 2

/** Says for a process that was killed that it follows no longer, and whether that was new. */
async function notesEnd(dir: string, pid: number | undefined): Promise<boolean> {
  const status = await readFollowStatus(dir)
  // Another one may follow the same archive.
  if (!status || status.ended || status.owner !== say('process {id}', { id: pid ?? 0 })) return false
  await writeFollowStatus(dir, { ...status, ended: beijingTime(wallTime()) })
  return true
}

interface ChildSecrets {
  readonly apikey: string | undefined
  readonly address: string | undefined
  readonly isPatient: boolean
}

/** The command in a process of its own; its key stands in no word of it. */
function childOf(args: readonly string[], { apikey, address, isPatient }: ChildSecrets): ChildProcess {
  const child = ownProcess(args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...(apikey !== undefined && { QUOTEBOOK_APIKEY: apikey }),
      ...(address !== undefined && { QUOTEBOOK_NOTIFY: address }),
      ...(isPatient && { QUOTEBOOK_PATIENT: '1' }),
    },
  })
  child.channel?.unref()
  return child
}

/**
 * `quotebook sync --follow` as a process of its own, so that answers never wait for a sync. It ends with this one, however that
 * ends: it is told by the channel between them. One that ends by itself is followed by another while there is an archive to serve.
 * @param apikey goes by the environment, which no other user can read; so does the address of `--notify`
 */
export function followProcess(
  dir: string,
  source: string,
  apikey: string | undefined,
  address: string | undefined,
): FollowProcess {
  const { notify, end } = notifier(address, dir)
  const isThere = (): boolean => existsSync(join(dir, manifestFile))
  const wasThere = isThere()
  const args = ['sync', '--source', source, '--archive', dir, '--follow']
  const over = new AbortController()
  const start = (): ChildProcess => childOf(args, { apikey, address, isPatient: isThere() })
  let child = start()
  const goOn = async (): Promise<never> => {
    for (let tries = 0; ; tries++) {
      const began = realClock.now()
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (over.signal.aborted || code === usage || !isThere())
        throw new QuotebookError(
          'ARCHIVE',
          say('the process that follows the source has ended with exit code {code}; what it said is above', {
            code: String(code),
          }),
        )
      if (realClock.now() - began > longest) tries = 0
      const wait = waitAfter(tries, shortest, longest)
      const text = say(
        'the process that follows the source has ended ({how}); the archive is served as it is, and followed again in {wait} s',
        { how: String(signal ?? code), wait: wait / 1000 },
      )
      log(text)
      if (await notesEnd(dir, child.pid)) notify('stopped', text)
      await realClock.sleep(wait, over.signal)
      child = start()
    }
  }
  const ended = goOn()
  ended.catch(() => undefined)
  return {
    ended,
    hasRows: async () => {
      if (wasThere) return
      while (!isThere() || !(await readFollowStatus(dir))?.counts.runs)
        await Promise.race([ended, realClock.sleep(250)])
    },
    end: async () => {
      over.abort()
      child.kill('SIGTERM')
      await ended.catch(() => undefined)
      await end()
    },
  }
}
