import type { Table } from 'apache-arrow'
import { has, texts } from '../../frame/read-columns.js'
import { filled, type ReportInput } from '../report-tables.js'

function namesIn(table: Table | undefined, code: string, name: string): [string, string][] {
  if (!table || !has(table, code) || !has(table, name)) return []
  const called = texts(table, name)
  return texts(table, code).flatMap((one, row): [string, string][] => {
    const own = called[row]
    return one !== null && own ? [[one, own]] : []
  })
}

/** Names of stocks by their bare code, from whichever table of the report has them; hot lists of a day carry none. */
export function stockNames({ tables }: ReportInput): ReadonlyMap<string, string> {
  const [marked, candidates, hot] = [tables.st, tables.anomaly_forecast, tables.hotstock].map(filled)
  return new Map([
    ...namesIn(marked, 'symbol', 'name'),
    ...namesIn(candidates, 'symbol', 'name'),
    ...namesIn(hot, 's', 'n'),
  ])
}
