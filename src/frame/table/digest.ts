import { createHash, type Hash } from 'node:crypto'
import type { Table } from 'apache-arrow'
import { fillArray } from './fresh-array.js'
import { jsonColumns, parsedCell } from './plain-rows.js'
import { columnsOf } from './unwrap.js'
import type { ColumnData } from './values.js'

/** Stands for a missing text or list where codes and counts stand. */
const missing = 0xffffffff
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

function hashWords(hash: Hash, words: Float64Array | Uint32Array): void {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength)
  if (!isLittleEndian) words instanceof Float64Array ? bytes.swap64() : bytes.swap32()
  hash.update(bytes)
}

/** Doubles with one zero and one NaN, which is what a missing number is. */
function hashNumbers(hash: Hash, { data, valid }: Extract<ColumnData, { type: 'float' | 'int' }>): void {
  const out = new Float64Array(data.length)
  const halves = new Uint32Array(out.buffer)
  const high = isLittleEndian ? 1 : 0
  for (let row = 0; row < out.length; row++) {
    const value = data[row] as number
    if (valid?.[row] !== 0 && !Number.isNaN(value)) out[row] = value + 0
    else halves[2 * row + high] = 0x7ff80000
  }
  hashWords(hash, out)
}

/** The number of different texts, their lengths in bytes, the texts in the order in which they first appear; then a number for each row. */
function hashTexts(hash: Hash, values: Extract<ColumnData, { type: 'dictionary' | 'string' }>): void {
  const rows = new Uint32Array(values.data.length).fill(missing)
  const numberOf = new Map<string, number>()
  const take = (row: number, text: string | null | undefined): void => {
    if (text === null || text === undefined) return
    const known = numberOf.get(text)
    rows[row] = known ?? numberOf.size
    if (known === undefined) numberOf.set(text, numberOf.size)
  }
  if (values.type === 'string') for (let row = 0; row < rows.length; row++) take(row, values.data[row])
  else {
    const numbers = new Uint32Array(values.dictionary.length).fill(missing)
    for (let row = 0; row < rows.length; row++) {
      const code = values.data[row] as number
      if (code >= 0 && numbers[code] === missing) {
        take(row, values.dictionary[code])
        numbers[code] = rows[row] as number
      } else if (code >= 0) rows[row] = numbers[code] as number
    }
  }
  const texts = [...numberOf.keys()]
  hashWords(hash, Uint32Array.of(texts.length))
  hashWords(
    hash,
    fillArray(new Uint32Array(texts.length), (at) => Buffer.byteLength(texts[at] as string)),
  )
  hash.update(texts.join(''))
  hashWords(hash, rows)
}

const kinds = {
  float: 'number',
  int: 'number',
  boolean: 'boolean',
  dictionary: 'text',
  string: 'text',
  list: 'list',
} as const

function hashColumn(hash: Hash, name: string, values: ColumnData): void {
  hashTexts(hash, { type: 'string', data: [name, kinds[values.type]] })
  if (values.type === 'float' || values.type === 'int') hashNumbers(hash, values)
  else if (values.type === 'boolean') hash.update(values.data.map((one, row) => (values.valid?.[row] === 0 ? 2 : one)))
  else if (values.type === 'list') {
    const lengths = values.data.map((list) => list?.length ?? missing)
    hashWords(hash, new Uint32Array(lengths))
    hashTexts(hash, { type: 'string', data: values.data.flatMap((list) => list ?? []) })
  } else hashTexts(hash, values)
}

/**
 * sha256 over the cells of a table, column by column: equal rows in equal order under equal names have equal digests, however
 * the table is cut into chunks, its texts are coded, and wide its numbers are. Each column gives its name and kind as texts;
 * then numbers as little-endian doubles (missing: the NaN 7ff8000000000000, and -0 as 0, which JSON can not tell from it),
 * booleans as bytes (missing: 2), texts as `hashTexts` says, in UTF-8 with numbers of 32 bits, lists as their lengths and the
 * texts of all of them. JSON is text without blanks.
 */
export function digest(table: Table): string {
  const { length, columns } = columnsOf(table)
  const hash = createHash('sha256')
  const json = jsonColumns(table)
  hashWords(hash, Uint32Array.of(length, columns.size))
  for (const [name, values] of columns) {
    const plain = (text: string | null, row: number) =>
      text === null ? null : JSON.stringify(parsedCell(name, row, text))
    const isJson = json.has(name) && values.type === 'string'
    hashColumn(hash, name, isJson ? { type: 'string', data: values.data.map(plain) } : values)
  }
  return hash.digest('hex')
}
