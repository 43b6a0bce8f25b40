import type { Table } from 'apache-arrow'
import { has, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { filled, type ReportInput } from '../report-tables.js'

function namesIn(table: Table | undefined, code: string, name: string): [string, string][] {
  if (!table || !has(table, code) || !has(table, name)) return []
  const called = strings(table, name)
  return strings(table, code).flatMap((one, row): [string, string][] => {
    const own = called[row]
    return one !== null && own ? [[one, own]] : []
  })
}

/** What stands before the colon of a title: `云帆材料:关于…`. */
const beforeColon = /^((?:\*?ST)?[\p{Script=Han}A-Za-z0-9-]{2,8})[:：]/u

/** Short names as titles of announcements begin with them, where all titles of a stock begin with the same. */
function namesInTitles(table: Table | undefined): [string, string][] {
  if (!table || !has(table, 'symbol') || !has(table, 'title')) return []
  const titles = strings(table, 'title')
  const bySymbol = groupItems(
    strings(table, 'symbol').map((symbol, row) => ({ symbol, name: beforeColon.exec(titles[row] ?? '')?.[1] })),
    ({ symbol }) => symbol?.slice(0, 6) ?? '',
  )
  return Array.from(bySymbol, ([symbol, all]) => [symbol, new Set(all.map(({ name }) => name))] as const).flatMap(
    ([symbol, found]): [string, string][] => {
      const [name] = found
      return found.size === 1 && name !== undefined ? [[symbol, name]] : []
    },
  )
}

/** Names of stocks by their bare code, from whichever table of the report has them; hot lists of a day carry none. */
export function stockNames({ tables }: ReportInput): ReadonlyMap<string, string> {
  const [marked, candidates, hot] = [tables.st, tables.anomaly_forecast, tables.hotstock].map(filled)
  return new Map([
    ...namesInTitles(filled(tables.finance_announcement)),
    ...namesIn(marked, 'symbol', 'name'),
    ...namesIn(candidates, 'symbol', 'name'),
    ...namesIn(hot, 's', 'n'),
  ])
}
