import { Data, DataType, type Field, tableFromIPC, Vector } from 'apache-arrow'
import type { CodecBatch } from '../parquet-engine.js'

/** Bytes of a cell of a fixed width. */
function widthOf(type: DataType): number {
  if (DataType.isDecimal(type)) return type.bitWidth / 8
  if (DataType.isFixedSizeBinary(type)) return type.byteWidth
  return DataType.isInterval(type) ? 4 * 2 ** type.unit : type.ArrayType.BYTES_PER_ELEMENT
}

function isBinary(type: DataType): boolean {
  const isText = DataType.isUtf8(type) || DataType.isLargeUtf8(type)
  return isText || DataType.isBinary(type) || DataType.isLargeBinary(type)
}

function isLarge(type: DataType): boolean {
  return DataType.isLargeUtf8(type) || DataType.isLargeBinary(type) || DataType.isLargeList(type)
}

/** The memory of a codec, out of which batches are copied by the Arrow C data interface: addresses have 32 bits there. */
class CodecMemory {
  /** Bytes that were copied. */
  size = 0
  readonly #bytes: Uint8Array<ArrayBufferLike>
  readonly #view: DataView

  constructor({ buffer }: { readonly buffer: ArrayBufferLike }) {
    this.#bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  #count(at: number): number {
    return Number(this.#view.getBigInt64(at, true))
  }

  /** Addresses in a list that itself is at an address. */
  addresses(array: number, list: 'buffers' | 'children'): number[] {
    const [count, at] = list === 'buffers' ? [array + 24, array + 40] : [array + 32, array + 44]
    const first = this.#view.getUint32(at, true)
    return Array.from({ length: this.#count(count) }, (_, i) => this.#view.getUint32(first + 4 * i, true))
  }

  #copy(at: number | undefined, from: number, to: number): ArrayBuffer {
    if (!at) return new ArrayBuffer(0)
    this.size += to - from
    return this.#bytes.slice(at + from, at + to).buffer as ArrayBuffer
  }

  /** Whole bytes around bits. */
  #copyBits(at: number | undefined, offset: number, length: number): Uint8Array {
    return new Uint8Array(this.#copy(at, offset >> 3, (offset + length + 7) >> 3))
  }

  /** The array at an address, its cells of a type. */
  copied(type: DataType, at: number): Data {
    const [length, nulls, offset] = [this.#count(at), this.#count(at + 8), this.#count(at + 16)]
    const [validity, ...buffers] = this.addresses(at, 'buffers')
    const bitmap = nulls > 0 ? this.#copyBits(validity, offset, length) : undefined
    const made = (values: unknown, offsets?: unknown, parts: Data[] = [], words?: Vector): Data =>
      new Data(type, offset & 7, length, nulls, [offsets, values, bitmap] as never, parts as never, words)
    if (DataType.isNull(type)) return made(undefined)
    if (DataType.isBool(type)) return made(this.#copyBits(buffers[0], offset, length))
    const parts = this.addresses(at, 'children').map((child, i) => this.copied(type.children[i]?.type, child))
    if (DataType.isStruct(type))
      return made(
        undefined,
        undefined,
        parts.map((part) => part.slice(offset, length)),
      )
    if (DataType.isFixedSizeList(type)) {
      const { listSize } = type
      return made(
        undefined,
        undefined,
        parts.map((part) => part.slice(offset * listSize, length * listSize)),
      )
    }
    if (isBinary(type) || parts.length > 0) {
      const Offsets = isLarge(type) ? BigInt64Array : Int32Array
      const width = Offsets.BYTES_PER_ELEMENT
      const offsets = new Offsets(this.#copy(buffers[0], offset * width, (offset + length + 1) * width))
      const values = isBinary(type) ? new Uint8Array(this.#copy(buffers[1], 0, Number(offsets[length]))) : undefined
      return made(values, offsets, parts)
    }
    const own = DataType.isDictionary(type) ? type.indices : type
    const width = widthOf(own)
    const values = new own.ArrayType(this.#copy(buffers[0], offset * width, (offset + length) * width))
    if (!DataType.isDictionary(type)) return made(values)
    return made(values, undefined, [], new Vector([this.copied(type.dictionary, this.#view.getUint32(at + 48, true))]))
  }
}

/** The columns of a batch, in memory of their own, and its rows. */
export interface BatchCells {
  readonly rows: number
  readonly bytes: number
  readonly children: readonly Data[]
}

/** Whether a field and its parts have names that C can hold, where a zero ends them. */
function hasNameInC({ name, type }: Field): boolean {
  return !String(name).includes('\0') && ((type as DataType).children ?? []).every(hasNameInC)
}

/** @param fields of the columns of the batch */
export function copyBatch(
  batch: CodecBatch,
  memory: { readonly buffer: ArrayBufferLike },
  fields: readonly Field[],
): BatchCells {
  if (!fields.every(hasNameInC)) {
    const stream = batch.intoIPCStream()
    const children = tableFromIPC(stream).batches.flatMap(({ data }) => data.children as Data[])
    return { rows: children[0]?.length ?? 0, bytes: stream.length, children }
  }
  const own = batch.intoFFI()
  try {
    const from = new CodecMemory(memory)
    const addresses = from.addresses(own.arrayAddr(), 'children')
    const children = fields.map(({ type }, i) => from.copied(type, addresses[i] as number))
    return { rows: children[0]?.length ?? 0, bytes: from.size, children }
  } finally {
    own.free()
  }
}
