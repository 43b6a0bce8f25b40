import type { Table } from 'apache-arrow'
import { sha256 } from '../archive/write-whole.js'
import { isDate } from '../contract/date.js'
import { QuotebookError } from '../contract/error.js'
import { namesOf } from '../frame/column.js'
import { fromParquet, parquetRows } from '../frame/parquet.js'
import { withProvenance } from '../frame/provenance.js'
import type { Source } from '../source/source.js'
import { type Clock, realClock } from '../source/transport/clock.js'
import { headerOf, tellsLength } from '../source/transport/headers.js'
import type { Answer } from '../source/transport/http.js'
import { EndedError, fetchDay, type Get, list } from './folder.js'
import { type Share, shareOf } from './share.js'
import { firstTickYear, type TickFiles } from './tick-files.js'

/** A source that hands out shares, and fetches what is behind their links. */
export type Sharing = Source & Required<Pick<Source, 'get'>>

/** Years without files after which nobody goes on asking. */
const most = 8

/** A strong entity tag that is a sha256 names the bytes. @throws QuotebookError FILE when they are others */
function checkBytes({ headers, bytes, node }: Answer, day: string): void {
  const sum = /^"([0-9a-f]{64})"$/.exec(headerOf(headers, 'etag'))?.[1]
  if (sum === undefined || sha256(bytes) === sum) return
  throw new QuotebookError('FILE', `the file of ${day} is not what ${node} says it is: its sha256 is another`)
}

/** The tick files of a service: a share a year, whose files are listed and read over HTTP. */
export class RemoteTicks implements TickFiles {
  readonly #source: Sharing
  readonly #clock: Clock
  readonly #get: Get
  /** Shares that were handed out, by year, until one has ended. */
  readonly #shares = new Map<number, Share>()

  constructor(source: Sharing, options: { readonly clock?: Clock | undefined } = {}) {
    this.#source = source
    this.#clock = options.clock ?? realClock
    this.#get = (address, get) => source.get(address, get)
  }

  /**
   * @throws SourceError FORBIDDEN for a key without the plan; QuotebookError FILE for a share that can not be listed, or
   * lists other files than the service counts
   */
  async days(year?: number): Promise<string[]> {
    if (year !== undefined) return [...((await this.#list(year)) ?? [])]
    const all: string[] = []
    for (let next = firstTickYear, empty = 0; empty < most; next++) {
      const days = await this.#list(next)
      if (days === undefined) break
      empty = days.length > 0 ? 0 : empty + 1
      all.push(...days)
    }
    return all
  }

  /** @throws SourceError for what the service does not answer; QuotebookError FILE when the day has no file, or it is broken */
  async read(day: string): Promise<Table> {
    const answer = isDate(day) ? await this.#file(day) : undefined
    if (!answer) throw new QuotebookError('FILE', `${this.#source.name} has no auction ticks of ${day}`)
    checkBytes(answer, day)
    const name = `the file of ${day}`
    const [table, rows] = await Promise.all([fromParquet(answer.bytes, name), parquetRows(answer.bytes, name)])
    return withProvenance(table, {
      dataset: 'auction_tick',
      source: this.#source.name,
      request: { params: { day }, fields: namesOf(table) },
      rows: table.numRows,
      complete: tellsLength(answer.headers) && table.numRows === rows,
      total: rows,
    })
  }

  /** Undefined for a year later than the service has files of. */
  async #list(year: number): Promise<readonly string[] | undefined> {
    for (let attempt = 0; ; attempt++) {
      const share = await this.#fresh(year)
      if (share === 'later') return undefined
      if (share === undefined) return []
      try {
        const days = await list(this.#get, share)
        if (days.length === share.files && days.every((day) => day.startsWith(`${year}`))) return days
        if (attempt === 0) continue
        const message = `the share of ${year} lists ${days.length} files where the service counts ${share.files}`
        throw new QuotebookError('FILE', `${this.#source.name}: ${message}`)
      } catch (error) {
        if (!(error instanceof EndedError) || attempt > 0) throw error
      }
    }
  }

  /** Undefined when the day has no file. An old link may have ended: then there is a new one. */
  async #file(day: string): Promise<Answer | undefined> {
    const year = Number(day.slice(0, 4))
    const known = this.#shares.get(year)
    if (known) {
      try {
        return await fetchDay(this.#get, known, day)
      } catch (error) {
        if (!(error instanceof EndedError)) throw error
      }
    }
    const share = year < firstTickYear ? undefined : await this.#fresh(year)
    if (share === undefined || share === 'later') return undefined
    try {
      return await fetchDay(this.#get, share, day)
    } catch (error) {
      if (error instanceof EndedError && error.status === 404) return undefined
      throw error
    }
  }

  async #fresh(year: number): Promise<Share | 'later' | undefined> {
    const share = await shareOf(this.#source, year, this.#clock)
    if (share && share !== 'later') this.#shares.set(year, share)
    else this.#shares.delete(year)
    return share
  }
}
