import type { Column } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { declarationOf } from '../../table/declaration.js'
import { gatherCells } from '../../table/gather-cells.js'
import { bucketRows, encodeKeys, type RowGroups } from '../../table/group-rows.js'
import { floatColumn, numbersIn, presentIn } from '../../table/present-cells.js'
import { described } from '../../table/shape.js'
import { sortRows } from '../../table/sort-rows.js'
import { type ColumnData, floatsIn, textIn } from '../../table/values.js'
import { quantileOfSorted, sortedPresent } from './array-statistics.js'
import { asNullable } from './verb-output.js'
import type { Operation } from './verb-types.js'

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
export function tenThousandths(value: number, whole: number): number {
  if (value === whole) return Math.abs(value) <= exact ? 0 : Number.NaN
  const size = Math.abs(value)
  const unit = size < dense[0] ? scale : 100
  const units = Math.round((value - whole) * unit)
  if (size < dense[1] && (whole * unit + units) / unit === value) return units * (scale / unit)
  if (size < dense[0]) return Number.NaN
  const places = String(value).split('.')[1] ?? ''
  return places.length > 4 ? Number.NaN : Math.sign(value) * Number(places.padEnd(4, '0'))
}

/** The double nearest to a whole number, given as the sum of two, and ten-thousandths. */
export function decimalDouble(whole: number, rest: number, fraction: number): number {
  const units = whole * scale + fraction
  if (rest === 0 && Math.abs(units) < exact && Math.abs(whole) * scale < exact) return units / scale
  return Number(`${(BigInt(whole) + BigInt(rest)) * BigInt(scale) + BigInt(fraction)}e-4`)
}

/** A column of a result and what is known of it. */
export interface AggregateColumn {
  readonly values: ColumnData
  readonly declaration: Column | undefined
}

interface Source {
  readonly name: string
  readonly values: ColumnData
  readonly declaration: Column | undefined
}

/** Whole numbers of each group. */
export function countColumn(data: Int32Array): AggregateColumn {
  return { values: { type: 'int', data, valid: null }, declaration: { kind: 'integer', meaning: 'a count' } }
}

export function groupSizes({ of, count }: RowGroups): Int32Array {
  const out = new Int32Array(count)
  for (let row = 0; row < of.length; row++) out[of[row] as number] = (out[of[row] as number] as number) + 1
  return out
}

function counts(values: ColumnData, { of, count }: RowGroups): Int32Array {
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

/** Sums of decimals as decimals, of anything else compensated, and counts. */
function sums(x: Float64Array, { of, count }: RowGroups): { readonly sum: Float64Array; readonly there: Int32Array } {
  const [sum, lost, there] = [new Float64Array(count), new Float64Array(count), new Int32Array(count)]
  const [whole, rest, fraction] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (let row = 0; row < of.length; row++) {
    const value = x[row] as number
    if (Number.isNaN(value)) continue
    const group = of[row] as number
    const [before, wholes, part] = [sum[group] as number, whole[group] as number, Math.trunc(value)]
    const [next, nextWhole] = [before + value, wholes + part]
    lost[group] = (lost[group] as number) + lostIn(before, value, next)
    rest[group] = (rest[group] as number) + lostIn(wholes, part, nextWhole)
    fraction[group] = (fraction[group] as number) + tenThousandths(value, part)
    sum[group] = next
    whole[group] = nextWhole
    there[group] = (there[group] as number) + 1
  }
  for (let group = 0; group < count; group++) {
    if (there[group] === 0) sum[group] = Number.NaN
    else if (!Number.isNaN(fraction[group]))
      sum[group] = decimalDouble(whole[group] as number, rest[group] as number, fraction[group] as number)
    else if (Number.isFinite(sum[group])) sum[group] = (sum[group] as number) + (lost[group] as number)
  }
  return { sum, there }
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
  const grouped = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) grouped[at] = x[rows[at] as number] as number
  return Float64Array.from({ length: count }, (_, group) =>
    quantileOfSorted(sortedPresent(grouped.subarray(starts[group], starts[group + 1])), 0.5),
  )
}

/** The row of each group whose cell comes first; -1 where all are missing. */
function firstRows(present: Uint8Array, { of, count }: RowGroups): Int32Array {
  const out = new Int32Array(count).fill(-1)
  for (let row = of.length - 1; row >= 0; row--) if (present[row] === 1) out[of[row] as number] = row
  return out
}

function lastRows(present: Uint8Array, { of, count }: RowGroups): Int32Array {
  const out = new Int32Array(count).fill(-1)
  for (let row = 0; row < of.length; row++) if (present[row] === 1) out[of[row] as number] = row
  return out
}

/** What the cells of a column are compared by: numbers, the places of texts in their order, 0 and 1. */
function comparable({ name, values }: Source): Float64Array {
  const numbers = floatsIn(values)
  if (numbers) return numbers
  const text = textIn(values)
  if (!text) {
    if (values.type === 'boolean') {
      const { data, valid } = values
      return Float64Array.from(data, (flag, row) => (valid?.[row] === 0 ? Number.NaN : flag))
    }
    throw new QuotebookError('INVALID_VALUE', `min and max need an order; column '${name}' holds lists`)
  }
  const codes = Int32Array.from(text.dictionary.keys())
  const order = sortRows(
    [{ name, values: { type: 'dictionary', data: codes, dictionary: text.dictionary }, descending: false }],
    codes.length,
  )
  const place = new Float64Array(order.length)
  for (let at = 0; at < order.length; at++) place[order[at] as number] = at
  return Float64Array.from(text.data, (code) => (code < 0 ? Number.NaN : (place[code] as number)))
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

function distinct({ name, values }: Source, groups: RowGroups): Int32Array {
  const keys = [
    { sides: [{ type: 'int', data: groups.of, valid: null } as const], names: [name] },
    { sides: [values], names: [name] },
  ]
  const { sides, size } = encodeKeys(keys, 'never')
  const out = new Int32Array(groups.count)
  const seen = new Uint8Array(size)
  ;(sides[0] as Int32Array).forEach((code, row) => {
    if (code < 0 || seen[code] === 1) return
    seen[code] = 1
    const group = groups.of[row] as number
    out[group] = (out[group] as number) + 1
  })
  return out
}

function roots(squares: Float64Array): Float64Array {
  return squares.map(Math.sqrt)
}

/** What an operation makes of the cells of each group; missing ones are skipped. */
export function aggregate(source: Source, operation: Operation, groups: RowGroups): AggregateColumn {
  const { name, values, declaration } = source
  const x = (): Float64Array => numbersIn(values, name, operation)
  const kept = asNullable(declaration)
  const numeric: Column | undefined = kept && { ...kept, kind: 'number' }
  const numbers = (data: Float64Array, own: Column | undefined = numeric): AggregateColumn => ({
    values: floatColumn(data),
    declaration: own,
  })
  const picked = (rows: Int32Array): AggregateColumn => ({ values: gatherCells(values, rows), declaration: kept })
  const plain = declarationOf('number')
  switch (operation) {
    case 'sum':
      return numbers(sums(x(), groups).sum)
    case 'mean':
      return numbers(means(x(), groups))
    case 'median':
      return numbers(medians(x(), groups))
    case 'std':
      return numbers(roots(variances(x(), groups)))
    case 'var':
      return numbers(variances(x(), groups), plain)
    case 'min':
      return picked(leastRows(comparable(source), groups, 1))
    case 'max':
      return picked(leastRows(comparable(source), groups, -1))
    case 'first':
      return picked(firstRows(presentIn(values), groups))
    case 'last':
      return picked(lastRows(presentIn(values), groups))
    case 'count':
      return countColumn(counts(values, groups))
    case 'nunique':
      return countColumn(distinct(source, groups))
    default: {
      const known = 'sum, mean, min, max, first, last, count, median, std, var, nunique'
      throw new QuotebookError(
        'INVALID_VALUE',
        `unknown operation ${described(operation)}; there are ${known}, and 'rows'`,
      )
    }
  }
}
