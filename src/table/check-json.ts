import { Buffer } from 'node:buffer'
import { QuotebookError } from '../contract/error.js'

/** Arrays and objects in one another. The deepest answer known, the detail of a theme, has eight. */
const deepest = 64
/** Values of one reply; the whole history of the ST records has about five million. */
export const mostValues = 10_000_000
/** Different words of one reply where words repeat (codes, dates, labels), and their characters: to keep one takes as long as twenty values. */
const [mostWords, mostCharacters] = [2 ** 19, 2 ** 26]

/** Counts the different words of a reply. */
export class WordCount {
  #words = 0
  #characters = 0

  get #isTooMany(): boolean {
    return this.#words > mostWords || this.#characters > mostCharacters
  }

  /** @returns whether there may be so many */
  add(word: string): boolean {
    this.#words++
    this.#characters += word.length
    return !this.#isTooMany
  }

  /** @throws QuotebookError ENVELOPE for more than there may be */
  check(): void {
    if (!this.#isTooMany) return
    const most = `${mostWords} different codes, dates and labels, or longer ones than ${mostCharacters} characters in all`
    throw new QuotebookError('ENVELOPE', `the reply has more than ${most}; ask for fewer rows at a time`)
  }
}

/** An array, an object or the name of a member takes as much time and memory as so many values. */
const weight = 4

/** 1 for the bytes that matter outside of strings. */
const isMark = new Uint8Array(256)
for (const mark of '"[]{},') isMark[mark.charCodeAt(0)] = 1
const [quote, comma, backslash, close, openBrace, closeBrace] = [0x22, 0x2c, 0x5c, 0x5d, 0x7b, 0x7d] as const

/** The place of the quote that ends a string, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  let at = start
  for (let byte = bytes[at]; at < length && byte !== quote; byte = bytes[at]) at += byte === backslash ? 2 : 1
  return at
}

/** The place of the next byte that matters, or the end of the bytes. */
function nextMark(bytes: Uint8Array, start: number): number {
  const { length } = bytes
  const marks = isMark
  let at = start
  while (at < length && marks[bytes[at] as number] === 0) at++
  return at
}

function nameIn(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

/** What is open at a place of JSON, and how much came before it. */
class Progress {
  isName = false
  #values = 0
  /** Of each object or array that is open, the names so far; null in an array. */
  readonly #open: (Set<string> | null)[] = []

  get isClosed(): boolean {
    return this.#values > 0 && this.#open.length === 0
  }

  #count(values: number): void {
    this.#values += values
    if (this.#values > mostValues) this.#refuse(`has more than ${mostValues} values; ask for fewer rows at a time`)
  }

  #refuse(what: string): never {
    throw new QuotebookError('ENVELOPE', `the reply ${what}`)
  }

  pass(mark: number): void {
    if (mark === close || mark === closeBrace) {
      this.#open.pop()
      return
    }
    if (mark === comma) {
      this.isName = this.#open.at(-1) != null
      this.#count(1)
      return
    }
    this.#count(weight)
    this.isName = mark === openBrace
    if (this.#open.push(this.isName ? new Set() : null) > deepest) this.#refuse(`is more than ${deepest} levels deep`)
  }

  name(name: string): void {
    this.isName = false
    const names = this.#open.at(-1)
    if (names?.has(name)) this.#refuse(`has the member ${JSON.stringify(name)}, which stands twice in one object`)
    names?.add(name)
    this.#count(weight)
  }
}

/**
 * Looks through JSON before it is parsed, in one pass and hardly any memory. It does not judge what JSON.parse judges.
 * @returns whether something was opened, and all of it was closed
 * @throws QuotebookError ENVELOPE for what is too deep or has too many values to be parsed, and for a member that stands twice
 *   in one object, of which JSON.parse would take the last; SyntaxError for a name that is none
 */
export function checkJson(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const progress = new Progress()
  for (let at = nextMark(bytes, 0); at < bytes.length; at = nextMark(bytes, at + 1)) {
    const mark = bytes[at] as number
    if (mark !== quote) {
      progress.pass(mark)
      continue
    }
    const start = at + 1
    at = endOfString(bytes, start)
    if (at >= bytes.length) return false
    if (progress.isName) progress.name(nameIn(view.toString('utf8', start, at)))
  }
  return progress.isClosed
}
