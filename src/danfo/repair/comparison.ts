/*
 * Comparisons of Series.
 *
 * Stock danfo compares null as 0: null < 5 and null >= 0 are true, and null equals null. A column has no order
 * against one text or one Date, two Dates of one moment are not equal, and rows are paired whatever their labels are.
 *
 * Now what is missing equals nothing and is neither less nor greater than anything (so `ne` is true of it). Text goes by
 * its code units, dates by time. Text and numbers are unequal and have no order.
 */
import { inWords, refuse, repair, Series, type Vector, vectorLike } from './danfo.js'
import { paired } from './labels.js'
import { isMissing } from './missing.js'

type Key = number | string

const tests = {
  lt: (a: Key, b: Key) => a < b,
  gt: (a: Key, b: Key) => a > b,
  le: (a: Key, b: Key) => a <= b,
  ge: (a: Key, b: Key) => a >= b,
  eq: (a: Key, b: Key) => a === b,
  ne: (a: Key, b: Key) => a !== b,
} as const

function keyOf(cell: unknown): Key {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  if (typeof cell === 'boolean' || cell instanceof Date) return Number(cell)
  return refuse(`${inWords(cell)} can not be compared`)
}

function compared(left: unknown, right: unknown, test: keyof typeof tests): boolean {
  if (isMissing(left) || isMissing(right)) return test === 'ne'
  const [a, b] = [keyOf(left), keyOf(right)]
  if (typeof a === typeof b || test === 'eq' || test === 'ne') return tests[test](a, b)
  return refuse(`text and numbers have no order: ${inWords(left)} and ${inWords(right)}`)
}

function isScalar(other: unknown): boolean {
  return ['number', 'string', 'boolean'].includes(typeof other) || other instanceof Date || isMissing(other)
}

/** Cells of the other side, one for each row. */
function cellsOf(vector: Vector, other: unknown): readonly unknown[] {
  return isScalar(other) ? vector.$data.map(() => other) : paired(vector, other)
}

const logical = (join: (a: boolean, b: boolean) => boolean) =>
  function (this: Vector, other: unknown): Vector {
    if (other === undefined) refuse('the other side is missing')
    const others = cellsOf(this, other)
    return vectorLike(
      this,
      this.$data.map((cell, row) => join(isTrue(cell), isTrue(others[row]))),
      'boolean',
    )
  }

const isTrue = (cell: unknown): boolean => !isMissing(cell) && Boolean(cell)

repair<Vector>(Series.prototype, {
  boolOps(other: unknown, test: keyof typeof tests): Vector {
    const others = cellsOf(this, other)
    return vectorLike(
      this,
      this.$data.map((cell, row) => compared(cell, others[row], test)),
      'boolean',
    )
  },

  and: logical((a, b) => a && b),
  or: logical((a, b) => a || b),
})
