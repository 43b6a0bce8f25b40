import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { type Plan, plans } from '../caller.js'
import { isName, type KeyEntry, nameRule } from './entry.js'
import { type Json, JsonFault, type JsonObject, readJson } from './strict-json.js'

const format = 1
/** Some 5,000 keys. */
export const longestFile = 2 ** 20

/** What a field has wrong; undefined when it is good. Nothing that stands in the file is repeated: it may be a key. */
const rules: Readonly<Record<keyof KeyEntry, (value: Json) => string | undefined>> = {
  name: (value) => (typeof value === 'string' && isName(value) ? undefined : `must be ${nameRule}`),
  sha256: (value) =>
    typeof value === 'string' && /^[\da-f]{64}$/.test(value)
      ? undefined
      : 'must be the sha256 of the key, 64 small hex digits, and not the key',
  plan: (value) =>
    (plans as readonly Json[]).includes(value)
      ? undefined
      : `must be one of ${plans.map((plan) => `"${plan}"`).join(', ')}`,
  expiry: (value) =>
    value === null || (typeof value === 'string' && isDate(value))
      ? undefined
      : 'must be a date "YYYYMMDD", the last day on which the key is good, or null',
  rate: (value) =>
    value === null || (Number.isSafeInteger(value) && (value as number) >= 1)
      ? undefined
      : 'must be a whole number of requests a minute, 1 or more, or null for as many as come',
  added: (value) =>
    value === null || (typeof value === 'string' && isDate(value)) ? undefined : 'must be a date "YYYYMMDD" or null',
}
const fields = Object.keys(rules) as readonly (keyof KeyEntry)[]

/** `2 (alice)`: names are told only when they are names. */
function entryLabel(number: number, entry: Json): string {
  const name = entry instanceof Map ? (entry.get('name') as unknown) : undefined
  return typeof name === 'string' && isName(name) ? `${number} (${name})` : `${number}`
}

function unknownField(where: string, given: Iterable<string>, known: readonly string[]): string | undefined {
  let place = 0
  for (const field of given) {
    place++
    if (known.includes(field)) continue
    const near = nearest(field, known)
    const hint = near === undefined ? `the fields are ${known.join(', ')}` : `did you mean ${near}?`
    return `${where}: its field number ${place} is unknown; ${hint}`
  }
  return undefined
}

function entryOf(value: Json, where: string, fail: (what: string) => never): KeyEntry {
  if (!(value instanceof Map)) return fail(`${where} must be an object`)
  const entry = value as JsonObject
  const unknown = unknownField(where, entry.keys(), fields)
  if (unknown !== undefined) fail(unknown)
  for (const field of fields) {
    const cell = entry.get(field)
    if (cell === undefined && field === 'added') continue
    const wrong = cell === undefined ? 'is missing' : rules[field](cell)
    if (wrong !== undefined) fail(`${where}, field ${field}: it ${wrong}`)
  }
  return {
    name: entry.get('name') as string,
    sha256: entry.get('sha256') as string,
    plan: entry.get('plan') as Plan,
    expiry: entry.get('expiry') as string | null,
    rate: entry.get('rate') as number | null,
    added: (entry.get('added') as string | null | undefined) ?? null,
  }
}

function parsed(text: string, fail: (what: string) => never): Json {
  try {
    return readJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return error instanceof JsonFault ? fail(`is not JSON: ${error.message}`) : fail('can not be read')
  }
}

/**
 * The keys in the text of a key file, in its order.
 * @throws QuotebookError KEYS for anything that is not exactly a key file: which file, which entry (from 1), which field.
 * Nothing of the file but names of keys is in the message.
 */
export function readKeys(text: string, file: string): KeyEntry[] {
  const fail = (what: string): never => {
    throw new QuotebookError('KEYS', `${file}: ${what}`)
  }
  const whole = parsed(text, fail)
  if (!(whole instanceof Map)) return fail('must be an object with the fields format and keys')
  const unknown = unknownField('the file', whole.keys(), ['format', 'keys'])
  if (unknown !== undefined) fail(unknown)
  if (whole.get('format') !== format) fail(`field format: this version reads format ${format}`)
  const list = whole.get('keys')
  if (!Array.isArray(list)) return fail('field keys: it must be an array')
  const entries: KeyEntry[] = []
  const numbers = { name: new Map<string, number>(), sha256: new Map<string, number>() }
  list.forEach((value: Json, i) => {
    const where = `entry ${entryLabel(i + 1, value)}`
    const entry = entryOf(value, where, fail)
    for (const field of ['name', 'sha256'] as const) {
      const before = numbers[field].get(entry[field])
      if (before !== undefined) fail(`${where}, field ${field}: it is that of entry ${before} too`)
      numbers[field].set(entry[field], i + 1)
    }
    entries.push(entry)
  })
  return entries
}

/** The text of a key file, keys by name: the same keys are the same bytes. */
export function keysText(keys: readonly KeyEntry[]): string {
  const sorted = [...keys].sort((a, b) => (a.name < b.name ? -1 : 1))
  const plain = sorted.map((key) => Object.fromEntries(fields.map((field) => [field, key[field]])))
  return `${JSON.stringify({ format, keys: plain }, null, 2)}\n`
}
