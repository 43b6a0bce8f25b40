import type { Table } from 'apache-arrow'
import { sentence } from '../../../contract/sentence.js'
import { has, strings } from '../../../frame/read-columns.js'
import { mismatch, type RowFinding } from '../findings.js'

/**
 * Rows whose pair of code and name is not the one that the table has otherwise: one to one.
 * @param day column of the days of the rows, where a name is a code's for a day only; else it is for all
 */
export function* namePairs(table: Table, code: string, day?: string): Iterable<RowFinding<'mismatch'>> {
  if (!has(table, 'name')) return
  const [symbols, names] = [strings(table, code), strings(table, 'name')]
  const days = day === undefined ? [] : strings(table, day)
  const firstOf = new Map<string, string>()
  for (const [row, symbol] of symbols.entries()) {
    const name = names[row] ?? null
    if (symbol === null || name === null) continue
    for (const [key, value, why] of [
      ['symbol', name, (first: string) => sentence`symbol ${symbol} has the name ${name} here and ${first} before`],
      ['name', symbol, (first: string) => sentence`name ${name} has the symbol ${symbol} here and ${first} before`],
    ] as const) {
      const own = `${days[row] ?? ''} ${key} ${key === 'name' ? name : symbol}`
      const first = firstOf.get(own)
      if (first === undefined) firstOf.set(own, value)
      else if (first !== value) yield mismatch(row, 'name', why(first))
    }
  }
}
