import { type Data as Chunk, RecordBatchStreamWriter, type Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import { messageOf, QuotebookError, worded } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { isView } from './decode-text.js'
import { checkShape } from './ipc-shape.js'
import { madeTable } from './on-table-made.js'
import { asWritten } from './provenance.js'
import { readable } from './readable.js'
import { checkBytes } from './shape.js'

const magic = 'ARROW1'

/** A table as an Arrow IPC file or stream. @throws QuotebookError INVALID_VALUE for a column without a name */
export function writeIpc(table: Table, format: 'file' | 'stream' = 'file'): Uint8Array {
  return tableToIPC(asWritten(named(table)), format)
}

/** The bytes of a stream as Arrow writes them one after the other: those of its columns are not copied. */
export async function ipcPieces(table: Table): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of RecordBatchStreamWriter.writeAll(asWritten(named(table)))) pieces.push(piece)
  return pieces
}

/** A table whose column names Arrow's writer and reader keep. @throws QuotebookError INVALID_VALUE for one that they do not */
export function named(table: Table): Table {
  const lost = table.schema.fields.find(({ name }) => name === '' || String(name).startsWith('\uFEFF'))
  if (!lost) return table
  const name = JSON.stringify(lost.name)
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`Arrow IPC and Parquet do not keep a column named ${name}; rename it`,
  )
}

function word(bytes: Uint8Array, from: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + magic.length))
}

/** Whether the end is there: of a file its magic, of a stream its end mark. */
function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false
  if (word(bytes, 0) === magic) return word(bytes, bytes.length - magic.length) === magic
  const end = bytes.subarray(bytes.length - 8)
  return end.every((byte, at) => byte === (at < 4 ? 255 : 0))
}

function offsetsFit(offsets: Int32Array | BigInt64Array, length: number, size: number): boolean {
  if (length === 0) return true
  if (offsets.length <= length || Number(offsets[0]) < 0 || Number(offsets[length]) > size) return false
  for (let i = 0; i < length; i++) if ((offsets[i] as number) > (offsets[i + 1] as number)) return false
  return true
}

/** Whether the buffers of a chunk are as long as its length needs and point into one another. */
function fits(chunk: Chunk): boolean {
  const { length, nullCount, nullBitmap, values, valueOffsets, dictionary } = chunk
  if (nullCount > 0 && nullBitmap && nullBitmap.length * 8 < chunk.offset + length) return false
  if (isView(chunk.type)) return (values as Uint8Array).byteLength >= 16 * length
  if (dictionary) {
    const size = dictionary.length
    for (let i = 0; i < length; i++) {
      const key = Number(values[i])
      const there = nullCount === 0 || ((nullBitmap[(chunk.offset + i) >> 3] as number) >> ((chunk.offset + i) & 7)) & 1
      if (there && !(key >= 0 && key < size)) return false
    }
    if (!dictionary.data.every(fits)) return false
  } else if (valueOffsets && valueOffsets.length > 0) {
    const size = chunk.children[0]?.length ?? (values as Uint8Array).length
    if (!offsetsFit(valueOffsets, length, size)) return false
  } else if (ArrayBuffer.isView(values) && chunk.children.length === 0) {
    const bits = String(chunk.type) === 'Bool'
    if ((values as Uint8Array).length * (bits ? 8 : 1) < length) return false
  }
  return chunk.children.every(fits)
}

/**
 * Reads an Arrow IPC file or stream as a table, with its types, field metadata and provenance.
 * @throws QuotebookError FILE if the bytes are incomplete or something else
 */
export function fromIpc(bytes: Uint8Array, name: Words = sentence`the file`): Table {
  checkBytes(bytes, 'fromIpc')
  const wrong = sentence`${name} is not a whole Arrow IPC file or stream`
  if (!isWhole(bytes)) throw new QuotebookError('FILE', sentence`${wrong} (its end is not there)`)
  let table: Table
  try {
    checkShape(bytes, word(bytes, 0) === magic)
    table = tableFromIPC(bytes)
    if (!table.batches.every((batch) => batch.data.children.every((chunk) => chunk && fits(chunk))))
      throw worded(Error, sentence`its buffers do not fit`)
  } catch (cause) {
    throw new QuotebookError('FILE', sentence`${wrong} (${messageOf(cause)})`, { cause })
  }
  return madeTable(readable(table, name))
}
