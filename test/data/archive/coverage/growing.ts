import type { Table } from 'apache-arrow'
import { afterAll } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import type { Dataset } from '../../../../src/contract/dataset.js'
import { daysBetween } from '../../../../src/contract/day-list.js'
import { answer, answerDays } from '../../../../src/data/archive/answer/answer-query.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import { dayAfter } from '../../../../src/data/archive/coverage/day-ranges.js'
import type { ManifestPart, Snapshot } from '../../../../src/data/archive/snapshot.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import type { QueryOptions, Source } from '../../../../src/data/source/source.js'
import { gatherRows } from '../../../../src/frame/table/gather-cells.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../../src/frame/table/values.js'
import { type Request, type Service, serve } from '../../../helper/service.js'
import { tempDir } from '../../../helper/temp.js'

const sample = new Archive('data/sample', 'sample')

/** The number that moves during the day. */
const moving = ['close', 'amount']

/** Of each row what its day and its minute have, which is asked once for each pair. */
function perPair<T>(days: ColumnData, minutes: ColumnData | undefined, of: (day: string, minute?: string) => T) {
  const known = new Map<unknown, Map<unknown, T>>()
  return (row: number): T => {
    const [day, minute] = [cellOf(days, row), minutes && cellOf(minutes, row)]
    const ofDay = known.get(day) ?? new Map<unknown, T>()
    known.set(day, ofDay)
    if (!ofDay.has(minute)) ofDay.set(minute, of(String(day), minutes && String(minute)))
    return ofDay.get(minute) as T
  }
}

/**
 * The sample as a service that lives through time: it has days up to `until`, and the numbers of that day differ with
 * `tick` until it is over. `revised` days have numbers of their own for ever.
 */
export class Growing implements Source {
  readonly name = 'growing'
  until: string
  tick = 0
  readonly revised = new Set<string>()
  /** Called with an answer that is made and not yet sent. */
  hold: ((params: unknown) => Promise<void>) | undefined
  /** What the source has mended of the rows of a file. */
  mend: ((dataset: Dataset, columns: RecordColumns) => RecordColumns) | undefined
  /** Days whose batch is not there yet. */
  readonly unpublished = new Set<string>()

  constructor(until = '20260729') {
    this.until = until
  }

  /** Last day that a dataset has. */
  untilOf(_: Dataset): string {
    return this.until
  }

  /** Whether a row of a day is published. @param minute of a bar */
  isThere(_: Dataset, day: string, __?: string): boolean {
    return !this.unpublished.has(day)
  }

  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const { days } = options
    const table = await sample.read((snapshot) =>
      days === undefined
        ? answer(this.#now(snapshot), dataset, params, options, this.name)
        : answerDays(this.#now(snapshot), dataset, params, { ...options, days }, this.name),
    )
    await this.hold?.(params)
    return table
  }

  #now({ loadCodes: _, ...snapshot }: Snapshot): Snapshot {
    return {
      ...snapshot,
      state: snapshot.state,
      parts: (name) => {
        const until = this.untilOf(datasetOf(name))
        const parts = snapshot.parts(name).filter(({ from }) => from === undefined || from <= until)
        return parts.map((part) => ({ ...part, ...(part.to === undefined || part.to <= until ? {} : { to: until }) }))
      },
      load: async (name, { partition }) => {
        const part = snapshot.parts(name).find((one) => one.partition === partition) as ManifestPart
        const dataset = datasetOf(name)
        const columns = await snapshot.load(name, part)
        return this.#grown(dataset, this.mend?.(dataset, columns) ?? columns)
      },
    }
  }

  #grown(dataset: Dataset, columns: RecordColumns): RecordColumns {
    const name = dataset.stored?.computed_on ? 'computed_on' : dataset.day
    const days = columns.columns.get(name ?? '')
    if (!days) return columns
    const rows = Array.from({ length: columns.length }, (_, row) => row)
    const until = this.untilOf(dataset)
    const minutes = columns.columns.get('trademin')
    const isThere = perPair(days, minutes, (day, minute) => day <= until && this.isThere(dataset, day, minute))
    const there = gatherRows(columns, rows.filter(isThere))
    const all = name === 'computed_on' ? this.#forecast(there, until) : there
    return {
      ...all,
      columns: new Map([...all.columns].map(([key, values]) => [key, this.#moved(key, values, all, name)])),
    }
  }

  /** Candidates of the latest day are candidates of the next one too. */
  #forecast(columns: RecordColumns, until: string): RecordColumns {
    const days = columns.columns.get('tradedate') as ColumnData
    const rows = Array.from({ length: columns.length }, (_, row) => row)
    const own = rows.filter((row) => cellOf(days, row) === until)
    const known = rows.filter((row) => String(cellOf(days, row)) <= until)
    const all = gatherRows(columns, [...known, ...own])
    const dates = all.columns.get('tradedate')
    if (dates?.type !== 'dictionary') return all
    const [next = ''] = daysBetween(dayAfter(until), '20260810')
    const data = dates.data.map((code, row) => (row < known.length ? code : dates.dictionary.length))
    return {
      ...all,
      columns: new Map(all.columns).set('tradedate', {
        type: 'dictionary',
        data,
        dictionary: [...dates.dictionary, next],
      }),
    }
  }

  #moved(key: string, values: ColumnData, columns: RecordColumns, name: string | undefined): ColumnData {
    if (!moving.includes(key) || values.type !== 'float') return values
    const days = columns.columns.get(name ?? '') as ColumnData
    const more = perPair(days, undefined, (day) => {
      if (this.revised.has(day)) return 1000
      return day === this.until ? this.tick / 8 : 0
    })
    const data = values.data.map((value, row) => value + more(row))
    return { ...values, data }
  }
}

/** What the clock on the wall says, 29 July 2026 in Beijing; it settles nothing. */
const now = Date.UTC(2026, 6, 29, 4)

const open: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const close of open.splice(0)) await close()
})

export interface Stand {
  readonly growing: Growing
  readonly service: Service
  /** Without a cache. */
  readonly plain: HttpSource
  readonly dir: string
  readonly kept: CachedSource
  /** Another source over the same directory. */
  another(dir?: string): CachedSource
  /** Requests that an action sends. */
  sentBy(action: () => Promise<unknown>): Promise<readonly Request[]>
  close(): Promise<void>
}

/** A service, a source of it, and one with a cache. */
export async function stand(until?: string, before?: Parameters<typeof serve>[1], concurrent = 1): Promise<Stand> {
  const growing = new Growing(until)
  const service = await serve(growing, before, 'a'.repeat(64))
  const own: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const one of [...own.splice(0), service]) await one.close()
  }
  open.push(close)
  const source = (): HttpSource => {
    const http = new HttpSource({ nodes: [service.url], apikey: 'KEY', pace: { concurrent }, time: () => now })
    own.push(http)
    return http
  }
  const dir = `${tempDir()}/cache`
  const another = (at = dir): CachedSource => new CachedSource(source(), at)
  const sentBy = async (action: () => Promise<unknown>): Promise<readonly Request[]> => {
    const already = service.requests.length
    await action()
    return service.requests.slice(already)
  }
  return { growing, service, plain: source(), dir, kept: another(), another, sentBy, close }
}
