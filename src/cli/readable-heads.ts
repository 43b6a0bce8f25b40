import type { Table } from 'apache-arrow'
import { columnTitle } from '../contract/column-titles.js'
import { columnNames } from '../frame/read-columns.js'
import { rename } from '../frame/verb/rename.js'
import { language } from './chosen-language.js'
import { formatFor, type OutputOptions } from './output.js'

/** Heads of tables that commands make; other names have theirs from the contract. */
const heads: Readonly<Record<string, string>> = {
  scope: '范围',
  first: '首日',
  last: '末日',
  days: '天数',
  covered: '已覆盖',
  missing: '缺失',
  last_sync: '上次同步',
  revisions: '修订数',
  checks: '检查项',
  confirmed: '相符',
  open: '无法判定',
  worst: '最突出的一行',
  check: '检查项',
  that: '含义',
  made: '已查',
  not: '未查',
  because: '原因',
  verdict: '结论',
  rows: '行数',
  key: '密钥',
  plan: '版本',
  expires: '有效期至',
  rate: '每分钟次数',
}

/** The head of a column of what a command prints, in the reader's language; the name where it has no other. */
export function headIn(name: string): string {
  return language === 'zh' ? (heads[name] ?? columnTitle(name) ?? name) : name
}

/** Whether a table is read by a person here and now. */
export function isForReading(options: OutputOptions): boolean {
  return formatFor(options) === 'table' && options.out === undefined
}

/** A table that a command makes, under heads in the reader's language; two that would be alike keep their names. */
export function withHeads(table: Table, own: readonly string[] = columnNames(table)): Table {
  if (language === 'en') return table
  const names = columnNames(table)
  const said = names.map((name) => (own.includes(name) ? headIn(name) : name))
  const alone = names.flatMap((name, i) => {
    const head = said[i] ?? name
    return head !== name && said.filter((one) => one === head).length === 1 ? [[name, head] as const] : []
  })
  return rename(table, Object.fromEntries(alone) as Record<never, string>)
}
