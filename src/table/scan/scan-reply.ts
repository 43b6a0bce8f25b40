import { constants, isUtf8 } from 'node:buffer'
import type { Dataset } from '../../contract/dataset.js'
import { repeated } from '../../contract/envelope.js'
import { codes } from '../../contract/error.js'
import type { ColumnData, RecordColumns } from '../values.js'
import { readNumber } from './number.js'
import { Rows } from './rows.js'
import { afterBlank, byteOf, type Source, sourceOf } from './source.js'
import { quoteAfter, textOf } from './text.js'
import { afterValue, eachElement, eachMember, valueIn } from './value.js'

export interface Scanned {
  readonly code: number
  readonly message: string
  /** Everything in `data` but fields and items. */
  readonly beside: Readonly<Record<string, unknown>>
  /** Columns in the order of `expected`. */
  readonly columns: RecordColumns
}

/** Bytes of a value beside the rows; a longer one is looked through before it is parsed. */
const longest = 2 ** 20

/** The parts of a reply as they are met on the way through its bytes. */
class Reply {
  readonly #source: Source
  readonly #dataset: Dataset
  readonly #expected: ReadonlySet<string>
  readonly #number = new Float64Array(1)
  readonly #beside: Record<string, unknown> = {}
  #message: string | undefined
  #fields: string[] | undefined
  #rows: Rows | undefined

  constructor(source: Source, dataset: Dataset, expected: ReadonlySet<string>) {
    this.#source = source
    this.#dataset = dataset
    this.#expected = expected
  }

  /** Reads the whole body; undefined for one that is not known to be right. */
  scanned(): Scanned | undefined {
    const { bytes } = this.#source
    const start = afterBlank(bytes, 0)
    if (bytes[start] !== byteOf.openBrace) return undefined
    if (eachMember(this.#source, start, (name, at) => this.#envelope(name, at)) !== bytes.length) return undefined
    const [fields, rows, message] = [this.#fields, this.#rows, this.#message]
    if (this.#number[0] !== codes.ok || message === undefined || fields === undefined || rows === undefined)
      return undefined
    const of = new Map<string, ColumnData>()
    for (const name of this.#expected) of.set(name, rows.values(fields.indexOf(name)))
    return { code: codes.ok, message, beside: this.#beside, columns: { length: rows.length, columns: of } }
  }

  #envelope(name: string, at: number): number {
    if (name === 'code') return readNumber(this.#source, at, this.#number, 0)
    if (name === 'message') return this.#text(at, (text) => (this.#message = text))
    if (name !== 'data') return afterValue(this.#source, at)
    if (this.#source.bytes[at] !== byteOf.openBrace) return -1
    return eachMember(this.#source, at, (inner, value) => this.#data(inner, value))
  }

  #data(name: string, at: number): number {
    if (name === 'fields') return this.#names(at)
    if (name === 'items') return this.#items(at)
    const after = afterValue(this.#source, at)
    if (after < 0 || name === repeated) return after
    if (after - at > longest) return -1
    this.#beside[name] = valueIn(this.#source, at, after)
    return after
  }

  #text(at: number, take: (text: string) => void): number {
    const { bytes } = this.#source
    const end = bytes[at] === byteOf.quote ? quoteAfter(bytes, at + 1) : -1
    if (end < 0) return -1
    take(textOf(this.#source, at + 1, end))
    return end + 1
  }

  #names(at: number): number {
    if (this.#source.bytes[at] !== byteOf.open) return -1
    const names: string[] = []
    this.#fields = names
    return eachElement(this.#source, at, (element) => this.#text(element, (name) => names.push(name)))
  }

  #items(at: number): number {
    const fields = this.#fields
    if (fields === undefined || fields.length !== this.#expected.size) return -1
    if (new Set(fields).size !== fields.length || !fields.every((name) => this.#expected.has(name))) return -1
    const known = { ...this.#dataset.columns, ...this.#dataset.stored }
    const columns = fields.flatMap((name) => (Object.hasOwn(known, name) ? (known[name] ?? []) : []))
    if (columns.length !== fields.length) return -1
    this.#rows = new Rows(this.#source, columns)
    return this.#rows.read(at)
  }
}

/**
 * A reply as columns, straight from its bytes; undefined for anything that it does not know or that is not right: then
 * JSON.parse and `decode` have the word, and the error. What it gives is exactly what they give.
 * @param expected the columns of the reply, all of them and no others, in the order wanted
 */
export function scanReply(dataset: Dataset, bytes: Uint8Array, expected: readonly string[]): Scanned | undefined {
  if (dataset.shape !== 'rows' || expected.length === 0) return undefined
  const source = bytes.byteLength <= constants.MAX_STRING_LENGTH ? sourceOf(bytes) : undefined
  if (source === undefined || !isUtf8(source.bytes)) return undefined
  return new Reply(source, dataset, new Set(expected)).scanned()
}
