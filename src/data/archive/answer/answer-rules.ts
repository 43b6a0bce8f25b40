import type { Query } from '../../../contract/check-params.js'
import type { ArchiveRule, Dataset } from '../../../contract/dataset.js'
import { dateIn } from '../../../contract/date.js'
import { ParamsError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { codeMatcher } from '../../../contract/symbol.js'
import { orderedRows } from '../../../frame/table/check-table.js'
import { decode } from '../../../frame/table/decode.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import type { Proof } from '../../../frame/table/provenance.js'
import { type ColumnData, cellOf, textCells } from '../../../frame/table/values.js'
import { forecastNote } from '../../source/completeness/assess-completeness.js'
import { paramWithRole } from '../../source/plan/asked.js'
import type { DatasetEntry } from '../manifest-entries.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import type { RequiredDays } from './completeness.js'
import { type OpenRange, partsIn, plainConditions, queryParts, usualParts, within } from './day-conditions.js'
import { memoized } from './memoized.js'
import { missingBars } from './missing-bars.js'
import { isNewest } from './newest-versions.js'
import {
  type Condition,
  matchingSlice,
  type OnPart,
  selectSlices,
  where,
  whereCode,
  whereWord,
} from './row-conditions.js'
import { joinSlices, type RowSlice, rowNumbers, sliceLength, wholeSlice } from './row-slices.js'

/** What an operation's own rule yields: every matching row; slices of several parts as the parts stand, and what the reader should know. */
export interface RuleResult {
  readonly slices: readonly RowSlice[]
  readonly note?: Words
  /** Rows that match, where the rule itself keeps fewer. */
  readonly matched?: number
  /** The days that must be there; absent where the present state of something was asked for. */
  readonly requiredDays?: RequiredDays
  /** What is not there, though its day is. */
  readonly missing?: Words | undefined
  /** What shows more than that every day has rows. */
  readonly proof?: Proof
  /** Why days that are there do not answer the question. */
  readonly untold?: Words | undefined
}

/** What a rule is told beside the query. */
export interface RuleOptions {
  /** Bars of all buckets where neither codes nor a bucket are named. */
  readonly allBars?: boolean
  readonly onPart?: OnPart | undefined
}

/**
 * How an operation finds its rows (section 4); the request is valid when it is called.
 */
type AnswerRule = (snapshot: Snapshot, dataset: Dataset, query: Query, more: RuleOptions) => Promise<RuleResult>

/**
 * Rows of the days asked for that meet the conditions. Where records have versions the newest of each is chosen first, so that
 * a condition never finds an old one; the latest so many days are those that have a row.
 */
const dated: AnswerRule = async (snapshot, dataset, query, { onPart }) => {
  const recent = paramWithRole(dataset, 'recent')
  const count = recent === undefined ? undefined : query[recent]
  if (count !== undefined) return recentDays(snapshot, dataset, Number(count))
  const { parts, when, span } = queryParts(snapshot, dataset, query)
  const conditions = [...when, ...plainConditions(dataset, query)]
  const { versions } = dataset
  const isVersioned = versions !== undefined && query.version !== 'all'
  if (isVersioned) conditions.unshift(await isNewest(snapshot, dataset, versions))
  const slices = await selectSlices(snapshot, dataset, parts, conditions, onPart)
  if (dataset.day === undefined) {
    const missing = parts.length === 0 ? sentence`the archive holds nothing of ${dataset.name}` : undefined
    return { slices, missing }
  }
  // A version of any later day decides whether an older one is the newest.
  return { slices, requiredDays: { span: isVersioned ? { from: span.from } : span } }
}

/** The words of a column, ascending, each once. */
function wordsIn(dataset: Dataset, slices: readonly RowSlice[], name: string): string[] {
  const words = new Set(textCells(joinSlices(dataset, slices, [name]), name))
  return [...words].filter((word) => word !== null).sort()
}

/** The newest part in which rows meet the conditions, and these rows. */
async function newestPart(
  snapshot: Snapshot,
  dataset: Dataset,
  conditions: readonly Condition[],
): Promise<{ readonly part: ManifestPart; readonly slices: readonly RowSlice[] } | undefined> {
  for (const part of usualParts(snapshot.parts(dataset.name)).toReversed()) {
    const slices = await selectSlices(snapshot, dataset, [part], conditions)
    if (slices.length > 0) return { part, slices }
  }
  return undefined
}

async function recentDays(snapshot: Snapshot, dataset: Dataset, count: number): Promise<RuleResult> {
  const parts = usualParts(snapshot.parts(dataset.name))
  const day = dataset.day ?? ''
  const days = wordsIn(dataset, await selectSlices(snapshot, dataset, parts, []), day)
  const span = { from: days.at(-count) ?? days[0] }
  const missing = days.length < count ? sentence`the archive has ${days.length} of ${count} days` : undefined
  return { slices: await selectSlices(snapshot, dataset, parts, [within(day, span)]), requiredDays: { span }, missing }
}

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols of a query, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is, unless all bars are wanted.
 */
const bars: AnswerRule = async (snapshot, dataset, query, { allBars = false, onPart }) => {
  const period = String(query.period)
  const hasPeriods = dataset.stored?.period !== undefined
  const ofPeriod = hasPeriods ? [whereWord('period', [period])] : []
  const tradedate = query.tradedate ?? (await newestPart(snapshot, dataset, ofPeriod))?.part.to
  if (typeof tradedate !== 'string')
    return { slices: [], missing: sentence`the archive has no such bars of ${dataset.name}` }
  const { parts, when, span } = queryParts(snapshot, dataset, query, tradedate)
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(whereWord('trademin', [String(query.trademin)]))
  const slices = await selectSlices(snapshot, dataset, parts, conditions, onPart)
  const hasBars = parts.length > 0
  const found: RuleResult = {
    slices,
    requiredDays: { span, ...(hasPeriods ? { scope: period } : {}) },
    missing: hasBars ? missingBars(dataset, query, slices, tradedate, allBars) : undefined,
  }
  if (query.symbols !== undefined) return { ...found, proof: hasBars ? 'grid' : 'calendar' }
  const latest = allBars || query.trademin !== undefined ? undefined : wordsIn(dataset, slices, 'trademin').at(-1)
  if (latest === undefined) return found
  const ofLatest = [...conditions, whereWord('trademin', [latest])]
  return { ...found, slices: await selectSlices(snapshot, dataset, parts, ofLatest) }
}

/** One list: of the day asked for (history mode), or its newest (latest mode). */
const hotList: AnswerRule = async (snapshot, dataset, query) => {
  const ofList = whereWord('type', [String(query.type)])
  if (query.tradedate !== undefined) {
    const { parts, when, span } = queryParts(snapshot, dataset, query)
    const slices = await selectSlices(snapshot, dataset, parts, [...when, ofList])
    return { slices, requiredDays: { span, scope: String(query.type) } }
  }
  const last = await newestPart(snapshot, dataset, [ofList])
  if (!last) return { slices: [], missing: sentence`the archive has no list ${query.type}` }
  const newest = wordsIn(dataset, last.slices, 'tradedate').at(-1) ?? ''
  const slices = await selectSlices(snapshot, dataset, [last.part], [ofList, whereWord('tradedate', [newest])])
  return { slices, note: sentence`the list of ${newest}` }
}

/**
 * Candidates of one day as computed from that day; for the latest completed day (or no date) also the forecast that was
 * computed from it for the next trading day.
 */
const candidates: AnswerRule = async (snapshot, dataset, query) => {
  const newest = await selectSlices(snapshot, dataset, usualParts(snapshot.parts(dataset.name)).slice(-2), [])
  const completed = wordsIn(dataset, newest, 'computed_on').at(-1)
  const last = wordsIn(dataset, newest, 'tradedate').at(-1) ?? ''
  if (completed === undefined) return { slices: [], missing: sentence`the archive has no candidates` }
  const day = query.tradedate === undefined ? completed : String(query.tradedate)
  const isLatest = day === completed
  const span = isLatest ? { from: day } : { from: day, to: day }
  const slices = await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, span), [
    within('tradedate', span),
    whereWord('computed_on', [day, completed].sort().slice(0, 1)),
    ...plainConditions(dataset, query),
  ])
  const note = forecastNote(wordsIn(dataset, slices, 'tradedate'), query.tradedate)
  return {
    slices,
    ...(note === undefined ? {} : { note }),
    requiredDays: { span: { from: day, to: day } },
    missing: isLatest && last <= day ? sentence`the archive has no forecast after ${day}` : undefined,
  }
}

/** Business date in a span: the report period of a financial report, the event date of anything else (section 4.14, `date`). */
function onBusinessDate(isInside: (date: string) => boolean): Condition {
  return (columns) => {
    const of = (name: string): ColumnData => columns.columns.get(name) as ColumnData
    const [type, period, event] = [of('announcement_type'), of('period'), of('event_date')]
    return (row) => {
      const ofReport = cellOf(type, row) === 'financial_report' ? cellOf(period, row) : null
      const date = ofReport ?? dateIn(String(cellOf(event, row)))
      return typeof date === 'string' && isInside(date)
    }
  }
}

function between(from: unknown, to: unknown): (date: string) => boolean {
  return (date) => (from === undefined || date >= String(from)) && (to === undefined || date <= String(to))
}

/**
 * The days of disclosure that decide: nothing is disclosed before its business date, but a report long after its period, and
 * a newer version after the one that it replaces.
 */
function decisive({ startdate, date, period, ann_startdate, ann_enddate, as_of, version }: Query): OpenRange {
  const first = [startdate, date, period, ann_startdate].filter((day) => day !== undefined).sort()
  const last = [as_of === undefined ? undefined : dateIn(String(as_of)), version === 'all' ? ann_enddate : undefined]
  return { from: first.at(-1) as string | undefined, to: last.filter((day) => day !== undefined).sort()[0] as string }
}

/**
 * Announcements by business date, report period and disclosure date. `as_of` hides whatever was disclosed later, and only
 * then is the newest version of a record chosen, so that the past is seen as it was.
 */
const announcements: AnswerRule = async (snapshot, dataset, query) => {
  const { startdate, enddate, date, period, ann_startdate, ann_enddate, as_of } = query
  const known = as_of === undefined ? undefined : where('disclosed_at', (at) => at !== null && at <= String(as_of))
  const conditions = plainConditions(dataset, query)
  if (period !== undefined) conditions.push(whereWord('period', [period as string]))
  if (date !== undefined) conditions.push(onBusinessDate(between(date, date)))
  if (startdate !== undefined || enddate !== undefined) conditions.push(onBusinessDate(between(startdate, enddate)))
  if (ann_startdate !== undefined || ann_enddate !== undefined) {
    const isInside = between(ann_startdate, ann_enddate)
    conditions.push(where('disclosed_at', (at) => isInside(dateIn(at ?? '') ?? '')))
  }
  const ofVersion =
    query.version === 'all' ? known : await isNewest(snapshot, dataset, ['record_id', 'version_no'], known)
  const to = as_of === undefined ? ann_enddate : dateIn(String(as_of))
  const parts = partsIn(snapshot, dataset, { from: ann_startdate as string, to: to as string })
  const slices = await selectSlices(snapshot, dataset, parts, ofVersion ? [ofVersion, ...conditions] : conditions)
  return { slices, requiredDays: { span: decisive(query) }, untold: untold(snapshot.entry(dataset.name), query) }
}

/** What the replies of a service, of which the rows are, do not tell: the record of a version, and its report period. */
function untold(entry: DatasetEntry | undefined, query: Query): string | undefined {
  if (!entry?.kept) return undefined
  if (query.version !== 'all')
    return 'no reply tells which announcements are versions of one record: replaced ones are among the rows'
  const isBusiness = ['startdate', 'enddate', 'date', 'period'].some((name) => query[name] !== undefined)
  return isBusiness ? 'no reply tells the report period of an announcement: those of reports may be missing' : undefined
}

/** Records by time; for the view `source`, at most `limit` of each source, since the limit is one of every group. */
const news: AnswerRule = async (snapshot, dataset, query) => {
  const parts = snapshot.parts(dataset.name)
  const slices = await selectSlices(snapshot, dataset, parts, plainConditions(dataset, query))
  const missing = parts.length === 0 ? 'the archive has no news' : undefined
  if (query.view !== 'source') return { slices, missing }
  const columns = joinSlices(dataset, slices)
  const order = orderedRows(columns, ['source', ...dataset.order]) ?? rowNumbers({ from: 0, to: columns.length })
  const sources = textCells(columns, 'source')
  const counts = new Map<string | null, number>()
  const rows = order.filter((row) => {
    const source = sources[row] ?? null
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    return count <= Number(query.limit)
  })
  return { slices: [wholeSlice(gatherRows(columns, rows))], matched: columns.length, missing }
}

/** theme_lib_detail_kp: the record of one theme, when it is active. */
const theme: AnswerRule = async (snapshot, dataset, query) => {
  const isActive: Condition = (columns) => (row) => cellOf(columns.columns.get('is_active') as ColumnData, row) === true
  const own = where('theme_id', (id) => id === query.theme_id)
  const parts = snapshot.parts(dataset.name)
  const missing =
    (await selectSlices(snapshot, dataset, parts, [own])).length > 0 ? undefined : 'the archive has no such theme'
  return { slices: await selectSlices(snapshot, dataset, parts, [own, isActive]), missing }
}

/** The newest snapshot of each sector; a reply may hold one level, or a few sectors only. */
const newestPools = memoized(async (parts: readonly ManifestPart[], snapshot: Snapshot, dataset: Dataset) => {
  const columns = joinSlices(dataset, await selectSlices(snapshot, dataset, parts, []))
  const [sectors, dates] = [textCells(columns, 'theme_symbol'), textCells(columns, 'snapshot_date')]
  const newest = new Map<string | null, number>()
  sectors.forEach((sector, row) => {
    const other = newest.get(sector)
    if (other === undefined || (dates[row] ?? '') > (dates[other] ?? '')) newest.set(sector, row)
  })
  return gatherRows(columns, [...newest.values()])
})

/** Sectors that hold one of some stocks. */
function holdsStock(symbols: readonly string[]): Condition {
  const isStock = codeMatcher(symbols)
  return (columns) => (row) => {
    const list = cellOf(columns.columns.get('symbols') as ColumnData, row)
    return Array.isArray(list) && list.some(isStock)
  }
}

/** thememembers_jx: the present pools; `symbols` keeps the sectors that hold any of them, each with its full list. */
const sectors: AnswerRule = async (snapshot, dataset, query) => {
  const { theme_symbols: codes, symbols, level = 'parent' } = query
  const pools = await newestPools(snapshot.parts(dataset.name), snapshot, dataset)
  const isEmpty = (condition: Condition): boolean => sliceLength(matchingSlice(pools, [condition])) === 0
  const absent = Array.isArray(codes)
    ? codes.filter((code: string) => isEmpty(whereCode('theme_symbol', [code]))).map((code) => `pool of ${code}`)
    : isEmpty(whereWord('level', [String(level)]))
      ? [`pools of level ${level}`]
      : []
  const slice = matchingSlice(pools, [
    Array.isArray(codes) ? whereCode('theme_symbol', codes) : whereWord('level', [String(level)]),
    ...(Array.isArray(symbols) ? [holdsStock(symbols)] : []),
  ])
  const days = wordsIn(dataset, [slice], 'snapshot_date')
  return {
    slices: [slice],
    missing: absent[0] && sentence`the archive has no ${absent[0]}`,
    ...(days.length > 0 ? { note: sentence`the pools of ${days.join(', ')}` } : {}),
  }
}

/**
 * An archive has no clock: its latest year counts as the present one. `present`: the year that it is, where somebody knows.
 * @throws ParamsError for a year after it
 */
export function checkShareYear(ticks: readonly { readonly day: string }[], year: number, present = 0): void {
  const last = Math.max(present, Number(ticks.at(-1)?.day.slice(0, 4) ?? year))
  if (year <= last) return
  throw new ParamsError('year', sentence`year must be from 2022 to ${last}, not ${year}.`)
}

/**
 * file_download over an archive: its own tick files of the year. The share is a folder: it has no password and does not
 * expire, so `password` is empty and `expires_at` the last moment that can be written.
 */
const tickShare: AnswerRule = async (snapshot, dataset, query) => {
  const all = snapshot.ticks()
  checkShareYear(all, Number(query.year))
  const files = all.filter(({ day }) => day.startsWith(String(query.year)))
  const [first, last] = [files[0], files.at(-1)]
  if (!first || !last) return { slices: [] }
  const row = {
    data_type: query.data_type,
    year: query.year,
    start_date: first.day,
    end_date: last.day,
    file_count: files.length,
    size_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    status: 'ready',
    url: 'ticks/',
    password: '',
    expires_at: '9999-12-31T23:59:59+08:00',
    retry_after: 0,
  }
  return { slices: [wholeSlice(decode(dataset, Object.keys(row), [Object.values(row)]))] }
}

/** The rule of each dataset by the name in its declaration. */
export const answerRules: Readonly<Record<ArchiveRule, AnswerRule>> = {
  dated,
  bars,
  'hot-list': hotList,
  candidates,
  news,
  announcements,
  theme,
  sectors,
  'tick-share': tickShare,
}
