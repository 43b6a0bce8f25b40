import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { reportDay } from '../../../src/research/report/report-day.js'
import { stockNames } from '../../../src/research/report/section/stock-names.js'

function announcements(rows: readonly (readonly [symbol: string, title: string])[]) {
  const words = rows.map(([symbol]) => symbol)
  const columns = new Map([
    ['symbol', { type: 'dictionary', data: Int32Array.from(words.keys()), dictionary: words }],
    ['title', { type: 'string', data: rows.map(([, title]) => title) }],
  ] as const)
  return toTable({ length: rows.length, columns }, datasetOf('finance_announcement').columns)
}

test('a stock has the name with which all titles of its announcements begin', () => {
  const table = announcements([
    ['300274', '丰年建设:关于获得政府补助的公告'],
    ['300274', '丰年建设：关于股份回购进展的公告'],
    ['002304', '*ST南屏:关于更换会计师事务所的公告'],
    ['600519', '贵州茅台:年度报告'],
    ['600519', '五粮液:年度报告'],
    ['601601', '关于召开股东大会的通知'],
    ['000001', '致全体股东关于公司治理的一封信:说明'],
  ])
  const input = { tables: { finance_announcement: table }, checks: [], source: { name: 'x' } }
  expect([...stockNames(reportDay(input))]).toEqual([
    ['300274', '丰年建设'],
    ['002304', '*ST南屏'],
  ])
})
