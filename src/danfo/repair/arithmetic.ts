/*
 * Arithmetic of Series and frames, differences and changes.
 *
 * Stock Series count null as 0: [1, null].add(1) is [2, 1]. Frames compute in 32 bits (12345678901.23 + 0 is 12345678848),
 * keep the type int32 for halves, and their change from 0 to 5 is -1. Rows of different labels are mixed, and so are
 * columns of different names.
 *
 * Now what is missing stays missing, also to the power of 0; the remainder has the sign of the divisor in both classes; a
 * change from 0 is Infinity. Rows go together by label (see labels.ts), frames must have the same columns.
 */
import { scalar, type Tensor, tensor2d } from '../tensor64.js'
import {
  become,
  becomeVector,
  cellsAt,
  DataFrame,
  type Frame,
  frameOf,
  type InPlace,
  inWords,
  type Label,
  refuse,
  repair,
  rowsOf,
  Series,
  Utils,
  type Vector,
  vectorLike,
} from './danfo.js'
import { paired, pairing } from './labels.js'
import { isMissing } from './missing.js'

function numberOf(cell: unknown): number {
  if (isMissing(cell)) return Number.NaN
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell)
  return refuse(`${inWords(cell)} is not a number`)
}

function remainder(a: number, b: number): number {
  const rest = a % b
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
}

const operations = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: (a: number, b: number) => a * b,
  div: (a: number, b: number) => a / b,
  mod: remainder,
  pow: (a: number, b: number) => (Number.isNaN(a) ? a : a ** b),
  maximum: Math.max,
  minimum: Math.min,
} as const

function isText({ $dtypes, $columns }: Vector, what: string): void {
  if ($dtypes[0] === 'string') refuse(`'${$columns[0]}' is text, which has no ${what}`)
}

/** One operation of a Series with a number, an array or another Series. */
const operation = (name: keyof typeof operations) =>
  function (this: Vector, other: unknown, options?: InPlace): Vector | undefined {
    isText(this, name)
    if (other instanceof Series) isText(other as Vector, name)
    const compute = operations[name]
    const one = typeof other === 'number' ? other : undefined
    const others = one === undefined ? paired(this, other) : []
    const values = this.$data.map((cell, row) => compute(numberOf(cell), one ?? numberOf(others[row])))
    const vector = vectorLike(this, values)
    return options?.inplace ? becomeVector(this, vector) : vector
  }

function absolute(cell: unknown): unknown {
  return Math.abs(numberOf(cell))
}

/** Cells moved down by some rows, or up when negative; missing where nothing comes. */
function shifted(cells: readonly unknown[], by: number): unknown[] {
  return cells.map((_, at) => cells[at - by])
}

const differences = {
  diff: (now: number, before: number) => now - before,
  pctChange: (now: number, before: number) => now / before - 1,
} as const

/** Against the cell some rows before (axis 1) or some columns before (axis 0), or against other numbers. */
const difference = (name: keyof typeof differences) =>
  function (
    this: Frame & Operations,
    other: unknown = 1,
    options?: InPlace & { readonly axis?: 0 | 1 },
  ): Frame | undefined {
    const compute = differences[name]
    let frame: Frame
    if (typeof other === 'number') {
      if (!Number.isInteger(other)) refuse(`${other} is no number of rows`)
      numericFrame(this, name)
      const between = (cells: readonly unknown[]) => {
        const before = shifted(cells, other)
        return cells.map((cell, at) => compute(numberOf(cell), numberOf(before[at])))
      }
      const rows =
        options?.axis === 0
          ? this.$data.map(between)
          : rowsOf(
              this.$columns.map((_, at) => between(cellsAt(this.$data, at))),
              this.$data.length,
            )
      frame = frameOf(rows, this.$index, this.$columns)
    } else {
      const against = { axis: options?.axis ?? 1 } as const
      frame = name === 'diff' ? this.sub(other, against) : this.div(other, against).sub(1)
    }
    return options?.inplace ? become(this, { rows: frame.$data, dtypes: frame.$dtypes }) : frame
  }

interface Operations {
  sub(other: unknown, options?: { readonly axis?: 0 | 1 }): Frame & Operations
  div(other: unknown, options?: { readonly axis?: 0 | 1 }): Frame & Operations
}

function numericFrame({ $dtypes, $columns }: Frame, what: string): void {
  const text = $dtypes.indexOf('string')
  if (text !== -1) refuse(`'${$columns[text]}' is text, which has no ${what}; choose columns with loc`)
}

function tensorOf(rows: Frame['$data'], width: number): Tensor {
  return tensor2d(rows.flat(), [rows.length, width])
}

/** The other side of an operation: a number, a frame, or a column (axis 0) or row (axis 1) of numbers. */
function otherSide(frame: Frame, other: unknown, axis: 0 | 1): Tensor {
  if (typeof other === 'number') return scalar(other)
  if (other instanceof DataFrame) {
    const { $data, $columns } = other as Frame
    if ($columns.join('\n') !== frame.$columns.join('\n')) {
      refuse(`frames of the columns ${frame.$columns.join(', ')} and ${$columns.join(', ')} do not go together`)
    }
    const rows = pairing(frame, other as Frame)
    return tensorOf(rows ? rows.map((row) => $data[row] ?? []) : $data, $columns.length)
  }
  if (axis === 0) return tensor2d([...paired(frame, other)], [frame.$data.length, 1])
  const cells = paired({ $index: byName(frame, other) }, other)
  return tensor2d([...cells], [1, cells.length])
}

/** A Series along the columns goes by their names when it has them for labels, and by position otherwise. */
export function byName({ $columns }: Frame, other: unknown): readonly Label[] {
  const labels = other instanceof Series ? (other as Vector).$index : $columns
  return labels.length === $columns.length && labels.every((label, at) => label === at) ? labels : $columns
}

function resultOf(frame: Frame, result: Tensor): Frame {
  return frameOf(result.arraySync() as number[][], frame.$index, frame.$columns)
}

const comparisons = {
  gt: 'greater',
  lt: 'less',
  ge: 'greaterEqual',
  le: 'lessEqual',
  eq: 'equal',
  ne: 'notEqual',
} as const

repair<Frame>(DataFrame.prototype, {
  diff: difference('diff'),
  pctChange: difference('pctChange'),

  $getTensorsForArithmeticOperationByAxis(other: unknown, axis: 0 | 1): [Tensor, Tensor] {
    return [tensorOf(this.$data, this.$columns.length), otherSide(this, other, axis)]
  },

  $MathOps(
    [left, right]: [Tensor, Tensor],
    name: 'add' | 'sub' | 'mul' | 'div' | 'divNoNan' | 'mod' | 'pow',
    inplace: boolean,
  ): Frame | undefined {
    const frame = resultOf(this, left[name](right))
    return inplace ? become(this, { rows: frame.$data, dtypes: frame.$dtypes }) : frame
  },

  $logicalOps([left, right]: [Tensor, Tensor], name: keyof typeof comparisons): Frame {
    const rows = (left[comparisons[name]](right).arraySync() as number[][]).map((row) => row.map((cell) => cell === 1))
    return new DataFrame(rows, {
      index: this.$index,
      columns: this.$columns,
      dtypes: this.$columns.map(() => 'boolean'),
    })
  },

  abs(options?: InPlace): Frame | undefined {
    numericFrame(this, 'absolute value')
    const frame = frameOf(
      this.$data.map((row) => row.map(absolute)),
      this.$index,
      this.$columns,
    )
    return options?.inplace ? become(this, { rows: frame.$data, dtypes: frame.$dtypes }) : frame
  },
})

repair<Vector>(Series.prototype, {
  add: operation('add'),
  sub: operation('sub'),
  mul: operation('mul'),
  div: operation('div'),
  mod: operation('mod'),
  pow: operation('pow'),
  maximum: operation('maximum'),
  minimum: operation('minimum'),

  abs(options?: InPlace): Vector | undefined {
    isText(this, 'absolute value')
    const vector = vectorLike(this, this.$data.map(absolute))
    return options?.inplace ? becomeVector(this, vector) : vector
  },
})

repair(Utils.prototype, {
  /** Rounds halves away from zero, exactly by the double's own digits; `places` below 0 rounds to tens, hundreds, … */
  round(values: readonly unknown[], places = 1): unknown[] {
    if (!Number.isInteger(places) || places > 100) refuse(`${places} is no number of decimal places`)
    const unit = 10 ** -places
    const rounded = (cell: unknown): unknown => {
      if (typeof cell === 'string') refuse(`${inWords(cell)} is text and can not be rounded`)
      if (typeof cell !== 'number' || !Number.isFinite(cell)) return cell
      return places >= 0 ? Number(cell.toFixed(places)) : Math.sign(cell) * Math.round(Math.abs(cell) / unit) * unit
    }
    return values.map((cell) => (Array.isArray(cell) ? cell.map(rounded) : rounded(cell)))
  },
})
