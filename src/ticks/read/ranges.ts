import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { QuotebookError } from '../../contract/error.js'

/** Bytes that can be read from anywhere: of a file on the disk, or in memory. */
export interface Ranges {
  readonly size: number
  read(from: number, to: number): Promise<Uint8Array>
}

export function ofMemory(bytes: Uint8Array): Ranges {
  return { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) }
}

/** @throws QuotebookError FILE when the file ends before `to` */
export function ofFile(file: FileHandle, size: number): Ranges {
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      for (let at = 0; at < bytes.length; ) {
        // At once: what is read is in the system's memory as a rule, and a turn through the thread pool takes longer.
        const count = readSync(file.fd, bytes, at, bytes.length - at, from + at)
        if (count === 0) throw new QuotebookError('FILE', 'the file is shorter than it was')
        at += count
      }
      return bytes
    },
  }
}

const magic = 'PAR1'

function isMagic(bytes: Uint8Array): boolean {
  return bytes.length === 4 && Buffer.from(bytes).toString('latin1') === magic
}

/** The footer of a Parquet file, and where it begins. @throws QuotebookError FILE when the bytes are none */
export async function footerAt(ranges: Ranges): Promise<{ readonly start: number; readonly footer: Uint8Array }> {
  const { size } = ranges
  const tail = size < 12 ? new Uint8Array() : await ranges.read(Math.max(0, size - 65_536), size)
  if (!isMagic(tail.subarray(-4))) throw new QuotebookError('FILE', 'it does not end like a Parquet file')
  if (!isMagic(await ranges.read(0, 4))) throw new QuotebookError('FILE', 'it does not begin like a Parquet file')
  const length = new DataView(tail.buffer, tail.byteOffset + tail.length - 8, 4).getUint32(0, true)
  const start = size - 8 - length
  if (start < 4) throw new QuotebookError('FILE', `its footer is said to have ${length} bytes, the file has ${size}`)
  if (length + 8 <= tail.length) return { start, footer: tail.subarray(tail.length - 8 - length, tail.length - 8) }
  return { start, footer: await ranges.read(start, size - 8) }
}

/** The file as it would be with another footer. Nothing is copied but what is read across the seam. */
export function withFooter(ranges: Ranges, start: number, footer: Uint8Array): Ranges {
  const tail = Buffer.alloc(footer.length + 8)
  tail.set(footer)
  tail.writeUInt32LE(footer.length, footer.length)
  tail.write(magic, footer.length + 4, 'latin1')
  return {
    size: start + tail.length,
    async read(from, to) {
      if (to <= start) return ranges.read(from, to)
      if (from >= start) return tail.subarray(from - start, to - start)
      return Buffer.concat([await ranges.read(from, start), tail.subarray(0, to - start)])
    },
  }
}

/** What the codec asks of a Blob, of bytes that are read only when they are asked for. */
export function asBlob(ranges: Ranges): Blob {
  const slice = (from = 0, to = ranges.size) => ({
    size: to - from,
    async arrayBuffer(): Promise<ArrayBuffer> {
      const bytes = await ranges.read(from, to)
      const { buffer, byteOffset, byteLength } = bytes as Uint8Array<ArrayBuffer>
      const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
      return isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
    },
  })
  return { size: ranges.size, slice } as unknown as Blob
}
