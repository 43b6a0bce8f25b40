import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames, datasetOf } from '../../contract/catalogue.js'
import type { Say } from '../../contract/say.js'
import { sayIn } from '../../contract/say.js'
import { has, strings } from '../../frame/read-columns.js'
import { daysInTable, type ReportInput, rowsOn } from './report-tables.js'

/** A dataset of the report that has rows: its days, the latest of them with its rows, and the one before. */
export interface DatedTable {
  readonly table: Table
  readonly days: readonly string[]
  /** Undefined where its rows have no days. */
  readonly date: string | undefined
  readonly before: string | undefined
  /** Places of the rows of the latest day. */
  readonly rows: readonly number[]
}

/** The tables by their days, and what day it is by them. */
interface Dates {
  readonly of: (name: DatasetName) => DatedTable | undefined
  /** The latest completed or running day that any table holds data of; undefined when nothing has a day. */
  readonly date: string | undefined
  /** The trading days up to it that any dataset of daily rows holds rows of, ascending. */
  readonly days: readonly string[]
}

/** The day of a report: what it is made from, and what all its sections ask of that, computed once. */
export interface ReportDay extends ReportInput, Dates {
  readonly say: Say
}

function dated(name: DatasetName, table: Table | undefined): DatedTable | undefined {
  if (!table || table.numRows === 0) return undefined
  const days = daysInTable(name, table)
  const date = days.at(-1)
  let rows: readonly number[] | undefined
  return {
    ...{ table, days, date, before: days.at(-2) },
    get rows() {
      rows ??= date === undefined ? [] : rowsOn(table, datasetOf(name).day ?? '', date)
      return rows
    },
  }
}

/** Last day that a table of quotes speaks of. A forecast row counts as of the day it was computed on, where it says so. */
function lastDay(name: DatasetName, { table, date }: DatedTable): string | undefined {
  if (name !== 'anomaly_forecast') return date
  if (!has(table, 'computed_on')) return undefined
  const days = strings(table, 'computed_on').filter((one) => one !== null)
  return days.sort().at(-1)
}

/** Whether rows of a dataset stand for trading days, unlike announcements and answers, which come on any day. */
function isDaily(name: DatasetName): boolean {
  const { day } = datasetOf(name)
  return day === 'tradedate' || day === 'trade_date'
}

export function datesOf({ tables, ticks }: Pick<ReportInput, 'tables' | 'ticks'>): Dates {
  const known = new Map(datasetNames.map((name) => [name, dated(name, tables[name])]))
  const of = (name: DatasetName): DatedTable | undefined => known.get(name)
  const ofTicks = ticks && ticks.table.numRows > 0 ? [ticks.day] : []
  const latest = (names: readonly DatasetName[]): string | undefined => {
    const days = names.flatMap((name) => {
      const own = of(name)
      return (own && lastDay(name, own)) ?? []
    })
    return [...days, ...ofTicks].sort().at(-1)
  }
  const date = latest(datasetNames.filter(isDaily)) ?? latest(datasetNames)
  // Candidates do not count: theirs may be days that had not happened.
  const daily = datasetNames.filter((name) => isDaily(name) && name !== 'anomaly_forecast')
  const all = new Set(daily.flatMap((name) => of(name)?.days ?? []))
  return { of, date, days: [...all].filter((one) => one <= (date ?? '')).sort() }
}

export function reportDay(input: ReportInput): ReportDay {
  return { ...input, ...datesOf(input), say: sayIn(input.language) }
}

/** What is computed of a day, once for each. */
export function onceOf<T>(make: (today: ReportDay) => T): (today: ReportDay) => T {
  const made = new WeakMap<ReportDay, { readonly of: T }>()
  return (today) => {
    const known = made.get(today) ?? { of: make(today) }
    made.set(today, known)
    return known.of
  }
}
