import { type Data, DataType, type Table, tableToIPC, type Vector } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { tableOfChunks } from './arrow.js'
import { named } from './ipc.js'
import {
  type Codec,
  encodeParquet,
  isTrap,
  type ParquetLayout,
  parquetCodec,
  resetCodecs,
  whyBroken,
} from './parquet-engine.js'
import {
  copyCells,
  copyColumns,
  copyRows,
  type OpenFile,
  openCoded,
  openParquet,
  type RowSpan,
} from './parquet-file/decode-columns.js'
import type { Footer } from './parquet-file/footer.js'
import { limitKinds, type ParquetLimits, unreadFile, usualLimits } from './parquet-file/limits.js'
import { checkMoments } from './parquet-file/moments.js'
import { checkedFooter } from './parquet-file/pages.js'
import { ofMemory } from './parquet-file/ranges.js'
import { asWritten } from './provenance.js'
import { readable } from './readable.js'
import { checkBytes } from './shape.js'
import type { RecordColumns } from './values.js'

/** Rows of a row group, where nothing else is asked for. */
const usualGroup = 131_072
/** Rows from which on it counts how the cells of a column are written. */
export const manyRows = 8192
const sampled = 2048

/**
 * Columns of numbers of which more than a share are different: a dictionary of these takes more bytes, and more time. A sample
 * shows it: of D different words, s draws find D × (1 − e^(−s/D)).
 */
function manyValued(table: Table, rowGroup: number, most: number): string[] {
  const rows = table.numRows
  if (rows < manyRows || most >= 1) return []
  const different = Math.min(rows, rowGroup) * most
  const share = (different / sampled) * (1 - Math.exp(-sampled / different))
  return table.schema.fields.flatMap(({ name, type }) => {
    if (!DataType.isFloat(type) && !DataType.isInt(type)) return []
    const cells = table.getChild(name) as Vector
    const drawn = Array.from({ length: sampled }, (_, i) => cells.get(Math.floor((i * rows) / sampled)))
    const known = drawn.filter((cell) => cell !== null)
    return new Set(known).size > share * known.length ? [String(name)] : []
  })
}

/** How a table is laid out as a Parquet file. */
export interface TableLayout extends Partial<ParquetLayout> {
  /** Different numbers per row up to which a column of them has a dictionary; 1: always. Default a tenth. */
  readonly mostWords?: number | undefined
}

/**
 * A table as one Parquet file.
 * @throws QuotebookError INVALID_VALUE for a table without columns or a column without a name
 */
export async function writeParquet(
  given: Table,
  { rowGroup = usualGroup, mostWords = 0.1, ...layout }: TableLayout = {},
): Promise<Uint8Array> {
  const table = asWritten(named(given))
  if (table.numCols === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`Parquet can not carry data without columns`)
  return encodeParquet(tableToIPC(table, 'stream'), { ...layout, rowGroup }, manyValued(table, rowGroup, mostWords))
}

/** One file after another: a codec that breaks down does so for all that use it at the time. */
let turn: Promise<unknown> = Promise.resolve()

/** @throws QuotebookError FILE when the bytes are not a whole Parquet file within the limits */
async function inTurn<T>(
  bytes: Uint8Array,
  name: Words,
  limits: ParquetLimits,
  open: typeof openParquet,
  read: (codec: Codec, opened: OpenFile, footer: Footer, most: number) => Promise<T>,
): Promise<T> {
  const footer = await checkedFooter(bytes, name, limits)
  const ranges = ofMemory(bytes)
  const { bytes: most = usualLimits.bytes } = limits
  const decoded = async (codec: Codec): Promise<T> => {
    await checkMoments(codec, ranges, footer)
    const opened = await open(codec, ranges)
    const made = await read(codec, opened, footer, most)
    opened.file.free()
    return made
  }
  try {
    const ended = turn.then(async () => {
      const codec = await parquetCodec(most)
      return codec.unlessTrapped(decoded(codec))
    })
    turn = ended.catch(() => undefined)
    return await ended
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    resetCodecs(cause)
    if (!isTrap(cause)) throw unreadFile(name, cause)
    const why = sentence`${whyBroken(cause)}; set the limit '${'bytes'}' higher`
    throw new QuotebookError('FILE', sentence`${name} can not be read: ${why}`, { cause })
  }
}

/**
 * Reads a Parquet file as a table.
 * @throws QuotebookError FILE if the bytes are not a complete Parquet file, if it needs more rows, columns or memory
 * than the limits allow, and for an unsupported column type; INVALID_VALUE for anything but bytes
 */
export async function fromParquet(
  bytes: Uint8Array,
  name: Words = sentence`the file`,
  limits: ParquetLimits = {},
): Promise<Table> {
  checkBytes(bytes, 'fromParquet')
  checkOptions(limits, limitKinds, 'fromParquet')
  return tableOf(bytes, name, limits, openParquet)
}

/** The same with text as codes into its words, each of which is made once. @throws what `fromParquet` throws */
export function codedFromParquet(bytes: Uint8Array, name: Words, limits: ParquetLimits): Promise<Table> {
  return tableOf(bytes, name, limits, openCoded)
}

function tableOf(bytes: Uint8Array, name: Words, limits: ParquetLimits, open: typeof openParquet): Promise<Table> {
  return inTurn(bytes, name, limits, open, async (codec, opened, footer, most) => {
    const { lengths, chunks } = await copyCells(codec, opened, footer, { most, batch: 131_072 })
    const batches = lengths.map((length, i) => ({ length, children: chunks.map((own) => own[i] as Data) }))
    return readable(tableOfChunks(opened.schema, batches), name)
  })
}

/** The columns of a Parquet file, without the way through a table. @throws what `fromParquet` throws */
export function columnsFromParquet(bytes: Uint8Array, name: Words, limits: ParquetLimits = {}): Promise<RecordColumns> {
  return inTurn(bytes, name, limits, openParquet, (codec, opened, footer, most) =>
    copyColumns(codec, opened, footer, { most }),
  )
}

/** A column of a file. */
export interface OneColumn {
  /** As it lies in the file, row group by row group: files with the same bytes here have the same cells. */
  readonly bytes: readonly Uint8Array[]
  read(): Promise<RecordColumns>
}

/**
 * Some rows of a Parquet file: nothing else of it is decoded.
 * @param select the spans of the rows, or undefined for all; it may look at one column first
 * @throws what `fromParquet` throws
 */
export function spansFromParquet(
  bytes: Uint8Array,
  name: Words,
  limits: ParquetLimits,
  select: (column: (name: string) => OneColumn) => Promise<readonly RowSpan[] | undefined>,
): Promise<RecordColumns[]> {
  return inTurn(bytes, name, limits, openParquet, async (codec, opened, footer, most) => {
    const column = (one: string): OneColumn => ({
      bytes: footer.rowGroups.flatMap(({ chunks }) =>
        chunks.flatMap(({ column, start, end }) => (column === one ? [bytes.subarray(start, end)] : [])),
      ),
      read: () => copyColumns(codec, opened, footer, { columns: [one], most }),
    })
    const spans = await select(column)
    if (!spans) return [await copyColumns(codec, opened, footer, { most })]
    const rows: RecordColumns[] = []
    for (const span of spans) rows.push(await copyRows(codec, opened, span))
    return rows
  })
}
