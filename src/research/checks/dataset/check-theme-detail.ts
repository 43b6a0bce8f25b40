import type { Table } from 'apache-arrow'
import { beijingMoment } from '../../../contract/date.js'
import { allOf, sentence, type Words } from '../../../contract/sentence.js'
import { booleans, toObjects } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { mismatch, type RowFinding, warn } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'

type Row = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with the shape of the nested values, in a few words each. */
function* shapes({ table, stocks, stock_list: list, zt, raw_payload: raw }: Row): Iterable<Words> {
  if (isObject(table)) {
    const levels = ['Level1', 'Level2'].filter((name) => table[name] !== undefined && !Array.isArray(table[name]))
    if (levels.length > 0) yield sentence`${allOf(levels)} of table hold no array`
  } else if (table !== null && !Array.isArray(table)) yield sentence`table is neither object nor array`
  if (stocks !== null && !Array.isArray(stocks)) yield sentence`stocks is no array`
  if (zt !== null && typeof zt !== 'object') yield sentence`zt is neither object nor array`
  if (raw !== null && !(isObject(raw) && 'code' in raw && 'data' in raw)) yield sentence`raw_payload lacks code or data`
  if (list === null) return
  if (!Array.isArray(list)) yield sentence`stock_list is no array`
  else if (!list.every((one) => isObject(one) && typeof one.symbol === 'string' && 'name' in one))
    yield sentence`stock_list has an entry without symbol or name`
}

/** A stock that is in the list a second time. */
function repeatedStock({ stock_list: list }: Row): unknown {
  if (!Array.isArray(list)) return undefined
  const codes = list.map((one: unknown) => (isObject(one) ? one.symbol : undefined))
  return codes.find((code, at) => code !== undefined && codes.indexOf(code) !== at)
}

function* findings(table: Table): Iterable<RowFinding> {
  const active = booleans(table, 'is_active')
  for (const [row, cells] of toObjects(table).entries()) {
    if (active[row] !== true) yield mismatch(row, 'active', sentence`only active themes are returned`)
    for (const wrong of shapes(cells)) yield mismatch(row, 'shape', wrong)
    const twice = repeatedStock(cells)
    if (twice !== undefined) yield warn(row, 'stocks', sentence`${twice} stands in stock_list twice`)
    const { synced_at, updated_at } = cells
    const [synced, updated] = [synced_at, updated_at].map((time) => beijingMoment(String(time ?? '')))
    if (synced === undefined) yield mismatch(row, 'time', sentence`synced_at ${synced_at} is no point in time`)
    else if (updated_at !== null && updated !== synced)
      yield mismatch(row, 'time', sentence`updated_at is not synced_at in Beijing time, ${synced}`)
  }
}

/**
 * Theme details: active, updated_at the same moment as synced_at in Beijing time, nested values of their shapes (null is allowed
 * in all of them), one record a theme.
 */
export const themeDetailCheck = rowCheck({
  name: 'theme detail',
  summary: 'one theme of the library',
  dataset: 'theme_lib_detail_kp',
  rule: 'The theme is active, updated_at is synced_at in Beijing time, and the nested values have the shapes that are documented.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`State, times and shapes are what they should be.`),
    warn: leavesOpen(sentence`A stock stands in its list twice.`),
    duplicate: fails(sentence`The theme has two records.`),
    mismatch: fails(sentence`Not active, times that differ, or a nested value of another shape.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  twice: () => sentence`the theme has two records`,
  read: (table) => ({
    findings: findings(table),
    columns: givenColumns(table, 'theme_lib_detail_kp', 'theme_id', 'name'),
  }),
})
