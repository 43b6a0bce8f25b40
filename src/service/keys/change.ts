import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Held, hold } from '../../archive/lock.js'
import { type Placing, writeWhole } from '../../archive/write-whole.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { KeyEntry } from './entry.js'
import { keysText, longestFile, readKeys } from './key-file.js'
import { keyFileText } from './read-key-file.js'

/** How long to wait for another process that changes the file, ms; one that was killed counts as gone after 10 s. */
const patience = 20_000

/** The keys of a key file; undefined when there is none. @throws QuotebookError KEYS when it is wrong */
export function keysIn(file: string): KeyEntry[] | undefined {
  const text = keyFileText(file)
  return text === undefined ? undefined : readKeys(text, file)
}

/** Where a link leads; a file that is not there is where it is to be. */
async function placeOf(file: string): Promise<string> {
  return realpath(file).catch(() => resolve(file))
}

/** A new file is its owner's alone; one that is there keeps its owner and its mode, so that a service may go on reading it. */
async function accessOf(place: string): Promise<Placing> {
  const found = await stat(place).catch(() => undefined)
  if (!found) return { mode: 0o600 }
  return { mode: found.mode & 0o777, owner: { uid: found.uid, gid: found.gid } }
}

/** Removes what writers that were killed left behind; the lock is held, so none is at work. */
async function sweep(place: string): Promise<void> {
  const dir = dirname(place)
  const left = (await readdir(dir)).filter(
    (name) =>
      name.startsWith(`${basename(place)}.`) && /^\.[\da-f]{12}\.part$/.test(name.slice(basename(place).length)),
  )
  for (const name of left) await rm(join(dir, name), { force: true })
}

type Change = (keys: readonly KeyEntry[] | undefined) => KeyEntry[]

/** Whoever edits the file by hand takes no lock. */
const tries = 5

/** False when the file has become another one meanwhile, and was left alone. */
async function rewrite(file: string, place: string, lock: Held, change: Change): Promise<boolean> {
  const before = keyFileText(file)
  const text = keysText(change(before === undefined ? undefined : readKeys(before, file)))
  if (Buffer.byteLength(text) > longestFile) {
    throw new QuotebookError('KEYS', `${file}: it would be longer than ${longestFile} bytes; revoke keys first`)
  }
  let isAnother = false
  const check = (): void => {
    isAnother = keyFileText(file) !== before
    if (lock.lost || isAnother) throw new QuotebookError('KEYS', `${file}: its lock was lost; nothing was changed`)
  }
  try {
    await writeWhole(place, text, { ...(await accessOf(place)), check })
  } catch (error) {
    if (isAnother && !lock.lost) return false
    throw error
  }
  return true
}

async function untilDone(file: string, place: string, lock: Held, what: Change): Promise<void> {
  for (let left = tries; left > 0; left--) if (await rewrite(file, place, lock, what)) return
  throw new QuotebookError('KEYS', `${file}: somebody else goes on changing it; nothing was changed, try again`)
}

/**
 * Puts other keys into a key file: read, changed and written while no other process does the same, seen whole or not at all.
 * @param what makes of the keys that are there (undefined without a file) those that shall be, perhaps more than once;
 * what it throws leaves the file as it was
 * @throws QuotebookError KEYS when the file is wrong, can not be written, or is being changed by a process that does not end
 */
export async function changeKeys(file: string, what: Change): Promise<void> {
  const place = await placeOf(file)
  try {
    const lock = await hold(`${place}.lock`, patience)
    if (!lock) throw new QuotebookError('KEYS', `${file}: another process is changing it; try again`)
    try {
      await untilDone(file, place, lock, what)
      await sweep(place).catch(() => undefined)
    } finally {
      // What is done is done, whatever stays behind: the next change clears it up.
      await lock.release().catch(() => undefined)
    }
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    const isLost = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isLost ? 'its directory does not exist' : messageOf(cause)
    throw new QuotebookError('KEYS', `${file} can not be written: ${why}`, { cause })
  }
}
