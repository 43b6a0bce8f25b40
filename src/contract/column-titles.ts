import { chineseText } from './chinese-text.js'

/** The short Chinese name of a column, for heads of tables that people open; undefined for a name of somebody's own. */
export const columnTitle = (name: string): string | undefined => chineseText(`${name} @COLUMN`)
