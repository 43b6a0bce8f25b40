import { hash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dayNumber, isDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { nameHint } from '../../../contract/nearest.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { withoutMark } from '../../../contract/without-mark.js'
import { type KeyPlan, plans } from '../authenticator.js'

/** A key as the key file holds it: its hash, never itself. */
export interface KeyEntry {
  /** Tells the key apart for people and in logs; unique in its file. */
  readonly name: string
  /** 64 small hex digits: sha256 of the key's UTF-8 text. */
  readonly sha256: string
  readonly plan: KeyPlan
  /** Last Beijing day on which the key is good, `YYYYMMDD`; null: it is good for ever. */
  readonly expiry: string | null
  /** Requests a minute in the long run; null: as many as come. */
  readonly rate: number | null
  /** Beijing day on which the key was made, `YYYYMMDD`; null where nobody wrote it down. */
  readonly added: string | null
}

const keyPrefix = 'qb_'
export const keyNameRule = sentence`at most 40 letters, digits and . _ @ + - between them or single spaces, and no key`

const names = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._@+-]| (?! )){0,39}$/u

/** What a secret looks like: the beginning of our own, a long run of letters and digits, or many digits in a long word. */
function mayBeKey(text: string): boolean {
  if (text.toLowerCase().startsWith(keyPrefix) || /[A-Za-z0-9]{20}/.test(text)) return true
  return text.split(' ').some((word) => /^[\w=+-]{20,}$/.test(word) && word.replace(/\D/g, '').length >= 6)
}

/** Whether a text can name a key: fit for a line of a log, and never a key by mistake. */
export function isKeyName(text: string): boolean {
  return names.test(text) && !text.endsWith(' ') && !mayBeKey(text)
}

const hour = 3_600_000
const dayLength = 24 * hour

/** When a key is no longer good, ms since 1970: the end of its last Beijing day; Infinity without one. */
export function expiryTime({ expiry }: KeyEntry): number {
  return expiry === null ? Infinity : (dayNumber(expiry) + 1) * dayLength - 8 * hour
}

/** A new key: 256 bits that nobody can guess, as `qb_` and 64 hex digits. */
export function makeKey(): string {
  return `${keyPrefix}${randomBytes(32).toString('hex')}`
}

/** What the key file holds of a key: sha256 of its UTF-8 text, 64 small hex digits. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex')
}

type Fail = (what: Words) => never

/** What refuses a key file: KEYS, with its name. */
function failOf(file: string): Fail {
  return (what) => {
    throw new QuotebookError('KEYS', sentence`${file}: ${what}`)
  }
}

/** Texts of errors of the file system, without the path: whoever reads it has named the file. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read by this user',
  EISDIR: 'is a directory',
  ENOTDIR: 'does not exist',
}

/**
 * The text of a key file; undefined when there is none.
 * @throws QuotebookError KEYS when it is no plain file, too long, or can not be read
 */
export function readKeyFileText(file: string): string | undefined {
  const fail = failOf(file)
  try {
    const stat = statSync(file)
    if (!stat.isFile()) fail('is not a file')
    if (stat.size > maxKeyFileBytes) fail(sentence`is longer than ${maxKeyFileBytes} bytes; that is no key file`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof QuotebookError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return code === 'ENOENT' ? undefined : fail(reasons[code] ?? sentence`can not be read (${code})`)
  }
}

const format = 1
/** Some 5,000 keys. */
export const maxKeyFileBytes = 2 ** 20

const isDateOrNull = (value: unknown): boolean => value === null || (typeof value === 'string' && isDate(value))

/** What a field must be. Nothing that stands in the file is repeated: it may be a key. */
const rules: Readonly<Record<keyof KeyEntry, readonly [isRight: (value: unknown) => boolean, rule: Words]>> = {
  name: [(value) => typeof value === 'string' && isKeyName(value), keyNameRule],
  sha256: [
    (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value),
    sentence`the sha256 of the key, 64 small hex digits, and not the key`,
  ],
  plan: [
    (value) => (plans as readonly unknown[]).includes(value),
    sentence`one of ${plans.map((plan) => `"${plan}"`).join(', ')}`,
  ],
  expiry: [isDateOrNull, sentence`a date "YYYYMMDD", the last day on which the key is good, or null`],
  rate: [
    (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= 1),
    sentence`a whole number of requests a minute, 1 or more, or null for as many as come`,
  ],
  added: [isDateOrNull, sentence`a date "YYYYMMDD" or null`],
}
const fields = Object.keys(rules) as readonly (keyof KeyEntry)[]

/** An object of which all fields are known. Their values are still unchecked. */
function objectOf(
  value: unknown,
  where: Words,
  known: readonly string[],
  fail: Fail,
): Partial<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(sentence`${where} must be an object`)
  const names = Object.keys(value)
  const place = names.findIndex((field) => !known.includes(field))
  if (place < 0) return value
  return fail(sentence`${where}: its field number ${place + 1} is unknown; ${nameHint(names[place] as string, known)}`)
}

/** `entry 2 (alice)`: a name is shown only when it is one. */
function labelOf(value: unknown, i: number): string {
  const name = (value as { name?: unknown } | null)?.name
  return `entry ${i + 1}${typeof name === 'string' && isKeyName(name) ? ` (${name})` : ''}`
}

function readEntry(value: unknown, where: Words, fail: Fail): KeyEntry {
  const entry = objectOf(value, where, fields, fail)
  const cells = fields.map((field) => {
    const [isRight, rule] = rules[field]
    if (!Object.hasOwn(entry, field) && field !== 'added') fail(sentence`${where}, field ${field}: it is missing`)
    const cell = entry[field] ?? null
    return [field, isRight(cell) ? cell : fail(sentence`${where}, field ${field}: it must be ${rule}`)]
  })
  return Object.fromEntries(cells) as KeyEntry
}

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(withoutMark(text))
  } catch {
    return fail(sentence`is not JSON`)
  }
}

/**
 * The keys in the text of a key file, in its order.
 * @throws QuotebookError KEYS for anything that is not exactly a key file: which file, which entry (from 1), which field.
 * Nothing of the file but names of keys is in the message.
 */
export function parseKeys(text: string, file: string): KeyEntry[] {
  const fail = failOf(file)
  const { format: written, keys: list } = objectOf(parseJson(text, fail), sentence`the file`, ['format', 'keys'], fail)
  if (written !== format) fail(sentence`field format: this version reads format ${format}`)
  if (!Array.isArray(list)) return fail(sentence`field keys: it must be an array`)
  const labels = list.map(labelOf)
  const entries = list.map((value: unknown, i) => readEntry(value, labels[i] as string, fail))
  for (const field of ['name', 'sha256'] as const) {
    const all = entries.map((entry) => entry[field])
    const i = new Set(all).size === all.length ? -1 : all.findIndex((value, at) => all.indexOf(value) < at)
    if (i >= 0)
      fail(sentence`${labels[i]}, field ${field}: it is that of entry ${all.indexOf(all[i] as string) + 1} too`)
  }
  // No value has a colon behind quotes. Of a field that stands twice JSON.parse takes the last.
  const count = list.reduce((sum: number, entry: object) => sum + Object.keys(entry).length, 2)
  if (text.match(/"\s*:/g)?.length !== count) fail(sentence`a field stands twice`)
  return entries
}

/** The order in which keys are written and listed. */
export function compareKeyNames(a: KeyEntry, b: KeyEntry): number {
  return a.name < b.name ? -1 : 1
}

/** The text of a key file, keys by name: the same keys are the same bytes. */
export function formatKeys(keys: readonly KeyEntry[]): string {
  return `${JSON.stringify({ format, keys: [...keys].sort(compareKeyNames) }, ['format', 'keys', ...fields], 2)}\n`
}
