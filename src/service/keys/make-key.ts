import { hash, randomBytes } from 'node:crypto'
import { keyPrefix } from './entry.js'

/** A new key: 256 bits that nobody can guess, as `qb_` and 64 hex digits. */
export function makeKey(): string {
  return `${keyPrefix}${randomBytes(32).toString('hex')}`
}

/** What the key file holds of a key: sha256 of its UTF-8 text, 64 small hex digits. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex')
}
