import { byteOf, type Source } from './source.js'

const hexOf = new Int8Array(256).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  hexOf[digit.charCodeAt(0)] = value
  hexOf[digit.toUpperCase().charCodeAt(0)] = value
}
const simple = new Uint8Array(256)
for (const letter of '"\\/bfnrt') simple[letter.charCodeAt(0)] = 1

/** The code unit of four hexadecimal digits, or a negative number. */
export function unitAt(bytes: Uint8Array, at: number): number {
  const [a, b] = [hexOf[bytes[at] as number] as number, hexOf[bytes[at + 1] as number] as number]
  const [c, d] = [hexOf[bytes[at + 2] as number] as number, hexOf[bytes[at + 3] as number] as number]
  return (a << 12) | (b << 8) | (c << 4) | d
}

/** Where the escape at a backslash ends, or -1 for none that JSON knows and for half a surrogate pair. */
function afterEscape(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1] as number
  if (simple[letter] === 1) return at + 2
  if (letter !== byteOf.u) return -1
  const unit = unitAt(bytes, at + 2)
  if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return -1
  if (unit < 0xd800 || unit > 0xdbff) return at + 6
  if (bytes[at + 6] !== byteOf.backslash || bytes[at + 7] !== byteOf.u) return -1
  const low = unitAt(bytes, at + 8)
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : -1
}

/** The place of the quote that ends the string whose first byte stands at `at`, or -1 where none is well formed. */
export function quoteAfter(bytes: Uint8Array, at: number): number {
  const { length } = bytes
  let next = at
  while (next < length) {
    const byte = bytes[next] as number
    if (byte === byteOf.quote) return next
    if (byte < 0x20) return -1
    if (byte !== byteOf.backslash) {
      next++
      continue
    }
    next = afterEscape(bytes, next)
    if (next < 0) return -1
  }
  return -1
}

/** The text between two quotes that `quoteAfter` found. */
export function textOf({ view }: Source, start: number, end: number): string {
  const raw = view.toString('utf8', start, end)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

/** Whether the bytes at two places are the same for a length. */
export function isSame(bytes: Uint8Array, at: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[at + i] !== bytes[other + i]) return false
  return true
}
