import type { Table } from 'apache-arrow'
import {
  calendarYears,
  inCalendar,
  learntCalendar,
  noticedCalendar,
  type TradingCalendar,
} from '../../../contract/calendar.js'
import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { dateIn, dateOf, dayNumber } from '../../../contract/date.js'
import { type DayRows, outlierDays } from '../../../contract/outlier-days.js'
import { strings } from '../../../frame/read-columns.js'
import { provenance } from '../../../frame/table/provenance.js'
import type { Market } from '../../../market.js'

/** The last trading days of a source. */
export interface LastDays {
  readonly first: string
  readonly latest: string
  /** Trading days from first to latest, ascending. */
  readonly all: readonly string[]
  /** Those of them that are only taken for trading days because they are weekdays. */
  readonly inferred: readonly string[]
}

/** A day of a dataset that lies far after all others and has hardly any rows, see `outlierDays`. */
export interface OutlierDay {
  readonly dataset: DatasetName
  readonly day: string
}

/** The days of a table by its dataset's column of days. */
function daysIn(name: DatasetName, table: Table): string[] {
  return strings(table, datasetOf(name).day ?? '').flatMap((cell) => dateIn(cell ?? '') ?? [])
}

/**
 * The latest day that answers show, and the days that are too far after the others to be it.
 * @param shown answers to the question for the latest day of a dataset
 */
export function latestOf(shown: readonly { readonly dataset: DatasetName; readonly table: Table }[]): {
  readonly latest: string | undefined
  readonly stray: readonly OutlierDay[]
} {
  const rows = new Map<string, number>()
  const found = shown.map(({ dataset, table }) => ({ dataset, days: daysIn(dataset, table) }))
  for (const { days } of found) for (const day of days) rows.set(day, (rows.get(day) ?? 0) + 1)
  const spans = [...rows].map(([day, count]): DayRows => ({ from: day, to: day, rows: count }))
  // The latest day of a dataset is one: a single one shows how many rows a day has.
  const late = new Set(outlierDays(spans, 1).map(({ from }) => from))
  const latest = [...rows.keys()].filter((day) => !late.has(day)).sort()
  const stray = found.flatMap(({ dataset, days }) =>
    [...new Set(days)].filter((day) => late.has(day)).map((day): OutlierDay => ({ dataset, day })),
  )
  return { latest: latest.at(-1), stray }
}

/**
 * The calendar up to a day. Of years without notice the source's statistical indices tell, which have rows on every trading
 * day: days with rows are open; where the answer is proven whole, weekdays without rows are shut.
 */
async function calendarUpTo(market: Market, from: string, latest: string): Promise<TradingCalendar> {
  if (inCalendar(from) && inCalendar(latest)) return noticedCalendar
  const params = { type: 'tj', startdate: from, enddate: latest }
  const table = await market.query('theme_daily', params, { fields: ['tradedate'] })
  const open = new Set(daysIn('theme_daily', table))
  const isWhole = provenance(table)?.complete === true
  return learntCalendar(open, isWhole ? noticedCalendar.between(from, latest).filter((day) => !open.has(day)) : [])
}

/** The last `count` trading days of a source up to one, by the notices and by what the source itself shows. */
export async function lastDaysOf(market: Market, latest: string, count: number): Promise<LastDays> {
  const year = Number(latest.slice(0, 4))
  const first = Math.max(Math.min(calendarYears[0], year), year - 1 - Math.ceil(count / 240))
  const longEnough = dateOf(dayNumber(latest) - 2 * count - 40)
  const from = [`${first}0101`, longEnough].sort()[1] as string
  const calendar = await calendarUpTo(market, from, latest)
  const all = calendar.between(from, latest).slice(-count)
  const start = all[0] ?? latest
  return { first: start, latest, all, inferred: calendar.inferred(start, latest) }
}

/** Every stray day of a source: those that its answers for the latest day showed, and of an archive those of any dataset. */
export async function outlierDaysOf(
  market: Market,
  names: readonly DatasetName[],
  shown: readonly OutlierDay[],
): Promise<readonly OutlierDay[]> {
  const all = new Map(shown.map((stray) => [`${stray.dataset} ${stray.day}`, stray]))
  for (const dataset of names) {
    for (const day of (await market.archive?.outlierDays(dataset)) ?? []) all.set(`${dataset} ${day}`, { dataset, day })
  }
  return [...all.values()]
}
