const [minus, point, zero] = [0x2d, 0x2e, 0x30] as const
/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))
/** Whole numbers below this have at most 15 digits: a double holds them exactly. */
const exact = 1e15

/**
 * Reads a decimal without an exponent from ASCII into a row of `out`: digits without a leading zero, and decimals or none.
 * Mantissa and power of ten are exact, and one division of them rounds as reading the decimal does.
 * @returns the place after it; -1 where none stands, or one of more digits than that holds for
 */
export function readDecimal(bytes: Buffer, start: number, out: Float64Array, row: number): number {
  const isNegative = bytes[start] === minus
  const first = isNegative ? start + 1 : start
  let at = first
  let mantissa = 0
  let digit = (bytes[at] as number) - zero
  while (digit >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit
    digit = (bytes[++at] as number) - zero
  }
  if (at === first || (at > first + 1 && bytes[first] === zero)) return -1
  let decimals = 0
  if (bytes[at] === point) {
    const afterPoint = ++at
    digit = (bytes[at] as number) - zero
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      digit = (bytes[++at] as number) - zero
    }
    decimals = at - afterPoint
    if (decimals === 0) return -1
  }
  if (mantissa >= exact || decimals > 22) return -1
  const value = decimals === 0 ? mantissa : mantissa / (powers[decimals] as number)
  out[row] = isNegative ? -value : value
  return at
}
