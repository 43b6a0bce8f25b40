/** What the header of a page says, as far as it is held against something. */
export interface PageHeader {
  /** Bytes of the page, which begin where the header ends. */
  readonly size: number
  readonly end: number
  /** Checksum of these bytes; undefined where the writer gave none. */
  readonly crc: number | undefined
  /** Cells, nulls included; undefined for a page that holds none: a dictionary, an index. */
  readonly values: number | undefined
}

interface Reader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number
}

/** Whole numbers and structs by their field; the rest is read over. */
type Fields = Map<number, number | Fields>

const deepest = 8

function byte(reader: Reader): number {
  const value = reader.at < reader.end ? reader.bytes[reader.at] : undefined
  if (value === undefined) throw new RangeError('a page header has no end')
  reader.at++
  return value
}

function unsigned(reader: Reader): number {
  let value = 0
  for (let factor = 1, length = 0; length < 10; length++, factor *= 128) {
    const next = byte(reader)
    value += (next & 0x7f) * factor
    if (next < 0x80) return value
  }
  throw new RangeError('a page header has a number without end')
}

function signed(reader: Reader): number {
  const value = unsigned(reader)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

function skip(reader: Reader, count: number): undefined {
  if (count > reader.end - reader.at) throw new RangeError('a page header has no end')
  reader.at += count
  return undefined
}

function list(reader: Reader, depth: number): undefined {
  const head = byte(reader)
  const size = head >> 4 === 15 ? unsigned(reader) : head >> 4
  if (size > reader.end - reader.at) throw new RangeError('a page header has no end')
  const type = head & 0x0f
  for (let at = 0; at < size; at++) {
    if (type === 1 || type === 2) skip(reader, 1)
    else value(reader, type, depth)
  }
  return undefined
}

function value(reader: Reader, type: number, depth: number): number | Fields | undefined {
  if (type === 1 || type === 2) return undefined
  if (type === 3) return byte(reader)
  if (type >= 4 && type <= 6) return signed(reader)
  if (type === 7) return skip(reader, 8)
  if (type === 8) return skip(reader, unsigned(reader))
  if (type === 9) return list(reader, depth + 1)
  if (type === 12) return struct(reader, depth + 1)
  throw new RangeError(`a page header has a value of type ${type}`)
}

function struct(reader: Reader, depth = 0): Fields {
  if (depth > deepest) throw new RangeError('a page header is nested too deeply')
  const fields: Fields = new Map()
  for (let field = 0; ; ) {
    const head = byte(reader)
    if ((head & 0x0f) === 0) return fields
    field = head >> 4 === 0 ? signed(reader) : field + (head >> 4)
    const found = value(reader, head & 0x0f, depth)
    if (found !== undefined) fields.set(field, found)
  }
}

function numberIn(fields: Fields, field: number): number | undefined {
  const found = fields.get(field)
  return typeof found === 'number' ? found : undefined
}

/**
 * The header of the page that begins at `at` (Thrift's compact protocol, `PageHeader` of parquet.thrift).
 * @throws RangeError where there is none before `end`
 */
export function pageHeader(bytes: Uint8Array, at: number, end: number): PageHeader {
  const reader: Reader = { bytes, at, end }
  const fields = struct(reader)
  const size = numberIn(fields, 3)
  if (size === undefined || size < 0) throw new RangeError(`a page has ${size} bytes`)
  const about = fields.get(5) ?? fields.get(8)
  const values = about instanceof Map ? numberIn(about, 1) : undefined
  return { size, end: reader.at, crc: numberIn(fields, 4), values }
}
