/*
 * Copies, conversions and what fills gaps.
 *
 * In stock danfo a copy shares its rows with the source, and setting a column of one changes the other; asType and
 * fillNa(…, { columns }) change the source without `inplace`; asType makes 0 of null and 12 of '12abc', and no cells at
 * all of 'datetime'; dropNa({ axis: 0 }) overlooks null; fillNa('') is refused.
 *
 * Now a copy is a copy. asType keeps what is missing and refuses text that is no number.
 */
import {
  become,
  becomeVector,
  cellsAt,
  columnAt,
  DataFrame,
  type Frame,
  frameLike,
  type InPlace,
  inWords,
  listOf,
  type Row,
  refuse,
  repair,
  Series,
  type Vector,
  vectorLike,
} from './danfo.js'
import { take, takeCells } from './indexing.js'
import { inferred } from './inference.js'
import { dtypeWith, isMissing, missingOf } from './missing.js'

function numberOf(cell: unknown): number {
  const number = typeof cell === 'string' && cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isNaN(number) ? refuse(`${inWords(cell)} is not a number`) : number
}

const conversions: Readonly<Record<string, (cell: unknown) => unknown>> = {
  float32: numberOf,
  int32: (cell) => Math.trunc(numberOf(cell)),
  string: String,
  boolean: Boolean,
}

function converted(cells: readonly unknown[], dtype: string): unknown[] {
  const convert = conversions[dtype] ?? refuse(`asType knows ${Object.keys(conversions).join(', ')}, not '${dtype}'`)
  return cells.map((cell) => (isMissing(cell) ? missingOf(dtype) : convert(cell)))
}

/** @throws QuotebookError INVALID_VALUE for what does not fill gaps: nothing, or an object of values by column */
function checkFilling(value: unknown): void {
  if (isMissing(value)) refuse('fillNa needs a value')
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date))
    refuse('fillNa takes a value, or a list of values with { columns }, not an object')
}

function filled(cells: readonly unknown[], value: unknown): unknown[] {
  return cells.map((cell) => (isMissing(cell) ? value : cell))
}

function result(frame: Frame, parts: Parameters<typeof become>[1], options: InPlace | undefined): Frame | undefined {
  return options?.inplace ? become(frame, parts) : frameLike(frame, parts)
}

function resultVector(vector: Vector, made: Vector, options: InPlace | undefined): Vector | undefined {
  return options?.inplace ? becomeVector(vector, made) : made
}

/** A frame with some columns given anew, by place. */
function replaced(
  { $data, $dtypes }: Frame,
  columns: ReadonlyMap<number, { dtype: string; cells: readonly unknown[] }>,
) {
  const rows = $data.map((row, i) => row.map((cell, at) => (columns.has(at) ? columns.get(at)?.cells[i] : cell)))
  return { rows, dtypes: $dtypes.map((dtype, at) => columns.get(at)?.dtype ?? dtype) }
}

repair<Frame>(DataFrame.prototype, {
  copy(): Frame {
    return frameLike(this, {
      rows: this.$data.map((row) => [...row]),
      dtypes: [...this.$dtypes],
      columns: [...this.$columns],
    })
  },

  asType(column: string, dtype: string, options?: InPlace): Frame | undefined {
    const at = columnAt(this, column)
    const cells = converted(cellsAt(this.$data, at), dtype)
    return result(this, replaced(this, new Map([[at, { dtype: dtypeWith(dtype, cells), cells }]])), options)
  },

  fillNa(values: unknown, options?: InPlace & { readonly columns?: string | readonly string[] }): Frame | undefined {
    const names = options?.columns === undefined ? undefined : listOf(options.columns)
    checkFilling(values)
    if (Array.isArray(values) && values.length !== names?.length)
      refuse('fillNa takes a list of values with as many columns')
    const places = names?.map((name) => columnAt(this, name)) ?? this.$columns.map((_, at) => at)
    const columns = places.map((at, i) => {
      const value: unknown = Array.isArray(values) ? values[i] : values
      const before = cellsAt(this.$data, at)
      if (!before.some(isMissing)) return [at, { dtype: this.$dtypes[at] as string, cells: before }] as const
      return [at, inferred(filled(before, value))] as const
    })
    return result(this, replaced(this, new Map(columns)), options)
  },

  dropNa(options?: InPlace & { readonly axis?: 0 | 1 }): Frame | undefined {
    const whole = (cells: readonly unknown[]) => !cells.some(isMissing)
    if (options?.axis !== 0) {
      const { $data, $index } = take(
        this,
        this.$data.flatMap((row, at) => (whole(row) ? [at] : [])),
      )
      return result(this, { rows: $data, index: $index }, options)
    }
    const places = this.$columns.flatMap((_, at) => (whole(cellsAt(this.$data, at)) ? [at] : []))
    const pick = <T>(list: readonly T[]): T[] => places.map((at) => list[at] as T)
    const rows: Row[] = this.$data.map(pick)
    return result(this, { rows, columns: pick(this.$columns), dtypes: pick(this.$dtypes) }, options)
  },
})

repair<Vector>(Series.prototype, {
  map(mapper: unknown, options?: InPlace): Vector | undefined {
    const isFunction = typeof mapper === 'function'
    if (!isFunction && (typeof mapper !== 'object' || mapper === null)) refuse('map takes a function or an object')
    const own = mapper as Readonly<Record<string, unknown>>
    const cells = this.$data.map((cell, row) => {
      if (isFunction) return mapper(cell, row)
      return Object.hasOwn(own, String(cell)) ? own[String(cell)] : cell
    })
    return resultVector(this, vectorLike(this, cells), options)
  },

  asType(dtype: string, options?: InPlace): Vector | undefined {
    const cells = converted(this.$data, dtype)
    return resultVector(this, vectorLike(this, cells, dtypeWith(dtype, cells)), options)
  },

  fillNa(value: unknown, options?: InPlace): Vector | undefined {
    checkFilling(value)
    return resultVector(
      this,
      this.$data.some(isMissing)
        ? vectorLike(this, filled(this.$data, value))
        : vectorLike(this, this.$data, this.$dtypes[0]),
      options,
    )
  },

  dropNa(options?: InPlace): Vector | undefined {
    const at = this.$data.flatMap((cell, row) => (isMissing(cell) ? [] : [row]))
    return resultVector(this, takeCells(this, at), options)
  },
})
