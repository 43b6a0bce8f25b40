import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { checkParams } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateIn, dateOf, dayNumber } from '../../contract/date.js'
import { rowMoment } from '../../contract/known-at.js'
import { sentence } from '../../contract/sentence.js'
import { has, strings } from '../../frame/read-columns.js'
import { onlyRows } from '../../frame/table/only-rows.js'
import { oneDayParam, queryDays } from './plan/asked.js'
import type { QueryOptions, Source } from './source.js'

/** Columns that tell when a row was there, which may be asked for. */
function timeColumns({ columns, day, knownAt: rule, noFields }: Dataset): readonly string[] {
  if (noFields) return []
  const own =
    'fetched' in rule ? [] : ['moment' in rule ? rule.moment : rule.day, 'minute' in rule ? rule.minute : undefined]
  return [...new Set([day, ...own])].filter((name): name is string => name !== undefined && name in columns)
}

/** The rows of an answer that were there by the end of a day. */
function rowsUntil(dataset: Dataset, table: Table, to: string): Table {
  const last = `${to.slice(0, 4)}-${to.slice(4, 6)}-${to.slice(6)}T23:59:59`
  const columns = new Map<string, (string | null)[]>()
  const cellsOf = (name: string): (string | null)[] => {
    const cells = columns.get(name) ?? (has(table, name) ? strings(table, name) : [])
    columns.set(name, cells)
    return cells
  }
  const isThere = (row: number): boolean => {
    const day = dataset.day && dateIn(cellsOf(dataset.day)[row] ?? '')
    const moment = rowMoment(dataset, (name) => cellsOf(name)[row] ?? undefined)
    return (day === undefined || day <= to) && (moment === undefined || moment <= last)
  }
  const rows = Array.from({ length: table.numRows }, (_, row) => row).filter(isThere)
  return rows.length === table.numRows ? table : onlyRows(dataset, table, rows)
}

/**
 * A source as it was at the end of a day: rows of later days are not there, and the latest day is the trading day up to it. Corrections
 * that came later stay: of an archive, `asOf` takes those away too.
 */
export function sourceUntil(source: Source, to: string): Source {
  const latest = noticedCalendar.between(dateOf(dayNumber(to) - 30), to).at(-1) ?? to
  const query = async (dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> => {
    const one = oneDayParam(dataset)
    const { isLatest } = options.days ? { isLatest: false } : queryDays(dataset, checkParams(dataset, params), {})
    const asked = isLatest && one !== undefined ? { ...(params as object | undefined), [one]: latest } : params
    const { fields } = options
    const wanted = typeof fields === 'string' ? fields.split(',').map((one) => one.trim()) : fields
    const more = wanted && timeColumns(dataset).filter((name) => !wanted.includes(name))
    const table = await source.query(
      dataset,
      asked,
      more ? { ...options, fields: [...(wanted ?? []), ...more] } : options,
    )
    const rows = rowsUntil(dataset, table, to)
    return more?.length ? rows.select([...(wanted ?? [])]) : rows
  }
  const { name, pace, identity, close } = source
  return {
    name: sentence`${name} up to ${to}`,
    ...(pace && { pace }),
    query,
    ...(identity && { identity: () => identity.call(source) }),
    ...(close && { close: () => close.call(source) }),
  }
}
