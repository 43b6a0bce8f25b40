import { crc32 } from 'node:zlib'
import { messageOf } from '../../contract/error.js'
import type { Footer, FooterChunk } from '../footer.js'
import { pageHeader } from './page-header.js'

/** What the pages of a file say of themselves. */
export interface Pages {
  readonly pages: number
  /** Pages that carry a checksum. */
  readonly checked: number
  /** Pages whose checksum is another than that of their bytes, the first of them in words. */
  readonly wrong: number
  readonly first: string | undefined
  /** Why some pages can not be found; undefined when all are. */
  readonly lost: string | undefined
}

interface Walk {
  pages: number
  checked: number
  wrong: number
  first: string | undefined
}

function walkChunk(
  bytes: Uint8Array,
  { column, start, data, end, values }: FooterChunk,
  group: number,
  walk: Walk,
): void {
  let cells = 0
  let first: number | undefined
  for (let at = start, page = 1; at < end; page++) {
    const header = pageHeader(bytes, at, end)
    if (header.values !== undefined && first === undefined) first = at
    at = header.end + header.size
    if (at > end) throw new RangeError(`page ${page} of ${column} in row group ${group} is longer than its place`)
    walk.pages++
    cells += header.values ?? 0
    if (header.crc === undefined) continue
    walk.checked++
    if ((crc32(bytes.subarray(header.end, at)) | 0) === header.crc) continue
    walk.wrong++
    walk.first ??= `page ${page} of ${column} in row group ${group}`
  }
  if (first !== undefined && first !== data)
    throw new RangeError(`the pages of ${column} in row group ${group} do not begin where its footer says`)
  if (cells === values) return
  throw new RangeError(`the pages of ${column} in row group ${group} hold ${cells} cells, its footer counts ${values}`)
}

/** Goes from page to page of a whole file and holds each against its own checksum, where it has one. */
export function checkPages(bytes: Uint8Array, { rowGroups }: Footer): Pages {
  const walk: Walk = { pages: 0, checked: 0, wrong: 0, first: undefined }
  let lost: string | undefined
  rowGroups.forEach(({ chunks }, group) => {
    for (const chunk of chunks) {
      try {
        walkChunk(bytes, chunk, group + 1, walk)
      } catch (error) {
        lost ??= messageOf(error)
      }
    }
  })
  return { ...walk, lost }
}
