import { Buffer } from 'node:buffer'

/** A body to be scanned. Its last byte closes it, so that a run of digits, blanks or letters never leads out of it. */
export interface Source {
  readonly bytes: Uint8Array
  /** The same bytes, to take texts out of. */
  readonly view: Buffer
}

export const byteOf = {
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  colon: 0x3a,
  open: 0x5b,
  backslash: 0x5c,
  close: 0x5d,
  e: 0x65,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
  u: 0x75,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

const space = 0x20

function isBlank(byte: number): boolean {
  return byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** A body without the blanks after it; undefined where it does not end as an object does. */
export function sourceOf(body: Uint8Array): Source | undefined {
  let length = body.byteLength
  while (length > 0 && isBlank(body[length - 1] as number)) length--
  if (length === 0 || body[length - 1] !== byteOf.closeBrace) return undefined
  return {
    bytes: new Uint8Array(body.buffer, body.byteOffset, length),
    view: Buffer.from(body.buffer, body.byteOffset, length),
  }
}

/** The place of the first byte from `at` on that is no blank. */
export function afterBlank(bytes: Uint8Array, at: number): number {
  let next = at
  while ((bytes[next] as number) <= space) {
    if (!isBlank(bytes[next] as number)) return next
    next++
  }
  return next
}
