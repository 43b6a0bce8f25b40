import { ContractError, messageOf, QuotebookError } from '../../../contract/error.js'
import { received, sent, type Words } from '../../../contract/sentence.js'
import { rewordError, SourceError } from '../source-error.js'

const mask = '•••'
/** A shorter piece of a key tells nothing. */
const shortestPiece = 8
/** A shorter key is no secret, and its letters are in every word. */
const shortest = 4

/** The key as it stands in text, in JSON, in an address, in a page. */
function spellings(key: string): ReadonlySet<string> {
  const page = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  return new Set([
    key,
    key.trim(),
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(Buffer.from(key).toString()),
    page,
  ])
}

/** Text without the key, and without any piece of it that a cut has left over. */
export function maskKey(text: string, key: string): string {
  const hidden = new Uint8Array(text.length)
  for (const spelling of key === '' ? [] : spellings(key)) {
    const size = Math.min(shortestPiece, spelling.length)
    for (let i = 0; i + size <= spelling.length; i++) {
      const part = spelling.slice(i, i + size)
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) hidden.fill(1, at, at + size)
    }
  }
  if (!hidden.includes(1)) return text
  return Array.from(hidden, (is, at) => (is === 0 ? text[at] : hidden[at - 1] === 1 ? '' : mask)).join('')
}

/** Whether a number has a piece of the key as its digits; a shorter key may be any count. */
function isOfKey(value: number | undefined, key: string): boolean {
  return value !== undefined && key.length >= shortestPiece && maskKey(`${value}`, key) !== `${value}`
}

/** A JSON value whose texts, numbers and names are without the key. */
export function maskKeyInValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return maskKey(value, key)
  if (typeof value === 'number') return isOfKey(value, key) ? mask : value
  if (Array.isArray(value)) return value.map((part) => maskKeyInValue(part, key))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => [maskKey(name, key), maskKeyInValue(part, key)])
  return Object.fromEntries(entries)
}

/** The same words without the key in their values. */
const maskedWords = (words: Words, key: string): Words => received(sent(words), (text) => maskKey(text, key))

function contractError(error: ContractError, key: string): ContractError {
  const { dataset, field, row, node, what } = error
  return new ContractError(dataset, maskedWords(what, key), {
    field: field === undefined ? field : maskKey(field, key),
    row,
    node,
  })
}

/** The same failure without the key in its words, its numbers and its cause. */
function sourceError(error: SourceError, key: string): SourceError {
  const { vendorCode, retryAfter, cause } = error
  const isForeign = cause instanceof Error && !(cause instanceof QuotebookError)
  const safeCause = isForeign && maskKey(cause.message, key) !== cause.message ? undefined : maskKeyInError(cause, key)
  const [isCode, isWait] = [isOfKey(vendorCode, key), isOfKey(retryAfter, key)]
  const message = maskedWords(messageOf(error), key)
  if (!isCode && !isWait && safeCause === cause && String(message) === error.message) return error
  return rewordError(error, message, error.request, {
    ...(isCode ? { vendorCode: undefined } : {}),
    ...(isWait ? { retryAfter: undefined } : {}),
    cause: safeCause,
  })
}

/** The same error, which says nothing of the key. */
export function maskKeyInError(error: unknown, key: string): unknown {
  if (!(error instanceof Error) || key.length < shortest) return error
  if (error instanceof SourceError) return sourceError(error, key)
  const field = error instanceof ContractError ? (error.field ?? '') : ''
  const said = `${error.message}\n${field}`
  if (maskKey(said, key) === said) return error
  if (error instanceof ContractError) return contractError(error, key)
  return error instanceof QuotebookError ? new QuotebookError(error.code, maskedWords(messageOf(error), key)) : error
}
