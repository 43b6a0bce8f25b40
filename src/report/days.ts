import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames, datasetOf } from '../contract/catalogue.js'
import { dateIn } from '../contract/date.js'
import { has, texts, words } from '../frame/column.js'
import { filled, type ReportInput } from './input.js'

/** The distinct days of a table, ascending; none where its dataset has no day column. */
export function daysOf(name: DatasetName, table: Table): readonly string[] {
  const column = datasetOf(name).day
  if (column === undefined || !has(table, column)) return []
  const days = new Set<string>()
  const { codes, words: list } = words(table, column)
  for (const code of new Set(codes)) {
    const date = dateIn(list[code] ?? '')
    if (date !== undefined) days.add(date)
  }
  return [...days].sort()
}

/** Last day that a table of quotes speaks of. A forecast row counts as of the day it was computed on, where it says so. */
function lastDay(name: DatasetName, table: Table): string | undefined {
  if (name !== 'anomaly_forecast') return daysOf(name, table).at(-1)
  if (!has(table, 'computed_on')) return undefined
  const days = texts(table, 'computed_on').filter((date) => date !== null)
  return days.sort().at(-1)
}

/** Whether rows of a dataset stand for trading days, unlike announcements and answers, which come on any day. */
function isDaily(name: DatasetName): boolean {
  const { day } = datasetOf(name)
  return day === 'tradedate' || day === 'trade_date'
}

/** The latest completed or running day that the input holds data of; undefined when nothing in it has a day. */
export function asOf(input: ReportInput): string | undefined {
  const latest = (names: readonly DatasetName[]): string | undefined =>
    names
      .flatMap((name) => {
        const table = filled(input.tables[name])
        return (table && lastDay(name, table)) ?? []
      })
      .concat(filled(input.ticks?.table) && input.ticks ? input.ticks.day : [])
      .sort()
      .at(-1)
  return latest(datasetNames.filter(isDaily)) ?? latest(datasetNames)
}

/**
 * The trading days, up to the day of the report, that any dataset of daily rows holds rows of, ascending. Candidates do
 * not count: theirs may be days that had not happened.
 */
export function coveredDays(input: ReportInput): readonly string[] {
  const latest = asOf(input) ?? ''
  const days = datasetNames
    .filter((name) => isDaily(name) && name !== 'anomaly_forecast')
    .flatMap((name) => {
      const table = filled(input.tables[name])
      return table ? daysOf(name, table) : []
    })
  return [...new Set(days)].filter((date) => date <= latest).sort()
}

/** Places of the rows of one day. */
export function rowsOn(table: Table, column: string, date: string): number[] {
  const out: number[] = []
  texts(table, column).forEach((cell, row) => {
    if (cell === date) out.push(row)
  })
  return out
}
