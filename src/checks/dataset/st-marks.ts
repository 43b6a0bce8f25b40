import type { Table } from 'apache-arrow'
import { texts } from '../../frame/column.js'

/** What may stand before the mark in a short name: ex-dividend and ex-rights days, share reform. */
const before = '(?:XD|XR|DR|[NSG])*'
const mark = new RegExp(`^${before}(\\*?)ST`)

/** The mark that a short name bears: `*ST华仪`, `S*ST前锋`, `XDST海越`; undefined when none. */
export function markInName(name: string | null): 'ST' | '*ST' | undefined {
  const found = name === null ? null : mark.exec(name)
  if (!found) return undefined
  return found[1] === '*' ? '*ST' : 'ST'
}

/** One row of a day's list; `mark` null when neither type nor name tells it. */
export interface Marked {
  readonly row: number
  readonly name: string | null
  readonly mark: string | null
}

/** The lists of a table: its days ascending, and of each stock its rows by the place of their day, the first row of a day. */
export interface Lists {
  readonly days: readonly string[]
  readonly stocks: ReadonlyMap<string, ReadonlyMap<number, Marked>>
  /** Later rows of a stock and day. */
  readonly twice: readonly number[]
}

export function listsOf(table: Table): Lists {
  const [date, symbol, name, type] = ['tradedate', 'symbol', 'name', 'type'].map((one) => texts(table, one)) as [
    (string | null)[],
    (string | null)[],
    (string | null)[],
    (string | null)[],
  ]
  const days = [...new Set(date.flatMap((day) => day ?? []))].sort()
  const place = new Map(days.map((day, at) => [day, at]))
  const stocks = new Map<string, Map<number, Marked>>()
  const twice: number[] = []
  for (let row = 0; row < date.length; row++) {
    const [code, at] = [symbol[row] ?? '', place.get(date[row] ?? '') ?? -1]
    if (at < 0) continue
    const own = stocks.get(code) ?? new Map<number, Marked>()
    stocks.set(code, own)
    const word = name[row] ?? null
    if (own.has(at)) twice.push(row)
    else own.set(at, { row, name: word, mark: type[row] ?? markInName(word) ?? null })
  }
  return { days, stocks, twice }
}
