import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { beijingDay } from '../../../contract/date.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { nameHint } from '../../../contract/nearest.js'
import { sentence } from '../../../contract/sentence.js'
import { type DirectoryLock, takeLock } from '../../../data/archive/directory-lock.js'
import { type WriteFileOptions, writeFileAtomically } from '../../../data/archive/file-access.js'
import { wallTime } from '../../../data/source/transport/clock.js'
import {
  compareKeyNames,
  expiryTime,
  formatKeys,
  hashOfKey,
  isKeyName,
  type KeyEntry,
  keyNameRule,
  makeKey,
  maxKeyFileBytes,
  parseKeys,
  readKeyFileText,
} from './key-file.js'

/** How long to wait for another process that changes the file, ms; one that was killed counts as gone after 10 s. */
const patience = 20_000

/** A new file is its owner's alone; one that is there keeps its owner and its mode, so that a service may go on reading it. */
async function writeOptions(path: string): Promise<WriteFileOptions> {
  const stats = await stat(path).catch(() => undefined)
  return stats ? { mode: stats.mode & 0o777, owner: { uid: stats.uid, gid: stats.gid } } : { mode: 0o600 }
}

/** Removes what writers that were killed left behind; the lock is taken, so none is at work. */
async function removeUnfinished(path: string): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    const isUnfinished = name.startsWith(prefix) && /^[\da-f]{12}\.part$/.test(name.slice(prefix.length))
    if (isUnfinished) await rm(join(dirname(path), name), { force: true })
  }
}

type Change = (keys: readonly KeyEntry[] | undefined) => KeyEntry[]

/** Changes the file while the lock is ours. Who edits it by hand takes no lock: what was saved meanwhile is left as it is. */
async function rewrite(file: string, path: string, lock: DirectoryLock, change: Change): Promise<void> {
  const before = readKeyFileText(file)
  const text = formatKeys(change(before === undefined ? undefined : parseKeys(before, file)))
  if (Buffer.byteLength(text) > maxKeyFileBytes) {
    throw new QuotebookError(
      'KEYS',
      sentence`${file}: it would be longer than ${maxKeyFileBytes} bytes; revoke keys first`,
    )
  }
  const check = (): void => {
    if (lock.lost) throw new QuotebookError('KEYS', sentence`${file}: its lock was lost; nothing was changed`)
    if (readKeyFileText(file) === before) return
    throw new QuotebookError(
      'KEYS',
      sentence`${file}: somebody else has changed it meanwhile; nothing was changed, try again`,
    )
  }
  await writeFileAtomically(path, text, { ...(await writeOptions(path)), check })
}

/**
 * Puts other keys into a key file: read, changed and written while no other process does the same, seen whole or not at all.
 * @param change makes of the keys that are there (undefined without a file) those that shall be; what it
 * throws leaves the file as it was
 * @throws QuotebookError KEYS when the file is wrong, can not be written, or is being changed by a process that does not end
 */
export async function updateKeyFile(file: string, change: Change): Promise<void> {
  // Where a link leads; a file that is not there is where it is to be.
  const path = await realpath(file).catch(() => resolve(file))
  try {
    const lock = await takeLock(`${path}.lock`, patience)
    if (!lock) throw new QuotebookError('KEYS', sentence`${file}: another process is changing it; try again`)
    try {
      await rewrite(file, path, lock, change)
      await removeUnfinished(path).catch(() => undefined)
    } finally {
      // What is done is done, whatever stays behind: the next change clears it up.
      await lock.release().catch(() => undefined)
    }
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    const isLost = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isLost ? sentence`its directory does not exist` : messageOf(cause)
    throw new QuotebookError('KEYS', sentence`${file} can not be written: ${why}`, { cause })
  }
}

/** What a new key is good for. */
export type KeyGrant = Pick<KeyEntry, 'plan' | 'expiry' | 'rate'>

/**
 * Makes a key and puts its hash into a key file, which is made where there is none. Returns the key, which stands nowhere.
 * @param time ms since 1970
 * @throws QuotebookError USAGE for a name that can not be one and an expiry that is past, KEYS for a name that is taken
 * and for a file that is wrong
 */
export async function addKey(file: string, name: string, grant: KeyGrant, time = wallTime()): Promise<string> {
  if (!isKeyName(name)) throw new QuotebookError('USAGE', sentence`this is no name for a key: it takes ${keyNameRule}`)
  const today = beijingDay(time)
  if (grant.expiry !== null && grant.expiry < today) {
    throw new QuotebookError('USAGE', sentence`expiry ${grant.expiry} is past; today is ${today} in Beijing`)
  }
  const key = makeKey()
  const entry: KeyEntry = { name, sha256: hashOfKey(key), ...grant, added: today }
  await updateKeyFile(file, (keys = []) => {
    if (keys.some((other) => other.name === name)) {
      throw new QuotebookError(
        'KEYS',
        sentence`${file} has a key named ${name} already; revoke it first, or take another name`,
      )
    }
    return [...keys, entry]
  })
  return key
}

/** A key as a list shows it. */
export interface ListedKey extends Omit<KeyEntry, 'sha256'> {
  readonly state: 'good' | 'expired'
}

/** The keys of a key file that must be there. */
function readKeyFile(file: string): KeyEntry[] {
  const text = readKeyFileText(file)
  if (text !== undefined) return parseKeys(text, file)
  throw new QuotebookError('KEYS', sentence`${file} does not exist; quotebook keys add NAME --keys ${file} makes it`)
}

/**
 * The keys of a key file by name, without their hashes.
 * @param time ms since 1970
 * @throws QuotebookError KEYS when there is no file, or it is wrong
 */
export function listKeys(file: string, time = wallTime()): ListedKey[] {
  return readKeyFile(file)
    .sort(compareKeyNames)
    .map((key) => {
      const { sha256: _, ...listed } = key
      return { ...listed, state: time < expiryTime(key) ? 'good' : 'expired' }
    })
}

function unknownKey(file: string, name: string, keys: readonly KeyEntry[]): QuotebookError {
  const look = sentence`quotebook keys list --keys ${file} shows the names`
  if (!isKeyName(name)) return new QuotebookError('KEYS', sentence`this is no name of a key; ${look}`)
  const names = keys.map((key) => key.name)
  return new QuotebookError('KEYS', sentence`${file} has no key named ${name}; ${nameHint(name, names, look)}`)
}

/**
 * Takes a key out of a key file: a service that reads it refuses the key within a second.
 * @throws QuotebookError KEYS when no key has the name, there is no file, or it is wrong
 */
export async function revokeKey(file: string, name: string): Promise<void> {
  readKeyFile(file)
  await updateKeyFile(file, (keys = readKeyFile(file)) => {
    const left = keys.filter((key) => key.name !== name)
    if (left.length === keys.length) throw unknownKey(file, name, keys)
    return left
  })
}
