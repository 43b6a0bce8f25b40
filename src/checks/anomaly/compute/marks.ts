import { parseCode } from '../../../contract/symbol.js'
import { words } from '../../../frame/column.js'
import type { Data } from '../../../frame/data.js'
import { isMarked } from '../marked.js'
import type { Days } from './days.js'
import { type Coded, datesIn, type Prices } from './prices.js'

/** Which stocks are marked ST on which days. */
export interface Marks {
  /** By a row of prices and the rows of the table of marks. */
  isMarked(symbol: string, row: number): boolean
  /**
   * On the day after the last: by the name of the last day and the rows of that next day; where the table of marks has
   * none of it for any stock, those of the last day.
   */
  isMarkedNext(symbol: string, row: number): boolean
}

function rowsByStock(data: Data, days: Days): { readonly of: Map<string, Set<number>>; readonly known: Set<number> } {
  const [dates, symbols] = [datesIn(data, 'st'), words(data, 'symbol')]
  const [of, known] = [new Map<string, Set<number>>(), new Set<number>()]
  const bare = symbols.words.map((word) => parseCode(word).bare)
  for (let row = 0; row < dates.codes.length; row++) {
    const place = days.placeOf.get(dates.words[dates.codes[row] ?? -1] ?? '')
    const symbol = bare[symbols.codes[row] ?? -1]
    if (place === undefined || symbol === undefined) continue
    known.add(place)
    const own = of.get(symbol)
    if (own) own.add(place)
    else of.set(symbol, new Set([place]))
  }
  return { of, known }
}

function namesMarked(name: Coded | undefined): (row: number) => boolean {
  if (!name) return () => false
  const marked = name.words.map(isMarked)
  return (row) => marked[name.codes[row] as number] ?? false
}

export function readMarks({ name, day, last }: Prices, st: Data | undefined, days: Days): Marks {
  const byName = namesMarked(name)
  if (!st) return { isMarked: (_, row) => byName(row), isMarkedNext: (_, row) => byName(row) }
  const { of, known } = rowsByStock(st, days)
  const next = known.has(last + 1) ? last + 1 : last
  return {
    isMarked: (symbol, row) => byName(row) || (of.get(symbol)?.has(day[row] as number) ?? false),
    isMarkedNext: (symbol, row) => byName(row) || (of.get(symbol)?.has(next) ?? false),
  }
}
