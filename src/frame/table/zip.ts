import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, inflateRawSync } from 'node:zlib'
import { QuotebookError, worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

const [endMark, entryMark, localMark] = [0x06054b50, 0x02014b50, 0x04034b50] as const
const deflated = 8
/** Bytes of the headers before their names: of an entry, of an entry in the directory; and of the directory's end. */
const [localSize, entrySize, endSize] = [30, 46, 22] as const
/** What a size of four bytes can say. */
const mostBytes = 0xffffffff

export interface ZipEntry {
  readonly name: string
  readonly isDeflated: boolean
  readonly packed: Uint8Array
  /** What the directory has of it, with its name. */
  readonly header: Uint8Array
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The place of the directory at the end of an archive, before which a comment of 64 KiB may stand. */
function directoryEnd(view: DataView): number {
  for (let at = view.byteLength - endSize; at >= Math.max(0, view.byteLength - endSize - 0xffff); at--)
    if (view.getUint32(at, true) === endMark) return at
  throw worded(RangeError, sentence`its directory is not there`)
}

/** The entries of an archive, as its directory has them. @throws RangeError for one that is not whole */
export function* zipEntries(bytes: Uint8Array): Generator<ZipEntry> {
  const view = viewOf(bytes)
  const end = directoryEnd(view)
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== entryMark) throw worded(RangeError, sentence`its directory is not whole`)
    const [packed, place] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    if (view.getUint32(place, true) !== localMark)
      throw worded(RangeError, sentence`an entry is not where its directory says`)
    const from = place + localSize + view.getUint16(place + 26, true) + view.getUint16(place + 28, true)
    const behind = at + entrySize + view.getUint16(at + 28, true)
    yield {
      name: Buffer.from(bytes.subarray(at + entrySize, behind)).toString(),
      isDeflated: view.getUint16(at + 10, true) === deflated,
      // Writers that may go beyond 4 GiB put the sizes elsewhere; what is deflated ends by itself.
      packed: bytes.subarray(from, packed === mostBytes ? undefined : from + packed),
      header: bytes.subarray(at, behind),
    }
    at = behind + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
}

/** The text of a small entry. */
export function textOf({ isDeflated, packed }: ZipEntry): string {
  return Buffer.from(isDeflated ? inflateRawSync(packed) : packed).toString()
}

/** An entry with other bytes, packed as they come. @throws QuotebookError INVALID_VALUE for more than 4 GiB */
export async function withBytes({ name, header }: ZipEntry, chunks: Iterable<Uint8Array>): Promise<ZipEntry> {
  let [sum, size] = [0, 0]
  const counted = function* (): Generator<Uint8Array> {
    for (const chunk of chunks) {
      sum = crc32(chunk, sum)
      size += chunk.length
      if (size > mostBytes)
        throw new QuotebookError(
          'INVALID_VALUE',
          sentence`a sheet of Excel holds 4 GiB, packed out; write CSV or Parquet, or fewer rows`,
        )
      yield chunk
    }
  }
  const parts: Uint8Array[] = []
  await pipeline(counted, createDeflateRaw({ chunkSize: 2 ** 16 }), async (packed: AsyncIterable<Uint8Array>) => {
    for await (const part of packed) parts.push(part)
  })
  const packed = Buffer.concat(parts)
  const own = new Uint8Array(header)
  const view = viewOf(own)
  view.setUint16(10, deflated, true)
  for (const [at, value] of [sum, packed.length, size].entries()) view.setUint32(16 + 4 * at, value, true)
  return { name, isDeflated: true, packed, header: own }
}

/** An archive of entries. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let size = 0
  const put = (part: Uint8Array): void => {
    parts.push(part)
    size += part.length
  }
  for (const { name, packed, header } of entries) {
    const listed = new Uint8Array(header)
    viewOf(listed).setUint32(42, size, true)
    directory.push(listed)
    const local = Buffer.alloc(localSize)
    local.writeUInt32LE(localMark)
    // Version, flags, method, time, checksum, sizes and the length of the name stand in both headers in one order.
    local.set(listed.subarray(6, 30), 4)
    put(local)
    put(Buffer.from(name))
    put(packed)
  }
  const end = Buffer.alloc(endSize)
  end.writeUInt32LE(endMark)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 16)
  directory.forEach(put)
  end.writeUInt32LE(size - end.readUInt32LE(16), 12)
  put(end)
  return new Uint8Array(Buffer.concat(parts))
}
