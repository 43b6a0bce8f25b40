import { createInflateRaw } from 'node:zlib'
import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'

const [endMark, entryMark, localMark] = [0x06054b50, 0x02014b50, 0x04034b50] as const
const deflated = 8

/** The place of the directory at the end of an archive, before which a comment of 64 KiB may stand. */
function directoryEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--)
    if (view.getUint32(at, true) === endMark) return at
  throw worded(RangeError, sentence`its directory is not there`)
}

/** Bytes that a deflated entry has, counted until there are more than `most`. */
async function inflatedSize(bytes: Uint8Array, most: number): Promise<number> {
  const inflate = createInflateRaw({ chunkSize: 2 ** 18 })
  inflate.end(bytes)
  let size = 0
  for await (const chunk of inflate) {
    size += (chunk as Uint8Array).length
    if (size > most) break
  }
  return size
}

/**
 * Unpacks all entries of a ZIP archive without keeping them, whatever it says of their size.
 * @throws RangeError where there are more bytes than `most`, and for an archive that has no directory; what zlib throws
 */
export async function checkUnpacked(bytes: Uint8Array, most: number): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = directoryEnd(view)
  let at = view.getUint32(end + 16, true)
  let sum = 0
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== entryMark) throw worded(RangeError, sentence`its directory is not whole`)
    const [packed, place] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    if (view.getUint32(place, true) !== localMark)
      throw worded(RangeError, sentence`an entry is not where its directory says`)
    const from = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true)
    // Writers that may go beyond 4 GiB put the sizes elsewhere; what is deflated ends by itself.
    const entry = bytes.subarray(from, packed === 0xffffffff ? undefined : from + packed)
    sum += view.getUint16(at + 10, true) === deflated ? await inflatedSize(entry, most - sum) : entry.length
    if (sum > most) throw worded(RangeError, sentence`it unpacks to more than ${most} bytes, the most that is read`)
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
}
