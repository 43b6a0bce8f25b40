import type { Dataset } from '../../contract/dataset.js'
import { codeMatcher } from '../../contract/symbol.js'
import { type ColumnData, cellOf, type RecordColumns, takeRows, texts } from '../../table/values.js'
import type { Part, Shelf } from '../shelf.js'
import { cellsOf, join } from './piece.js'
import type { Rule } from './rule.js'
import { type Condition, filter, scan, where } from './scan.js'

/** theme_lib_detail_kp: the record of one theme, when it is active. */
export const themeDetail: Rule = async (shelf, dataset, query) => {
  const isActive: Condition = (columns) => (row) => cellOf(columns.columns.get('is_active') as ColumnData, row) === true
  const own = where('theme_id', (id) => id === query.theme_id)
  const parts = shelf.parts(dataset.name)
  const lacks = (await scan(shelf, dataset, parts, [own])).length > 0 ? undefined : 'the archive has no such theme'
  return { pieces: await scan(shelf, dataset, parts, [own, isActive]), lacks }
}

/** The newest snapshots, by the parts that they were read from. */
const known = new WeakMap<readonly Part[], RecordColumns>()

async function presentPools(shelf: Shelf, dataset: Dataset): Promise<RecordColumns> {
  const parts = shelf.parts(dataset.name)
  const pools = known.get(parts) ?? newestPools(join(dataset, await scan(shelf, dataset, parts, [])))
  known.set(parts, pools)
  return pools
}

/** The newest snapshot of each sector; a reply may hold one level, or a few sectors only. */
function newestPools(columns: RecordColumns): RecordColumns {
  const [sectors, dates] = [texts(columns, 'theme_symbol'), texts(columns, 'snapshot_date')]
  const newest = new Map<string | null, number>()
  sectors.forEach((sector, row) => {
    const other = newest.get(sector)
    if (other === undefined || (dates[row] ?? '') > (dates[other] ?? '')) newest.set(sector, row)
  })
  return takeRows(columns, [...newest.values()])
}

/** thememembers_jx: the present pools; `symbols` keeps the sectors that hold any of them, each with its full list. */
export const members: Rule = async (shelf, dataset, query) => {
  const all = await presentPools(shelf, dataset)
  const wanted: Condition[] = []
  let lacks: string | undefined
  if (Array.isArray(query.theme_symbols)) {
    const isSector = codeMatcher(query.theme_symbols)
    wanted.push(where('theme_symbol', (word) => word !== null && isSector(word)))
    const there = texts(all, 'theme_symbol')
    const absent = query.theme_symbols.find((code: string) => !there.some((own) => codeMatcher([code])(own ?? '')))
    if (absent !== undefined) lacks = `the archive has no pool of ${absent}`
  } else {
    const level = query.level ?? 'parent'
    wanted.push(where('level', (word) => word === level))
    if (!texts(all, 'level').includes(String(level))) lacks = `the archive has no pools of level ${level}`
  }
  if (Array.isArray(query.symbols)) {
    const isStock = codeMatcher(query.symbols)
    wanted.push((columns) => (row) => {
      const list = cellOf(columns.columns.get('symbols') as ColumnData, row)
      return Array.isArray(list) && list.some(isStock)
    })
  }
  const found = filter(all, wanted)
  const days = [...new Set(texts(cellsOf(found), 'snapshot_date'))].sort()
  return { pieces: [found], lacks, ...(days.length > 0 ? { note: `the pools of ${days.join(', ')}` } : {}) }
}
