/** Codes of equal numbers: the same code for the same number on every side, -1 for NaN. */
export interface Codes {
  readonly sides: readonly Int32Array[]
  /** All codes are below it. */
  readonly size: number
}

const float = new Float64Array(1)
const bits = new Uint32Array(float.buffer)

function hashOf(value: number): number {
  float[0] = value
  let hash = Math.imul(bits[0] as number, 0x9e3779b1) ^ Math.imul(bits[1] as number, 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** Whole numbers in a narrow range are their own codes. */
function offsets(sides: readonly Float64Array[], rows: number): Codes | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const side of sides) {
    for (let row = 0; row < side.length; row++) {
      const value = side[row] as number
      if (Number.isNaN(value)) continue
      if (value < least) least = value
      if (value > most) most = value
      if (Math.floor(value) !== value || most - least > 4 * rows + 1024) return undefined
    }
  }
  if (least > most) return { sides: sides.map((side) => new Int32Array(side.length).fill(-1)), size: 0 }
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return undefined
  const codes = sides.map((side) => {
    const out = new Int32Array(side.length)
    for (let row = 0; row < side.length; row++) {
      const value = side[row] as number
      out[row] = !Number.isNaN(value) ? value - least : -1
    }
    return out
  })
  return { sides: codes, size: most - least + 1 }
}

function hashed(sides: readonly Float64Array[], rows: number): Codes {
  let capacity = 1024
  while (capacity < 2 * rows) capacity *= 2
  const mask = capacity - 1
  const slots = new Int32Array(capacity).fill(-1)
  const known = new Float64Array(rows)
  let size = 0
  const codes = sides.map((side) => {
    const out = new Int32Array(side.length)
    for (let row = 0; row < side.length; row++) {
      const value = (side[row] as number) + 0
      if (Number.isNaN(value)) {
        out[row] = -1
        continue
      }
      let at = hashOf(value) & mask
      let code = slots[at] as number
      while (code >= 0 && known[code] !== value) {
        at = (at + 1) & mask
        code = slots[at] as number
      }
      if (code < 0) {
        code = size++
        known[code] = value
        slots[at] = code
      }
      out[row] = code
    }
    return out
  })
  return { sides: codes, size }
}

/** Codes of numbers, shared by all sides. 0 and -0 are one number. */
export function numberCodes(sides: readonly Float64Array[]): Codes {
  const rows = sides.reduce((sum, side) => sum + side.length, 0)
  return offsets(sides, rows) ?? hashed(sides, rows)
}
