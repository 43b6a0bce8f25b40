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

import { type Column as Joined, tidied } from './concat.js'
import { cellsAt, columnAt, DataFrame, type Frame, refuse, rowsOf } from './danfo.js'
import { codesOf } from './keys.js'
import { dtypeWith, isMissing, isNumeric, missingOf } from './missing.js'

interface Params {
  readonly left: Frame
  readonly right: Frame
  readonly on: readonly string[]
  readonly how: 'outer' | 'inner' | 'left' | 'right'
}

/** Pairs of rows; -1 stands for none. */
interface Pairs {
  readonly left: number[]
  readonly right: number[]
}

type Column = Pick<Joined, 'dtype' | 'cells'>

interface Side {
  readonly codes: Int32Array
  /** Whether a cell of the key is missing. */
  readonly open: readonly boolean[]
}

function sidesOf(left: readonly (readonly unknown[])[], right: readonly (readonly unknown[])[]): [Side, Side] {
  const length = left[0]?.length ?? 0
  const { codes } = codesOf(left.map((cells, at) => [...cells, ...(right[at] ?? [])]))
  const open = (columns: readonly (readonly unknown[])[]) =>
    (columns[0] ?? []).map((_, row) => columns.some((cells) => isMissing(cells[row])))
  return [
    { codes: codes.subarray(0, length), open: open(left) },
    { codes: codes.subarray(length), open: open(right) },
  ]
}

/** The rows of one side with the rows of the other that they meet, in order. */
function met(one: Side, other: Side, keepAll: boolean): { one: number[]; other: number[]; met: Uint8Array } {
  const rows = new Map<number, number[]>()
  other.codes.forEach((code, row) => {
    if (other.open[row]) return
    const there = rows.get(code)
    if (there) there.push(row)
    else rows.set(code, [row])
  })
  const found = { one: [] as number[], other: [] as number[], met: new Uint8Array(other.codes.length) }
  one.codes.forEach((code, row) => {
    const others = one.open[row] ? undefined : rows.get(code)
    if (!others) {
      if (!keepAll) return
      found.one.push(row)
      found.other.push(-1)
      return
    }
    for (const place of others) {
      found.one.push(row)
      found.other.push(place)
      found.met[place] = 1
    }
  })
  return found
}

function pairsOf([left, right]: [Side, Side], how: Params['how']): Pairs {
  if (how === 'right') {
    const { one, other } = met(right, left, true)
    return { left: other, right: one }
  }
  const found = met(left, right, how !== 'inner')
  if (how === 'outer') {
    found.met.forEach((flag, row) => {
      if (flag) return
      found.one.push(-1)
      found.other.push(row)
    })
  }
  return { left: found.one, right: found.other }
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
  const twice = all.find((name, at) => all.indexOf(name) !== at)
  return twice === undefined ? all : refuse(`two columns of the result would be called '${twice}'; rename one first`)
}

/** The type of a key that both sides have; a side that has no key at all goes with any. */
function keyType(name: string, [left, right]: readonly [Column, Column]): string {
  if (left.dtype === right.dtype || right.cells.every(isMissing)) return left.dtype
  if (left.cells.every(isMissing)) return right.dtype
  return keyTypeOf(name, left.dtype, right.dtype)
}

function keyTypeOf(name: string, left: string, right: string): string {
  if (isNumeric(left) && isNumeric(right)) return 'float32'
  return refuse(`'${name}' is ${left} on the left and ${right} on the right, so no key would meet; use asType`)
}

/** Joins two frames by columns that both have. @throws QuotebookError INVALID_VALUE for an unknown column or unlike keys */
export function merge({ left, right, on, how }: Params): Frame {
  if (!['left', 'right', 'inner', 'outer'].includes(how))
    refuse(`how is left, right, inner or outer, not '${String(how)}'`)
  if (!Array.isArray(on) || on.length === 0) refuse('on is a list of one or more columns that both frames have')
  const [leftAt, rightAt] = [left, right].map((frame) => on.map((name) => columnAt(frame, name))) as [
    number[],
    number[],
  ]
  const columnOf =
    ({ $data }: Frame) =>
    (at: number) =>
      cellsAt($data, at)
  const [leftKeys, rightKeys] = [leftAt.map(columnOf(left)), rightAt.map(columnOf(right))]
  const pairs = pairsOf(sidesOf(leftKeys, rightKeys), how)

  const keys = on.map((name, i) => {
    const dtype = keyType(name, [
      { dtype: left.$dtypes[leftAt[i] as number] as string, cells: leftKeys[i] as unknown[] },
      { dtype: right.$dtypes[rightAt[i] as number] as string, cells: rightKeys[i] as unknown[] },
    ])
    const cells = pairs.left.map((row, pair) =>
      row === -1 ? rightKeys[i]?.[pairs.right[pair] as number] : leftKeys[i]?.[row],
    )
    return { dtype: dtypeWith(dtype, cells), cells: tidied(cells, dtype) }
  })
  const others = ([frame, keyAt, rows]: readonly [Frame, readonly number[], readonly number[]]) =>
    frame.$columns.flatMap((name, at) => {
      if (keyAt.includes(at)) return []
      const dtype = frame.$dtypes[at] as string
      const missing = missingOf(dtype)
      const cells = rows.map((row) => (row === -1 ? missing : frame.$data[row]?.[at]))
      return [{ name, dtype: dtypeWith(dtype, cells), cells }]
    })
  const rest = [...others([left, leftAt, pairs.left]), ...others([right, rightAt, pairs.right])]
  const columns = [...keys, ...rest]
  return new DataFrame(
    rowsOf(
      columns.map(({ cells }) => cells),
      pairs.left.length,
    ),
    {
      columns: namesOf(
        on,
        rest.map(({ name }) => name),
      ),
      dtypes: columns.map(({ dtype }) => dtype),
    },
  )
}
