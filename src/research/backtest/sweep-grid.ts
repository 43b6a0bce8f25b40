import { misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { namedIn } from '../../frame/table/shape.js'

/** A value of a strategy's param. */
export type ParamValue = number | string | boolean

/** Values to try, by param: all combinations are run. */
export type Grid = Readonly<Record<string, readonly ParamValue[]>>

/** One combination. */
export type ParamsIn<G extends Grid> = { readonly [K in keyof G]: G[K][number] }

/** The params of a trial. */
export type TrialParams = Readonly<Record<string, ParamValue>>

/** All combinations of a grid, the last param fastest. */
export function combinations<G extends Grid>(grid: G): ParamsIn<G>[] {
  namedIn(grid, sentence`the grid of a sweep`, sentence`an object such as { w: [0, 1], n: [10, 20] }`)
  let all: Record<string, ParamValue>[] = [{}]
  for (const [name, values] of Object.entries(grid)) {
    if (!Array.isArray(values) || values.length === 0)
      throw misuse(sentence`sweep: '${name}' of the grid is a list of values to try`)
    all = all.flatMap((one) => values.map((value: ParamValue) => ({ ...one, [name]: value })))
  }
  return all as ParamsIn<G>[]
}
