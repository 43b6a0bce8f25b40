import type { Vector } from 'apache-arrow'

/** 1 where a cell is there, 0 where it is missing; null when none is missing. */
export function validOf(vector: Vector): Uint8Array | null {
  if (vector.nullCount === 0) return null
  const out = new Uint8Array(vector.length)
  let at = 0
  for (const data of vector.data) {
    if (data.nullCount === 0) out.fill(1, at, at + data.length)
    else if (data.nullBitmap.length > 0) bits(data.nullBitmap, data.offset, data.length, out, at)
    at += data.length
  }
  return out
}

/** Bits as bytes, from a place on. */
export function bits(source: Uint8Array, offset: number, length: number, out: Uint8Array, at: number): void {
  for (let i = 0; i < length; i++) {
    const bit = offset + i
    out[at + i] = ((source[bit >> 3] as number) >> (bit & 7)) & 1
  }
}
