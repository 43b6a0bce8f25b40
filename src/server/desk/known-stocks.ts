import { parseCode } from '../../contract/symbol.js'
import { numbers, strings } from '../../frame/read-columns.js'
import type { DeskVisit } from './desk-visit.js'
import { namedOf } from './instrument.js'

/** Names of stocks by their code without an exchange. */
export async function knownStockNames(visit: DeskVisit): Promise<Map<string, string | null>> {
  return new Map((await namedOf(visit, ['stock'])).map(({ code, name }) => [parseCode(code).bare, name]))
}

/** What the latest hot list of a type has of its stocks, by their code without an exchange: changes in percent, and names. */
export async function latestList({ market }: DeskVisit, type: string | undefined) {
  const table = await market.query('hotstock', { type })
  const codes = strings(table, 's').map((code) => parseCode(code ?? '').bare)
  const [change, name] = [numbers(table, 'pc'), strings(table, 'n')]
  const [changes, names] = [new Map<string, number>(), new Map<string, string>()]
  for (const [row, code] of codes.entries()) {
    if (!Number.isNaN(change[row])) changes.set(code, change[row] as number)
    if (typeof name[row] === 'string') names.set(code, name[row])
  }
  return { changes, names }
}
