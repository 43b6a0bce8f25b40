import { Thrift, types } from './thrift.js'

/** What the header of a page says, as far as it is held against something. */
export interface PageHeader {
  /** Bytes of the page, which begin where the header ends. */
  readonly size: number
  readonly end: number
  /** Bytes that it says to have when it is inflated. */
  readonly inflated: number
  /** Checksum of these bytes; undefined where the writer gave none. */
  readonly crc: number | undefined
  /** Cells, nulls included; undefined for a page that holds none: a dictionary, an index. */
  readonly values: number | undefined
}

/** Whole numbers and structs by their field; the rest is read over. */
type Fields = Map<number, number | Fields>

function fieldsOf(thrift: Thrift, depth = 0): Fields {
  const fields: Fields = new Map()
  for (const { id, type } of thrift.fields()) {
    if (type >= 4 && type <= 6) fields.set(id, thrift.signed())
    else if (type === types.struct && depth < 8) fields.set(id, fieldsOf(thrift, depth + 1))
    else thrift.skip(type, depth)
  }
  return fields
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
  const thrift = new Thrift(bytes, at, end)
  const fields = fieldsOf(thrift)
  const [inflated, size] = [numberIn(fields, 2), numberIn(fields, 3)]
  if (size === undefined || size < 0 || inflated === undefined || inflated < 0)
    throw new RangeError(`a page has ${size} bytes, inflated ${inflated}`)
  const about = fields.get(5) ?? fields.get(8)
  const values = about instanceof Map ? numberIn(about, 1) : undefined
  return { size, inflated, end: thrift.at, crc: numberIn(fields, 4), values }
}
