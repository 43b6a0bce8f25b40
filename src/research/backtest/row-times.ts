import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment, dateIn } from '../../contract/date.js'
import { invalid, QuotebookError } from '../../contract/error.js'
import { knownMoment } from '../../contract/known-at.js'
import { sentence } from '../../contract/sentence.js'
import type { Data } from '../../frame/data.js'
import { has, strings } from '../../frame/read-columns.js'
import { loadedDataset } from './dataset-history.js'

/** When rows are known, as a join says it beside its dataset. */
interface Told {
  readonly data: Data
  readonly time?: string
  readonly knownAt?: string
}

/** When each row of a table is known. */
export interface RowTimes {
  /** The clock time of the days; undefined where each row has a moment. */
  readonly at: string | undefined
  /** A day `YYYYMMDD`, or a moment, of each row; null where the row is never known. */
  readonly texts: readonly (string | null)[]
  /** Of rows that come to one time the latest counts, as of bars; elsewhere only of rows of different days. */
  readonly areBars: boolean
}

/** A clock time, `HH:MM` or `HH:MM:SS`. */
export function isClock(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)
}

const usualDays = ['tradedate', 'trade_date', 'known_day', 'event_date']

/** The column of days: as it is told, that of the dataset, or of the usual ones what the dataset does not use otherwise. */
function dayColumn({ data, time }: Told, dataset: Dataset | undefined): string {
  const usual = usualDays.filter((name) => !dataset || !Object.hasOwn(dataset.columns, name))
  const found = time ?? [dataset?.day ?? 'tradedate', ...usual].find((name) => has(data, name))
  if (found !== undefined) return found
  throw new QuotebookError('MISSING_COLUMN', sentence`panel: a joined table has no column of days; name it`)
}

/** Columns by which a dataset tells when its rows are known. @throws QuotebookError MISSING_COLUMN where the data lacks them */
function tellingColumns(data: Data, { name, knownAt: rule }: Dataset): ReadonlyMap<string, readonly (string | null)[]> {
  if ('fetched' in rule) return new Map()
  const or = 'or' in rule && rule.or !== undefined ? [rule.or] : []
  const needed = ['moment' in rule ? rule.moment : rule.day, ...('minute' in rule ? [rule.minute] : [])]
  const lacking = needed.find((column) => !has(data, column) && !or.some((other) => has(data, other)))
  if (lacking !== undefined)
    throw new QuotebookError(
      'MISSING_COLUMN',
      sentence`panel: rows of ${name} become known by the column '${lacking}', which the joined table does not have; load that column too, or give knownAt`,
    )
  return new Map([...needed, ...or].flatMap((one) => (has(data, one) ? [[one, strings(data, one)]] : [])))
}

/** The moment from which each row is known by the rule of its dataset; null where its cells are missing. */
function knownMoments(data: Data, dataset: Dataset): (string | null)[] {
  const columns = tellingColumns(data, dataset)
  const [first = []] = columns.values()
  return first.map((_, row) => {
    const cell = (column: string): string | undefined => columns.get(column)?.[row] || undefined
    const moment = knownMoment(dataset, cell)
    if (moment !== undefined) return moment
    const odd = [...columns.keys()].find((column) => cell(column) !== undefined)
    if ('minute' in dataset.knownAt || odd === undefined) return null
    return noMoment(cell(odd) as string, odd)
  })
}

function noMoment(text: string, column: string): never {
  throw invalid(sentence`panel: '${text}' in column '${column}' is no moment YYYY-MM-DDTHH:MM:SS`)
}

/** Rows of a day that is not the one by which the dataset tells when they are known. @throws QuotebookError LOOK_AHEAD where one is earlier */
function onOtherDays(given: Told & { readonly time: string }, dataset: Dataset, at: string): (string | null)[] {
  const moments = knownMoments(given.data, dataset)
  return strings(given.data, given.time).map((day, row) => {
    const [date, moment] = [dateIn(day ?? ''), moments[row] ?? null]
    if (date === undefined || moment === null) return null
    if ((beijingMoment(`${date} ${at}`) as string) >= moment) return date
    throw new QuotebookError(
      'LOOK_AHEAD',
      sentence`panel: column '${given.time}' puts a row of ${dataset.name} on ${date}, and it becomes known at ${moment}; leave time out, or give knownAt`,
    )
  })
}

/**
 * When the rows of a joined table are known: as the join says with `knownAt`, or else by the rule of the dataset that they were loaded from.
 * @throws QuotebookError INVALID_VALUE where neither tells, and for a text that is no time; MISSING_COLUMN; LOOK_AHEAD for a `time` before a row is known
 */
export function rowTimes(given: Told): RowTimes {
  const { data, knownAt, time } = given
  const dataset = loadedDataset(data)
  const onDays = (at: string, texts: readonly (string | null)[]): RowTimes => ({ at, texts, areBars: false })
  const ofColumn = (at: string): RowTimes => onDays(at, strings(data, dayColumn(given, dataset)))
  const isAt = knownAt !== undefined && isClock(knownAt)
  if (knownAt !== undefined && !isAt) {
    const texts = strings(data, knownAt).map((text) => text && (beijingMoment(text) ?? noMoment(text, knownAt)))
    return { at: undefined, texts, areBars: false }
  }
  if (!dataset && !isAt)
    throw invalid(
      sentence`panel: say when the rows of a joined table are known, as knownAt: '18:00:00' or the name of a column of moments`,
    )
  const rule = dataset?.knownAt
  if (!dataset || !rule || 'fetched' in rule || (isAt && (time !== undefined || !('day' in rule))))
    return ofColumn(isAt ? knownAt : '00:00:00')
  if (!('at' in rule) && !isAt) return { at: undefined, texts: knownMoments(data, dataset), areBars: 'minute' in rule }
  const at = isAt || !('at' in rule) ? (knownAt as string) : rule.at
  if (time !== undefined && 'day' in rule && time !== rule.day)
    return onDays(at, onOtherDays({ ...given, time }, dataset, at))
  const dayOf = (moment: string | null): string | null => moment?.slice(0, 10).replaceAll('-', '') ?? null
  return onDays(at, knownMoments(data, dataset).map(dayOf))
}

/** Prices and what comes of them: everybody sees them with their bar, whenever a dataset has its row. */
const ofTheMarket = ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount', 'vwap', 'adj_factor']

/** Which columns of the rows of a panel itself are known later than their bar: at a clock time of the day, or at a time of their own, as if they were joined. */
export function ownTimes(
  data: Data,
  day: string,
  names: readonly string[],
  hasBars: boolean,
): { readonly at: Readonly<Record<string, string>>; readonly apart: readonly string[] } {
  const rule = loadedDataset(data)?.knownAt
  const others = names.filter((name) => !ofTheMarket.includes(name))
  if (!rule || 'fetched' in rule || 'minute' in rule) return { at: {}, apart: [] }
  if (!('at' in rule) || rule.day !== day) return { at: {}, apart: others }
  const isLate = hasBars || rule.at > '15:00:00'
  return { at: isLate ? Object.fromEntries(others.map((name) => [name, rule.at])) : {}, apart: [] }
}

/** The column of closing minutes of the bars that data has: that of its dataset, or `trademin`. */
export function minuteColumnOf(data: Data): string | undefined {
  const rule = loadedDataset(data)?.knownAt
  return [rule && 'minute' in rule ? rule.minute : 'trademin', 'trademin'].find((name) => has(data, name))
}
