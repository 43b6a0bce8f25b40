import { chineseText } from './chinese-text.js'
import type { Language } from './language.js'

/** The short Chinese name of a column, for heads of tables that people open; undefined for a name of somebody's own. */
export const columnTitle = (name: string): string | undefined => chineseText(`${name} @COLUMN`)

/** The head of a column of what Quotebook makes, in the reader's language; the name where it has no other. */
export function shownHead(name: string, language: Language): string {
  return language === 'zh' ? (chineseText(`${name} @HEAD`) ?? columnTitle(name) ?? name) : name
}
