const zero = 48
const point = 46
const minus = 45
/** Whole numbers that a double and 15 digits hold. */
const most = 1e15
/** Numbers below are spelled with an exponent. */
const least = 1e-6
const digits = new Uint8Array(32)

/** Puts the digits of a whole number before `end` of `digits`, at least `count` of them. */
function putDigits(whole: number, end: number, count: number): number {
  let at = end
  let left = whole | 0
  while (left > 0 || end - at < count) {
    const next = (left / 10) | 0
    digits[--at] = zero + left - next * 10
    left = next
  }
  return at
}

/**
 * Writes a short decimal as JavaScript spells it, at a place that has 24 bytes of room: the text of at most 15 digits that gives the
 * double back is the only one so short.
 * @param whole what follows a number without a fraction
 * @returns the place after it, or -1 for a number of another spelling
 */
export function putDecimal(bytes: Uint8Array, from: number, value: number, whole: Uint8Array): number {
  const size = Math.abs(value)
  if (!(size < most) || size < least) {
    if (value !== 0 || 1 / value < 0) return -1
  }
  let [places, scale, scaled] = [0, 1, Math.round(size)]
  while (scaled / scale !== size) {
    if (++places > 6) return -1
    scale *= 10
    scaled = Math.round(size * scale)
    if (scaled >= most) return -1
  }
  let at = from
  if (value < 0) bytes[at++] = minus
  const high = scaled < 1e9 ? 0 : Math.floor(scaled / 1e9)
  let first = putDigits(scaled - high * 1e9, 32, high > 0 ? 9 : places + 1)
  if (high > 0) first = putDigits(high, first, places + 1 - 9)
  const split = 32 - places
  for (let i = first; i < split; i++) bytes[at++] = digits[i] as number
  if (places === 0) {
    for (const byte of whole) bytes[at++] = byte
    return at
  }
  bytes[at++] = point
  for (let i = split; i < 32; i++) bytes[at++] = digits[i] as number
  return at
}
