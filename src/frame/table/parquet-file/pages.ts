import { crc32 } from 'node:zlib'
import { messageOf, worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { type Footer, type FooterChunk, footerOf } from './footer.js'
import { beyond, type ParquetLimits, unreadFile, usualLimits } from './limits.js'
import { ofMemory, type Ranges } from './ranges.js'
import { Thrift, types } from './thrift.js'

/** What the header of a page says, as far as it is compared with something. */
interface PageHeader {
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
function pageHeader(bytes: Uint8Array, at: number, end: number): PageHeader {
  const thrift = new Thrift(bytes, at, end)
  const fields = fieldsOf(thrift)
  const [inflated, size] = [numberIn(fields, 2), numberIn(fields, 3)]
  if (size === undefined || size < 0 || inflated === undefined || inflated < 0)
    throw worded(RangeError, sentence`a page has ${size} bytes, inflated ${inflated}`)
  const about = fields.get(5) ?? fields.get(8)
  const values = about instanceof Map ? numberIn(about, 1) : undefined
  return { size, inflated, end: thrift.at, crc: numberIn(fields, 4), values }
}

/** What the pages of a file say of themselves. */
export interface Pages {
  readonly pages: number
  /** Pages that carry a checksum. */
  readonly checked: number
  /** Pages whose checksum is another than that of their bytes, the first of them in words. */
  readonly wrong: number
  readonly first: Words | undefined
  /** Why some pages can not be found; undefined when all are. */
  readonly lost: Words | undefined
}

type Walk = { -readonly [K in keyof Omit<Pages, 'lost'>]: Pages[K] } & { bytes: number }

/** @param bytes of the chunk alone */
function walkChunk(
  bytes: Uint8Array,
  { column, start, data, values, width }: FooterChunk,
  group: number,
  walk: Walk,
): void {
  let cells = 0
  let isThere = false
  for (let at = 0, page = 1; at < bytes.length; page++) {
    const header = pageHeader(bytes, at, bytes.length)
    // Some writers name the dictionary's page as the first with cells.
    if (at + start === data) isThere = true
    at = header.end + header.size
    if (at > bytes.length)
      throw worded(RangeError, sentence`page ${page} of ${column} in row group ${group} is longer than its place`)
    walk.pages++
    walk.bytes += Math.max(header.inflated, (header.values ?? 0) * width)
    cells += header.values ?? 0
    if (header.crc === undefined) continue
    walk.checked++
    if ((crc32(bytes.subarray(header.end, at)) | 0) === header.crc) continue
    walk.wrong++
    walk.first ??= sentence`page ${page} of ${column} in row group ${group}`
  }
  if (cells > 0 && !isThere)
    throw worded(RangeError, sentence`the pages of ${column} in row group ${group} do not begin where its footer says`)
  if (cells === values) return
  throw worded(
    RangeError,
    sentence`the pages of ${column} in row group ${group} hold ${cells} cells, its footer counts ${values}`,
  )
}

/** Which cells of a file are looked at (default: all). */
export interface CellSelection {
  readonly columns?: readonly string[] | undefined
  readonly rowGroups?: readonly number[] | undefined
}

/** Whether a leaf column is one of those that are looked at, or a part of one. */
export function isSelected({ columns }: CellSelection, leaf: string): boolean {
  return columns?.some((name) => leaf === name || leaf.startsWith(`${name}.`)) ?? true
}

/**
 * Goes from page to page and holds each against its own checksum, where it has one.
 * @throws RangeError for pages that claim more bytes than the limit
 */
export async function checkPages(
  ranges: Ranges,
  { rowGroups }: Footer,
  { bytes: most = usualLimits.bytes }: ParquetLimits = {},
  part: CellSelection = {},
): Promise<Pages> {
  const walk: Walk = { pages: 0, checked: 0, wrong: 0, first: undefined, bytes: 0 }
  let lost: Words | undefined
  for (const [group, { chunks }] of rowGroups.entries()) {
    if (part.rowGroups?.includes(group) === false) continue
    for (const chunk of chunks) {
      if (!isSelected(part, chunk.column)) continue
      const bytes = await ranges.read(chunk.start, chunk.end)
      try {
        walkChunk(bytes, chunk, group + 1, walk)
      } catch (error) {
        lost ??= messageOf(error)
      }
      if (walk.bytes > most)
        throw beyond(
          'bytes',
          sentence`its cells need ${walk.bytes} bytes of memory, and ${most} are the most that is read`,
        )
    }
  }
  const { bytes: _, ...found } = walk
  return { ...found, lost }
}

/**
 * The footer of a Parquet file whose pages hold what it says.
 * @param name what errors call it
 * @throws QuotebookError FILE for any other file, and for one beyond the limits
 */
export async function checkedFooter(
  file: Uint8Array | Ranges,
  name: Words,
  limits: ParquetLimits = {},
  partOf: (footer: Footer) => CellSelection = () => ({}),
): Promise<Footer> {
  const ranges = file instanceof Uint8Array ? ofMemory(file) : file
  const footer = await footerOf(ranges, name, limits)
  try {
    const { lost, first } = await checkPages(ranges, footer, limits, partOf(footer))
    if (lost !== undefined) throw worded(RangeError, lost)
    if (first !== undefined) throw worded(RangeError, sentence`${first} is not what its checksum says`)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw unreadFile(name, cause)
  }
  return footer
}
