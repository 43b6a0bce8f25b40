import type { Table } from 'apache-arrow'
import { noticedCalendar, type TradingCalendar } from '../../contract/calendar.js'
import { allNames, datasetOf } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment, dateOf, dayNumber, writtenDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { listOf, sentence, type Words } from '../../contract/sentence.js'
import { toTable } from '../../frame/table/arrow.js'
import type { ColumnData } from '../../frame/table/values.js'
import { calendarOf } from './answer/completeness.js'
import { usualParts } from './answer/day-conditions.js'
import { lateBatch } from './coverage/covered-rows.js'
import { includes, rangesAmong, union } from './coverage/day-ranges.js'
import { daysOfScope, isShownWhole, lastAsked } from './coverage/ledger.js'
import { lastDue, latestDay } from './due-days.js'
import type { DatasetEntry } from './manifest-entries.js'
import { parsedDays, rowsOfPart, rowsOfParts } from './part-days.js'
import { OtherContractError } from './part-file.js'
import { countSettled } from './revision/revisions.js'
import { scopeColumn, scopesOf } from './revision/row-places.js'
import type { Snapshot } from './snapshot.js'

/** Options of `market.status`. */
export interface StatusOptions {
  /** First day wanted, `YYYYMMDD`; without it each dataset begins with the first day that it covers, else with its first rows. */
  readonly from?: string | undefined
  /**
   * The date, or the moment in ISO 8601 (Beijing time without an offset), by which days are due; what is published later in
   * the day is not due before. Without it, days up to the latest one that any dataset of the archive shows.
   */
  readonly dueBy?: string | undefined
}

/** What an archive has of a dataset, and of what tells its rows apart. */
export interface ScopeStatus {
  readonly dataset: string
  /** Bar period, hot list, level of sectors; '' where nothing tells rows apart. */
  readonly scope: string
  /** First and last day with rows; null without days or rows. */
  readonly first: string | null
  readonly last: string | null
  /** Days with rows; null where the rows can not be read. */
  readonly days: number | null
  /** Trading days of which every row is known to be there, those without rows among them; null where nobody said so of any. */
  readonly covered: number | null
  /** Trading days that were due and are missing; null where no day is ever due. */
  readonly missing: number | null
  /** Which days lack rows, and why; null when none does. */
  readonly why: Words | null
  readonly rows: number
  /** When days that it covers, or that may still change, were last asked for, Beijing time; null where nobody said. */
  readonly last_sync: string | null
  /** Rows of settled days, and of what has none, that a source gave otherwise later, were gone then, or came later. */
  readonly revisions: number
  /** Settled days of which a later answer lacked rows or values: these are still there, and the day is asked for again. */
  readonly waiting: number
}

/** What an archive has of a scope, and which days were due and are missing. */
export interface ScopeFacts {
  readonly status: ScopeStatus
  readonly missing: readonly string[]
}

/** The moment by which days are due, to the second. */
function dueMoment(text: string): string {
  const moment = beijingMoment(writtenDate(text) ?? text)
  if (moment === undefined) throw new QuotebookError('USAGE', sentence`dueBy must be a date or a time, not '${text}'`)
  return moment
}

/** Days as ranges of neighbours among some days. */
function rangesText(days: readonly string[], all: readonly string[]): string {
  return rangesAmong(days, all)
    .map(([from, to]) => (from === to ? from : `${from}..${to}`))
    .join(' ')
}

interface Due {
  readonly calendar: TradingCalendar
  readonly from: string | undefined
  /** Last day that is due of a dataset. */
  readonly to: (dataset: Dataset) => string | undefined
}

/** Whether a day that may have no rows is not believed yet to have none: its batch may come for a week. */
function mayCome(day: string, end: string, latest: string | undefined): boolean {
  const since = (last: string): string => dateOf(dayNumber(last) - lateBatch)
  return day >= since(end) || (latest !== undefined && day >= since(latest) && day <= latest)
}

function statusOf(
  snapshot: Snapshot,
  dataset: Dataset,
  scope: string,
  rowsOf: ReadonlyMap<string, number>,
  { calendar, from, to }: Due,
): ScopeFacts {
  const { ledger, waiting = {}, kept } = snapshot.entry(dataset.name) ?? {}
  const { all, codes } = daysOfScope(ledger, scope)
  const again = Object.keys(waiting[scope] ?? {})
  const spans = [...codes.values()].reduce(union, all)
  const days = [...rowsOf.keys()].filter((day) => day !== '').sort()
  const asked = lastAsked(ledger, scope)
  const isAwaited = kept?.since !== undefined && spans.length === 0 && rowsOf.size === 0 && asked === undefined
  const first = from ?? spans[0]?.[0] ?? days[0] ?? kept?.since
  const begin = [first ?? '', dataset.since ?? ''].sort()[1] as string
  const end = dataset.day === undefined && spans.length === 0 ? undefined : to(dataset)
  const wanted = first === undefined || end === undefined ? [] : calendar.between(begin, end)
  const early = from !== undefined && from < begin ? calendar.between(from, dateOf(dayNumber(begin) - 1)) : []
  const lacking = wanted.filter((day) => !rowsOf.has(day) && !includes(spans, day))
  const isSure = spans.length > 0 || isAwaited || dataset.everyTradingDay === true
  const inferred = lacking.filter((day) => calendar.isOpen(day) === undefined)
  const isOptional = isSure && !isAwaited && dataset.everyTradingDay !== true
  const open = isOptional ? lacking.filter((day) => mayCome(day, end as string, kept?.latest?.[scope])) : []
  const known = lacking.filter((day) => !inferred.includes(day) && !open.includes(day))
  const held = spans.length > 0 ? sentence`not covered` : isSure ? sentence`no rows` : sentence`no rows, may have none`
  const reason = isAwaited ? sentence`not brought yet` : held
  const why = [
    [reason, known, wanted],
    [sentence`no rows yet, may have none`, open.filter((day) => !inferred.includes(day)), wanted],
    [sentence`inferred from weekdays`, inferred, wanted],
    [sentence`before its history`, early, early],
    [sentence`asked again, since a later answer had less`, again, days],
  ] as const
  const told: Words[] = why.flatMap(([what, some, of]) =>
    some.length > 0 ? sentence`${what}: ${rangesText(some, of)}` : [],
  )
  if (isAwaited && known.length === 0) told.push(reason)
  told.push(...[snapshot.note?.(dataset.name) ?? []].flat())
  const missing = end === undefined || !isSure ? [] : known
  const status: ScopeStatus = {
    dataset: dataset.name,
    scope,
    first: days[0] ?? null,
    last: days.at(-1) ?? null,
    days: days.length,
    covered:
      spans.length === 0 ? null : spans.reduce((sum, [start, last]) => sum + calendar.between(start, last).length, 0),
    missing: end === undefined ? null : missing.length,
    why: told.length > 0 ? listOf(told) : null,
    rows: [...rowsOf.values()].reduce((sum, rows) => sum + rows, 0),
    last_sync: asked ?? null,
    revisions: 0,
    waiting: again.length,
  }
  return { status, missing }
}

/** What a manifest says of rows that can not be read. */
function unreadStatus(dataset: string, { parts }: Pick<DatasetEntry, 'parts'>, why: Words): ScopeStatus {
  const days = parts.flatMap(({ from, to }) => (from && to ? [from, to] : [])).sort()
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const none = { days: null, covered: null, missing: null, last_sync: null, revisions: 0, waiting: 0 }
  return { dataset, scope: '', first: days[0] ?? null, last: days.at(-1) ?? null, ...none, why, rows }
}

async function scopesStatus(snapshot: Snapshot, dataset: Dataset, due: Due): Promise<readonly ScopeFacts[]> {
  const { ledger = [], kept, revised = [] } = snapshot.entry(dataset.name) ?? {}
  const parts = usualParts(snapshot.parts(dataset.name))
  const found = await rowsOfParts(parts, (part) => rowsOfPart(part, snapshot, dataset))
  const revisions = await rowsOfParts(revised, async (part) =>
    part.days ? parsedDays(part.days) : countSettled(dataset, await snapshot.load(dataset.name, part)),
  )
  // Each theme is covered by itself, and they are many.
  const isTold = scopeColumn(dataset) !== undefined || dataset.snapshot === undefined
  const stated = isTold ? ledger.filter(isShownWhole).map(({ scope }) => scope) : []
  const awaited = kept?.since === undefined || (!isTold && found.size > 0) ? [] : scopesOf(dataset)
  return [...new Set([...found.keys(), ...stated, ...awaited])].sort().map((scope) => {
    const { status, missing } = statusOf(snapshot, dataset, scope, found.get(scope) ?? new Map(), due)
    const changed = [...(revisions.get(scope)?.values() ?? [])].reduce((sum, rows) => sum + rows, 0)
    return { status: { ...status, revisions: changed }, missing }
  })
}

/**
 * What an archive has, dataset by dataset: its days, those that it covers, and those that were due and are missing. Reads no
 * clock. Days that lie far after all others with hardly any rows do not count, and weekdays of a year without notice are no
 * days that were due.
 * @throws QuotebookError USAGE for an option that is no date or time
 */
export async function archiveStatus(snapshot: Snapshot, options: StatusOptions = {}): Promise<readonly ScopeStatus[]> {
  return (await archiveScopes(snapshot, options)).map(({ status }) => status)
}

/** The same, with the days that are missing. */
export async function archiveScopes(snapshot: Snapshot, options: StatusOptions = {}): Promise<readonly ScopeFacts[]> {
  const { dueBy } = options
  const from = writtenDate(options.from)
  if (options.from !== undefined && from === undefined)
    throw new QuotebookError('USAGE', sentence`from must be a date, not '${options.from}'`)
  const moment = dueBy === undefined ? undefined : dueMoment(dueBy)
  const names = allNames().filter((name) => snapshot.entry(name) !== undefined)
  const latest = latestDay(snapshot)
  const to = (dataset: Dataset): string | undefined => {
    const due = lastDue(dataset, moment ?? '9999-12-31T23:59:59')
    return moment === undefined && due !== undefined ? latest : due
  }
  const last = [latest, moment?.slice(0, 10).replaceAll('-', '')]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
  const calendar = last === undefined ? noticedCalendar : await calendarOf(snapshot, from ?? last, last)
  const all: ScopeFacts[] = []
  const unread = (...about: Parameters<typeof unreadStatus>): void => {
    all.push({ status: unreadStatus(...about), missing: [] })
  }
  for (const name of names) {
    try {
      all.push(...(await scopesStatus(snapshot, datasetOf(name), { calendar, from, to })))
    } catch (error) {
      if (!(error instanceof OtherContractError)) throw error
      const why = listOf([error.what, snapshot.note?.(name) ?? []].flat())
      unread(name, snapshot.entry(name) ?? { parts: [] }, why)
    }
  }
  for (const [name, entry] of Object.entries(snapshot.unknown)) unread(name, entry, unknownDataset)
  return all
}

const unknownDataset = sentence`this version has no such dataset; its files stay as they are`

const columns: { readonly [K in keyof ScopeStatus]-?: Column } = {
  dataset: { kind: 'label', meaning: 'Name of the dataset.' },
  scope: { kind: 'label', meaning: 'Bar period, hot list, level of sectors; empty where nothing tells rows apart.' },
  first: { kind: 'date', nullable: true, meaning: 'First day with rows.' },
  last: { kind: 'date', nullable: true, meaning: 'Last day with rows.' },
  days: { kind: 'integer', unit: 'day', nullable: true, meaning: 'Days with rows; null where they can not be read.' },
  covered: {
    kind: 'integer',
    unit: 'trading day',
    nullable: true,
    meaning: 'Trading days of which every row is known to be there; null where nobody said so of any.',
  },
  missing: {
    kind: 'integer',
    unit: 'trading day',
    nullable: true,
    meaning: 'Trading days that were due and are missing; null where no day is ever due.',
  },
  why: { kind: 'text', nullable: true, meaning: 'Which days lack rows, and why.' },
  rows: { kind: 'long', unit: 'row', meaning: 'Rows in the archive.' },
  last_sync: {
    kind: 'moment',
    nullable: true,
    meaning: 'When covered days, or days that may still change, were last asked for, Beijing time.',
  },
  revisions: { kind: 'integer', unit: 'row', meaning: 'Settled rows that a source gave otherwise later.' },
  waiting: {
    kind: 'integer',
    unit: 'day',
    meaning: 'Settled days that are asked for again, since a later answer had less.',
  },
}

function cellsOf(name: keyof ScopeStatus, all: readonly ScopeStatus[]): ColumnData {
  const cells = all.map((one) => one[name])
  if (columns[name].kind !== 'integer' && columns[name].kind !== 'long')
    return { type: 'string', data: cells.map((cell) => (cell === null ? null : String(cell))) }
  const valid = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1))
  const numbers = cells.map(Number)
  return name === 'rows'
    ? { type: 'float', data: Float64Array.from(numbers), valid }
    : { type: 'int', data: Int32Array.from(numbers), valid }
}

/**
 * The same as a table, a row a dataset and scope.
 * @param checks what checks say of each dataset, where they were run: one column more
 */
export function statusTable(all: readonly ScopeStatus[], checks?: ReadonlyMap<string, string>): Table {
  const names = Object.keys(columns) as (keyof ScopeStatus)[]
  const cells = new Map(names.map((name): [string, ColumnData] => [name, cellsOf(name, all)]))
  const column: Column = { kind: 'label', nullable: true, meaning: 'The worst that its checks say of its last days.' }
  if (checks) cells.set('checks', { type: 'string', data: all.map(({ dataset }) => checks.get(dataset) ?? null) })
  return toTable({ length: all.length, columns: cells }, { ...columns, checks: column })
}
