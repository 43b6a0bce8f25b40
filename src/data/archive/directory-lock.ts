import { randomBytes } from 'node:crypto'
import { existsSync, type Stats } from 'node:fs'
import { mkdir, readdir, readFile, readlink, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unwritten } from '../../contract/error.js'
import { realClock, wallTime } from '../source/transport/clock.js'

/** A process as the kernel tells it from every other that has run, as far as processes can look each other up. */
interface Owner {
  /** What both must be of to look each other up: this run of the kernel, and one space of process ids (a container has its own). */
  readonly space: string
  readonly pid: string
  /** Ticks of the kernel's clock from its start to that of the process. */
  readonly start: string
}

/** Id and start of a process, from the line of the kernel; a name in it may hold spaces and brackets. */
function processIn(line: string): Pick<Owner, 'pid' | 'start'> {
  const after = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { pid: line.split(' ')[0] as string, start: after[19] as string }
}

let own: Promise<Owner | undefined> | undefined

async function lookUp(): Promise<Owner | undefined> {
  try {
    const [boot, space, line] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
      readFile('/proc/self/stat', 'utf8'),
    ])
    return { space: `${boot.trim()} ${space}`, ...processIn(line) }
  } catch {
    return undefined
  }
}

/** This process, in a line; empty where the system has no `/proc`. */
export async function ownerText(): Promise<string> {
  own ??= lookUp()
  const owner = await own
  return owner ? JSON.stringify(owner) : ''
}

/**
 * Whether the process of such a line has surely ended: one of this run of the kernel that is no more, or whose id another has by
 * now. Of processes that can't be looked up from here nothing is sure. The line must be of a process of our own user: those of
 * others may be hidden.
 */
export async function hasEnded(text: string): Promise<boolean> {
  try {
    const { space, pid, start } = JSON.parse(text) as Owner
    own ??= lookUp()
    if (space !== (await own)?.space || !/^\d+$/.test(pid)) return false
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    return line === undefined || processIn(line).start !== start
  } catch {
    return false
  }
}

/** A lock that this process has. */
export interface DirectoryLock {
  /** It is no longer held: another process took it, because this one did not answer for too long. Looked up now. */
  readonly lost: boolean
  release(): Promise<void>
}

/** Milliseconds between two tries, and after which a lock that nobody renews is that of a process that has gone. */
const [pause, stale] = [250, 10_000]

/** A thread of its own renews, because the process may compute for longer than others wait. A file that is gone stays gone. */
const renewal = `
const { writeFileSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const timer = setInterval(() => {
  try {
    writeFileSync(workerData, '.', { flag: 'r+' })
  } catch (error) {
    if (error.code === 'ENOENT') clearInterval(timer)
  }
}, 2000)`

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

/** What a file says behind its first letter of the process that wrote it; of one of another user nothing. */
async function ownerOf(path: string, uid: number, about: Stats): Promise<string> {
  return about.uid === uid && about.isFile() ? readFile(path, 'utf8').then((text) => text.slice(1)) : ''
}

/** Removes what processes that have gone left in a folder. @param own the file just written: it tells the time of the file system */
async function removeStale(folder: string, own: Stats, isOurs: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter(isOurs)) {
    const path = join(folder, name)
    const about = await stat(path).catch(() => undefined)
    const isGone = async (): Promise<boolean> => hasEnded(await ownerOf(path, own.uid, about as Stats).catch(() => ''))
    // Of the future, where a clock was ahead.
    if (about && (Math.abs(own.mtimeMs - about.mtimeMs) > stale || (await isGone())))
      await rm(path, { recursive: about.isDirectory(), force: true })
  }
}

/** The lock is a directory that holds the file of its owner: one that holds a file can not be replaced by another. */
async function take(path: string, token: string): Promise<boolean> {
  const [staged, mark] = [`${path}.${token}`, `${basename(path)}.`]
  await mkdir(staged)
  try {
    await writeFile(join(staged, token), `.${await ownerText()}`)
    const own = await stat(join(staged, token))
    await removeStale(path, own, () => true)
    await rmdir(path).catch(() => undefined)
    await rename(staged, path)
    const isStaged = (name: string): boolean => name.startsWith(mark) && /^[\da-f]{12}$/.test(name.slice(mark.length))
    await removeStale(dirname(path), own, isStaged).catch(() => undefined)
    return existsSync(join(path, token))
  } catch (error) {
    await rm(staged, { recursive: true, force: true })
    const code = codeOf(error)
    // Taken; or what was staged was cleared away, because this process had stood still.
    if (['ENOTEMPTY', 'EEXIST'].includes(code) || (code === 'EPERM' && existsSync(path))) return false
    if (code === 'ENOENT' && existsSync(dirname(path))) return false
    throw unwritten(path, error)
  }
}

function held(path: string, token: string): DirectoryLock {
  const own = join(path, token)
  const worker = new Worker(renewal, { eval: true, workerData: own, execArgv: [], env: {} })
  // Without it the lock is lost after a while, and its owner is told.
  worker.on('error', () => undefined)
  worker.unref()
  return {
    get lost() {
      return !existsSync(own)
    },
    release: async () => {
      await worker.terminate()
      await unlink(own).catch(() => undefined)
      await rmdir(path).catch(() => undefined)
    },
  }
}

/**
 * Takes the lock that `path` names (a directory, made and removed again); undefined when another process keeps it. Only the
 * file of its owner says whose it is: it is renewed, looked up, and taken away from a process that has gone by its own name,
 * so that nobody ever renews or removes the lock of another.
 * @param waitMs how long to wait for it; a process that was killed with the lock counts as gone at once where the kernel says so
 * (Linux, of our own user), and elsewhere after 10 seconds
 * @throws the error of the file system where the directory can not be made; the signal's reason, while it waits
 */
export async function takeLock(path: string, waitMs: number, signal?: AbortSignal): Promise<DirectoryLock | undefined> {
  const token = randomBytes(6).toString('hex')
  const until = realClock.now() + waitMs
  for (;;) {
    if (await take(path, token)) return held(path, token)
    if (realClock.now() >= until) return undefined
    await realClock.sleep(pause, signal)
  }
}

/** Whether a process has the lock that `path` names, and renews it. */
export async function isLocked(path: string): Promise<boolean> {
  for (const name of await readdir(path).catch(() => [])) {
    const about = await stat(join(path, name)).catch(() => undefined)
    if (about && Math.abs(wallTime() - about.mtimeMs) <= stale) return true
  }
  return false
}
