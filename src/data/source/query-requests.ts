import { setMaxListeners } from 'node:events'
import type { Call } from '../../frame/table/provenance.js'
import { countReply, type ObservedSizes, type RangeReply } from './completeness/reply-sizes.js'
import { type PlannedQuery, queryOnDay } from './plan/query-plan.js'
import type { QueryRange } from './plan/query-range.js'
import { chunkOfDay, type ReplyChunk } from './reply/reply-chunk.js'
import type { RangeRequest, Requester } from './requester.js'
import type { QueryOptions } from './source.js'

/** The requests of one query: each sent, counted and reported. */
export class QueryRequests {
  readonly planned: PlannedQuery
  /** How large the replies of the operation were so far. */
  readonly sizes: ObservedSizes
  /** Whether other codes fill a hole that all codes of the answer share. */
  readonly filled = new Map<string, boolean>()
  readonly allowTruncated: boolean
  /** What is sent shows whether rows are missing, and is no part of the plan. */
  isProving = false
  readonly #options: QueryOptions
  readonly #requester: Pick<Requester, 'send'>
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #nodes = new Set<string>()
  readonly #count = { requests: 0, splits: 0, probes: 0, retries: 0, bytes: 0 }
  #done = 0
  #of: number
  #rows = 0

  constructor(planned: PlannedQuery, options: QueryOptions, requester: Pick<Requester, 'send'>, sizes: ObservedSizes) {
    this.planned = planned
    this.sizes = sizes
    this.allowTruncated = options.allowTruncated === true
    this.#options = options
    this.#requester = requester
    this.#of = planned.plan.ranges.length
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal
    // Every request under way listens: thousands are no leak.
    setMaxListeners(0, this.#signal)
  }

  /** The reply to a range. */
  readonly send = async (range: QueryRange): Promise<RangeReply> => {
    const { dataset, query, plan } = this.planned
    if (this.isProving) this.#count.probes++
    const chunk = await this.sendPage(range, plan.limit === undefined ? undefined : { limit: plan.limit })
    const counts = countReply(dataset, query, chunk)
    this.sizes.add(range, counts)
    this.sizes.unsent.forget(this.planned, chunk)
    return { range, chunk, counts }
  }

  async sendPage(range: QueryRange, page: RangeRequest['page']): Promise<ReplyChunk> {
    const { dataset, query, fields, plan, days } = this.planned
    const dated = queryOnDay(dataset, query, range.day)
    const timed = range.minute === undefined ? dated : { ...dated, trademin: range.minute }
    const { seen } = this.#options
    const request = { dataset, query: timed, fields, range, page, seen }
    const { chunk, cost } = await this.#requester.send(request, this.#signal)
    this.#count.requests += cost.requests
    this.#count.retries += Math.max(0, cost.requests - 1)
    this.#count.bytes += cost.bytes
    this.#nodes.add(cost.node)
    this.#done++
    this.#rows += chunk.columns.length
    if (plan.strategy !== 'pages') this.#report()
    return days && range.day !== undefined ? chunkOfDay(dataset, chunk, range.day) : chunk
  }

  /** Two or more ranges are asked in the place of one. */
  split(parts: number): void {
    this.#count.splits++
    this.#of += parts
  }

  /** So many more pages are expected. */
  expectPages(more: number): void {
    this.#of = this.#done + more
    this.#report()
  }

  /** Gives up whatever is still under way. */
  stop(): void {
    this.#stop.abort()
  }

  /** What the query took, for its provenance. */
  call(at: string, milliseconds: number): Call {
    const { bytes, ...counts } = this.#count
    return { ...counts, nodes: [...this.#nodes].sort(), bytes, milliseconds: Math.round(milliseconds), at }
  }

  #report(): void {
    const of = Math.max(this.#of, this.#done)
    this.#options.onProgress?.({ done: this.#done, of, rows: this.#rows, what: this.planned.dataset.name })
  }
}
