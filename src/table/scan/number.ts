import { byteOf, type Source } from './source.js'

/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))
/** Whole numbers below this have at most 15 digits: a double holds them exactly. */
const exact = 1e15

/** Mantissa and power of ten are exact, and one operation on exact numbers rounds as reading the decimal does. */
function decimal({ view }: Source, start: number, end: number, mantissa: number, scale: number): number {
  if (mantissa < exact && scale >= -22 && scale < 0) return mantissa / (powers[-scale] as number)
  if (mantissa < exact && scale >= 0 && scale <= 22) return mantissa * (powers[scale] as number)
  return Number(view.toString('latin1', start, end))
}

/**
 * Reads a JSON number into a place of `out`.
 * @returns the place after it; -1 where none stands, or none that a double can hold
 */
export function readNumber(source: Source, start: number, out: Float64Array, place: number): number {
  const { bytes } = source
  const negative = bytes[start] === byteOf.minus
  const first = negative ? start + 1 : start
  let at = first
  let mantissa = 0
  let digit = (bytes[at] as number) - byteOf.zero
  while (digit >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit
    digit = (bytes[++at] as number) - byteOf.zero
  }
  if (at === first || (at > first + 1 && bytes[first] === byteOf.zero)) return -1
  let scale = 0
  if (bytes[at] === byteOf.point) {
    const point = at
    digit = (bytes[++at] as number) - byteOf.zero
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      digit = (bytes[++at] as number) - byteOf.zero
    }
    scale = point + 1 - at
    if (scale === 0) return -1
  }
  if (((bytes[at] as number) | 0x20) === byteOf.e) {
    const sign = bytes[++at]
    if (sign === byteOf.minus || sign === byteOf.plus) at++
    const power = at
    let exponent = 0
    digit = (bytes[at] as number) - byteOf.zero
    while (digit >= 0 && digit <= 9) {
      exponent = exponent * 10 + digit
      digit = (bytes[++at] as number) - byteOf.zero
    }
    if (at === power) return -1
    scale += sign === byteOf.minus ? -exponent : exponent
  }
  const value = decimal(source, first, at, mantissa, scale)
  if (value === Number.POSITIVE_INFINITY) return -1
  out[place] = negative ? -value : value
  return at
}
