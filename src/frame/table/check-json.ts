import { Buffer } from 'node:buffer'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { withoutMark } from '../../contract/without-mark.js'

/** Arrays and objects in one another. The deepest answer known, the detail of a theme, has eight. */
const deepest = 64
/** Values of one reply; the whole history of the ST records has about five million. */
const mostValues = 10_000_000
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
    const most = sentence`${mostWords} different codes, dates and labels, or longer ones than ${mostCharacters} characters in all`
    throw new QuotebookError('ENVELOPE', sentence`the reply has more than ${most}; ask for fewer rows at a time`)
  }
}

/** What JSON is held to, and what an error calls it. */
export interface JsonBounds {
  /** Default `the reply`. */
  readonly what?: Words
  readonly values?: number
  /** Bytes of one text. */
  readonly text?: number
  /** Whether a member may stand twice in one object. */
  readonly twice?: boolean
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
  /** The members that are open, by their level. */
  readonly #path: string[] = []
  readonly #bounds: JsonBounds
  /** Of each object or array that is open, the names so far; null in an array. */
  readonly #open: (Set<string> | null)[] = []

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  get isClosed(): boolean {
    return this.#values > 0 && this.#open.length === 0
  }

  #count(values: number): void {
    this.#values += values
    const { values: most = mostValues, what } = this.#bounds
    if (this.#values <= most) return
    this.#refuse(
      sentence`has more than ${most} values; ${what ? sentence`give it in parts` : sentence`ask for fewer rows at a time`}`,
    )
  }

  #refuse(wrong: Words): never {
    const { what = sentence`the reply` } = this.#bounds
    throw new QuotebookError('ENVELOPE', sentence`${what} ${wrong}`)
  }

  /** Where it is, by the members that are open. */
  get #place(): Words {
    const path = this.#path.slice(0, this.#open.length).filter(Boolean).slice(0, 4)
    return path.length === 0 ? '' : sentence`, in ${path.map((name) => name.slice(0, 40)).join('.')}`
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
    this.#path[this.#open.length] = ''
    if (this.#open.push(this.isName ? new Set() : null) <= deepest) return
    this.#refuse(sentence`is more than ${deepest} levels deep${this.#place}`)
  }

  text(length: number): void {
    const { text: most } = this.#bounds
    if (most !== undefined && length > most)
      this.#refuse(sentence`has a text of ${length} bytes${this.#place}, and ${most} are the most that is read`)
  }

  name(name: string): void {
    this.isName = false
    const names = this.#bounds.twice ? undefined : this.#open.at(-1)
    this.#path[this.#open.length - 1] = name
    if (names?.has(name))
      this.#refuse(sentence`has the member ${JSON.stringify(name)}, which stands twice in one object`)
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
export function checkJson(bytes: Uint8Array, bounds: JsonBounds = {}): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const progress = new Progress(bounds)
  for (let at = nextMark(bytes, 0); at < bytes.length; at = nextMark(bytes, at + 1)) {
    const mark = bytes[at] as number
    if (mark !== quote) {
      progress.pass(mark)
      continue
    }
    const start = at + 1
    at = endOfString(bytes, start)
    if (at >= bytes.length) return false
    progress.text(at - start)
    if (progress.isName) progress.name(nameIn(view.toString('utf8', start, at)))
  }
  return progress.isClosed
}

/** Whether arrays and objects of JSON are more than so many levels deep. Without a list of values for each of a million rows. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => isDeeper(inner, levels - 1))
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true
  return false
}

/**
 * JSON.parse of a text from outside, which whoever walks over it or writes it again can do without running out of stack.
 * @param what what an error calls it
 * @throws SyntaxError as JSON.parse does; QuotebookError ENVELOPE for what is more than 64 levels deep
 */
export function parseJson(text: string, what: Words): unknown {
  const refuseDeep = (): void => {
    if (text.length > 2 * deepest) checkJson(Buffer.from(text), { what, values: Number.POSITIVE_INFINITY, twice: true })
  }
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
  } catch (error) {
    refuseDeep()
    throw error
  }
  if (isDeeper(value, deepest)) refuseDeep()
  return value
}
