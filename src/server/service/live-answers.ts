import type { Table } from 'apache-arrow'
import { LRUCache } from 'lru-cache'
import { checkFields } from '../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { beijingDay, beijingTime } from '../../contract/date.js'
import { messageOf } from '../../contract/error.js'
import type { Words } from '../../contract/sentence.js'
import { sentence } from '../../contract/sentence.js'
import { inSession, mayTrade } from '../../contract/session-hours.js'
import { afterCloseBatch } from '../../contract/shared.js'
import { wholeSlice } from '../../data/archive/answer/row-slices.js'
import type { SelectedRows } from '../../data/archive/answer/select-rows.js'
import { identityOf } from '../../data/archive/archive.js'
import { sha256 } from '../../data/archive/file-access.js'
import { type FollowStatus, readFollowStatus, unfollowed } from '../../data/archive/follow-status.js'
import type { Manifest } from '../../data/archive/manifest-entries.js'
import { queryDays } from '../../data/source/plan/asked.js'
import { archiveHeader, archiveHeaderName } from '../../data/source/reply/archive-identity.js'
import type { Source } from '../../data/source/source.js'
import { waitAfter, wallTime } from '../../data/source/transport/clock.js'
import { type Provenance, provenance, withProvenance } from '../../frame/table/provenance.js'
import { columnsOf } from '../../frame/table/unwrap.js'
import type { ApiRequest } from './api-request.js'

/** Where the rows of the running day come from, and what the archive is kept up by. */
export interface LiveOptions {
  readonly source: Source
  /** Directory of the archive. */
  readonly dir: string
  /** Milliseconds since 1970. */
  readonly time?: (() => number) | undefined
}

/** Rows that the source answered, to be written as any others, and when it was asked for them. */
export interface LiveAnswer {
  readonly selected: SelectedRows
  /** The same rows, with a provenance that says so. */
  readonly table: Table
  readonly at: number
}

/** What the source is asked, its params checked. */
interface Asked {
  readonly request: ApiRequest
  readonly query: Query
}

/** The source that does not answer. */
interface Away {
  readonly since: number
  readonly why: Words
  readonly tries: number
  /** When it was last asked, and for how long it is left alone. */
  readonly at: number
  readonly pause: number
}

/** Whether a moment is no longer ago; one to come is of a clock that was ahead. */
function isWithin(at: number, now: number, milliseconds: number): boolean {
  return at <= now && now - at < milliseconds
}

/** Answers that are kept. */
const most = 256
/** A source that is away is asked after three seconds, and twice as long each time, up to a minute. */
const [shortest, longest] = [3000, 60_000]
/** Milliseconds for which what was read of the status file is good. */
const glance = 1000

/** Whether a query speaks of a day. */
function speaksOf(dataset: Dataset, query: Query, today: string): boolean {
  const { day, from = '', to = '9', recent, isLatest } = queryDays(dataset, query, {})
  if (day !== undefined) return day === today
  return isLatest || recent !== undefined || (from <= today && today <= to)
}

/**
 * The running day: while a dataset changes with the session, questions that speak of today are put to the source, each at most
 * once in as long as the source takes to renew it, however many ask. Nobody asks: nothing is asked. A source that is away
 * is named, and what was last known is answered.
 */
export class LiveAnswers {
  readonly #source: Source
  readonly #dir: string
  readonly #time: () => number
  /** What was answered, and what is being asked for. */
  readonly #known = new LRUCache<string, LiveAnswer, Asked>({
    max: most,
    fetchMethod: (_key, _before, { context }) => this.#put(context),
  })
  #away: Away | undefined
  #seen: { readonly at: number; readonly status: Promise<FollowStatus | undefined> } | undefined

  constructor({ source, dir, time = wallTime }: LiveOptions) {
    this.#source = source
    this.#dir = dir
    this.#time = time
  }

  /** What the source answers now, or answered a moment ago; undefined where the archive is to answer. @throws ParamsError as the contract says */
  async ask(request: ApiRequest): Promise<LiveAnswer | undefined> {
    const { dataset, fields, params } = request
    const now = this.#time()
    if (!this.#changes(dataset, now)) return undefined
    const query = checkParams(dataset, params)
    if (!speaksOf(dataset, query, beijingDay(now))) return undefined
    const key = JSON.stringify([dataset.name, Object.entries(params ?? {}).sort(), fields, request.whole])
    const known = this.#known.get(key)
    const last = known && beijingDay(known.at) === beijingDay(now) ? known : undefined
    if (last && this.#isFresh(last, dataset, now)) return last
    if (this.#away && isWithin(this.#away.at, now, this.#away.pause)) return last
    return (await this.#known.fetch(key, { forceRefresh: true, context: { request, query } })) ?? last
  }

  /** Why what is answered may be old; undefined while the source answers. */
  async away(): Promise<{ readonly since: string; readonly why: Words } | undefined> {
    if (this.#away) return { since: beijingTime(this.#away.since), why: this.#away.why }
    const status = await this.status()
    return status && unfollowed(status)
  }

  /** What `/healthz` says of the source: whether it answers, and how the archive is kept up. */
  async health(): Promise<Readonly<Record<string, unknown>>> {
    const { last, next, ended } = (await this.status()) ?? {}
    const away = await this.away()
    const held = next?.held && { held: next.held }
    const runs = { last: last?.at ?? null, next: ended === undefined ? (next?.at ?? null) : null, ...held }
    return { name: this.#source.name, status: away ? 'away' : 'ok', ...away, ...runs }
  }

  /** What the process says that keeps the archive. */
  status(): Promise<FollowStatus | undefined> {
    const at = this.#time()
    if (!this.#seen || !isWithin(this.#seen.at, at, glance)) this.#seen = { at, status: readFollowStatus(this.#dir) }
    return this.#seen.status
  }

  /**
   * The headers of an answer: which state it is of, how old that is (`Age`), and whether the source was asked (`Cache-Status`,
   * RFC 9211). An answer of the source has a state of its own, that of its rows.
   */
  async headers(
    { name }: { readonly name: Words },
    manifest: Manifest,
    { state, dataset, at }: { readonly state: string; readonly dataset: Dataset; readonly at: number | undefined },
  ): Promise<Readonly<Record<string, string>>> {
    const away = await this.away()
    const own = at === undefined ? state : sha256(`${state} ${at} ${dataset.name}`)
    const identity = identityOf(String(name), manifest, own)
    const notes = [identity.about, away && `the source is away since ${away.since}`].filter(
      (note) => note !== undefined,
    )
    const about = notes.length > 0 ? notes.join(' · ') : undefined
    const brought = (await this.status())?.brought[dataset.name]
    const since = at ?? (brought === undefined ? undefined : Date.parse(brought))
    const age = since === undefined ? {} : { age: String(Math.max(0, Math.floor((this.#time() - since) / 1000))) }
    const how = away ? 'hit; fwd=stale; detail="source away"' : at === undefined ? 'hit' : 'fwd=stale; stored'
    return { [archiveHeaderName]: archiveHeader({ ...identity, about }), ...age, 'cache-status': `quotebook; ${how}` }
  }

  /** Whether rows of today may change now: from the opening until the last batch of the day has been brought. */
  #changes({ live, renewed = afterCloseBatch }: Dataset, now: number): boolean {
    if (live === undefined || !mayTrade(beijingDay(now))) return false
    const clock = beijingTime(now).slice(11, 16)
    return clock >= '09:15' && 'at' in renewed && clock <= (renewed.at.at(-1) ?? '')
  }

  /** What was asked for after a half of the session has ended stays until the next one begins. */
  #isFresh({ at }: LiveAnswer, { live = 0 }: Dataset, now: number): boolean {
    return isWithin(at, now, live * 1000) || (!inSession(now) && !inSession(at) && isWithin(at, now, 3 * 3_600_000))
  }

  async #put({ request: { dataset, fields, params, whole }, query }: Asked): Promise<LiveAnswer | undefined> {
    const at = this.#time()
    const names = checkFields(dataset, fields, query)
    try {
      const asked = fields === undefined || fields === null ? {} : { fields: names }
      const table = await this.#source.query(dataset, params, { ...asked, whole, allowTruncated: true })
      this.#away = undefined
      const selected = selectedLive(table, at, { query, given: givenIn(params), fields: names })
      return { at, selected, table: withNote(table, selected.note) }
    } catch (error) {
      const tries = (this.#away?.tries ?? -1) + 1
      const pause = waitAfter(tries, shortest, longest)
      this.#away = { since: this.#away?.since ?? at, why: messageOf(error), tries, at: this.#time(), pause }
      return undefined
    }
  }
}

/** The rows of a running day are never proven to be all. */
function withNote(table: Table, note: Words | undefined): Table {
  const { proof: _, state: _state, ...about } = provenance(table) as Provenance
  return withProvenance(table, { ...about, complete: false, ...(note !== undefined && { note }) })
}

function selectedLive(table: Table, at: number, asked: Pick<SelectedRows, 'query' | 'given' | 'fields'>): SelectedRows {
  const { beside, total } = provenance(table) ?? {}
  return {
    ...asked,
    slices: table.numRows === 0 ? [] : [wholeSlice(columnsOf(table))],
    rows: table.numRows,
    complete: false,
    note: sentence`rows are as they stood at ${beijingTime(at)}`,
    total: total ?? table.numRows,
    ...(beside && { beside }),
    state: '',
  }
}
