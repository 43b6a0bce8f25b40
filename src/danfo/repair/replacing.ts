/*
 * Replacing values, and rows for columns.
 *
 * Stock DataFrame.replace(1, 'x') leaves the type int32 on the text it has put in, and takes no null for the new value;
 * transpose({ inplace: true }) leaves the old columns on the frame, which then throw, and none of the new ones.
 *
 * Now types follow the cells; a column that holds nothing but missing values after that keeps its own. A frame without
 * rows can be transposed, too.
 */
import {
  become,
  becomeVector,
  cellsAt,
  columnAt,
  DataFrame,
  type Frame,
  frameLike,
  frameOf,
  type InPlace,
  listOf,
  refuse,
  repair,
  rowsOf,
  Series,
  type Vector,
  vectorLike,
} from './danfo.js'
import { retyped } from './inference.js'
import { isMissing } from './missing.js'

function checkOld(value: unknown): void {
  if (isMissing(value)) refuse('replace finds values, not what is missing; use fillNa')
  if (typeof value === 'object') refuse('replace takes one value and the one to put in its place')
}

/** Cells with a value replaced, and their type. */
function replaced(cells: readonly unknown[], dtype: string, value: unknown, by: unknown) {
  if (!cells.includes(value)) return { dtype, cells }
  return retyped(
    cells.map((cell) => (cell === value ? by : cell)),
    dtype,
  )
}

function transposed(frame: Frame): Frame {
  const names = frame.$index.map(String)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) refuse(`two columns would be called '${twice}'`)
  return frameOf(rowsOf(frame.$data as unknown[][], frame.$columns.length), frame.$columns, names)
}

repair<Frame>(DataFrame.prototype, {
  replace(
    value: unknown,
    by: unknown,
    options?: InPlace & { readonly columns?: string | readonly string[] },
  ): Frame | undefined {
    checkOld(value)
    const chosen = options?.columns === undefined ? this.$columns : listOf(options.columns)
    const places = new Set(chosen.map((name) => columnAt(this, name)))
    const columns = this.$columns.map((_, at) => {
      const [cells, dtype] = [cellsAt(this.$data, at), this.$dtypes[at] as string]
      return places.has(at) ? replaced(cells, dtype, value, by) : { dtype, cells }
    })
    const rows = rowsOf(
      columns.map(({ cells }) => cells),
      this.$data.length,
    )
    const dtypes = columns.map(({ dtype }) => dtype)
    return options?.inplace ? become(this, { rows, dtypes }) : frameLike(this, { rows, dtypes })
  },

  get T(): Frame {
    return transposed(this)
  },

  transpose(options?: InPlace): Frame | undefined {
    const frame = transposed(this)
    if (!options?.inplace) return frame
    return become(this, { rows: frame.$data, index: frame.$index, columns: frame.$columns, dtypes: frame.$dtypes })
  },
})

repair<Vector>(Series.prototype, {
  replace(value: unknown, by: unknown, options?: InPlace): Vector | undefined {
    checkOld(value)
    const { dtype, cells } = replaced(this.$data, this.$dtypes[0] as string, value, by)
    const vector = vectorLike(this, cells, dtype)
    return options?.inplace ? becomeVector(this, vector) : vector
  },
})
