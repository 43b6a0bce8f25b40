import { Buffer } from 'node:buffer'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { putDecimal } from './decimal-text.js'
import type { ColumnData, RecordColumns } from './values.js'

/** How a format spells cells. */
export interface CellText {
  readonly missing: string
  /** Of a finite number. */
  readonly number: (value: number) => string
  /** What `number` puts behind whole numbers of less than 16 digits; all others of so few digits are spelled as JavaScript does. */
  readonly afterWhole: string
  readonly text: (text: string) => string
  readonly list: (list: readonly string[]) => string
  /** What stands around a number. */
  readonly around?: readonly [before: string, after: string]
  /** False and true. */
  readonly flags?: readonly [string, string]
}

/** Bytes that are begun with. */
const little = 2 ** 14
/** Room that a number takes at most. */
const mostNumber = 32
const nothing = new Uint8Array()
/** Bytes that are given on at a time. */
const textChunk = 2 ** 18

/** Text as it is written: bytes, with room for a row at least. */
class TextBytes {
  bytes = new Uint8Array(little)
  at = 0
  /** Whether no byte is of a character beyond ASCII: such bytes are text as they are. */
  isAscii = true
  readonly #row: number

  /** @param row bytes of the cells of a row that have a most */
  constructor(row: number) {
    this.#row = row
  }

  /** Makes room for a row, and for so many bytes more. */
  room(more = 0): void {
    const wanted = this.at + this.#row + more
    if (wanted <= this.bytes.length) return
    const wider = new Uint8Array(2 * wanted)
    wider.set(this.bytes.subarray(0, this.at))
    this.bytes = wider
  }

  /** Where there is room. */
  put(bytes: Uint8Array): void {
    const { bytes: own } = this
    let { at } = this
    for (let i = 0; i < bytes.length; i++) own[at++] = bytes[i] as number
    this.at = at
  }

  /** Of any length. Columns hold no half of a character pair, which would be no bytes. */
  write(text: string): void {
    this.room(3 * text.length)
    const written = Buffer.from(this.bytes.buffer).write(text, this.at, 'utf8')
    if (written !== text.length) this.isAscii = false
    this.at += written
  }

  text(): string {
    return Buffer.from(this.bytes.buffer, 0, this.at).toString(this.isAscii ? 'latin1' : 'utf8')
  }
}

/** Writes the cell of a row. */
interface CellWriter {
  /** Bytes that must be free. */
  readonly room: number
  readonly write: (out: TextBytes, row: number) => void
}

function refuse(name: string, row: number, format: string, value: number): never {
  const wrong = sentence`column '${name}', row ${row + 1}: ${format} has no ${value}`
  throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; toParquet and toIpc keep it, or make it null first`)
}

function floats(
  { data, valid }: ColumnData & { readonly type: 'float' | 'int' },
  name: string,
  { missing, number, afterWhole, around = ['', ''] }: CellText,
  format: string,
): CellWriter {
  const [none, whole] = [Buffer.from(missing), Buffer.from(afterWhole)]
  const [before, after] = [Buffer.from(around[0]), Buffer.from(around[1])]
  const isAlone = before.length + after.length === 0
  const write = (out: TextBytes, row: number): void => {
    const value = data[row] as number
    if ((valid !== null && valid[row] === 0) || Number.isNaN(value)) {
      out.put(none)
      return
    }
    if (!isAlone) out.put(before)
    const at = putDecimal(out.bytes, out.at, value, whole)
    if (at >= 0) out.at = at
    else if (Number.isFinite(value)) out.write(number(value))
    else refuse(name, row, format, value)
    if (!isAlone) out.put(after)
  }
  return { room: mostNumber + none.length + before.length + after.length, write }
}

/** Cells that are one of some texts, each of which is spelled when it first stands there. */
function words(
  codes: Int32Array | Uint8Array,
  spelled: (code: number) => string,
  missing: string,
  isThere: (row: number) => boolean,
): CellWriter {
  const none = Buffer.from(missing)
  const known: Uint8Array[] = []
  const spell = (out: TextBytes, code: number): Uint8Array => {
    const text = spelled(code)
    const bytes = Buffer.from(text)
    if (bytes.length !== text.length) out.isAscii = false
    known[code] = bytes
    return bytes
  }
  const write = (out: TextBytes, row: number): void => {
    const code = isThere(row) ? (codes[row] as number) : -1
    const own = code < 0 ? none : (known[code] ?? spell(out, code))
    out.room(own.length)
    out.put(own)
  }
  return { room: 0, write }
}

function writerOf(name: string, values: ColumnData, how: CellText, format: string): CellWriter {
  const { missing } = how
  switch (values.type) {
    case 'float':
    case 'int':
      return floats(values, name, how, format)
    case 'boolean':
      return words(
        values.data,
        (code) => (how.flags ?? ['false', 'true'])[code as 0 | 1],
        missing,
        (row) => values.valid?.[row] !== 0,
      )
    case 'dictionary':
      return words(
        values.data,
        (code) => how.text(values.dictionary[code] as string),
        missing,
        () => true,
      )
    case 'string':
    case 'list': {
      const spell = (cell: string | readonly string[]): string =>
        typeof cell === 'string' ? how.text(cell) : how.list(cell)
      const write = (out: TextBytes, row: number): void => {
        const cell = values.data[row]
        out.write(cell === null || cell === undefined ? missing : spell(cell))
      }
      return { room: 0, write }
    }
  }
}

/** What stands around cells. */
interface RowForm {
  readonly format: string
  /** Before each cell of a row: a text, or texts between which the number of the row stands. */
  readonly before: readonly (string | readonly string[])[]
  /** The number of the first row. */
  readonly first?: number
  /** Behind a row. */
  readonly end: string
  /** Between two rows. */
  readonly between: string
}

/** Columns as text, row by row, given on when there are so many bytes of it. */
function* rowBytes(
  columns: RecordColumns,
  spelling: (name: string) => CellText,
  form: RowForm,
  size: number,
): Generator<TextBytes> {
  const cells = [...columns.columns].map(([name, values]) => writerOf(name, values, spelling(name), form.format))
  const heads = form.before.map((texts) => [texts].flat().map((text) => Buffer.from(text)))
  const [end, next] = [Buffer.from(form.end), Buffer.from(form.end + form.between)]
  const fixed = [...heads.flat(), next].reduce((sum, { length }) => sum + length + mostNumber, 0)
  const room = cells.reduce((sum, cell) => sum + cell.room, fixed)
  const out = new TextBytes(room)
  out.isAscii = [...heads.flat().entries()].every(([at, head]) => head.length === form.before.flat()[at]?.length)
  const digits = new Uint8Array(mostNumber)
  for (let row = 0; row < columns.length; row++) {
    out.room()
    const place = digits.subarray(0, putDecimal(digits, 0, row + (form.first ?? 1), nothing))
    for (let i = 0; i < cells.length; i++) {
      const head = heads[i] as Uint8Array[]
      out.put(head[0] as Uint8Array)
      for (let part = 1; part < head.length; part++) {
        out.put(place)
        out.put(head[part] as Uint8Array)
      }
      ;(cells[i] as CellWriter).write(out, row)
    }
    out.put(row < columns.length - 1 ? next : end)
    if (out.at < size) continue
    yield out
    out.at = 0
  }
  yield out
}

type Rows = readonly [columns: RecordColumns, spelling: (name: string) => CellText, form: RowForm]

/** Columns as text. @throws QuotebookError INVALID_VALUE for infinity, naming column and row */
export function rowText(...rows: Rows): string {
  const [out] = rowBytes(...rows, Number.POSITIVE_INFINITY)
  return (out as TextBytes).text()
}

/** The same as bytes, some at a time. */
export function* rowChunks(...rows: Rows): Generator<Uint8Array> {
  for (const out of rowBytes(...rows, textChunk)) yield out.bytes.slice(0, out.at)
}
