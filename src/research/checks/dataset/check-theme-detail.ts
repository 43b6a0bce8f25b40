import type { Table } from 'apache-arrow'
import { beijingMoment } from '../../../contract/date.js'
import { booleans, strings, toObjects } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { textColumn } from '../check-columns.js'
import { brokenLaws, type Law, repeatedKeys, rowCheck } from '../row-findings.js'

type Verdict = 'pass' | 'warn' | 'duplicate' | 'mismatch'
type Row = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is wrong with the shape of the nested values, in a few words each. */
function* shapes({ table, stocks, stock_list: list, zt, raw_payload: raw }: Row): Iterable<string> {
  if (isObject(table)) {
    const levels = ['Level1', 'Level2'].filter((name) => table[name] !== undefined && !Array.isArray(table[name]))
    if (levels.length > 0) yield `${levels.join(' and ')} of table hold no array`
  } else if (table !== null && !Array.isArray(table)) yield 'table is neither object nor array'
  if (stocks !== null && !Array.isArray(stocks)) yield 'stocks is no array'
  if (zt !== null && typeof zt !== 'object') yield 'zt is neither object nor array'
  if (raw !== null && !(isObject(raw) && 'code' in raw && 'data' in raw)) yield 'raw_payload lacks code or data'
  if (list === null) return
  if (!Array.isArray(list)) yield 'stock_list is no array'
  else if (!list.every((one) => isObject(one) && typeof one.symbol === 'string' && 'name' in one)) {
    yield 'stock_list has an entry without symbol or name'
  }
}

/** A stock that is in the list a second time. */
function repeatedStock({ stock_list: list }: Row): unknown {
  if (!Array.isArray(list)) return undefined
  const codes = list.map((one: unknown) => (isObject(one) ? one.symbol : undefined))
  return codes.find((code, at) => code !== undefined && codes.indexOf(code) !== at)
}

function wrongTime({ synced_at, updated_at }: Row): string | false {
  const [synced, updated] = [synced_at, updated_at].map((time) => beijingMoment(String(time ?? '')))
  if (synced === undefined) return `synced_at ${synced_at} is no point in time`
  return updated_at !== null && updated !== synced && `updated_at is not synced_at in Beijing time, ${synced}`
}

const themesOf = (table: Table) => toObjects(table).map((cells, row) => ({ ...(cells as Row), row }))

function lawsOf(table: Table): readonly Law<Row & { readonly row: number }, Verdict>[] {
  const active = booleans(table, 'is_active')
  const repeated = repeatedKeys(themesOf(table), ({ theme_id }: Row) => theme_id)
  return [
    { rule: 'key', verdict: 'duplicate', broken: ({ row }) => repeated.has(row) && 'the theme has two records' },
    {
      rule: 'active',
      verdict: 'mismatch',
      broken: ({ row }) => active[row] !== true && 'only active themes are returned',
    },
    { rule: 'shape', verdict: 'mismatch', broken: (one) => [...shapes(one)] },
    {
      rule: 'stocks',
      verdict: 'warn',
      broken: (one) => repeatedStock(one) !== undefined && `${repeatedStock(one)} stands in stock_list twice`,
    },
    { rule: 'time', verdict: 'mismatch', broken: wrongTime },
  ]
}

/**
 * Theme details: active, updated_at the same moment as synced_at in Beijing time, nested values of their shapes (null is allowed
 * in all of them), one record a theme.
 */
export const themeDetailCheck = rowCheck<Verdict>({
  name: 'theme detail',
  summary: 'one theme of the library',
  chinese: '题材详情：是否有效、更新时间与内容结构',
  dataset: 'theme_lib_detail_kp',
  rule: 'The theme is active, updated_at is synced_at in Beijing time, and the nested values have the shapes that are documented.',
  verdicts: {
    pass: passes('State, times and shapes are what they should be.'),
    warn: leavesOpen('A stock stands in its list twice.'),
    duplicate: fails('The theme has two records.'),
    mismatch: fails('Not active, times that differ, or a nested value of another shape.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: brokenLaws(lawsOf(table), themesOf(table)),
    columns: {
      theme_id: textColumn('code', 'Id in the theme library.', strings(table, 'theme_id')),
      name: textColumn('label', 'Display name.', strings(table, 'name')),
    },
  }),
})
