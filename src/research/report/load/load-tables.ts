import type { Table } from 'apache-arrow'
import {
  calendarYears,
  inCalendar,
  learntCalendar,
  noticedCalendar,
  type TradingCalendar,
} from '../../../contract/calendar.js'
import { type DatasetName, datasetOf, datasets, ownDatasets } from '../../../contract/catalogue.js'
import type { Dataset, LoadRule } from '../../../contract/dataset.js'
import { dateIn, dateOf, dayNumber } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { rowMoment } from '../../../contract/known-at.js'
import { type DayRows, outlierDays } from '../../../contract/outlier-days.js'
import { fact, sentence } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { has, strings } from '../../../frame/read-columns.js'
import { orderedRows } from '../../../frame/table/check-table.js'
import { concatTables } from '../../../frame/table/concat-tables.js'
import { onlyRows } from '../../../frame/table/only-rows.js'
import { provenance } from '../../../frame/table/provenance.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import type { Market } from '../../../market.js'
import type { CheckTables } from '../../checks/check.js'

/** The last trading days of a source. */
interface LastDays {
  readonly first: string
  readonly latest: string
  /** Trading days from first to latest, ascending. */
  readonly all: readonly string[]
  /** Those of them that are only taken for trading days because they are weekdays. */
  readonly inferred: readonly string[]
}

/** A day of a dataset that lies far after all others and has hardly any rows, see `outlierDays`. */
interface OutlierDay {
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
function latestOf(shown: readonly { readonly dataset: DatasetName; readonly table: Table }[]): {
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
async function outlierDaysOf(
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

/** The days that a report is of. */
export interface ReportDays extends Omit<LastDays, 'inferred'>, Partial<Pick<LastDays, 'inferred'>> {
  /** The answers that told the latest day. */
  readonly shown?: readonly Table[]
  /** Last date of news, announcements and answers; no limit where it is not given. */
  readonly until?: string | undefined
  /** The latest day was given, and the source may have later ones. */
  readonly isPast?: boolean
  /** News, announcements and answers of these days alone, and lists of each of them. */
  readonly isExact?: true
  /** Days too far after all others to be the latest: mistyped, perhaps. Their rows are for checks alone. */
  readonly stray?: readonly OutlierDay[]
}

export type LoadedTables = { [N in DatasetName]?: Table }

/** A second table of a dataset, of another period. */
export interface MoreTable {
  readonly dataset: DatasetName
  readonly table: Table
}

export type BarDataset = Extract<DatasetName, 'etf_minute' | 'convertible_minute'>

const loadRuleOf = (name: string): LoadRule | undefined => datasetOf(name).load

/** The datasets that can be loaded as a whole. */
export const loadable: readonly DatasetName[] = datasets.flatMap(({ name }) => (loadRuleOf(name) ? [name] : []))

/** The same, and those of one's own. */
export function checkable(): readonly DatasetName[] {
  return [...loadable, ...ownDatasets().map(({ name }) => name as DatasetName)]
}

/** A report as if the source had nothing after a day. */
interface PastDays extends Pick<ReportDays, 'until'> {
  readonly end?: string | undefined
  /** Datasets of one's own tell the latest day where the vendor's have no rows. */
  readonly own?: true
  /** Datasets that are not asked. */
  readonly without?: ReadonlySet<string>
}

/**
 * The last `count` trading days up to the latest day that the source has, or up to `end`.
 * @throws QuotebookError ARCHIVE when it has no daily data at all, INVALID_VALUE for an `end` on which the exchanges are closed
 */
export async function latestTradingDays(
  market: Market,
  count: number,
  { end, until, own, without }: PastDays = {},
): Promise<ReportDays> {
  const answers: { dataset: DatasetName; table: Table }[] = []
  for (const { name, load } of datasets.map(({ name }): Dataset => datasetOf(name))) {
    if (!load?.showsLatestDay || without?.has(name)) continue
    const questions =
      load.kind === 'bars' ? load.periods.map((period) => ({ period })) : [load.kind === 'range' ? load.params : {}]
    for (const params of questions) {
      answers.push({ dataset: name as DatasetName, table: await market.query(name, params) })
    }
  }
  const isEmpty = answers.every(({ table }) => table.numRows === 0)
  for (const { name, day } of own && isEmpty ? ownDatasets() : [])
    if (day !== undefined) answers.push({ dataset: name as DatasetName, table: await market.query(name) })
  const { latest, stray } = latestOf(answers)
  if (latest === undefined)
    throw new QuotebookError(
      'ARCHIVE',
      fact('NO_DAILY_DATA', '{source} has no daily data to report on', { source: market.source.name }),
    )
  const days = await lastDaysOf(market, end ?? latest, count)
  if (end !== undefined && days.all.at(-1) !== end)
    throw new QuotebookError('INVALID_VALUE', sentence`end: the exchanges are closed on ${end}`)
  return {
    ...days,
    until: until ?? end,
    isPast: end !== undefined,
    stray: await outlierDaysOf(market, loadable, stray),
    shown: answers.map(({ table }) => table),
  }
}

/**
 * Every bar of a day, all instruments: one question for each bucket, since without `symbols` the service answers a
 * bucket at a time. They are asked side by side, as fast as the source's pace allows; the rows come bucket by bucket.
 */
export async function barsOfDay(
  market: Market,
  name: BarDataset,
  tradedate: string | undefined,
  period: '15m' | '30m' = '30m',
): Promise<Table> {
  const day = tradedate === undefined ? {} : { tradedate }
  const buckets = await Promise.all(
    bucketCloses[period].map((trademin) => market.query(name, { ...day, trademin, period })),
  )
  return concatTables(datasetOf(name), buckets)
}

/** Bars by day, symbol and bucket: an archive and a service give them in orders of their own. */
function inOrder(dataset: Dataset, table: Table): Table {
  const rows = orderedRows(columnsOf(table), ['tradedate', 'symbol', 'trademin'])
  return rows ? onlyRows(dataset, table, Array.from(rows)) : table
}

/**
 * Tables of one dataset without the rows that an earlier one of them holds, told by their keys. Rows of one table that
 * share a key all stay: that is a fault of the data, for a check to find.
 */
function withoutRepeats(dataset: Dataset, tables: readonly Table[]): Table[] {
  const seen = new Set<string>()
  return tables.map((table) => {
    const cells = dataset.key.map((name) => strings(table, name))
    const keys = Array.from({ length: table.numRows }, (_, row) => cells.map((column) => column[row]).join('\n'))
    const fresh = [...keys.keys()].filter((row) => !seen.has(keys[row] ?? ''))
    for (const key of keys) seen.add(key)
    return fresh.length === table.numRows ? table : onlyRows(dataset, table, fresh)
  })
}

/**
 * Candidates of every day and the forecast after the last completed one, each row once: the completed day brings its
 * forecast along, and so does the answer without a date, whichever day that is.
 */
async function loadCandidates(market: Market, dataset: Dataset, { all, latest, isPast }: ReportDays): Promise<Table> {
  const days = await Promise.all(all.map((tradedate) => market.query(dataset.name, { tradedate })))
  const newest = await market.query(dataset.name)
  const known = isPast ? rowsUntil(dataset, newest, latest) : newest
  return concatTables(dataset, withoutRepeats(dataset, [...days, known]))
}

/** The date on which each row became known; empty where it does not say. */
function knownDates(dataset: Dataset, table: Table): readonly string[] {
  const columns = new Map<string, readonly (string | null)[]>()
  const cellsOf = (name: string): readonly (string | null)[] => {
    const cells = columns.get(name) ?? (has(table, name) ? strings(table, name) : [])
    columns.set(name, cells)
    return cells
  }
  return Array.from({ length: table.numRows }, (_, row) => {
    const moment = rowMoment(dataset, (name) => cellsOf(name)[row] ?? undefined)
    return moment?.slice(0, 10).replaceAll('-', '') ?? ''
  })
}

/** The rows that were known by the end of a date, and not before the first where one is given; the table itself where these are all. */
function rowsUntil(dataset: Dataset, table: Table, last: string, first = ''): Table {
  const rows = knownDates(dataset, table).flatMap((date, row) => (date >= first && date <= last ? row : []))
  return rows.length === table.numRows ? table : onlyRows(dataset, table, rows)
}

/** The last date of the news, announcements and answers among tables; undefined where there are none. */
export function lastDocumentDate(tables: LoadedTables): string | undefined {
  const dates = loadable.flatMap((name) => {
    const table = tables[name]
    return table && loadRuleOf(name)?.kind === 'once' ? knownDates(datasetOf(name), table) : []
  })
  return dates.sort().at(-1) || undefined
}

/** What is known of a share and is the same whoever asks: its link and its password are not. */
const shareFields = ['data_type', 'year', 'start_date', 'end_date', 'file_count', 'size_bytes', 'status']

/** The share of the latest year; undefined where the key has no right to it, and where no files reach so far. */
async function loadTickShare(market: Market, { name }: Dataset, { latest }: ReportDays): Promise<Table | undefined> {
  const params = { data_type: 'auction_tick', year: Number(latest.slice(0, 4)) }
  try {
    return await market.query(name, params, { fields: shareFields })
  } catch (error) {
    const code = error instanceof QuotebookError ? error.code : undefined
    if (code === 'FORBIDDEN' || code === 'INVALID_PARAMS') return undefined
    throw error
  }
}

/**
 * News, announcements or answers: all, or those of the days. A question about a range tells the checks that versions before it
 * are not there; what takes none is cut by when its rows were known.
 */
async function loadDocuments(
  market: Market,
  dataset: Dataset,
  params: Readonly<Record<string, string>> | undefined,
  { first, latest, until, isExact }: ReportDays,
): Promise<Table> {
  const last = isExact ? latest : until
  const [from, to] = (isExact && (dataset.cache?.range ?? dataset.ranges?.[0])) || []
  const table = await market.query(dataset.name, { ...params, ...(from && to && { [from]: first, [to]: last }) })
  return last === undefined ? table : rowsUntil(dataset, table, last, isExact && !from ? first : undefined)
}

/** Every bar of the days. */
async function loadBars(market: Market, dataset: Dataset, days: ReportDays, period: '15m' | '30m'): Promise<Table> {
  return inOrder(dataset, await market.query(dataset.name, { symbols: 'all', period }, { days: days.all }))
}

/** The tables of a dataset over the days, as its declaration says: one of each period of bars, else one at most. */
export async function loadDataset(market: Market, name: string, days: ReportDays): Promise<Table[]> {
  const dataset = datasetOf(name)
  const rule = loadRuleOf(name)
  switch (rule?.kind) {
    case 'once':
      return [await loadDocuments(market, dataset, rule.params, days)]
    case 'range':
      return [await market.query(name, { ...rule.params, startdate: days.first, enddate: days.latest })]
    case 'each': {
      const values = dataset.params[rule.param]?.values ?? []
      const all = days.isExact ? days.all : days.all.slice(-(rule.lastDays ?? 0))
      const dates = rule.lastDays === undefined ? [{}] : all.map((tradedate) => ({ tradedate }))
      const questions = dates.flatMap((day) => values.map((value) => ({ [rule.param]: value, ...day })))
      return [concatTables(dataset, await Promise.all(questions.map((params) => market.query(name, params))))]
    }
    case 'bars':
      // Side by side, so that a part of an archive that holds both is read once, however little of it is kept.
      return Promise.all(rule.periods.map((period) => loadBars(market, dataset, days, period)))
    case 'candidates':
      return [await loadCandidates(market, dataset, days)]
    case 'tick-share': {
      const table = await loadTickShare(market, dataset, days)
      return table ? [table] : []
    }
    default:
      return []
  }
}

/**
 * Loads datasets over the days, one after the other.
 * @param onStep called before each, with how many are done
 */
export async function loadTables(
  market: Market,
  days: ReportDays,
  names: readonly DatasetName[] = loadable,
  onStep: (done: number, name: DatasetName) => void = () => undefined,
) {
  /** The datasets that have rows; a further table of one is in `more`. */
  const tables: LoadedTables = {}
  const more: MoreTable[] = []
  /** Every answer, the empty ones too. */
  const answers: Table[] = []
  for (const [i, name] of names.entries()) {
    onStep(i, name)
    for (const table of await loadDataset(market, name, days)) {
      answers.push(table)
      if (table.numRows === 0) continue
      if (tables[name]) more.push({ dataset: name, table })
      else tables[name] = table
    }
  }
  return { tables, more, stray: await loadStray(market, days, names), answers }
}

/** The rows of days that are too far after all others to be shown, of the datasets named. */
async function loadStray(market: Market, { stray = [] }: ReportDays, names: readonly DatasetName[]) {
  const found: MoreTable[] = []
  for (const { dataset: name, day } of stray.filter(({ dataset }) => names.includes(dataset))) {
    const dataset: Dataset = datasetOf(name)
    // What is loaded whole has its stray rows, and what has no days has none.
    if (dataset.load?.kind === 'once' || dataset.day === undefined) continue
    for (const table of await loadDataset(market, name, { first: day, latest: day, all: [day] })) {
      const dates = strings(table, dataset.day ?? '')
      const rows = dates.flatMap((date, row) => (dateIn(date ?? '') === day ? row : []))
      if (rows.length > 0) found.push({ dataset: name, table: onlyRows(dataset, table, rows) })
    }
  }
  return found
}

/** The same as checks take them, each table with the stray rows of its dataset and period. */
export function tablesToCheck({
  tables,
  more,
  stray,
}: Omit<Awaited<ReturnType<typeof loadTables>>, 'answers'>): CheckTables<Table> {
  const entries = Object.entries(tables) as [DatasetName, Table][]
  const periodOf = (table: Table): unknown => provenance(table)?.request.params.period
  const withStray = (name: DatasetName, table: Table): Table => {
    const own = stray.filter((one) => one.dataset === name && periodOf(one.table) === periodOf(table))
    return own.length === 0 ? table : concatTables(datasetOf(name), [table, ...own.map((one) => one.table)])
  }
  return Object.fromEntries(
    entries.map(([name, table]) => {
      const all = [table, ...more.filter(({ dataset }) => dataset === name).map((one) => one.table)]
      return [name, all.map((one) => withStray(name, one))]
    }),
  )
}
