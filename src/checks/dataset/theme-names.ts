import type { Table } from 'apache-arrow'
import { indexNames } from '../../contract/catalogue/theme-daily.js'
import { texts } from '../../frame/column.js'
import { provenance } from '../../table/provenance.js'
import { groupItems } from '../group.js'
import type { RowFinding } from './verdict.js'

type Found = RowFinding<'unverifiable' | 'suspect' | 'gap' | 'mismatch'>

const known: ReadonlySet<string> = new Set(indexNames)
/** Missing names that are spelled out. */
const shown = 4

/**
 * The names that each day should have: the 48, where the table is known to be an answer for all symbols; otherwise those
 * that any of its days has, since a table may be of a few indices on purpose.
 */
function expectedOf(table: Table, names: readonly (string | null)[]): readonly string[] {
  const about = provenance(table)
  const whole = about !== undefined && about.request.params.symbols === undefined
  if (whole) return indexNames
  const there = new Set(names)
  return indexNames.filter((name) => there.has(name))
}

/**
 * Rows whose pair of code and name is not the one that the table has otherwise: one to one.
 * @param days of the rows, where a name is a code's for a day only; else it is for all
 */
export function* namePairs(
  symbol: readonly (string | null)[],
  name: readonly (string | null)[],
  days: readonly (string | null)[] = [],
): Iterable<RowFinding<'mismatch'>> {
  const firstOf = new Map<string, string>()
  for (let row = 0; row < symbol.length; row++) {
    const [code, word] = [symbol[row], name[row]]
    if (typeof code !== 'string' || typeof word !== 'string') continue
    for (const [key, value, of] of [
      [`symbol ${code}`, word, 'name'],
      [`name ${word}`, code, 'symbol'],
    ] as const) {
      const own = `${days[row] ?? ''} ${key}`
      const first = firstOf.get(own)
      if (first === undefined) firstOf.set(own, value)
      else if (first !== value) {
        const why = `${key} has the ${of} ${value} here and ${first} before`
        yield { row, verdict: 'mismatch', rule: 'name', why }
      }
    }
  }
}

/**
 * What is to be said of the names of index rows: a name that is none of the 48 is `suspect`, a null one `unverifiable`,
 * symbols and names that do not belong together `mismatch`, and a day that lacks names that it should have `gap`, at its
 * first row.
 */
export function* nameFindings(table: Table): Iterable<Found> {
  const [date, symbol, name] = [texts(table, 'tradedate'), texts(table, 'symbol'), texts(table, 'name')]
  yield* namePairs(symbol, name)
  for (const [row, word] of name.entries()) {
    if (word === null) yield { row, verdict: 'unverifiable', rule: 'name', why: 'name is null' }
    else if (!known.has(word)) yield { row, verdict: 'suspect', rule: 'name', why: `${word} is none of the 48 names` }
  }
  const expected = expectedOf(table, name)
  for (const [day, rows] of groupItems(date.keys(), (row) => date[row])) {
    const there = new Set(rows.map((row) => name[row]))
    const missing = expected.filter((word) => !there.has(word))
    if (missing.length === 0) continue
    const few = missing.slice(0, shown).join(', ') + (missing.length > shown ? ', …' : '')
    const why = `${day} lacks ${missing.length} of ${expected.length} names: ${few}`
    yield { row: rows[0] as number, verdict: 'gap', rule: 'names', why }
  }
}
