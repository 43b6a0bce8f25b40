import { setMaxListeners } from 'node:events'
import { pieceOfDay } from './answer/of-day.js'
import type { Piece } from './answer/piece.js'
import { Slabs } from './answer/slabs.js'
import type { Asker } from './ask.js'
import { gatherAll, type Part } from './gather.js'
import { type Intent, onDay } from './intent.js'
import { checkOnlyPage, type Paging, readPages } from './pages.js'
import type { Box } from './plan/box.js'
import { mostProbes } from './plan/plan.js'
import { Prover } from './proof/prove.js'
import { countsOf, type Shown } from './proof/shown.js'
import type { QueryOptions } from './source.js'
import type { Tally } from './tally.js'

/** What came of a query, in order, before it is one table. */
export interface Gathered {
  readonly parts: readonly Part[]
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
export class Run {
  readonly #intent: Intent
  readonly #options: QueryOptions
  readonly #asker: Asker
  readonly #tally: Tally
  readonly #shown: Shown
  readonly #slabs = new Slabs()
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  #done = 0
  #of: number
  #rows = 0

  constructor(intent: Intent, options: QueryOptions, asker: Asker, tally: Tally, shown: Shown) {
    this.#shown = shown
    this.#intent = intent
    this.#options = options
    this.#asker = asker
    this.#tally = tally
    this.#of = intent.plan.boxes.length
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal
    // Every request under way listens: thousands are no leak.
    setMaxListeners(0, this.#signal)
  }

  /** Asks all that the plan says; on the first error whatever is still under way is given up. */
  async gather(): Promise<Gathered> {
    try {
      return await (this.#intent.plan.way === 'pages' ? this.#pages() : this.#boxes())
    } catch (error) {
      this.#stop.abort()
      throw error
    }
  }

  async #boxes(): Promise<Gathered> {
    const { dataset, query, plan } = this.#intent
    const page = plan.limit === undefined ? undefined : { limit: plan.limit }
    let isProving = false
    const ask = async (box: Box): Promise<Piece> => {
      if (isProving) this.#tally.probes++
      const piece = await this.#ask(box, page)
      this.#shown.add(box, countsOf(dataset, query, piece))
      return piece
    }
    const onSplit = (parts: number): void => {
      this.#tally.splits++
      this.#of += parts
    }
    const gathering = { dataset, query, plan, allowTruncated: this.#options.allowTruncated === true, ask, onSplit }
    const parts =
      plan.way === 'once'
        ? await Promise.all(plan.boxes.map(async (box) => ({ box, piece: await ask(box) })))
        : await gatherAll(gathering)
    if (plan.way === 'once' && dataset.limit.kind === 'page') {
      for (const { piece } of parts) await checkOnlyPage(this.#paging(), piece)
    }
    isProving = true
    const most = plan.way === 'once' ? 0 : mostProbes(plan)
    return { parts: await new Prover({ ...gathering, shown: this.#shown, most }).prove(parts) }
  }

  #paging(): Paging {
    const { dataset, query, plan } = this.#intent
    const limit = plan.limit as number
    return {
      dataset,
      asked: { dataset: dataset.name, params: query },
      limit,
      offset: Number(query.offset ?? 0),
      allowTruncated: this.#options.allowTruncated === true,
      ask: (offset, most) => this.#ask({}, { limit: most, offset }),
      onPage: (rows, count) => {
        this.#of = this.#done + Math.ceil(Math.max(0, count - rows) / limit)
        this.#tell()
      },
    }
  }

  async #pages(): Promise<Gathered> {
    const { pieces, total, truncated } = await readPages(this.#paging())
    return {
      parts: pieces.map((piece, i) => ({ box: {}, piece, ...(truncated && i === 0 ? { truncated } : {}) })),
      total,
    }
  }

  async #ask(box: Box, page: Page | undefined): Promise<Piece> {
    const { dataset, query, fields, plan, days } = this.#intent
    const dated = onDay(dataset, query, box.day)
    const own = box.minute === undefined ? dated : { ...dated, trademin: box.minute }
    const question = { dataset, query: own, wanted: fields, box, page }
    const { piece, cost } = await this.#asker.ask(question, this.#signal)
    this.#tally.add(cost)
    this.#done++
    this.#rows += piece.columns.length
    if (plan.way !== 'pages') this.#tell()
    const found = days && box.day !== undefined ? pieceOfDay(dataset, piece, box.day) : piece
    return { ...found, columns: this.#rows > many ? this.#slabs.keep(found.columns) : found.columns }
  }

  #tell(): void {
    const { dataset } = this.#intent
    const of = Math.max(this.#of, this.#done)
    this.#options.onProgress?.({ done: this.#done, of, rows: this.#rows, what: dataset.name })
  }
}
