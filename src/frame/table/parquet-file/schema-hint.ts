import { type Schema, Table, tableToIPC } from 'apache-arrow'
import { Thrift, type ThriftField, types } from './thrift.js'

/*
 * The footer of a Parquet file is a Thrift struct (compact protocol; parquet.thrift, FileMetaData). A reader of Arrow takes
 * from its key `ARROW:schema` as what a column is wanted: with text declared a dictionary there, the codes of the file's own
 * dictionary pages come as they are, and three million texts a day need not be spelled out. This file sets that key.
 */

const key = 'ARROW:schema'

/** A schema as the encapsulated message that the key holds. */
export function schemaMessage(schema: Schema): Uint8Array {
  const stream = tableToIPC(new Table(schema), 'stream')
  const length = new DataView(stream.buffer, stream.byteOffset + 4, 4).getInt32(0, true)
  return stream.subarray(0, 8 + length)
}

interface Place extends ThriftField {
  readonly from: number
  readonly to: number
}

/** Where the fields of the struct are. */
function placesOf(footer: Uint8Array): Place[] {
  const thrift = new Thrift(footer)
  const places: Place[] = []
  for (const field of thrift.fields()) {
    const from = thrift.at
    thrift.skip(field.type)
    places.push({ ...field, from, to: thrift.at })
  }
  return places
}

/** The structs of a list of them, as bytes. */
function structs(list: Uint8Array): Uint8Array[] {
  const thrift = new Thrift(list)
  const { size, type } = thrift.list()
  return Array.from({ length: size }, () => {
    const from = thrift.at
    thrift.skip(type)
    return list.subarray(from, thrift.at)
  })
}

function isKey(pair: Uint8Array): boolean {
  const [first] = placesOf(pair)
  if (first?.id !== 1 || first.type !== types.binary) return false
  return Buffer.from(new Thrift(pair, first.from).binary()).toString() === key
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

/**
 * The footer with another `ARROW:schema`.
 * @param schema an encapsulated Arrow schema message; undefined for none
 * @throws RangeError where the footer is no Thrift struct
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
