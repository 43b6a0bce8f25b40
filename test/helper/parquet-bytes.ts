import { crc32 } from 'node:zlib'

/* Parquet files written by hand, byte by byte (parquet.thrift in Thrift's compact protocol), so that they can lie. */

type Field = readonly [id: number, type: 'i32' | 'i64' | 'binary' | 'list' | 'struct', body: Uint8Array]
const types = { i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]
}

const number = (value: number | bigint): Buffer => {
  const whole = BigInt(value)
  return Buffer.from(varint(whole >= 0n ? whole << 1n : (-whole << 1n) - 1n))
}
const text = (value: string): Buffer => Buffer.concat([Buffer.from(varint(BigInt(value.length))), Buffer.from(value)])
const list = (type: keyof typeof types, items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([0xf0 | types[type], ...varint(BigInt(items.length))]), ...items])
const struct = (...fields: readonly Field[]): Buffer =>
  Buffer.concat([
    ...fields.map(([id, type, body]) => Buffer.concat([Buffer.from([types[type]]), number(id), body])),
    Buffer.from([0]),
  ])

export interface HandPage {
  readonly kind: 'data' | 'dictionary'
  readonly values: number
  readonly bytes: Uint8Array
  /** Bytes that it says to have when it is inflated; those that it has when absent. */
  readonly inflated?: number
  /** 0 plain, 8 codes into the dictionary. */
  readonly encoding?: number
  readonly crc?: boolean
}

function pageOf({ kind, values, bytes, inflated = bytes.length, encoding = 0, crc = false }: HandPage): Buffer {
  const own: Field[] = [
    [1, 'i32', number(values)],
    [2, 'i32', number(encoding)],
  ]
  const levels: Field[] = [
    [3, 'i32', number(3)],
    [4, 'i32', number(3)],
  ]
  const about = struct(...own, ...(kind === 'data' ? levels : []))
  const sum: Field[] = crc ? [[4, 'i32', number(crc32(bytes) | 0)]] : []
  const header = struct(
    [1, 'i32', number(kind === 'data' ? 0 : 2)],
    [2, 'i32', number(inflated)],
    [3, 'i32', number(bytes.length)],
    ...sum,
    [kind === 'data' ? 5 : 7, 'struct', about],
  )
  return Buffer.concat([header, bytes])
}

export interface HandFile {
  readonly pages: readonly HandPage[]
  /** 1 INT32, 2 INT64, 3 INT96, 6 BYTE_ARRAY. */
  readonly type: number
  /** 0 none, 2 gzip, 6 zstd. */
  readonly codec?: number
  /** What the footer counts: of the file, of the row group, of cells. */
  readonly rows: number | bigint
  readonly groupRows?: number | bigint
  readonly cells?: number | bigint
  /** How many columns alike. */
  readonly columns?: number
  readonly utf8?: boolean
}

/** A file of one row group of required columns, each of the same pages. */
export function handFile(file: HandFile): Buffer {
  const { pages, type, codec = 0, rows, groupRows = rows, cells = groupRows, columns = 1, utf8 = false } = file
  const body = Buffer.concat(pages.map(pageOf))
  const first = pages[0]?.kind === 'dictionary' ? 4 + pageOf(pages[0]).length : 4
  const names = Array.from({ length: columns }, (_, i) => (columns === 1 ? 'symbol' : `c${i}`))
  const mark: Field[] = utf8 ? [[6, 'i32', number(0)]] : []
  const elements = names.map((name) =>
    struct([1, 'i32', number(type)], [3, 'i32', number(0)], [4, 'binary', text(name)], ...mark),
  )
  const chunks = names.map((name, i) => {
    const from = i * body.length
    const dictionary: Field[] = first > 4 ? [[11, 'i64', number(4 + from)]] : []
    const about = struct(
      [1, 'i32', number(type)],
      [2, 'list', list('i32', [number(0)])],
      [3, 'list', list('binary', [text(name)])],
      [4, 'i32', number(codec)],
      [5, 'i64', number(cells)],
      [6, 'i64', number(body.length)],
      [7, 'i64', number(body.length)],
      [9, 'i64', number(first + from)],
      ...dictionary,
    )
    return struct([2, 'i64', number(4 + from)], [3, 'struct', about])
  })
  const group = struct(
    [1, 'list', list('struct', chunks)],
    [2, 'i64', number(body.length)],
    [3, 'i64', number(groupRows)],
  )
  const root = struct([4, 'binary', text('root')], [5, 'i32', number(columns)])
  const footer = struct(
    [1, 'i32', number(1)],
    [2, 'list', list('struct', [root, ...elements])],
    [3, 'i64', number(rows)],
    [4, 'list', list('struct', [group])],
  )
  const end = Buffer.alloc(8, 'PAR1')
  end.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from('PAR1'), ...names.map(() => body), footer, end].map((part) => Buffer.from(part)))
}

/** One value so many times, as a run of one code: a few bytes whatever the count. */
export function run(count: number, word: Uint8Array, values = count): HandPage[] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(word.length)
  return [
    { kind: 'dictionary', values: 1, bytes: Buffer.concat([length, word]) },
    { kind: 'data', values, encoding: 8, bytes: Buffer.from([1, ...varint(BigInt(count) << 1n), 0]) },
  ]
}

/** A frame of Zstandard (RFC 8878) of so many blocks of 128 KiB of one byte. */
export function zstdZeros(blocks: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])
  const block = (last: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUIntLE(last | (1 << 1) | (131_072 << 3), 0, 3)
    return bytes
  }
  return Buffer.concat([head, ...Array.from({ length: blocks }, (_, i) => block(i === blocks - 1 ? 1 : 0))])
}
