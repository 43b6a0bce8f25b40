import { createInflateRaw } from 'node:zlib'
import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { zipEntries } from './zip.js'

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
  let sum = 0
  for (const { isDeflated, packed } of zipEntries(bytes)) {
    sum += isDeflated ? await inflatedSize(packed, most - sum) : packed.length
    if (sum > most) throw worded(RangeError, sentence`it unpacks to more than ${most} bytes, the most that is read`)
  }
}
