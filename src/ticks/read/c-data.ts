/*
 * Columns out of the codec's memory by the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html),
 * as it is on a machine of 32 bits: one copy, straight to where they stay.
 */

/** Format of a column whose cells are codes into words; the interface writes the type of the codes alone. */
const words = 'words'

/** One column of a batch, in place: nothing of it outlives the batch. */
export interface CDataColumn {
  readonly length: number
  readonly nullCount: number
  /** First cell, in the buffers. */
  readonly offset: number
  /** Addresses of its buffers; 0 where there is none. */
  readonly buffers: readonly number[]
  /** Words of a dictionary. */
  readonly dictionary: CDataColumn | undefined
}

export interface CDataField {
  readonly name: string
  /** As the interface writes a type: `g` double, `i` int32, `l` int64, `b` bool, …; `words` for codes into text. */
  readonly format: string
}

export class CodecMemory {
  readonly bytes: Uint8Array
  readonly #view: DataView
  constructor({ buffer }: { readonly buffer: ArrayBufferLike }) {
    this.bytes = new Uint8Array(buffer)
    this.#view = new DataView(buffer)
  }

  #address(at: number): number {
    return this.#view.getUint32(at, true)
  }

  #count(at: number): number {
    return Number(this.#view.getBigInt64(at, true))
  }

  #addresses(at: number, count: number): number[] {
    return Array.from({ length: count }, (_, i) => this.#address(at + i * 4))
  }

  #text(at: number): string {
    return Buffer.from(this.bytes.buffer, at, this.bytes.indexOf(0, at) - at).toString('utf8')
  }

  /** Columns of a schema. */
  fields(schema: number): CDataField[] {
    const children = this.#addresses(this.#address(schema + 32), this.#count(schema + 24))
    return children.map((child) => {
      const name = this.#text(this.#address(child + 4))
      const format = this.#text(this.#address(child))
      const dictionary = this.#address(child + 36)
      if (dictionary === 0) return { name, format }
      const isText = format === 'i' && this.#text(this.#address(dictionary)) === 'u'
      return { name, format: isText ? words : `dictionary of ${format}` }
    })
  }

  /** Columns of a batch. */
  columns(array: number): CDataColumn[] {
    return this.#addresses(this.#address(array + 44), this.#count(array + 32)).map((child) => this.#piece(child))
  }

  #piece(at: number): CDataColumn {
    const dictionary = this.#address(at + 48)
    return {
      length: this.#count(at),
      nullCount: this.#count(at + 8),
      offset: this.#count(at + 16),
      buffers: this.#addresses(this.#address(at + 40), this.#count(at + 24)),
      dictionary: dictionary === 0 ? undefined : this.#piece(dictionary),
    }
  }
}
