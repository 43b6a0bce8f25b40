import type { Table } from 'apache-arrow'
import { shownHead } from '../contract/column-titles.js'
import { columnNames } from '../frame/read-columns.js'
import { rename } from '../frame/verb/rename.js'
import { language } from './chosen-language.js'

/** The head of a column of what a command prints, in the reader's language; the name where it has no other. */
export function headIn(name: string): string {
  return shownHead(name, language)
}

/** New names of columns, those of `own` in the reader's language; two that would be alike keep theirs. */
export function newHeads(names: readonly string[], own = names): Record<string, string> {
  const said = names.map((name) => (own.includes(name) ? headIn(name) : name))
  const alone = names.flatMap((name, i) => {
    const head = said[i] ?? name
    return head !== name && said.filter((one) => one === head).length === 1 ? [[name, head] as const] : []
  })
  return Object.fromEntries(alone)
}

/** A table that a command makes, under heads in the reader's language. */
export function withHeads(table: Table): Table {
  return language === 'en' ? table : rename(table, newHeads(columnNames(table)) as Record<never, string>)
}
