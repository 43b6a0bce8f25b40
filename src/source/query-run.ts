import { setMaxListeners } from 'node:events'
import type { Call, MissingBars } from '../table/provenance.js'
import { ContradictionError } from './completeness/contradiction.js'
import { Prover } from './completeness/prove-completeness.js'
import { countReply, type ObservedSizes } from './completeness/reply-sizes.js'
import { withoutShared } from './completeness/shared-rows.js'
import { checkOnlyPage, type PageRequest, readPages } from './fetch-pages.js'
import { fetchRanges, type RangeReply } from './fetch-range.js'
import { mostProbes, type PlannedQuery, queryOnDay } from './plan/query-plan.js'
import type { QueryRange } from './plan/query-range.js'
import { ColumnArena } from './reply/column-arena.js'
import { chunkOfDay, type ReplyChunk } from './reply/reply-chunk.js'
import type { RequestCost, Requester } from './requester.js'
import type { QueryOptions } from './source.js'
import { SourceError } from './source-error.js'

/** What came of a query, in order, before it is one table. */
export interface QueryReplies {
  readonly replies: readonly RangeReply[]
  /** Rows that the service counts. */
  readonly total?: number | undefined
  /** Holes of the grid that are no rows which are missing. */
  readonly missing?: readonly MissingBars[]
}

interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Rows after which replies are kept side by side. */
const many = 2 ** 18

/** Times that ranges are asked whose answers contradict each other. */
const rounds = 4

function unstableError({ dataset, query }: PlannedQuery, { message }: Error): SourceError {
  const text = `${dataset.name}: the answers do not go together, ${rounds} times over (${message}); narrow the query or try later`
  return new SourceError('UNSTABLE', text, { request: { dataset: dataset.name, params: query }, retryable: true })
}

/** One query: its requests, their results and its progress. */
export class QueryRun {
  readonly #planned: PlannedQuery
  readonly #options: QueryOptions
  readonly #requester: Requester
  readonly #stats: QueryStats
  readonly #sizes: ObservedSizes
  readonly #arena = new ColumnArena()
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  #done = 0
  #of: number
  #rows = 0

  constructor(
    planned: PlannedQuery,
    options: QueryOptions,
    requester: Requester,
    stats: QueryStats,
    sizes: ObservedSizes,
  ) {
    this.#sizes = sizes
    this.#planned = planned
    this.#options = options
    this.#requester = requester
    this.#stats = stats
    this.#of = planned.plan.ranges.length
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal
    // Every request under way listens: thousands are no leak.
    setMaxListeners(0, this.#signal)
  }

  /** Sends all requests of the plan; on the first error whatever is still under way is given up. */
  async fetch(): Promise<QueryReplies> {
    try {
      return await (this.#planned.plan.strategy === 'pages' ? this.#pages() : this.#ranges())
    } catch (error) {
      this.#stop.abort()
      throw error
    }
  }

  /** All ranges; when answers contradict each other, from the beginning, four times at most as for pages. */
  async #ranges(): Promise<QueryReplies> {
    for (let round = 1; ; round++) {
      try {
        return await this.#readRanges()
      } catch (error) {
        if (!(error instanceof ContradictionError)) throw error
        if (round === rounds) throw unstableError(this.#planned, error)
      }
    }
  }

  async #readRanges(): Promise<QueryReplies> {
    const { dataset, query, plan, today } = this.#planned
    const page = plan.limit === undefined ? undefined : { limit: plan.limit }
    let isProving = false
    const send = async (range: QueryRange): Promise<ReplyChunk> => {
      if (isProving) this.#stats.probes++
      const chunk = await this.#send(range, page)
      this.#sizes.add(range, countReply(dataset, query, chunk))
      return chunk
    }
    const onSplit = (parts: number): void => {
      this.#stats.splits++
      this.#of += parts
    }
    const context = { dataset, query, plan, allowTruncated: this.#options.allowTruncated === true, send, onSplit }
    const parts =
      plan.strategy === 'once'
        ? await Promise.all(plan.ranges.map(async (range) => ({ range, chunk: await send(range) })))
        : await fetchRanges(context)
    if (plan.strategy === 'once' && dataset.limit.kind === 'page') {
      for (const { chunk } of parts) await checkOnlyPage(this.#paging(), chunk)
    }
    isProving = true
    const prover = new Prover({ ...context, sizes: this.#sizes, today, most: mostProbes(plan) })
    const replies = withoutShared(dataset, today, plan.overlap?.shared ?? [], await prover.prove(parts))
    return { replies, missing: prover.missingBars }
  }

  #paging(): PageRequest {
    const { dataset, query, plan } = this.#planned
    const limit = plan.limit as number
    return {
      dataset,
      request: { dataset: dataset.name, params: query },
      limit,
      offset: Number(query.offset ?? 0),
      allowTruncated: this.#options.allowTruncated === true,
      send: (offset, most) => this.#send({}, { limit: most, offset }),
      onPage: (rows, count) => {
        this.#of = this.#done + Math.ceil(Math.max(0, count - rows) / limit)
        this.#report()
      },
    }
  }

  async #pages(): Promise<QueryReplies> {
    const { chunks, total, truncated } = await readPages(this.#paging())
    return {
      replies: chunks.map((chunk, i) => ({ range: {}, chunk, ...(truncated && i === 0 ? { truncated } : {}) })),
      total,
    }
  }

  async #send(range: QueryRange, page: Page | undefined): Promise<ReplyChunk> {
    const { dataset, query, fields, plan, days } = this.#planned
    const dated = queryOnDay(dataset, query, range.day)
    const timed = range.minute === undefined ? dated : { ...dated, trademin: range.minute }
    const { seen, kept } = this.#options
    const request = { dataset, query: timed, fields, range, page, seen, kept }
    const { chunk, cost } = await this.#requester.send(request, this.#signal)
    this.#stats.add(cost)
    this.#done++
    this.#rows += chunk.columns.length
    if (plan.strategy !== 'pages') this.#report()
    const own = days && range.day !== undefined ? chunkOfDay(dataset, chunk, range.day) : chunk
    return this.#rows > many ? { ...own, columns: this.#arena.copy(own.columns) } : own
  }

  #report(): void {
    const { dataset } = this.#planned
    const of = Math.max(this.#of, this.#done)
    this.#options.onProgress?.({ done: this.#done, of, rows: this.#rows, what: dataset.name })
  }
}

/** Counts what a query takes, for its provenance. */
export class QueryStats {
  readonly #nodes = new Set<string>()
  #requests = 0
  #answers = 0
  #bytes = 0
  splits = 0
  probes = 0

  add({ requests, bytes, node }: RequestCost): void {
    if (requests > 0) this.#answers++
    this.#requests += requests
    this.#bytes += bytes
    this.#nodes.add(node)
  }

  call(at: string, milliseconds: number): Call {
    return {
      requests: this.#requests,
      splits: this.splits,
      probes: this.probes,
      retries: this.#requests - this.#answers,
      nodes: [...this.#nodes].sort(),
      bytes: this.#bytes,
      milliseconds: Math.round(milliseconds),
      at,
    }
  }
}
