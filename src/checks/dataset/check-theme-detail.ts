import type { Table } from 'apache-arrow'
import { beijingMoment } from '../../contract/date.js'
import type { Data } from '../../frame/data.js'
import { flags, objectsOf, texts } from '../../frame/read-columns.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { textColumn } from '../check-columns.js'
import { duplicate, mismatch, type RowFinding, rowCheck, warn } from '../row-findings.js'

/** What `checkThemeDetail` says of a row; its documentation explains each word. */
export type ThemeDetailVerdict = 'pass' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<ThemeDetailVerdict>
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

function* stocksOf({ stock_list: list }: Row): Iterable<string> {
  if (!Array.isArray(list)) return
  const codes = list.map((one: unknown) => (isObject(one) ? one.symbol : undefined))
  const double = codes.find((code, at) => code !== undefined && codes.indexOf(code) !== at)
  if (double !== undefined) yield `${double} stands in stock_list twice`
}

function* findings(table: Table): Iterable<Found> {
  const active = flags(table, 'is_active')
  const seen = new Set<unknown>()
  for (const [row, one] of objectsOf(table).entries()) {
    if (seen.has(one.theme_id)) yield duplicate(row, 'key', 'the theme has two records')
    seen.add(one.theme_id)
    if (active[row] !== true) yield mismatch(row, 'active', 'only active themes are returned')
    for (const why of shapes(one)) yield mismatch(row, 'shape', why)
    for (const why of stocksOf(one)) yield warn(row, 'stocks', why)
    const [synced, updated] = [one.synced_at, one.updated_at].map((time) => beijingMoment(String(time ?? '')))
    if (synced === undefined) {
      yield mismatch(row, 'time', `synced_at ${one.synced_at} is no point in time`)
    } else if (one.updated_at !== null && updated !== synced) {
      yield mismatch(row, 'time', `updated_at is not synced_at in Beijing time, ${synced}`)
    }
  }
}

export const themeDetailCheck = rowCheck<ThemeDetailVerdict>({
  name: 'theme detail',
  summary: 'one theme of the library',
  chinese: '题材库中的一个题材',
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
    findings: findings(table),
    columns: {
      theme_id: textColumn('code', 'Id in the theme library.', texts(table, 'theme_id')),
      name: textColumn('label', 'Display name.', texts(table, 'name')),
    },
  }),
})

/**
 * Holds theme details against what is said of them: active, updated_at the same moment as synced_at in Beijing time, nested
 * values of their shapes (null is allowed in all of them), one record a theme.
 *
 * - `pass`. `warn`: a stock stands in stock_list twice.
 * - `duplicate`: a second record of a theme. `mismatch`: any of the others does not hold.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkThemeDetail(input: Data): CheckResult<ThemeDetailVerdict> {
  return themeDetailCheck.check(input)
}
