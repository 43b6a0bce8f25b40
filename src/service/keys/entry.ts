import { dayNumber } from '../../contract/date.js'
import type { Plan } from '../caller.js'

/** A key as the key file holds it: its hash, never itself. */
export interface KeyEntry {
  /** Tells the key apart for people and in logs; unique in its file. */
  readonly name: string
  /** 64 small hex digits: sha256 of the key's UTF-8 text. */
  readonly sha256: string
  readonly plan: Plan
  /** Last Beijing day on which the key is good, `YYYYMMDD`; null: it is good for ever. */
  readonly expiry: string | null
  /** Requests a minute in the long run; null: as many as come. */
  readonly rate: number | null
  /** Beijing day on which the key was made, `YYYYMMDD`; null where nobody wrote it down. */
  readonly added: string | null
}

export const keyPrefix = 'qb_'
export const nameRule = 'at most 40 letters, digits and . _ @ + - between them or single spaces, and no key'

const names = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._@+-]| (?! )){0,39}$/u

/** What a secret looks like: the beginning of our own, a long run of letters and digits, or many digits in a long word. */
function mayBeKey(text: string): boolean {
  if (text.toLowerCase().startsWith(keyPrefix) || /[A-Za-z0-9]{20}/.test(text)) return true
  return text.split(' ').some((word) => /^[\w=+-]{20,}$/.test(word) && word.replace(/\D/g, '').length >= 6)
}

/** Whether a text can name a key: fit for a line of a log, and never a key by mistake. */
export function isName(text: string): boolean {
  return names.test(text) && !text.endsWith(' ') && !mayBeKey(text)
}

const hour = 3_600_000
const dayLength = 24 * hour

/** When a key is no longer good, ms since 1970: the end of its last Beijing day; Infinity without one. */
export function endOf({ expiry }: KeyEntry): number {
  return expiry === null ? Infinity : (dayNumber(expiry) + 1) * dayLength - 8 * hour
}
