import type { Table } from 'apache-arrow'
import type { CacheRule, Dataset } from '../../../contract/dataset.js'
import { dateIn, dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { bucketCloses } from '../../../contract/session.js'
import { codeMatcher, exchangeOf, parseCode } from '../../../contract/symbol.js'
import { provenance } from '../../../frame/table/provenance.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import { type ColumnData, cellOf, type RecordColumns, textCells } from '../../../frame/table/values.js'
import { symbolColumn } from '../../source/plan/asked.js'
import { distinctValues } from '../../source/reply/reply-chunk.js'
import { partsIn, plainConditions } from '../answer/day-conditions.js'
import { type Condition, matchingSlice, selectSlices, where, whereCode } from '../answer/row-conditions.js'
import { gatherSlice, joinSlices, type RowSlice } from '../answer/row-slices.js'
import { seenBy } from '../code-months.js'
import { complete } from '../import/fill-columns.js'
import type { Covered, KeptEntry } from '../manifest-entries.js'
import { dayColumn } from '../merge-rows.js'
import { isObservedByRow } from '../revision/row-places.js'
import type { Snapshot } from '../snapshot.js'
import type { ArchiveWriter } from '../writer.js'
import { cachedOrigin } from './coverage.js'
import { type CacheQuery, type CacheSplit, type CodeGroup, settledDates, spellingOf } from './covered-query.js'
import { type DayRanges, datesIn, daysWithout, includes, intersection, rangesOfDays } from './day-ranges.js'

/** The column that the codes of a query are matched with. */
function codeColumn(dataset: Dataset): string {
  return symbolColumn(dataset) ?? ''
}

/** Rows of one scope. Candidates: those of a completed day, no forecasts. */
function inScope({ stored, day }: Dataset, { scope: param }: CacheRule, scope: string): Condition[] {
  const own = param === undefined ? [] : [where(param, (word) => word === scope)]
  if (!stored?.computed_on) return own
  const isCompleted: Condition = ({ columns }) => {
    const [of, from] = [columns.get(day ?? '') as ColumnData, columns.get('computed_on') as ColumnData]
    return (row) => cellOf(of, row) === cellOf(from, row)
  }
  return [...own, isCompleted]
}

/** Rows of the dates. */
function onDates(dataset: Dataset, dates: DayRanges): Condition {
  return where(dayColumn(dataset) ?? '', (word) => word !== null && includes(dates, dateIn(word) ?? ''))
}

/** Rows of the codes of a group on its dates. */
function inGroup(dataset: Dataset, { codes, dates }: CodeGroup): Condition[] {
  return [onDates(dataset, dates), ...(codes ? [whereCode(codeColumn(dataset), codes)] : [])]
}

/** The rows that the cache holds of what it answers. */
export async function readCached(snapshot: Snapshot, query: CacheQuery, split: CacheSplit): Promise<RecordColumns> {
  const { dataset, rule, scope } = query
  const always = [...inScope(dataset, rule, scope), ...plainConditions(dataset, query.query)]
  const slices: RowSlice[] = []
  for (const group of split.cached) {
    const parts = partsIn(snapshot, dataset, { from: group.dates[0]?.[0], to: group.dates.at(-1)?.[1] })
    const seen = seenBy(
      snapshot,
      parts.map(({ partition }) => partition),
    )
    slices.push(...(await selectSlices(seen, dataset, parts, [...inGroup(dataset, group), ...always])))
  }
  return joinSlices(dataset, slices)
}

/** A test for a row whose code is asked for without its exchange only, and is not of the exchange of its number. */
function otherExchange(codes: readonly string[] = []): (word: string) => boolean {
  const bare = new Set(codes.filter((code) => parseCode(code).exchange === undefined))
  return (word) => {
    const code = parseCode(word)
    return bare.has(code.bare) && code.exchange !== undefined && exchangeOf(code.bare) !== code.exchange
  }
}

/** Whether a row may be of a code that the service does not mean: `000001` is Shenzhen's, and `000001.SH` has its digits. */
export function isAmbiguous({ dataset, codes }: CacheQuery, columns: RecordColumns): boolean {
  return distinctValues(columns, codeColumn(dataset)).some(otherExchange(codes))
}

/** Rows of a service, and what they are all the rows of. */
export interface StorableRows extends CodeGroup {
  readonly rows: RecordColumns
  /** When they were asked for, of days that may still change; absent, they can no longer. */
  readonly asked?: string
  /** Nothing shows that they are all. */
  readonly isUnproven?: true
}

/**
 * The days with rows; of bars, with the last bucket, or of all codes with every bucket.
 * @param late the day from which on buckets that are not there may still come
 */
function presentDays(
  { dataset, rule, scope, codes }: CacheQuery,
  columns: RecordColumns,
  late = '',
): ReadonlySet<string> {
  const days = textCells(columns, dayColumn(dataset) ?? '').map((word) => dateIn(word ?? '') ?? '')
  if (!dataset.columns.trademin) return new Set(days)
  const grid = bucketCloses[rule.scope === 'period' ? (scope as '15m' | '30m') : '30m']
  const neededOn = (day: string): readonly string[] => (codes || day < late ? grid.slice(-1) : grid)
  const minutes = textCells(columns, 'trademin')
  const there = new Set(days.map((day, row) => `${day} ${minutes[row]}`))
  return new Set([...new Set(days)].filter((day) => neededOn(day).every((minute) => there.has(`${day} ${minute}`))))
}

/** Calendar days after which a day without rows is believed to have none, and a bucket not to come: a batch may be late. */
export const lateBatch = 7

const lateFrom = (latest: string): string => dateOf(dayNumber(latest) - lateBatch)

/**
 * The days of a group that are whole: those with rows, those without trading, and those that have been without rows for long
 * where a day may have none.
 */
function wholeDays(query: CacheQuery, dates: DayRanges, columns: RecordColumns, latest: string): DayRanges {
  const [from, to] = [dates[0]?.[0], dates.at(-1)?.[1]]
  if (from === undefined || to === undefined) return []
  const { dataset, rule, codes } = query
  const present = presentDays(query, columns)
  const trading = new Set(daysBetween(from, to))
  const late = rule.lag === undefined ? lateFrom(latest) : latest
  const mayBeEmpty = (date: string): boolean => !codes && !dataset.everyTradingDay && date < late
  return rangesOfDays(datesIn(dates).filter((date) => present.has(date) || !trading.has(date) || mayBeEmpty(date)))
}

/**
 * The codes of which an answer says all there is: those with rows, and those that are spelt as one of these, so that the
 * service has understood them. None when the rows are not those that the cache would find.
 */
function understoodCodes(query: CacheQuery, codes: readonly string[], columns: RecordColumns): readonly string[] {
  const words = distinctValues(columns, codeColumn(query.dataset))
  const byBare = new Map(codes.map((code) => [parseCode(code).bare, code]))
  const answered = words.flatMap((word) => {
    const code = byBare.get(parseCode(word).bare)
    return code !== undefined && codeMatcher([code])(word) ? [code] : []
  })
  if (answered.length < words.length || words.some(otherExchange(codes))) return []
  const understood = new Set(answered.map(spellingOf))
  return codes.filter((code) => understood.has(spellingOf(code)))
}

/** The rows with the cells that are stored and that no answer holds. @param given those that are known */
function withStored(
  { dataset, rule, scope }: CacheQuery,
  columns: RecordColumns,
  given: Readonly<Record<string, string>>,
): RecordColumns {
  const own = rule.scope !== undefined && dataset.stored?.[rule.scope] ? { [rule.scope]: scope } : {}
  const file = { file: dataset.name, columns, reply: false, beside: {}, remarks: [] }
  return complete(dataset, file, { ...own, ...given }).columns
}

/** Candidates of the latest day bring the next one along; a single day does not say which of them it is. */
function computedOn(dataset: Dataset, columns: RecordColumns): string | undefined {
  const days = [...distinctValues(columns, dataset.day ?? '')].sort()
  return days.length === 2 ? days[0] : undefined
}

/** The columns of an answer as they are stored; candidates of past days come under the day that they were computed from. */
function storedColumns(query: CacheQuery, columns: RecordColumns): RecordColumns {
  const { stored, day = '' } = query.dataset
  if (!stored?.computed_on) return withStored(query, columns, {})
  const days = columns.columns.get(day) as ColumnData
  return { length: columns.length, columns: new Map(columns.columns).set('computed_on', days) }
}

function rowsOn(dataset: Dataset, columns: RecordColumns, dates: DayRanges): RecordColumns {
  return gatherSlice(matchingSlice(columns, [onDates(dataset, dates)]))
}

/**
 * What of an answer can no longer change and may be stored: the days before the latest one that was known before it was asked
 * for. Columns that the contract does not know have no place in an archive, and are left out.
 * @param latest the latest day that the service had shown when the question was put
 * @param isProven the answer must be proven complete; else the days with rows are stored as what nothing shows to be complete
 */
export function storableRows(
  query: CacheQuery,
  group: CodeGroup,
  table: Table,
  latest: string | undefined,
  isProven = true,
): StorableRows | undefined {
  const about = provenance(table)
  if (query.isFiltered || latest === undefined) return undefined
  if (isProven ? !about?.complete || about.note !== undefined : query.codes) return undefined
  const { dataset } = query
  const codes = group.codes && understoodCodes(query, group.codes, columnsOf(table))
  if (codes?.length === 0) return undefined
  const stored = storedColumns(query, columnsOf(table))
  const settled = intersection(group.dates, settledDates(query, latest))
  const present = (): DayRanges => rangesOfDays(presentDays(query, stored, lateFrom(latest)))
  const dates = isProven ? wholeDays(query, settled, stored, latest) : intersection(settled, present())
  if (dates.length === 0) return undefined
  return { rows: rowsOn(dataset, stored, dates), codes, dates, ...(isProven ? {} : { isUnproven: true }) }
}

/**
 * The rows of an answer on days that may still change, to be stored as what they were when they were asked for; undefined
 * where there are none, and for candidates that do not say which day they were computed from.
 * @param settled dates that are not to be touched
 * @param about when it was asked for, where the answer does not tell, and columns that another answer gives of its rows
 */
export function unsettledRows(
  query: CacheQuery,
  table: Table,
  settled: DayRanges,
  { now, beside = new Map() }: { readonly now: string; readonly beside?: ReadonlyMap<string, ColumnData> | undefined },
): StorableRows | undefined {
  const about = provenance(table)
  if (query.isFiltered || query.codes || table.numRows === 0) return undefined
  const { dataset } = query
  const own = columnsOf(table)
  const columns = { length: own.length, columns: new Map([...own.columns, ...beside]) }
  const completed = dataset.stored?.computed_on ? computedOn(dataset, columns) : undefined
  if (dataset.stored?.computed_on && completed === undefined) return undefined
  const stored = withStored(query, columns, completed === undefined ? {} : { computed_on: completed })
  const days = new Set(textCells(stored, dayColumn(dataset) ?? '').map((word) => dateIn(word ?? '') ?? ''))
  const dates = completed === undefined ? daysWithout(rangesOfDays(days), settled) : rangesOfDays([completed])
  const rows = completed === undefined ? rowsOn(dataset, stored, dates) : stored
  if (rows.length === 0 || dates.length === 0) return undefined
  return { rows, codes: undefined, dates, asked: about?.call?.at ?? now }
}

/** The rows that give way to those of a group. */
function replacedBy({ dataset, rule, scope }: CacheQuery, { codes, dates, asked }: StorableRows): Condition[] {
  if (asked !== undefined && dataset.stored?.computed_on) {
    return [where('computed_on', (word) => word !== null && includes(dates, word))]
  }
  const isOther = otherExchange(codes)
  const replaces = [...inScope(dataset, rule, scope), ...inGroup(dataset, { codes, dates })]
  if (codes) replaces.push(where(codeColumn(dataset), (word) => word !== null && !isOther(word)))
  return replaces
}

/** What is said of rows that are stored: the latest day that the service has shown, and its addresses. */
export interface AboutRows {
  readonly latest: string | undefined
  readonly from: readonly string[]
  /** Closes of which it sends no bar; absent where that is as it was. */
  readonly unsent?: KeptEntry['unsent']
  /** What covered days rest on: when they were asked for, and what shows that the rows are all. */
  readonly ground?: Pick<Covered, 'asked' | 'proof'>
  /** When the answer was there, Beijing time. */
  readonly observedAt?: string
}

/**
 * Puts rows into an archive and marks what they are: covered, or of days that may still change. Without rows only
 * that is written which is said of the service.
 */
export async function putRows(
  writer: ArchiveWriter,
  query: CacheQuery,
  list: readonly StorableRows[],
  { latest, from, unsent, ground, observedAt }: AboutRows,
): Promise<void> {
  const { dataset, scope } = query
  const nothing: StorableRows = { rows: { length: 0, columns: new Map() }, codes: undefined, dates: [] }
  for (const one of list.length > 0 ? list : [nothing]) {
    const { rows, codes, dates, asked, isUnproven } = one
    const unsettled = asked === undefined ? undefined : Object.fromEntries(datesIn(dates).map((day) => [day, asked]))
    const days = unsettled || isUnproven ? [] : dates
    const unproven = isUnproven ? dates : undefined
    const whose = { scope, symbols: codes ?? ('all' as const), latest, from, unsent, ...ground, observedAt }
    const coverage = { ...whose, days, unsettled, unproven }
    await writer.cover(dataset, rows, coverage, replacedBy(query, one))
  }
}

/** What an answer without a past was an answer to. */
export interface SnapshotOf {
  /** What tells it apart from other answers of the dataset: a level, the id of a theme. */
  readonly scope: string
  /** Beijing day on which it was asked for. */
  readonly day: string
  /** Cells that no reply holds. */
  readonly given: Readonly<Record<string, string>>
  /** When its sync began, and when it was there, Beijing time. */
  readonly asked: string
  readonly at: string
  /** Latest day that the source has shown. */
  readonly latest: string
}

/** Days by which a clock may be wrong and nobody sees it. */
const longestDoubt = 31

/**
 * Merges into an archive what a dataset without a past is now, and says of the day that it was asked for. Nothing that was
 * there gives way but a row with the same key, and rows of days that have not come yet: they were stored by a clock that was
 * ahead. A clock that is behind the source's latest day decides nothing.
 */
export async function putSnapshot(
  writer: ArchiveWriter,
  dataset: Dataset,
  table: Table,
  { scope, day, given, asked, at, latest }: SnapshotOf,
): Promise<void> {
  const file = { file: dataset.name, columns: columnsOf(table), reply: false, beside: {}, remarks: [] }
  const meta = provenance(table)?.beside?.meta
  if (given.snapshot_date !== undefined && day >= latest) {
    const own = Object.entries(given).filter(([name]) => name !== 'snapshot_date')
    const conditions = own.map(([name, cell]) => where(name, (word) => word === cell))
    await writer.dropAfter(dataset, conditions, dateOf(dayNumber(day) + longestDoubt), at)
  }
  if (table.numRows > 0) await writer.put(dataset, complete(dataset, file, given).columns, cachedOrigin, { at })
  if (meta !== undefined) writer.putBeside(dataset, { meta })
  if (dataset.snapshot?.each === undefined) return
  const moments = isObservedByRow(dataset) ? {} : { asked, observedAt: at }
  writer.markAnswered(dataset, { scope, symbols: 'all', days: [[day, day]], ...moments })
}
