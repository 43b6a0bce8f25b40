import type { Dataset } from '../../contract/dataset.js'
import { codeMatcher } from '../../contract/symbol.js'
import { gatherRows } from '../../table/gather-rows.js'
import { type ColumnData, cellOf, type RecordColumns, textCells } from '../../table/values.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { type Condition, filter, selectSlices, where } from './row-conditions.js'
import { joinSlices, sliceColumns } from './row-slices.js'
import type { AnswerRule } from './rule.js'

/** theme_lib_detail_kp: the record of one theme, when it is active. */
export const themeDetail: AnswerRule = async (snapshot, dataset, query) => {
  const isActive: Condition = (columns) => (row) => cellOf(columns.columns.get('is_active') as ColumnData, row) === true
  const own = where('theme_id', (id) => id === query.theme_id)
  const parts = snapshot.parts(dataset.name)
  const missing =
    (await selectSlices(snapshot, dataset, parts, [own])).length > 0 ? undefined : 'the archive has no such theme'
  return { slices: await selectSlices(snapshot, dataset, parts, [own, isActive]), missing }
}

/** The newest snapshots, by the parts that they were read from. */
const known = new WeakMap<readonly ManifestPart[], RecordColumns>()

async function presentPools(snapshot: Snapshot, dataset: Dataset): Promise<RecordColumns> {
  const parts = snapshot.parts(dataset.name)
  const pools = known.get(parts) ?? newestPools(joinSlices(dataset, await selectSlices(snapshot, dataset, parts, [])))
  known.set(parts, pools)
  return pools
}

/** The newest snapshot of each sector; a reply may hold one level, or a few sectors only. */
function newestPools(columns: RecordColumns): RecordColumns {
  const [sectors, dates] = [textCells(columns, 'theme_symbol'), textCells(columns, 'snapshot_date')]
  const newest = new Map<string | null, number>()
  sectors.forEach((sector, row) => {
    const other = newest.get(sector)
    if (other === undefined || (dates[row] ?? '') > (dates[other] ?? '')) newest.set(sector, row)
  })
  return gatherRows(columns, [...newest.values()])
}

/** thememembers_jx: the present pools; `symbols` keeps the sectors that hold any of them, each with its full list. */
export const members: AnswerRule = async (snapshot, dataset, query) => {
  const all = await presentPools(snapshot, dataset)
  const wanted: Condition[] = []
  let missing: string | undefined
  if (Array.isArray(query.theme_symbols)) {
    const isSector = codeMatcher(query.theme_symbols)
    wanted.push(where('theme_symbol', (word) => word !== null && isSector(word)))
    const there = textCells(all, 'theme_symbol')
    const absent = query.theme_symbols.find((code: string) => !there.some((own) => codeMatcher([code])(own ?? '')))
    if (absent !== undefined) missing = `the archive has no pool of ${absent}`
  } else {
    const level = query.level ?? 'parent'
    wanted.push(where('level', (word) => word === level))
    if (!textCells(all, 'level').includes(String(level))) missing = `the archive has no pools of level ${level}`
  }
  if (Array.isArray(query.symbols)) {
    const isStock = codeMatcher(query.symbols)
    wanted.push((columns) => (row) => {
      const list = cellOf(columns.columns.get('symbols') as ColumnData, row)
      return Array.isArray(list) && list.some(isStock)
    })
  }
  const found = filter(all, wanted)
  const days = [...new Set(textCells(sliceColumns(found), 'snapshot_date'))].sort()
  return { slices: [found], missing, ...(days.length > 0 ? { note: `the pools of ${days.join(', ')}` } : {}) }
}
