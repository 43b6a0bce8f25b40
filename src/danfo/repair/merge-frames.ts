/*
 * Joins.
 *
 * Stock danfo joins keys by '_', so that ('a_b', 'c') meets ('a', 'b_c'); a left join comes out ordered by key and loses
 * the row '__proto__'; null meets null, '' and undefined; a key column that one side lacks is an error about lengths; codes come out as
 * int32 and gaps in text as NaN; an inner join of 2e4 keys takes half a second and more rows than the stack holds throw.
 *
 * Now keys go by value and type, and a missing key meets nothing. A left or inner join keeps the order of the left rows, a
 * right join that of the right, an outer join has the left rows first and then the right rows that met none. Columns keep
 * their types; what is missing has its column's sign.
 */

import { keyRows, type RowKeys } from './distinct-values.js'
import {
  type Cells,
  columnOf,
  type DataFrame,
  dtypeWith,
  firstRepeated,
  frameOfColumns,
  isNa,
  isNumeric,
  type LabelledCells,
  labelledColumns,
  naOf,
  refuse,
  type TypedCells,
  tidied,
} from './model.js'

interface MergeOptions {
  readonly left: DataFrame
  readonly right: DataFrame
  readonly on: readonly string[]
  readonly how: 'outer' | 'inner' | 'left' | 'right'
}

/** Pairs of rows; -1 stands for none. */
interface Pairs {
  readonly left: number[]
  readonly right: number[]
}

/** The key of each row of a side; undefined where a cell of it is missing. */
type Keys = readonly (number | undefined)[]

function keysOf(left: readonly TypedCells[], right: readonly TypedCells[]): [Keys, Keys] {
  const { codes } = keyRows(left.map(({ cells }, at) => [...cells, ...(right[at]?.cells ?? [])]))
  const rows = left[0]?.cells.length ?? 0
  const side = (columns: readonly TypedCells[], own: RowKeys['codes']): Keys =>
    Array.from(own, (code, row) => (columns.some(({ cells }) => isNa(cells[row])) ? undefined : code))
  return [side(left, codes.subarray(0, rows)), side(right, codes.subarray(rows))]
}

/** The rows of one side with the rows of the other that they meet, in order. */
function matched(one: Keys, other: Keys, keepAll: boolean): { one: number[]; other: number[]; met: Uint8Array } {
  const rows = new Map<number, number[]>()
  other.forEach((key, row) => {
    if (key === undefined) return
    const there = rows.get(key)
    if (there) there.push(row)
    else rows.set(key, [row])
  })
  const found = { one: [] as number[], other: [] as number[], met: new Uint8Array(other.length) }
  one.forEach((key, row) => {
    const partners = key === undefined ? undefined : rows.get(key)
    for (const place of partners ?? (keepAll ? [-1] : [])) {
      found.one.push(row)
      found.other.push(place)
      if (place >= 0) found.met[place] = 1
    }
  })
  return found
}

function pairsOf([left, right]: [Keys, Keys], how: MergeOptions['how']): Pairs {
  if (how === 'right') {
    const { one, other } = matched(right, left, true)
    return { left: other, right: one }
  }
  const { one, other, met } = matched(left, right, how !== 'inner')
  if (how === 'outer') {
    met.forEach((flag, row) => {
      if (flag) return
      one.push(-1)
      other.push(row)
    })
  }
  return { left: one, right: other }
}

/** Names of the columns besides the key; one that comes twice gets a number, as in danfo. */
function namesOf(on: readonly string[], others: readonly string[]): string[] {
  const times = new Map<string, number>()
  const names = others.map((name) => {
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    return before === 0 ? name : `${name}_${before}`
  })
  const all = [...on, ...names]
  const twice = firstRepeated(all)
  return twice === undefined ? all : refuse(`two columns of the result would be called '${twice}'; rename one first`)
}

/** The type of a key that both sides have; a side that has no key at all goes with any. */
function keyType(name: string, left: TypedCells, right: TypedCells): string {
  if (left.dtype === right.dtype || right.cells.every(isNa)) return left.dtype
  if (left.cells.every(isNa)) return right.dtype
  if (isNumeric(left.dtype) && isNumeric(right.dtype)) return 'float32'
  return refuse(
    `'${name}' is ${left.dtype} on the left and ${right.dtype} on the right, so no key would meet; use asType`,
  )
}

/** Joins two frames by columns that both have. @throws QuotebookError INVALID_VALUE for an unknown column or unlike keys */
export function mergeFrames({ left, right, on, how }: MergeOptions): DataFrame {
  if (!['left', 'right', 'inner', 'outer'].includes(how))
    refuse(`how is left, right, inner or outer, not '${String(how)}'`)
  if (!Array.isArray(on) || on.length === 0) refuse('on is a list of one or more columns that both frames have')
  const [leftKeys, rightKeys] = [left, right].map((frame) => on.map((name) => columnOf(frame, name))) as [
    LabelledCells[],
    LabelledCells[],
  ]
  const pairs = pairsOf(keysOf(leftKeys, rightKeys), how)
  const keys = leftKeys.map((own, i): TypedCells => {
    const other = rightKeys[i] as LabelledCells
    const dtype = keyType(own.name, own, other)
    const cells = pairs.left.map((row, pair) =>
      row === -1 ? other.cells[pairs.right[pair] as number] : own.cells[row],
    )
    return { dtype: dtypeWith(dtype, cells), cells: tidied(cells, dtype) }
  })
  const others = (frame: DataFrame, rows: readonly number[]): LabelledCells[] =>
    labelledColumns(frame)
      .filter(({ name }) => !on.includes(name))
      .map(({ name, dtype, cells }) => {
        const met: Cells = rows.map((row) => (row === -1 ? naOf(dtype) : cells[row]))
        return { name, dtype: dtypeWith(dtype, met), cells: met }
      })
  const rest = [...others(left, pairs.left), ...others(right, pairs.right)]
  const names = namesOf(
    on,
    rest.map(({ name }) => name),
  )
  const columns = [...keys, ...rest].map((column, at) => ({ ...column, name: names[at] as string }))
  return frameOfColumns(columns, undefined, pairs.left.length)
}
