import type { Table } from 'apache-arrow'
import { datasetOf } from '../../contract/catalogue.js'
import { ParamsError } from '../../contract/error.js'
import { codeList } from '../../contract/fitting-names.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { ownExchange, parseCode } from '../../contract/symbol.js'
import { nearCodes, wrongCode } from '../../contract/wrong-code.js'
import { columnNames, dictionary, usedWords } from '../../frame/read-columns.js'
import { symbolColumn } from '../source/plan/asked.js'

/** The codes that were asked for and are in no row; none where the rows do not show their codes. */
export function missingCodes(name: string, params: unknown, table: Table): readonly string[] {
  const dataset = datasetOf(name)
  const asked = codeList((params as { readonly symbols?: unknown } | undefined)?.symbols) ?? []
  const column = symbolColumn(dataset)
  if (asked.length === 0 || table.numRows === 0) return asked
  if (column === undefined || !columnNames(table).includes(column)) return []
  const there = new Set<string>()
  const coded = dictionary(table, column)
  const used = usedWords(coded)
  for (const [at, code] of coded.words.entries()) {
    if (!used[at]) continue
    const parsed = parseCode(code)
    there.add(parsed.bare).add(`${parsed.bare}.${ownExchange(parsed)}`)
  }
  return asked.filter((code) => {
    const { bare, exchange } = parseCode(code)
    return !there.has(exchange === undefined ? bare : `${bare}.${exchange}`)
  })
}

/**
 * Refuses codes that were asked for, can be none of a dataset's and have no row.
 * @param known the codes of its latest rows
 * @throws ParamsError that names the first, why it is none, and what is near
 */
export async function refuseWrongCodes(
  name: string,
  params: unknown,
  table: Table,
  known: () => Promise<readonly string[]>,
): Promise<void> {
  const { instruments } = datasetOf(name)
  if (!instruments) return
  for (const code of missingCodes(name, params, table)) {
    const wrong = wrongCode(code, instruments)
    if (!wrong) continue
    const { why, meant } = wrong
    const near = meant === undefined ? nearCodes(code, await known()).join(', ') : ''
    const hint: Words = meant ? sentence` Did you mean '${meant}'?` : near && sentence` Near it: ${near}.`
    throw new ParamsError('symbols', sentence`symbols: '${code}' is no code of ${name}: ${why}.${hint}`, meant)
  }
}
