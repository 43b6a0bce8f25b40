/*
 * Text methods (`series.str`).
 *
 * Stock danfo prints the Series when one is called with `inplace`, makes NaN of a null among text, 'nulla' of null and 'a'
 * (concat with a list). Now nothing is printed, what is missing stays missing, and text stays text whatever it looks like.
 */
import { inferred } from './infer-types.js'
import { cellsOf, dtypeWith, isNa, repair, result, Series, Str, seriesLike, tidied } from './model.js'
import { paired } from './row-labels.js'

interface Accessor {
  readonly series: Series
  readonly values: readonly unknown[]
}

type Method = (this: Accessor, ...args: unknown[]) => Series

/** The same arguments without `inplace`, and whether it was asked for. */
function apart(args: readonly unknown[]): [args: unknown[], inplace: boolean] {
  let inplace = false
  const rest = args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('inplace' in arg)) return arg
    inplace = Boolean(arg.inplace)
    return { ...arg, inplace: false }
  })
  return [rest, inplace]
}

function repaired(original: Method): Method {
  return function (this: Accessor, ...args: unknown[]): Series {
    const [rest, inplace] = apart(args)
    const made = cellsOf(original.apply(this, rest)).map((cell, row) => (isNa(this.values[row]) ? null : cell))
    const { dtype } = inferred(made.filter((_, row) => !isNa(this.values[row])))
    const type = dtypeWith(dtype === 'undefined' ? 'string' : dtype, made)
    return result(this.series, seriesLike(this.series, tidied(made, type), type), { inplace }) as Series
  }
}

/** Text in front of (position 0) or behind (1) the cells: one for all, or one each from a list or a Series. */
function joined(this: Accessor, other: unknown, position = 1): Series {
  const others = Array.isArray(other) || other instanceof Series ? paired(this.series, other) : undefined
  const cells = this.values.map((cell, row) => {
    const added: unknown = others ? others[row] : other
    if (isNa(cell) || isNa(added)) return null
    return position === 1 ? `${cell}${added}` : `${added}${cell}`
  })
  return seriesLike(this.series, cells, 'string')
}

const prototype = Str.prototype as unknown as Record<string, Method>
for (const name of Object.keys(prototype)) {
  const original = name === 'concat' ? joined : prototype[name]
  if (original && name !== 'constructor') repair(prototype, { [name]: repaired(original as Method) })
}
