/** Bytes that can be read from anywhere: of a file on the disk, or in memory. */
export interface Ranges {
  readonly size: number
  read(from: number, to: number): Promise<Uint8Array>
}

export function ofMemory(bytes: Uint8Array): Ranges {
  return { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) }
}

const magic = 'PAR1'

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
