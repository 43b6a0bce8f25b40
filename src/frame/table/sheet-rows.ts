import { putDecimal } from './decimal-text.js'
import { TextBytes } from './row-text.js'
import { columnLetters, escaped } from './spreadsheet.js'
import { textOf, withBytes, type ZipEntry, zipEntries, zipOf } from './zip.js'

interface MaybeMissing {
  /** 0 for a cell that is missing, as are NaN and code -1. */
  readonly valid: Uint8Array | null
}

/** Cells of a column of a sheet: numbers, or codes of words, of which numbers stand for days. */
export type SheetCells = MaybeMissing &
  (
    | { readonly numbers: Float64Array | Int32Array }
    | { readonly codes: Int32Array | Uint8Array; readonly words: readonly (string | number | boolean)[] }
  )

/** Texts of all sheets, each once. */
class SharedTexts {
  readonly #places = new Map<string, number>()
  readonly #before: number

  /** @param before texts that are there */
  constructor(before: number) {
    this.#before = before
  }

  get size(): number {
    return this.#before + this.#places.size
  }

  placeOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const place = this.size
    this.#places.set(text, place)
    return place
  }

  *chunks(): Generator<Uint8Array> {
    let chunk = ''
    for (const given of this.#places.keys()) {
      const text = escaped(given)
      const space = /^ | $|[\n\t]/.test(text) ? ' xml:space="preserve"' : ''
      chunk += text === '' ? '<si><t/></si>' : `<si><t${space}>${xmlText(text)}</t></si>`
      if (chunk.length < chunkSize) continue
      yield Buffer.from(chunk)
      chunk = ''
    }
    yield Buffer.from(chunk)
  }
}

const chunkSize = 2 ** 16
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '\n', '\t': '\t' }

/** Characters that XML does not hold, and the line's end that it would change, as Excel escapes them. */
function xmlText(text: string): string {
  return text.replace(/[&<>\p{Cc}]/gu, (sign) => {
    const code = sign.charCodeAt(0)
    return marks[sign] ?? (code < 32 ? `_x${code.toString(16).toUpperCase().padStart(4, '0')}_` : sign)
  })
}

const sharedTexts = 'xl/sharedStrings.xml'
const nothing = new Uint8Array()
/** Room that a cell takes at most. */
const mostCell = 96

type CellWriter = (out: TextBytes, row: number, place: Uint8Array) => void

/** @param style the attribute of the column's cells */
function writerOf(letters: string, style: string, cells: SheetCells, texts: SharedTexts): CellWriter {
  const bytes = (text: string) => Buffer.from(text)
  const [open, none, end] = [bytes(`<c r="${letters}`), bytes(`"${style}/>`), bytes('</v></c>')]
  const [number, word, flag] = ['', ' t="s"', ' t="b"'].map((type) => bytes(`"${type}${style}><v>`)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const put = (out: TextBytes, place: Uint8Array, type: Uint8Array, value: number): void => {
    out.put(open)
    out.put(place)
    out.put(type)
    const at = putDecimal(out.bytes, out.at, value, nothing)
    if (at >= 0) out.at = at
    else out.write(String(value))
    out.put(end)
  }
  const missing = (out: TextBytes, place: Uint8Array): void => {
    if (style === '') return
    out.put(open)
    out.put(place)
    out.put(none)
  }
  const { valid } = cells
  if ('numbers' in cells) {
    const { numbers } = cells
    return (out, row, place) => {
      const value = numbers[row] as number
      if (Number.isNaN(value) || valid?.[row] === 0) missing(out, place)
      else put(out, place, number, value)
    }
  }
  const { codes, words } = cells
  const types = words.map((own) => (typeof own === 'string' ? word : typeof own === 'number' ? number : flag))
  const values = new Float64Array(words.length).fill(-1)
  const numberOf = (code: number): number => {
    const own = words[code]
    return typeof own === 'string' ? texts.placeOf(own) : Number(own)
  }
  return (out, row, place) => {
    const code = codes[row] as number
    if (code < 0 || valid?.[row] === 0) return missing(out, place)
    if ((values[code] as number) < 0) values[code] = numberOf(code)
    put(out, place, types[code] as Uint8Array, values[code] as number)
  }
}

/** Rows below the head. One without cells is left out. */
function* rowChunks(cells: readonly CellWriter[], length: number): Generator<Uint8Array> {
  const [open, close, end] = ['<row r="', '">', '</row>'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  const out = new TextBytes(mostCell * (cells.length + 1))
  const digits = new Uint8Array(24)
  for (let row = 0; row < length; row++) {
    out.room()
    const start = out.at
    const place = digits.subarray(0, putDecimal(digits, 0, row + 2, nothing))
    out.put(open)
    out.put(place)
    out.put(close)
    const first = out.at
    for (const write of cells) write(out, row, place)
    if (out.at === first) out.at = start
    else out.put(end)
    if (out.at < chunkSize && row < length - 1) continue
    yield out.bytes.slice(0, out.at)
    out.at = 0
  }
}

function* around(before: string, chunks: Iterable<Uint8Array>, after: string): Generator<Uint8Array> {
  yield Buffer.from(before)
  yield* chunks
  yield Buffer.from(after)
}

/**
 * Puts rows into the first sheet of a file, below its head, in place of one row of empty cells, whose styles they have.
 */
export async function fillSheet(book: Uint8Array, columns: readonly SheetCells[], length: number): Promise<Uint8Array> {
  const entries = [...zipEntries(book)]
  const replace = async (name: string, of: (text: string) => Iterable<Uint8Array>): Promise<void> => {
    const at = entries.findIndex((entry) => entry.name === name)
    const entry = entries[at] as ZipEntry
    entries[at] = await withBytes(entry, of(textOf(entry)))
  }
  const known = textOf(entries.find(({ name }) => name === sharedTexts) as ZipEntry)
  const texts = new SharedTexts(Number(/uniqueCount="(\d+)"/.exec(known)?.[1]))
  await replace('xl/worksheets/sheet1.xml', (xml) => {
    const sheet = xml.replaceAll(/ ref="(A1:[A-Z]+)2"/g, ` ref="$1${length + 1}"`)
    const [row, cells = ''] = /<row r="2">(.*?)<\/row>/.exec(sheet) ?? []
    const styles = new Map([...cells.matchAll(/"([A-Z]+)2"( s="\d+")/g)].map(([, letters, style]) => [letters, style]))
    const writers = columns.map((column, at) => {
      const letters = columnLetters(at + 1)
      return writerOf(letters, styles.get(letters) ?? '', column, texts)
    })
    const [before, after] = sheet.split(row ?? /(?=<\/sheetData>)/) as [string, string]
    return around(before, rowChunks(writers, length), after)
  })
  await replace(sharedTexts, (xml) => {
    const counted = xml.replace(/count="\d+" uniqueCount="\d+"/, `count="${texts.size}" uniqueCount="${texts.size}"`)
    return around(counted.replace('</sst>', ''), texts.chunks(), '</sst>')
  })
  return zipOf(entries)
}
