import { codeMatcher } from '../../contract/symbol.js'
import { cellOf, texts, type Values } from '../../frame/values.js'
import type { Rule } from './rule.js'
import { type Condition, filter, scan, where } from './scan.js'

/** theme_lib_detail_kp: the record of one theme, when it is active. */
export const themeDetail: Rule = async (shelf, dataset, query) => {
  const isActive: Condition = (columns) => (row) => cellOf(columns.of.get('is_active') as Values, row) === true
  const conditions = [where('theme_id', (id) => id === query.theme_id), isActive]
  return { columns: await scan(shelf, dataset, shelf.parts(dataset.name), conditions) }
}

/** thememembers_jx: sectors of the newest snapshot; `symbols` keeps those that hold any of them, each with its full list. */
export const members: Rule = async (shelf, dataset, query) => {
  const all = await scan(shelf, dataset, shelf.parts(dataset.name), [])
  const newest = texts(all, 'snapshot_date').reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b), null)
  const wanted = [where('snapshot_date', (word) => word === newest)]
  if (Array.isArray(query.theme_symbols)) {
    const isSector = codeMatcher(query.theme_symbols)
    wanted.push(where('theme_symbol', (word) => word !== null && isSector(word)))
  } else wanted.push(where('level', (word) => word === (query.level ?? 'parent')))
  if (Array.isArray(query.symbols)) {
    const isStock = codeMatcher(query.symbols)
    wanted.push((columns) => (row) => {
      const list = cellOf(columns.of.get('symbols') as Values, row)
      return Array.isArray(list) && list.some(isStock)
    })
  }
  return { columns: filter(all, wanted), ...(newest ? { note: `the pools of ${newest}` } : {}) }
}
