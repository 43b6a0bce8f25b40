import { beijingDay } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { wallTime } from '../../source/transport/clock.js'
import type { Plan } from '../caller.js'
import { changeKeys, keysIn } from './change.js'
import { endOf, isName, type KeyEntry, nameRule } from './entry.js'
import { hashOfKey, makeKey } from './make-key.js'

/** What a new key is good for. */
export interface Grant {
  readonly plan: Plan
  /** Last Beijing day, `YYYYMMDD`; null: for ever. */
  readonly expiry: string | null
  /** Requests a minute; null: as many as come. */
  readonly rate: number | null
}

/**
 * Makes a key and puts its hash into a key file, which is made where there is none. Returns the key, which stands nowhere.
 * @param time ms since 1970
 * @throws QuotebookError USAGE for a name that can not be one and an expiry that is past, KEYS for a name that is taken
 * and for a file that is wrong
 */
export async function addKey(file: string, name: string, grant: Grant, time = wallTime()): Promise<string> {
  if (!isName(name)) throw new QuotebookError('USAGE', `this is no name for a key: it takes ${nameRule}`)
  const today = beijingDay(time)
  if (grant.expiry !== null && grant.expiry < today) {
    throw new QuotebookError('USAGE', `expiry ${grant.expiry} is past; today is ${today} in Beijing`)
  }
  const key = makeKey()
  const entry: KeyEntry = { name, sha256: hashOfKey(key), ...grant, added: today }
  await changeKeys(file, (keys = []) => {
    if (keys.some((other) => other.name === name)) {
      throw new QuotebookError('KEYS', `${file} has a key named ${name} already; revoke it first, or take another name`)
    }
    return [...keys, entry]
  })
  return key
}

/** A key as a list shows it. */
export interface ListedKey extends Omit<KeyEntry, 'sha256'> {
  readonly state: 'good' | 'expired'
}

function noFile(file: string): QuotebookError {
  return new QuotebookError('KEYS', `${file} does not exist; quotebook keys add NAME --keys ${file} makes it`)
}

/**
 * The keys of a key file by name, without their hashes.
 * @param time ms since 1970
 * @throws QuotebookError KEYS when there is no file, or it is wrong
 */
export function listKeys(file: string, time = wallTime()): ListedKey[] {
  const keys = keysIn(file)
  if (!keys) throw noFile(file)
  return keys
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((key) => {
      const { sha256: _, ...shown } = key
      return { ...shown, state: time < endOf(key) ? 'good' : 'expired' }
    })
}

function notThere(file: string, name: string, keys: readonly KeyEntry[]): QuotebookError {
  if (!isName(name)) {
    return new QuotebookError('KEYS', `this is no name of a key; quotebook keys list --keys ${file} shows the names`)
  }
  const near = nearest(
    name,
    keys.map((key) => key.name),
  )
  const hint = near === undefined ? `quotebook keys list --keys ${file} shows the names` : `did you mean ${near}?`
  return new QuotebookError('KEYS', `${file} has no key named ${name}; ${hint}`)
}

/**
 * Takes a key out of a key file: a service that reads it refuses the key within a second.
 * @throws QuotebookError KEYS when no key has the name, there is no file, or it is wrong
 */
export async function revokeKey(file: string, name: string): Promise<void> {
  if (!keysIn(file)) throw noFile(file)
  await changeKeys(file, (keys) => {
    if (!keys) throw noFile(file)
    const left = keys.filter((key) => key.name !== name)
    if (left.length === keys.length) throw notThere(file, name, keys)
    return left
  })
}
