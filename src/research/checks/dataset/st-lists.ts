import type { Table } from 'apache-arrow'
import { strings } from '../../../frame/read-columns.js'

/** What may stand before the mark in a short name: ex-dividend and ex-rights days, share reform. */
const mark = /^(?:XD|XR|DR|[NSG])*(\*?)ST/

/** The mark that a short name bears: `*ST华仪`, `S*ST前锋`, `XDST海越`; undefined when none. */
export function markInName(name: string | null): 'ST' | '*ST' | undefined {
  const found = name === null ? null : mark.exec(name)
  if (!found) return undefined
  return found[1] === '*' ? '*ST' : 'ST'
}

/** One row of a day's list; `mark` null when neither type nor name tells it. */
interface Marked {
  readonly row: number
  readonly name: string | null
  readonly mark: string | null
}

/** The lists of a table: its days ascending, and of each stock its rows by the place of their day, the first row of a day. */
export interface StLists {
  readonly days: readonly string[]
  readonly stocks: ReadonlyMap<string, ReadonlyMap<number, Marked>>
}

export function stListsOf(table: Table): StLists {
  const read = (name: string): (string | null)[] => strings(table, name)
  const [date, symbol, name, type] = [read('tradedate'), read('symbol'), read('name'), read('type')]
  const days = [...new Set(date.flatMap((day) => day ?? []))].sort()
  const place = new Map(days.map((day, at) => [day, at]))
  const stocks = new Map<string, Map<number, Marked>>()
  for (let row = 0; row < date.length; row++) {
    const [code, at, word] = [symbol[row] ?? '', place.get(date[row] ?? '') ?? -1, name[row] ?? null]
    if (at < 0) continue
    const own = stocks.get(code) ?? new Map<number, Marked>()
    stocks.set(code, own)
    if (!own.has(at)) own.set(at, { row, name: word, mark: type[row] ?? markInName(word) ?? null })
  }
  return { days, stocks }
}
