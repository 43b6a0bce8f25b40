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
}

/** Bytes that are made into text at a time. */
const block = 2 ** 20
/** Room that a number takes at most. */
const mostNumber = 32

/** Text as it is written: bytes, made into text when a block of them is full. */
class TextBlocks {
  bytes = new Uint8Array(2 * block)
  at = 0
  /** Whether no byte of the block is of a character beyond ASCII: such bytes are text as they are. */
  isAscii = true
  readonly #parts: (Uint8Array | string)[] = []
  readonly #row: number

  /** @param row bytes of the cells of a row that have a most */
  constructor(row: number) {
    this.#row = row
  }

  /** Begins a row: a block ends between rows only. */
  begin(): void {
    if (this.at >= block) this.#flush()
    this.#room(this.#row)
  }

  #room(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return
    const wider = new Uint8Array(2 * (this.at + bytes))
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
    this.#room(3 * text.length + this.#row)
    const written = Buffer.from(this.bytes.buffer).write(text, this.at, 'utf8')
    if (written !== text.length) this.isAscii = false
    this.at += written
  }

  #flush(): void {
    const own = this.bytes.subarray(0, this.at)
    this.#parts.push(this.isAscii ? own.slice() : Buffer.from(own.buffer, 0, own.length).toString('utf8'))
    this.at = 0
    this.isAscii = true
  }

  text(): string {
    this.#flush()
    const isText = (part: Uint8Array | string): part is string => typeof part === 'string'
    if (!this.#parts.some(isText)) return Buffer.concat(this.#parts as Uint8Array[]).toString('latin1')
    return this.#parts.map((part) => (isText(part) ? part : Buffer.from(part.buffer).toString('latin1'))).join('')
  }
}

/** Writes the cell of a row. */
interface CellWriter {
  /** Bytes that must be free. */
  readonly room: number
  readonly write: (out: TextBlocks, row: number) => void
}

function refuse(name: string, row: number, format: string, value: number): never {
  const wrong = sentence`column '${name}', row ${row + 1}: ${format} has no ${value}`
  throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; toParquet and toIpc keep it, or make it null first`)
}

function floats(
  { data, valid }: ColumnData & { readonly type: 'float' | 'int' },
  name: string,
  { missing, number, afterWhole }: CellText,
  format: string,
): CellWriter {
  const [none, whole] = [Buffer.from(missing), Buffer.from(afterWhole)]
  const write = (out: TextBlocks, row: number): void => {
    const value = data[row] as number
    if ((valid !== null && valid[row] === 0) || Number.isNaN(value)) {
      out.put(none)
      return
    }
    const at = putDecimal(out.bytes, out.at, value, whole)
    if (at >= 0) out.at = at
    else if (Number.isFinite(value)) out.write(number(value))
    else refuse(name, row, format, value)
  }
  return { room: mostNumber + none.length, write }
}

/** Cells that are one of some texts. */
function words(
  codes: Int32Array | Uint8Array,
  spelled: readonly string[],
  missing: string,
  isThere: (row: number) => boolean,
): CellWriter {
  const [none, ...bytes] = [missing, ...spelled].map((text) => Buffer.from(text))
  const room = bytes.reduce((most, { length }) => Math.max(most, length), missing.length)
  const write = (out: TextBlocks, row: number): void => {
    const code = isThere(row) ? (codes[row] as number) : -1
    const own = bytes[code]
    if (own && own.length !== (spelled[code] as string).length) out.isAscii = false
    out.put(own ?? (none as Uint8Array))
  }
  return { room, write }
}

function writerOf(name: string, values: ColumnData, how: CellText, format: string): CellWriter {
  const { missing } = how
  switch (values.type) {
    case 'float':
    case 'int':
      return floats(values, name, how, format)
    case 'boolean':
      return words(values.data, ['false', 'true'], missing, (row) => values.valid?.[row] !== 0)
    case 'dictionary':
      return words(values.data, values.dictionary.map(how.text), missing, () => true)
    case 'string':
    case 'list': {
      const spell = (cell: string | readonly string[]): string =>
        typeof cell === 'string' ? how.text(cell) : how.list(cell)
      const write = (out: TextBlocks, row: number): void => {
        const cell = values.data[row]
        out.write(cell === null || cell === undefined ? missing : spell(cell))
      }
      return { room: 0, write }
    }
  }
}

/**
 * Columns as text, row by row: before each cell stands what `before` holds for its column, `end` closes a row.
 * @throws QuotebookError INVALID_VALUE for infinity, naming column and row
 */
export function rowText(
  columns: RecordColumns,
  spelling: (name: string) => CellText,
  form: { readonly format: string; readonly before: readonly string[]; readonly end: string; readonly between: string },
): string {
  const cells = [...columns.columns].map(([name, values]) => writerOf(name, values, spelling(name), form.format))
  const heads = form.before.map((text) => Buffer.from(text))
  const isWide = heads.some((head, at) => head.length !== form.before[at]?.length)
  const [end, next] = [Buffer.from(form.end), Buffer.from(form.end + form.between)]
  const fixed = [...heads, next].reduce((sum, { length }) => sum + length, 0)
  const room = cells.reduce((sum, cell) => sum + cell.room, fixed)
  const out = new TextBlocks(room)
  for (let row = 0; row < columns.length; row++) {
    out.begin()
    if (isWide) out.isAscii = false
    for (let i = 0; i < cells.length; i++) {
      out.put(heads[i] as Uint8Array)
      ;(cells[i] as CellWriter).write(out, row)
    }
    out.put(row < columns.length - 1 ? next : end)
  }
  return out.text()
}
