import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { exchangeOf, parseCode } from '../../contract/symbol.js'
import type { RecordColumns } from '../../table/values.js'
import { distinctValues } from './words.js'

/** A test for "one of these rows is of the code", in either spelling on either side. */
export function codeLookup(words: readonly string[]): (code: string) => boolean {
  const exchanges = new Map<string, Set<string | undefined>>()
  for (const word of words) {
    const { bare, exchange } = parseCode(word)
    const own = exchange ?? exchangeOf(bare)
    const known = exchanges.get(bare)
    if (known) known.add(own)
    else exchanges.set(bare, new Set([own]))
  }
  return (code) => {
    const { bare, exchange } = parseCode(code)
    const there = exchanges.get(bare)
    return there !== undefined && (exchange === undefined || there.has(exchange) || there.has(undefined))
  }
}

/** Symbols and days that were asked for and have no row. */
export function missingKeys(
  dataset: Dataset,
  query: Query,
  days: readonly string[] | undefined,
  columns: RecordColumns,
): { readonly symbols?: readonly string[]; readonly days?: readonly string[] } | undefined {
  const column = dataset.params.symbols?.role === 'match' ? dataset.params.symbols.columns?.[0] : undefined
  const codes = column !== undefined && Array.isArray(query.symbols) ? (query.symbols as readonly string[]) : []
  const isThere = codeLookup(distinctValues(columns, column ?? ''))
  const symbols = codes.filter((code) => !isThere(code))
  const shown = new Set(distinctValues(columns, dataset.day ?? ''))
  const without = (days ?? []).filter((day) => !shown.has(day))
  if (symbols.length === 0 && without.length === 0) return undefined
  return { ...(symbols.length > 0 ? { symbols } : {}), ...(without.length > 0 ? { days: without } : {}) }
}
