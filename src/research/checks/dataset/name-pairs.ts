import type { Table } from 'apache-arrow'
import { sentence } from '../../../contract/sentence.js'
import { dictionaryToRead, has } from '../../../frame/read-columns.js'
import { mismatch, type RowFinding } from '../findings.js'

/**
 * Rows whose pair of code and name is not the one that the table has otherwise: one to one.
 * @param day column of the days of the rows, where a name is a code's for a day only; else it is for all
 */
export function* namePairs(table: Table, code: string, day?: string): Iterable<RowFinding<'mismatch'>> {
  if (!has(table, 'name')) return
  const [symbols, names] = [dictionaryToRead(table, code), dictionaryToRead(table, 'name')]
  const days = day === undefined ? undefined : dictionaryToRead(table, day)
  const [nameOf, symbolOf] = [new Map<number, number>(), new Map<number, number>()]
  /** The partner that one had first on a day; a missing day is one of its own. */
  const firstOf = (known: Map<number, number>, own: number, words: number, row: number, partner: number): number => {
    const key = own + words * ((days?.codes[row] ?? -1) + 1)
    const first = known.get(key)
    if (first === undefined) known.set(key, partner)
    return first ?? partner
  }
  for (let row = 0; row < table.numRows; row++) {
    const [symbol, name] = [symbols.codes[row] as number, names.codes[row] as number]
    if (symbol < 0 || name < 0) continue
    const [own, called] = [symbols.words[symbol], names.words[name]]
    const other = firstOf(nameOf, symbol, symbols.words.length, row, name)
    if (other !== name)
      yield mismatch(row, 'name', sentence`symbol ${own} has the name ${called} here and ${names.words[other]} before`)
    const before = firstOf(symbolOf, name, names.words.length, row, symbol)
    if (before !== symbol)
      yield mismatch(
        row,
        'name',
        sentence`name ${called} has the symbol ${own} here and ${symbols.words[before]} before`,
      )
  }
}
