import { isUtf8 } from 'node:buffer'
import { type Data, DataType, type Vector } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { validOf } from './validity.js'

/** Whether cells of a type are text, or bytes that may be: many writers do not say which. */
export function isTextual(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || isView(type) || isBytes(type)
}

/** Whether cells are views: their length, then the text itself or where it is. */
export function isView(type: DataType): boolean {
  return DataType.isUtf8View(type) || DataType.isBinaryView(type)
}

function isBytes(type: DataType): boolean {
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return true
  return DataType.isFixedSizeBinary(type) || DataType.isBinaryView(type)
}

function noText(row: number): never {
  throw new QuotebookError('INVALID_VALUE', sentence`row ${row + 1} holds bytes that are no UTF-8 text`)
}

type Take = (bytes: Buffer, from: number, to: number, row: number) => void

/** Where each cell begins, and the end of the last. */
function offsetsOf({ type, length, valueOffsets }: Data): ArrayLike<number> {
  if (DataType.isFixedSizeBinary(type)) return Int32Array.from({ length: length + 1 }, (_, i) => i * type.byteWidth)
  return valueOffsets instanceof BigInt64Array ? Float64Array.from(valueOffsets, Number) : valueOffsets
}

/** Cells end to end. ASCII is decoded as a whole and cut. */
function cut(chunk: Data, out: (string | null)[], at: number, take: Take): void {
  const { values, length } = chunk
  const offsets = offsetsOf(chunk)
  const start = offsets[0] as number
  const bytes = Buffer.from(values.buffer, values.byteOffset + start, (offsets[length] as number) - start)
  const whole = bytes.toString('latin1')
  const isPlain = Buffer.byteLength(whole) === bytes.length && !(isBytes(chunk.type) && whole.includes('\0'))
  for (let i = 0; i < length; i++) {
    const [from, to] = [(offsets[i] as number) - start, (offsets[i + 1] as number) - start]
    if (isPlain) out[at + i] = whole.slice(from, to)
    else take(bytes, from, to, at + i)
  }
}

/** Cells of 16 bytes: the length, then the text itself, or where in which buffer it is (Arrow's columnar format, views). */
function look({ values, variadicBuffers, length }: Data, at: number, take: Take): void {
  const views = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  for (let i = 0; i < length; i++) {
    const size = views.readInt32LE(i * 16)
    const other = size > 12 ? variadicBuffers[views.readInt32LE(i * 16 + 8)] : views
    const from = size > 12 ? views.readInt32LE(i * 16 + 12) : i * 16 + 4
    if (!other || size < 0 || from < 0 || from + size > other.length) noText(at + i)
    take(Buffer.from(other.buffer, other.byteOffset, other.length), from, from + size, at + i)
  }
}

/**
 * Texts of a column of text or bytes, null where missing.
 * @throws QuotebookError INVALID_VALUE for bytes that are no UTF-8; where the type says bytes, also for a zero among them
 */
export function decodeStrings(vector: Vector): (string | null)[] {
  const out = new Array<string | null>(vector.length).fill(null)
  const valid = validOf(vector)
  const strict = isBytes(vector.type as DataType)
  const take: Take = (bytes, from, to, row) => {
    if (valid?.[row] === 0) return
    const text = bytes.toString('utf8', from, to)
    if ((text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to))) || (strict && text.includes('\0'))) noText(row)
    out[row] = text
  }
  let at = 0
  for (const chunk of vector.data as readonly Data[]) {
    if (chunk.length > 0) isView(chunk.type) ? look(chunk, at, take) : cut(chunk, out, at, take)
    at += chunk.length
  }
  if (valid) for (let i = 0; i < out.length; i++) if (valid[i] === 0) out[i] = null
  return out
}
