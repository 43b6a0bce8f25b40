import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { namedIn, wrongShape } from '../table/shape.js'
import { checkNames, readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, NameOf, Renamed, SameForm } from './verb-types.js'

/**
 * Renames columns: `rename(bars, { trademin: 'minute', vol: 'lots' })`. Two columns may swap their names. Kind, unit
 * and meaning stay with the cells.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE if two columns would have one name
 */
export function rename<D extends Data, const R extends Readonly<Record<string, string>>>(
  data: D,
  names: R & { readonly [K in keyof R]: K extends NameOf<D> ? string : never },
): SameForm<D, Renamed<ColumnsIn<D>, R>> {
  const input = readInput(data)
  namedIn(names, sentence`the names of rename`, "{ old: 'new' }")
  const wanted = new Map<string, unknown>(Object.entries(names))
  checkNames(input, [...wanted.keys()])
  const output = new VerbOutput(input.length)
  for (const name of input.names) {
    const own = wanted.get(name) ?? name
    if (typeof own !== 'string') throw wrongShape(sentence`the new name of '${name}'`, sentence`text`, own)
    if (output.has(own)) throw new QuotebookError('INVALID_VALUE', sentence`two columns would be named '${own}'`)
    output.copy(input, name, undefined, own)
  }
  return output.inFormOf(input) as SameForm<D, Renamed<ColumnsIn<D>, R>>
}
