import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { gatherCells, gatherFloats } from './gather-cells.js'
import { bucketRows, encodeKeys, type RowGroups } from './group-rows.js'
import { floatColumn, numbersIn, presentIn } from './present-cells.js'
import { medianWithin } from './quantiles.js'
import { described } from './shape.js'
import { rankCells } from './sort-rows.js'
import { type ColumnData, floatsIn } from './values.js'

/*
 * Sums of amounts as a person adds them. A double is only the nearest to 0.1, so the exact sum of ten of them is not 1 and
 * prints with a tail. Where every number prints as a decimal of at most four places, the sum that is meant is that of the
 * decimals: whole parts and ten-thousandths are added apart, both as whole numbers, and so without rounding.
 */

const scale = 1e4
/** Below these sizes doubles lie closer than half a unit of 4 and of 2 places: the nearest decimal is the one that is printed. */
const dense = [2 ** 39, 2 ** 46] as const
/** From here on a double prints digits that it does not hold. */
const exact = 2 ** 53

/** The ten-thousandths behind the point of a number as it prints; NaN when it has more places, or is too large to tell. */
function tenThousandths(value: number, whole: number): number {
  if (value === whole) return Math.abs(value) <= exact ? 0 : Number.NaN
  const size = Math.abs(value)
  const unit = size < dense[0] ? scale : 100
  const units = Math.round((value - whole) * unit)
  if (size < dense[1] && (whole * unit + units) / unit === value) return units * (scale / unit)
  if (size < dense[0]) return Number.NaN
  const places = String(value).split('.')[1] ?? ''
  return places.length > 4 ? Number.NaN : Math.sign(value) * Number(places.padEnd(4, '0'))
}

/** The double nearest to a whole number and ten-thousandths, each given as the sum of two. */
function decimalDouble(whole: number, rest: number, fraction: number, more: number): number {
  const units = whole * scale + fraction
  if (rest === 0 && more === 0 && Math.abs(units) < exact && Math.abs(whole) * scale < exact) return units / scale
  return Number(`${(BigInt(whole) + BigInt(rest)) * BigInt(scale) + BigInt(fraction) + BigInt(more)}e-4`)
}

/** Rows of each group. */
export function groupSizes({ of, count }: RowGroups): Int32Array {
  const out = new Int32Array(count)
  for (let row = 0; row < of.length; row++) out[of[row] as number] = (out[of[row] as number] as number) + 1
  return out
}

function counts(values: ColumnData, _name: string, { of, count }: RowGroups): Int32Array {
  const present = presentIn(values)
  const out = new Int32Array(count)
  for (let row = 0; row < of.length; row++) {
    const group = of[row] as number
    out[group] = (out[group] as number) + (present[row] as number)
  }
  return out
}

/** Two numbers' sum as a double, and what that rounds away (Knuth). */
const lostIn = (a: number, b: number, sum: number): number => a - (sum - (sum - a)) + (b - (sum - a))

/** Up to here a number times ten thousand is off by less than a half. */
const small = 2 ** 37

interface Sums {
  readonly sum: Float64Array
  readonly there: Int32Array
}

/** Sums of decimals as decimals, of anything else compensated, and counts. */
function sums(x: Float64Array, groups: RowGroups): Sums {
  const { of, count } = groups
  const [units, rest, there] = [new Float64Array(count), new Float64Array(count), new Int32Array(count)]
  const isOther = new Uint8Array(count)
  for (let row = 0; row < of.length; row++) {
    const value = x[row] as number
    if (Number.isNaN(value)) continue
    const group = of[row] as number
    there[group] = (there[group] as number) + 1
    const own = Math.round(value * scale)
    if (own / scale !== value || Math.abs(value) > small) {
      isOther[group] = 1
      continue
    }
    const before = units[group] as number
    const next = before + own
    if (Math.abs(next) > exact) rest[group] = (rest[group] as number) + lostIn(before, own, next)
    units[group] = next
  }
  if (isOther.includes(1)) addOthers(x, groups, isOther, units)
  for (let group = 0; group < count; group++) {
    if (there[group] === 0) units[group] = Number.NaN
    else if (isOther[group] === 0) units[group] = decimalDouble(0, 0, units[group] as number, rest[group] as number)
  }
  return { sum: units, there }
}

/** Puts the sums of groups in which a number is great, or no decimal of four places. */
function addOthers(x: Float64Array, { of, count }: RowGroups, isOther: Uint8Array, out: Float64Array): void {
  const [sum, lost] = [new Float64Array(count), new Float64Array(count)]
  const [whole, rest, fraction] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (let row = 0; row < of.length; row++) {
    const value = x[row] as number
    const group = of[row] as number
    if (isOther[group] === 0 || Number.isNaN(value)) continue
    const before = sum[group] as number
    const wholes = whole[group] as number
    const part = Math.trunc(value)
    const next = before + value
    const nextWhole = wholes + part
    lost[group] = (lost[group] as number) + lostIn(before, value, next)
    rest[group] = (rest[group] as number) + lostIn(wholes, part, nextWhole)
    if (!Number.isNaN(fraction[group])) fraction[group] = (fraction[group] as number) + tenThousandths(value, part)
    sum[group] = next
    whole[group] = nextWhole
  }
  for (let group = 0; group < count; group++) {
    if (isOther[group] === 0) continue
    out[group] = sum[group] as number
    if (!Number.isNaN(fraction[group]))
      out[group] = decimalDouble(whole[group] as number, rest[group] as number, fraction[group] as number, 0)
    else if (Number.isFinite(sum[group])) out[group] = (sum[group] as number) + (lost[group] as number)
  }
}

function means(x: Float64Array, groups: RowGroups): Float64Array {
  const { sum, there } = sums(x, groups)
  for (let group = 0; group < sum.length; group++) sum[group] = (sum[group] as number) / (there[group] as number)
  return sum
}

/** In two passes: squared distances from the mean, less what the rounding of the mean put into them. */
function variances(x: Float64Array, groups: RowGroups): Float64Array {
  const { of, count } = groups
  const mean = means(x, groups)
  const [squares, rest, there] = [new Float64Array(count), new Float64Array(count), new Int32Array(count)]
  for (let row = 0; row < of.length; row++) {
    const value = x[row] as number
    if (Number.isNaN(value)) continue
    const group = of[row] as number
    const off = value - (mean[group] as number)
    squares[group] = (squares[group] as number) + off * off
    rest[group] = (rest[group] as number) + off
    there[group] = (there[group] as number) + 1
  }
  for (let group = 0; group < count; group++) {
    const n = there[group] as number
    const own = Math.max(0, (squares[group] as number) - ((rest[group] as number) * (rest[group] as number)) / n)
    squares[group] = n > 1 ? own / (n - 1) : Number.NaN
  }
  return squares
}

function medians(x: Float64Array, { of, count }: RowGroups): Float64Array {
  const { rows, starts } = bucketRows(of, count)
  const grouped = gatherFloats(x, rows, false)
  const out = new Float64Array(count)
  for (let group = 0; group < count; group++)
    out[group] = medianWithin(grouped, starts[group] as number, starts[group + 1] as number)
  return out
}

/** The first row of each group whose cell is there, or the last; -1 where all are missing. */
function edgeRows(present: Uint8Array, { of, count }: RowGroups, edge: 'first' | 'last'): Int32Array {
  const out = new Int32Array(count).fill(-1)
  const { length } = of
  for (let i = 0; i < length; i++) {
    const row = edge === 'last' ? i : length - 1 - i
    if (present[row] === 1) out[of[row] as number] = row
  }
  return out
}

/** What the cells of a column are compared by: numbers, or their ranks; NaN where missing. */
function comparable(values: ColumnData, name: string): Float64Array {
  const numbers = floatsIn(values)
  if (numbers) return numbers
  if (values.type === 'list')
    throw new QuotebookError('INVALID_VALUE', sentence`min and max need an order; column '${name}' holds lists`)
  const { ranks, size } = rankCells({ name, values, descending: false })
  return Float64Array.from(ranks, (rank) => (rank === size - 1 ? Number.NaN : rank))
}

function leastRows(x: Float64Array, { of, count }: RowGroups, sign: 1 | -1): Int32Array {
  const out = new Int32Array(count).fill(-1)
  const best = new Float64Array(count).fill(Number.NaN)
  for (let row = 0; row < of.length; row++) {
    const value = sign * (x[row] as number)
    if (Number.isNaN(value)) continue
    const group = of[row] as number
    const known = best[group] as number
    if (known <= value) continue
    best[group] = value
    out[group] = row
  }
  return out
}

function distinct(values: ColumnData, name: string, { of, count }: RowGroups): Int32Array {
  const groups = { type: 'int', data: of, valid: null } as const
  const keys = [groups, values].map((column) => ({ sides: [column], names: [name] }))
  const { sides, size } = encodeKeys(keys, 'never')
  const out = new Int32Array(count)
  const seen = new Uint8Array(size)
  ;(sides[0] as Int32Array).forEach((code, row) => {
    if (code < 0 || seen[code] === 1) return
    seen[code] = 1
    const group = of[row] as number
    out[group] = (out[group] as number) + 1
  })
  return out
}

const computed = {
  sum: (x: Float64Array, groups: RowGroups) => sums(x, groups).sum,
  mean: means,
  median: medians,
  std: (x: Float64Array, groups: RowGroups) => variances(x, groups).map(Math.sqrt),
  var: variances,
} as const

const counted = { count: counts, nunique: distinct } as const

type Picked = 'min' | 'max' | 'first' | 'last'

/** The row of each group whose cell an operation takes; -1 where all are missing. */
export function pickedRows(values: ColumnData, name: string, operation: Picked, groups: RowGroups): Int32Array {
  if (operation === 'first' || operation === 'last') return edgeRows(presentIn(values), groups, operation)
  return leastRows(comparable(values, name), groups, operation === 'min' ? 1 : -1)
}

/** What an operation makes of the cells of each group; missing ones are skipped. `name` is for messages. */
export function aggregateCells(values: ColumnData, name: string, operation: string, groups: RowGroups): ColumnData {
  switch (operation) {
    case 'sum':
    case 'mean':
    case 'median':
    case 'std':
    case 'var':
      return floatColumn(computed[operation](numbersIn(values, name, operation), groups))
    case 'count':
    case 'nunique':
      return { type: 'int', data: counted[operation](values, name, groups), valid: null }
    case 'min':
    case 'max':
    case 'first':
    case 'last':
      return gatherCells(values, pickedRows(values, name, operation, groups))
    default: {
      const known = 'sum, mean, min, max, first, last, count, median, std, var, nunique'
      const wrong = sentence`unknown operation ${described(operation)}; there are ${known}, and 'rows'`
      throw new QuotebookError('INVALID_VALUE', wrong)
    }
  }
}
