import type { Table } from 'apache-arrow'
import { daysBetween } from '../../contract/day-list.js'
import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type Provenance, provenance } from '../../frame/table/provenance.js'
import { columnsOf } from '../../frame/table/unwrap.js'
import { type ColumnData, type RecordColumns, textCells } from '../../frame/table/values.js'
import type { AnswerWriter, PutAnswer, WaitingAnswer } from '../archive/coverage/answer-writer.js'
import { addressesOf } from '../archive/coverage/coverage.js'
import { type CacheQuery, cacheQuery } from '../archive/coverage/covered-query.js'
import {
  putRows,
  putSnapshot,
  type StorableRows,
  storableRows,
  unsettledRows,
} from '../archive/coverage/covered-rows.js'
import {
  type DayRanges,
  daysWithout,
  includes,
  rangesAmong,
  rangesOfDays,
  union,
} from '../archive/coverage/day-ranges.js'
import { latestDayIn } from '../archive/coverage/latest-day.js'
import type { Source } from '../source/source.js'
import { rangeParams, type SyncRequest } from './plan-sync.js'

/** Where the answers of a sync go. */
export interface SyncTarget {
  readonly source: Source
  /** Latest day that any dataset of the source has shown. */
  readonly latest: string
  readonly today: string
  /** When the sync began, Beijing time: the one moment that is kept with the days it covers. */
  readonly began: string
  /** Now, Beijing time. */
  readonly now: () => string
  readonly signal?: AbortSignal | undefined
  readonly writer: AnswerWriter
  /** Called when a question is answered and stored. */
  readonly onStored: (request: SyncRequest, rows: number) => void
}

/** An answer, and what it says of itself. */
interface Told {
  readonly table: Table
  readonly about: Provenance | undefined
}

/** What became of the days of a series. */
interface SeriesOutcome {
  rows: number
  requests: number
  /** Days that are stored now, and were not before; those that may still change among them. */
  brought: DayRanges
  /** Days of these that nothing shows to be whole. */
  unproven: DayRanges
}

/** The dates of a question up to the latest day of a source. */
export function tradingDaysOf({ dates }: SyncRequest, latest: string): string[] {
  return dates.flatMap(([from, to]) => (from > latest ? [] : daysBetween(from, to > latest ? latest : to)))
}

/** Runs the questions of one series, one after the other. Each is stored as a whole, with others. */
export class SeriesRun {
  readonly #target: SyncTarget
  /** Latest day that the source has shown of this series. */
  #latest: string | undefined
  /** The same when the last answer came: what can no longer change by it is due. */
  #settledBy: string | undefined
  readonly #outcome: SeriesOutcome = { rows: 0, requests: 0, brought: [], unproven: [] }
  #settled: DayRanges = []
  readonly #missing = new Set<string>()
  /** What of the question under way is to be stored. */
  #puts: PutAnswer[] = []
  #bytes = 0

  /** @param latest the latest day that was known of the series before */
  constructor(target: SyncTarget, latest: string | undefined) {
    this.#target = target
    this.#latest = latest
  }

  /** What came so far; `missing`: trading days on which there must be rows, and of which the source gave none, or not all. */
  get outcome(): Readonly<SeriesOutcome> & { readonly missing: readonly string[] } {
    const missing = [...this.#missing].filter((day) => !includes(this.#settled, day)).sort()
    return { ...this.#outcome, missing }
  }

  /** @throws what the source throws, and the archive when it can not be written */
  async run(requests: readonly SyncRequest[]): Promise<void> {
    for (const request of requests) {
      this.#target.signal?.throwIfAborted()
      await this.#run(request)
    }
  }

  async #run(request: SyncRequest): Promise<void> {
    const { writer, onStored } = this.#target
    const before = this.#outcome.rows
    const isSnapshot = request.series.way === 'snapshot'
    try {
      await (isSnapshot ? this.#snapshot(request) : this.#days(request, true))
    } catch (error) {
      if (this.#puts.length > 0) await writer.put(this.#taken().put).catch(() => undefined)
      throw error
    }
    const rows = this.#outcome.rows - before
    const isOpen = isSnapshot || this.#unsettledOf(request).length > 0
    if (!isOpen) return writer.putLater({ ...this.#taken(), onStored: async () => onStored(request, rows) })
    // What may still change is stored at once: a sync that goes on does not ask for it again.
    if (this.#puts.length > 0) await writer.put(this.#taken().put)
    onStored(request, rows)
  }

  /** What came of a question, to be stored as one. */
  #taken(): Pick<WaitingAnswer, 'put' | 'bytes'> {
    const [puts, bytes] = [this.#puts, this.#bytes]
    this.#puts = []
    this.#bytes = 0
    const put: PutAnswer = async (archive) => {
      for (const one of puts) await one(archive)
    }
    return { put, bytes }
  }

  /** The dates of a question that the next sync would ask for, though they were asked for now; not those that are missing. */
  #unsettledOf({ dates }: SyncRequest): DayRanges {
    return daysWithout(daysWithout(dates, this.#settled), rangesOfDays(this.outcome.missing))
  }

  async #ask(request: SyncRequest): Promise<Told> {
    const { series, params, days } = request
    const { source, signal } = this.#target
    const table = await source.query(series.dataset, params, { whole: true, days, signal })
    const about = provenance(table)
    this.#outcome.requests += about?.call?.requests ?? 0
    return { table, about }
  }

  async #snapshot(request: SyncRequest): Promise<void> {
    const { today, began, now } = this.#target
    const { dataset, scope } = request.series
    const { table } = await this.#ask(request)
    const own = { level: scope, snapshot_date: today }
    const given = Object.fromEntries(Object.entries(own).filter(([name]) => dataset.stored?.[name] !== undefined))
    const of = { scope, day: today, given, asked: began, at: now(), latest: this.#target.latest }
    this.#put(columnsOf(table), (archive) => putSnapshot(archive, dataset, table, of))
    this.#outcome.rows += table.numRows
    this.#outcome.brought = union(this.#outcome.brought, request.dates)
  }

  #put(rows: RecordColumns, put: PutAnswer): void {
    this.#puts.push(put)
    this.#bytes += 8 * rows.length * rows.columns.size
  }

  /** @param mayAskAgain a range whose rows leave days out is asked again by the days that have some, once */
  async #days(request: SyncRequest, mayAskAgain: boolean): Promise<void> {
    const { dataset } = request.series
    const query = cacheQuery(dataset, request.params, { whole: true, days: request.days })
    const answer = await this.#ask(request)
    const { table, about } = answer
    const beside = request.withLatest ? await this.#latestColumns(request, table) : undefined
    this.#store(query ?? this.#nowQuery(request), request, answer, beside)
    const due = tradingDaysOf(request, this.#target.latest).filter((day) => day < this.#target.latest)
    const absent = due.filter((day) => !includes(this.#outcome.brought, day))
    if (mayAskAgain && absent.length > 0 && absent.length < due.length && !about?.complete) {
      const shown = due.filter((day) => !absent.includes(day))
      for (const span of rangesAmong(shown, due)) await this.#days(this.#narrower(request, span), false)
    } else if (!about?.complete && query) this.#storeUnproven(query, request, table)
    const again = request.again ?? []
    if (mayAskAgain) this.#noteWaiting(request, again)
    if (dataset.everyTradingDay) this.#noteMissing(due.filter((day) => !includes(again, day)))
  }

  /** What the source gave of settled days, though nothing shows that it is all: asking again would show no more. */
  #storeUnproven(query: CacheQuery, { dates }: SyncRequest, table: Table): void {
    if (this.#latest === undefined) return
    const own = daysWithout(dates, this.#settled)
    const rows = storableRows(query, { codes: undefined, dates: own }, table, this.#latest, false)
    if (!rows) return
    const { source, began, now } = this.#target
    const ground = { asked: began }
    const about = { latest: this.#latest, from: addressesOf(String(source.name)), ground, observedAt: now() }
    this.#put(rows.rows, (archive) => putRows(archive, query, [rows], about))
    this.#settled = union(this.#settled, rows.dates)
    this.#outcome.unproven = union(this.#outcome.unproven, rows.dates)
  }

  /** Settled days that were asked for again, and of which the answer does not show all. */
  #noteWaiting(request: SyncRequest, again: DayRanges): void {
    const { dataset, scope } = request.series
    const own = rangesOfDays(
      tradingDaysOf({ ...request, dates: daysWithout(again, this.#settled) }, this.#target.latest),
    )
    if (own.length === 0) return
    this.#puts.push(async (archive) => archive.markWaiting(dataset, scope, own, this.#target.began))
  }

  /** Days without rows, and days that should be settled by now and are not shown to be whole. */
  #noteMissing(due: readonly string[]): void {
    const isLacking = (day: string): boolean =>
      !includes(this.#settled, day) && (!includes(this.#outcome.brought, day) || day < (this.#settledBy ?? ''))
    for (const day of due) if (isLacking(day)) this.#missing.add(day)
  }

  /**
   * The columns that only the answer without a day has, where it is the list of that day: the same codes in the same order. It
   * does not say of which day it is.
   */
  async #latestColumns(request: SyncRequest, table: Table): Promise<ReadonlyMap<string, ColumnData> | undefined> {
    const { days: _, ...latest } = request
    const now = columnsOf((await this.#ask(latest)).table)
    const code = request.series.dataset.list?.match.at(-1) ?? ''
    const isSame = textCells(now, code).join() === textCells(columnsOf(table), code).join()
    const declared = request.series.dataset.columns
    return isSame ? new Map([...now.columns].filter(([name]) => declared[name]?.mode === 'latest')) : undefined
  }

  /** The latest answer of a series that is asked for without a day. */
  #nowQuery({ series, params, dates }: SyncRequest): CacheQuery {
    const [day] = dates[0] as readonly [string, string]
    const query = cacheQuery(series.dataset, params, { whole: true, days: [day] })
    if (query) return query
    throw worded(TypeError, sentence`${series.dataset.name} is not asked for by days`)
  }

  #narrower(request: SyncRequest, [from, to]: readonly [string, string]): SyncRequest {
    const [start, end] = rangeParams(request.series)
    return { ...request, params: { ...request.params, [start]: from, [end]: to }, dates: [[from, to]] }
  }

  /** What the answer shows to be the latest day, where one reply holds all of it; never later than today. */
  #learn(query: CacheQuery, table: Table, isOne: boolean): void {
    const shown = latestDayIn(query, table)
    if (shown === undefined || !(isOne || query.rule.lag !== undefined)) return
    const day = [shown, this.#target.today].sort()[0] as string
    if (this.#latest === undefined || day > this.#latest) this.#latest = day
  }

  #store(
    query: CacheQuery,
    { dates, days }: SyncRequest,
    { table, about: told }: Told,
    beside?: ReadonlyMap<string, ColumnData>,
  ): void {
    const { source, now, began } = this.#target
    const calls = told?.call
    this.#learn(query, table, (calls?.requests ?? 1) - (calls?.retries ?? 0) <= 1)
    this.#settledBy = this.#latest
    const settled = storableRows(query, { codes: undefined, dates }, table, this.#latest)
    // Of one day that is settled no row is left.
    const isDone = days && !query.dataset.stored?.computed_on && daysWithout(dates, settled?.dates ?? []).length === 0
    const open = isDone ? undefined : unsettledRows(query, table, settled?.dates ?? [], { now: now(), beside })
    const list = [settled, open].filter((one): one is StorableRows => one !== undefined)
    if (!calls || calls.requests > 1) this.#learn(query, table, true)
    const { proof } = told ?? {}
    const ground = { asked: began, ...(proof && { proof }) }
    const about = { latest: this.#latest, from: addressesOf(String(source.name)), ground, observedAt: now() }
    for (const one of list) this.#put(one.rows, (archive) => putRows(archive, query, [one], about))
    this.#settled = union(this.#settled, settled?.dates ?? [])
    this.#outcome.brought = list.map((one) => one.dates).reduce(union, this.#outcome.brought)
    this.#outcome.rows += list.reduce((sum, { rows }) => sum + rows.length, 0)
  }
}
