import { setMaxListeners } from 'node:events'
import type { Call } from '../table/provenance.js'
import { Prover } from './completeness/prove-completeness.js'
import { countReply, type ObservedSizes } from './completeness/reply-sizes.js'
import { checkOnlyPage, type PageRequest, readPages } from './fetch-pages.js'
import { fetchRanges, type RangeReply } from './fetch-range.js'
import { mostProbes, type PlannedQuery, queryOnDay } from './plan/query-plan.js'
import type { QueryRange } from './plan/query-range.js'
import { ColumnArena } from './reply/column-arena.js'
import { chunkOfDay, type ReplyChunk } from './reply/reply-chunk.js'
import type { Requester } from './requester.js'
import type { QueryOptions } from './source.js'

/** What came of a query, in order, before it is one table. */
export interface QueryReplies {
  readonly replies: readonly RangeReply[]
  /** Rows that the service counts. */
  readonly total?: number | undefined
}

interface Page {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Rows after which replies are kept side by side. */
const many = 2 ** 18

/** One query on its way: what was asked so far, and how far it is. */
export class QueryRun {
  readonly #intent: PlannedQuery
  readonly #options: QueryOptions
  readonly #asker: Requester
  readonly #tally: QueryStats
  readonly #shown: ObservedSizes
  readonly #slabs = new ColumnArena()
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  #done = 0
  #of: number
  #rows = 0

  constructor(intent: PlannedQuery, options: QueryOptions, asker: Requester, tally: QueryStats, shown: ObservedSizes) {
    this.#shown = shown
    this.#intent = intent
    this.#options = options
    this.#asker = asker
    this.#tally = tally
    this.#of = intent.plan.ranges.length
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal
    // Every request under way listens: thousands are no leak.
    setMaxListeners(0, this.#signal)
  }

  /** Asks all that the plan says; on the first error whatever is still under way is given up. */
  async fetch(): Promise<QueryReplies> {
    try {
      return await (this.#intent.plan.strategy === 'pages' ? this.#pages() : this.#boxes())
    } catch (error) {
      this.#stop.abort()
      throw error
    }
  }

  async #boxes(): Promise<QueryReplies> {
    const { dataset, query, plan } = this.#intent
    const page = plan.limit === undefined ? undefined : { limit: plan.limit }
    let isProving = false
    const send = async (range: QueryRange): Promise<ReplyChunk> => {
      if (isProving) this.#tally.probes++
      const chunk = await this.#ask(range, page)
      this.#shown.add(range, countReply(dataset, query, chunk))
      return chunk
    }
    const onSplit = (parts: number): void => {
      this.#tally.splits++
      this.#of += parts
    }
    const gathering = { dataset, query, plan, allowTruncated: this.#options.allowTruncated === true, send, onSplit }
    const parts =
      plan.strategy === 'once'
        ? await Promise.all(plan.ranges.map(async (range) => ({ range, chunk: await send(range) })))
        : await fetchRanges(gathering)
    if (plan.strategy === 'once' && dataset.limit.kind === 'page') {
      for (const { chunk } of parts) await checkOnlyPage(this.#paging(), chunk)
    }
    isProving = true
    const most = plan.strategy === 'once' ? 0 : mostProbes(plan)
    return { replies: await new Prover({ ...gathering, sizes: this.#shown, most }).prove(parts) }
  }

  #paging(): PageRequest {
    const { dataset, query, plan } = this.#intent
    const limit = plan.limit as number
    return {
      dataset,
      request: { dataset: dataset.name, params: query },
      limit,
      offset: Number(query.offset ?? 0),
      allowTruncated: this.#options.allowTruncated === true,
      send: (offset, most) => this.#ask({}, { limit: most, offset }),
      onPage: (rows, count) => {
        this.#of = this.#done + Math.ceil(Math.max(0, count - rows) / limit)
        this.#tell()
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

  async #ask(range: QueryRange, page: Page | undefined): Promise<ReplyChunk> {
    const { dataset, query, fields, plan, days } = this.#intent
    const dated = queryOnDay(dataset, query, range.day)
    const own = range.minute === undefined ? dated : { ...dated, trademin: range.minute }
    const question = { dataset, query: own, fields, range, page }
    const { chunk, cost } = await this.#asker.send(question, this.#signal)
    this.#tally.add(cost)
    this.#done++
    this.#rows += chunk.columns.length
    if (plan.strategy !== 'pages') this.#tell()
    const found = days && range.day !== undefined ? chunkOfDay(dataset, chunk, range.day) : chunk
    return { ...found, columns: this.#rows > many ? this.#slabs.copy(found.columns) : found.columns }
  }

  #tell(): void {
    const { dataset } = this.#intent
    const of = Math.max(this.#of, this.#done)
    this.#options.onProgress?.({ done: this.#done, of, rows: this.#rows, what: dataset.name })
  }
}

/** What answering one request took. */
export interface RequestCost {
  readonly requests: number
  readonly bytes: number
  readonly node: string
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
    this.#answers++
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
