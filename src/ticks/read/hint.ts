import { QuotebookError } from '../../contract/error.js'

/*
 * The footer of a Parquet file is a Thrift struct (compact protocol; parquet.thrift, FileMetaData). A reader of Arrow takes
 * from its key `ARROW:schema` as what a column is wanted: with text declared a dictionary there, the codes of the file's own
 * dictionary pages come as they are, and three million texts a day need not be spelled out. This file sets that key.
 */

const key = 'ARROW:schema'
const types = { list: 9, struct: 12, binary: 8 } as const

interface Place {
  /** Field number; 0 for the end of the struct. */
  readonly id: number
  readonly type: number
  readonly from: number
  readonly to: number
}

function broken(): never {
  throw new QuotebookError('FILE', 'the footer can not be read')
}

/** Walks over a Thrift struct without reading what is in it. */
class Walk {
  at = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes[this.at++] ?? broken()
  }

  varint(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 64; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    return broken()
  }

  /** The header of the next field, by the number of the one before; type 0 ends the struct. */
  field(before: number): { readonly id: number; readonly type: number } {
    const head = this.byte()
    if (head === 0) return { id: 0, type: 0 }
    const step = head >> 4
    const id = step === 0 ? this.varint() / 2 : before + step
    return { id, type: head & 15 }
  }

  list(): { readonly size: number; readonly type: number } {
    const head = this.byte()
    const size = head >> 4
    return { size: size === 15 ? this.varint() : size, type: head & 15 }
  }

  binary(): Uint8Array {
    const size = this.varint()
    const from = this.at
    this.#forward(size)
    return this.#bytes.subarray(from, this.at)
  }

  skip(type: number, depth = 0): void {
    if (depth > 32) broken()
    if (type === 1 || type === 2) return
    if (type === 3) this.#forward(1)
    else if (type >= 4 && type <= 6) this.varint()
    else if (type === 7) this.#forward(8)
    else if (type === types.binary) this.binary()
    else if (type === 9 || type === 10) {
      const { size, type: inner } = this.list()
      for (let i = 0; i < size; i++) inner === 1 || inner === 2 ? this.#forward(1) : this.skip(inner, depth + 1)
    } else if (type === types.struct) {
      for (let id = 0; ; ) {
        const field = this.field(id)
        if (field.type === 0) return
        id = field.id
        this.skip(field.type, depth + 1)
      }
    } else broken()
  }

  #forward(bytes: number): void {
    this.at += bytes
    if (this.at > this.#bytes.length) broken()
  }
}

/** Where the fields of the struct are. */
function placesOf(footer: Uint8Array): Place[] {
  const walk = new Walk(footer)
  const places: Place[] = []
  for (let before = 0; ; ) {
    const { id, type } = walk.field(before)
    if (type === 0) return places
    before = id
    const from = walk.at
    walk.skip(type)
    places.push({ id, type, from, to: walk.at })
  }
}

/** The structs of a list of them, as bytes. */
function structs(list: Uint8Array): Uint8Array[] {
  const walk = new Walk(list)
  const { size, type } = walk.list()
  if (type !== types.struct) return broken()
  return Array.from({ length: size }, () => {
    const from = walk.at
    walk.skip(types.struct)
    return list.subarray(from, walk.at)
  })
}

function isKey(pair: Uint8Array): boolean {
  const [first] = placesOf(pair)
  if (first?.id !== 1 || first.type !== types.binary) return false
  const walk = new Walk(pair)
  walk.at = first.from
  return Buffer.from(walk.binary()).toString() === key
}

function varint(value: number): number[] {
  const out: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...out, left]
    out.push((left % 128) | 128)
  }
}

function binary(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(varint(bytes.length)), bytes])
}

/** A field with its number spelled out: `id` is a zigzag varint. */
function fieldOf(id: number, type: number, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([type, ...varint(id * 2)]), body])
}

function pairOf(schema: Uint8Array): Buffer {
  const value = Buffer.from(schema).toString('base64')
  return Buffer.concat([
    fieldOf(1, types.binary, binary(key)),
    fieldOf(2, types.binary, binary(value)),
    Buffer.from([0]),
  ])
}

/** What a footer says of the columns: equal for files of one schema, whatever their rows. */
export function schemaBytes(footer: Uint8Array): Buffer {
  const places = placesOf(footer)
  const parts = places.filter(({ id }) => id === 2).map(({ from, to }) => footer.subarray(from, to))
  const pairs = places.find(({ id, type }) => id === 5 && type === types.list)
  const own = pairs ? structs(footer.subarray(pairs.from, pairs.to)).filter(isKey) : []
  return Buffer.concat([...parts, ...own])
}

/**
 * The footer with another `ARROW:schema`.
 * @param schema an encapsulated Arrow schema message; undefined for none
 * @throws QuotebookError FILE where the footer is no Thrift struct
 */
export function withSchema(footer: Uint8Array, schema: Uint8Array | undefined): Buffer {
  const places = placesOf(footer)
  const known = places.find(({ id, type }) => id === 5 && type === types.list)
  const kept = known ? structs(footer.subarray(known.from, known.to)).filter((pair) => !isKey(pair)) : []
  const all = schema ? [...kept, pairOf(schema)] : kept
  const pairs = Buffer.concat([Buffer.from([0xf0 | types.struct, ...varint(all.length)]), ...all])
  const before = places.filter(({ id }) => id < 5)
  const after = places.filter(({ id }) => id > 5)
  const same = ({ id, type, from, to }: Place): Buffer => fieldOf(id, type, footer.subarray(from, to))
  return Buffer.concat([...before.map(same), fieldOf(5, types.list, pairs), ...after.map(same), Buffer.from([0])])
}
