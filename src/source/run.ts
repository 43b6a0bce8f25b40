import { setMaxListeners } from 'node:events'
import { chunkOfDay } from './answer/of-day.js'
import type { ReplyChunk } from './answer/piece.js'
import { ColumnArena } from './answer/slabs.js'
import type { Requester } from './ask.js'
import { fetchRanges, type RangeReply } from './gather.js'
import { type PlannedQuery, queryOnDay } from './intent.js'
import { checkOnlyPage, type PageRequest, readPages } from './pages.js'
import type { QueryRange } from './plan/box.js'
import { mostProbes } from './plan/plan.js'
import { Prover } from './proof/prove.js'
import { countReply, type ObservedSizes } from './proof/shown.js'
import type { QueryOptions } from './source.js'
import type { QueryStats } from './tally.js'

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
