import type { Query } from '../../contract/check-params.js'
import type { ArchiveRule, Dataset } from '../../contract/dataset.js'
import { dateIn } from '../../contract/date.js'
import { ParamsError } from '../../contract/error.js'
import { bucketCloses } from '../../contract/session.js'
import { codeMatcher } from '../../contract/symbol.js'
import { forecastNote } from '../../source/completeness/assess-completeness.js'
import { paramWithRole } from '../../source/plan/query-days.js'
import { comparer } from '../../table/check-table.js'
import { decode } from '../../table/decode.js'
import { gatherRows } from '../../table/gather-rows.js'
import type { Proof } from '../../table/provenance.js'
import { type ColumnData, cellOf, type RecordColumns, textCells } from '../../table/values.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import type { RequiredDays } from './completeness.js'
import { daysAsked, type OpenRange, partsBetween, partsIn, plainConditions, within } from './day-conditions.js'
import { isNewest } from './newest-versions.js'
import { anyMatch, type Condition, matchingSlice, selectSlices, where, whereWord } from './row-conditions.js'
import { gatherSlice, joinSlices, type RowSlice, wholeSlice } from './row-slices.js'

/** What an operation's own rule yields: every matching row; slices of several parts as the parts stand, and what the reader should know. */
interface RuleResult {
  readonly slices: readonly RowSlice[]
  readonly note?: string
  /** Rows that match, where the rule itself keeps fewer. */
  readonly matched?: number
  /** The days that must be there; absent where the present state of something was asked for. */
  readonly requiredDays?: RequiredDays
  /** What is not there, though its day is. */
  readonly missing?: string | undefined
  /** What shows more than that every day has rows. */
  readonly proof?: Proof
}

/**
 * How an operation finds its rows (section 4); the request is valid when it is called. `allBars`: bars of all buckets where
 * neither codes nor a bucket are named.
 */
type AnswerRule = (snapshot: Snapshot, dataset: Dataset, query: Query, allBars?: boolean) => Promise<RuleResult>

/**
 * Rows of the days asked for that meet the conditions. Where records have versions the newest of each is chosen first, so that
 * a condition never finds an old one; the latest so many days are those that have a row.
 */
const dated: AnswerRule = async (snapshot, dataset, query) => {
  const recent = paramWithRole(dataset, 'recent')
  const count = recent === undefined ? undefined : query[recent]
  if (count !== undefined) return recentDays(snapshot, dataset, Number(count))
  const { parts, when, span } = daysAsked(snapshot, dataset, query)
  const wanted = [...when, ...plainConditions(dataset, query)]
  const { versions } = dataset
  if (!versions || query.version === 'all') {
    return { slices: await selectSlices(snapshot, dataset, parts, wanted), requiredDays: { span } }
  }
  wanted.unshift(await isNewest(snapshot, dataset, versions))
  // A version of any later day decides whether an older one is the newest.
  return { slices: await selectSlices(snapshot, dataset, parts, wanted), requiredDays: { span: { from: span.from } } }
}

async function recentDays(snapshot: Snapshot, dataset: Dataset, count: number): Promise<RuleResult> {
  const parts = snapshot.parts(dataset.name)
  const day = dataset.day ?? ''
  const days = [
    ...new Set(textCells(joinSlices(dataset, await selectSlices(snapshot, dataset, parts, []), [day]), day)),
  ].sort()
  const span = { from: days.at(-count) ?? days[0] ?? undefined }
  const missing = days.length < count ? `the archive has ${days.length} of ${count} days` : undefined
  return { slices: await selectSlices(snapshot, dataset, parts, [within(day, span)]), requiredDays: { span }, missing }
}

/** The latest day that has bars of the period requiredDays for. */
async function latestDayOf(snapshot: Snapshot, dataset: Dataset, ofPeriod: Condition[]): Promise<string | undefined> {
  for (const part of snapshot.parts(dataset.name).toReversed()) {
    if (anyMatch(await snapshot.load(dataset.name, part), ofPeriod)) return part.to
  }
  return undefined
}

function latestBucket(dataset: Dataset, slices: readonly RowSlice[]): string | undefined {
  return textCells(joinSlices(dataset, slices, ['trademin']), 'trademin').reduce<string | undefined>(
    (a, b) => ((a ?? '') > (b ?? '') ? a : (b ?? undefined)),
    undefined,
  )
}

/** What the bars of a day lack: a bucket of a code that was requiredDays for, or the last bucket of the day. */
function lackOf(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  slices: readonly RowSlice[],
  day: string,
  allBars: boolean,
): string | undefined {
  const grid = bucketCloses[period as '15m' | '30m']
  const columns = joinSlices(dataset, slices, ['symbol', 'trademin'])
  const [codes, minutes] = [textCells(columns, 'symbol'), textCells(columns, 'trademin')]
  if (!Array.isArray(symbols)) {
    const due = trademin === undefined ? (allBars ? grid : grid.slice(-1)) : [String(trademin)]
    const absent = due.find((minute) => !minutes.includes(minute))
    return absent === undefined ? undefined : `the bars of ${day} lack the bucket ${absent}`
  }
  const due = trademin === undefined ? grid.length : 1
  for (const symbol of symbols as readonly string[]) {
    const isOwn = codeMatcher([symbol])
    const found = new Set(minutes.filter((_, row) => isOwn(codes[row] ?? ''))).size
    if (found < due) return `${symbol} has ${found} of ${due} bars on ${day}`
  }
  return undefined
}

/**
 * The two minute operations (rules 1 to 3 of section 4.5): a series for the symbols requiredDays for, one bucket for all when
 * only a minute is given, the latest bucket of the day when neither is, unless all bars are wanted.
 */
const bars: AnswerRule = async (snapshot, dataset, query, allBars = false) => {
  const ofPeriod = dataset.stored?.period ? [whereWord('period', [String(query.period)])] : []
  const tradedate = (query.tradedate as string | undefined) ?? (await latestDayOf(snapshot, dataset, ofPeriod))
  if (tradedate === undefined) return { slices: [], missing: `the archive has no such bars of ${dataset.name}` }
  const { parts, when, span } = daysAsked(snapshot, dataset, query, tradedate)
  const conditions = [...when, ...ofPeriod, ...plainConditions(dataset, query)]
  if (query.trademin !== undefined) conditions.push(whereWord('trademin', [String(query.trademin)]))
  const slices = await selectSlices(snapshot, dataset, parts, conditions)
  const requiredDays: RequiredDays = {
    span,
    ...(dataset.stored?.period ? { scope: ['period', String(query.period)] } : {}),
  }
  const hasBars = parts.length > 0
  const missing = hasBars ? lackOf(dataset, query, slices, tradedate, allBars) : undefined
  if (query.symbols !== undefined) return { slices, requiredDays, missing, proof: hasBars ? 'grid' : 'calendar' }
  const latest = allBars || query.trademin !== undefined ? undefined : latestBucket(dataset, slices)
  if (latest === undefined) return { slices, requiredDays, missing }
  return {
    slices: await selectSlices(snapshot, dataset, parts, [...conditions, whereWord('trademin', [latest])]),
    requiredDays,
    missing,
  }
}

/** One list: of the day asked for (history mode), or its newest (latest mode). */
const hotList: AnswerRule = async (snapshot, dataset, query) => {
  const ofList = whereWord('type', [String(query.type)])
  if (query.tradedate !== undefined) {
    const span = { from: String(query.tradedate), to: String(query.tradedate) }
    const slices = await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, span), [
      within('tradedate', span),
      ofList,
    ])
    return { slices, requiredDays: { span, scope: ['type', String(query.type)] } }
  }
  for (const part of snapshot.parts(dataset.name).toReversed()) {
    const found = await selectSlices(snapshot, dataset, [part], [ofList])
    if (found.length === 0) continue
    const days = textCells(joinSlices(dataset, found, ['tradedate']), 'tradedate')
    const newest = days.reduce<string>((a, b) => (b !== null && b > a ? b : a), '')
    const slices = await selectSlices(snapshot, dataset, [part], [ofList, whereWord('tradedate', [newest])])
    return { slices, note: `the list of ${newest}` }
  }
  return { slices: [], missing: `the archive has no list ${query.type}` }
}

/**
 * Candidates of one day as computed from that day; for the latest completed day (or no date) also the forecast that was
 * computed from it for the next trading day.
 */
const candidates: AnswerRule = async (snapshot, dataset, query) => {
  const parts = snapshot.parts(dataset.name)
  let completed: string | null = null
  let last = ''
  for (const part of parts.slice(-2)) {
    const columns = await snapshot.load(dataset.name, part)
    for (const day of textCells(columns, 'computed_on')) {
      if (day !== null && (completed === null || day > completed)) completed = day
    }
    for (const day of textCells(columns, 'tradedate')) if (day !== null && day > last) last = day
  }
  const day = query.tradedate === undefined ? completed : String(query.tradedate)
  if (day === null || completed === null) return { slices: [], missing: 'the archive has no candidates' }
  const latest = day === completed
  const span = latest ? { from: day } : { from: day, to: day }
  const conditions = [
    where('tradedate', (word) => word !== null && (latest ? word >= day : word === day)),
    where('computed_on', (word) => word === (day > (completed as string) ? completed : day)),
  ]
  const slices = await selectSlices(snapshot, dataset, partsIn(snapshot, dataset, span), [
    ...conditions,
    ...plainConditions(dataset, query),
  ])
  const days = new Set(textCells(joinSlices(dataset, slices, ['tradedate']), 'tradedate'))
  const note = forecastNote(
    [...days].filter((one) => one !== null),
    query.tradedate,
  )
  return {
    slices,
    ...(note === undefined ? {} : { note }),
    requiredDays: { span: { from: day, to: day }, column: 'computed_on' },
    missing: latest && last <= day ? `the archive has no forecast after ${day}` : undefined,
  }
}

/** Business date: the report period of a financial report, the event date of anything else (section 4.14, `date`). */
function onBusinessDate(test: (date: string) => boolean): Condition {
  return (columns) => {
    const [type, period, event] = ['announcement_type', 'period', 'event_date'].map(
      (name) => columns.columns.get(name) as ColumnData,
    )
    return (row) => {
      const ofReport = cellOf(type as ColumnData, row) === 'financial_report' ? cellOf(period as ColumnData, row) : null
      const date = ofReport ?? dateIn(String(cellOf(event as ColumnData, row)))
      return typeof date === 'string' && test(date)
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
  const wanted = plainConditions(dataset, query)
  if (period !== undefined) wanted.push(whereWord('period', [period as string]))
  if (date !== undefined) wanted.push(onBusinessDate((word) => word === date))
  if (startdate !== undefined || enddate !== undefined) wanted.push(onBusinessDate(between(startdate, enddate)))
  if (ann_startdate !== undefined || ann_enddate !== undefined) {
    const inside = between(ann_startdate, ann_enddate)
    wanted.push(where('disclosed_at', (at) => inside(dateIn(at ?? '') ?? '')))
  }
  const isWanted =
    query.version === 'all' ? known : await isNewest(snapshot, dataset, ['record_id', 'version_no'], known)
  const to = as_of === undefined ? ann_enddate : dateIn(String(as_of))
  const parts = partsBetween(snapshot.parts(dataset.name), { from: ann_startdate as string, to: to as string })
  const slices = await selectSlices(snapshot, dataset, parts, isWanted ? [isWanted, ...wanted] : wanted)
  return { slices, requiredDays: { span: decisive(query) } }
}

/** Records by time; for the view `source`, at most `limit` of each source, since the limit is one of every group. */
const news: AnswerRule = async (snapshot, dataset, query) => {
  const parts = snapshot.parts(dataset.name)
  const slices = await selectSlices(snapshot, dataset, parts, plainConditions(dataset, query))
  const missing = parts.length === 0 ? 'the archive has no news' : undefined
  if (query.view !== 'source') return { slices, missing }
  const columns = joinSlices(dataset, slices)
  const compare = comparer(columns, ['source', ...dataset.order])
  const rows = Array.from({ length: columns.length }, (_, row) => row).sort(compare)
  const sources = textCells(columns, 'source')
  const count = new Map<string | null, number>()
  const kept = rows.filter((row) => {
    const source = sources[row] ?? null
    const place = (count.get(source) ?? 0) + 1
    count.set(source, place)
    return place <= Number(query.limit)
  })
  return { slices: [wholeSlice(gatherRows(columns, kept))], matched: columns.length, missing }
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

/** The newest snapshots, by the parts that they were read from. */
const known = new WeakMap<readonly ManifestPart[], RecordColumns>()

async function presentPools(snapshot: Snapshot, dataset: Dataset): Promise<RecordColumns> {
  const parts = snapshot.parts(dataset.name)
  const pools = known.get(parts) ?? newestPools(joinSlices(dataset, await selectSlices(snapshot, dataset, parts, [])))
  known.set(parts, pools)
  return pools
}

/** The newest snapshot of each sector; a reply may hold one level, or a few sectors only. */
function newestPools(columns: RecordColumns): RecordColumns {
  const [sectors, dates] = [textCells(columns, 'theme_symbol'), textCells(columns, 'snapshot_date')]
  const newest = new Map<string | null, number>()
  sectors.forEach((sector, row) => {
    const other = newest.get(sector)
    if (other === undefined || (dates[row] ?? '') > (dates[other] ?? '')) newest.set(sector, row)
  })
  return gatherRows(columns, [...newest.values()])
}

/** thememembers_jx: the present pools; `symbols` keeps the sectors that hold any of them, each with its full list. */
const sectors: AnswerRule = async (snapshot, dataset, query) => {
  const all = await presentPools(snapshot, dataset)
  const wanted: Condition[] = []
  let missing: string | undefined
  if (Array.isArray(query.theme_symbols)) {
    const isSector = codeMatcher(query.theme_symbols)
    wanted.push(where('theme_symbol', (word) => word !== null && isSector(word)))
    const there = textCells(all, 'theme_symbol')
    const absent = query.theme_symbols.find((code: string) => !there.some((own) => codeMatcher([code])(own ?? '')))
    if (absent !== undefined) missing = `the archive has no pool of ${absent}`
  } else {
    const level = query.level ?? 'parent'
    wanted.push(where('level', (word) => word === level))
    if (!textCells(all, 'level').includes(String(level))) missing = `the archive has no pools of level ${level}`
  }
  if (Array.isArray(query.symbols)) {
    const isStock = codeMatcher(query.symbols)
    wanted.push((columns) => (row) => {
      const list = cellOf(columns.columns.get('symbols') as ColumnData, row)
      return Array.isArray(list) && list.some(isStock)
    })
  }
  const found = matchingSlice(all, wanted)
  const days = [...new Set(textCells(gatherSlice(found), 'snapshot_date'))].sort()
  return { slices: [found], missing, ...(days.length > 0 ? { note: `the pools of ${days.join(', ')}` } : {}) }
}

/**
 * An archive has no clock: its latest year counts as the present one. `present`: the year that it is, where somebody knows.
 * @throws ParamsError for a year after it
 */
export function checkShareYear(ticks: readonly { readonly day: string }[], year: number, present = 0): void {
  const last = Math.max(present, Number(ticks.at(-1)?.day.slice(0, 4) ?? year))
  if (year <= last) return
  throw new ParamsError('year', `year must be from 2022 to ${last}, not ${year}.`)
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
