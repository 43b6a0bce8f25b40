import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { messageOf, WordedError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { gatherRows } from '../../frame/table/gather-cells.js'
import { allRows } from '../../frame/table/sort-rows.js'
import { type ReplyChunk, rowTexts } from './reply/reply-chunk.js'
import { queryError, type SourceError } from './source-error.js'

export interface PageRequest {
  readonly dataset: Dataset
  readonly query: Query
  /** Records a page, as many as the service allows. */
  readonly limit: number
  readonly allowTruncated: boolean
  /** Where to begin. */
  readonly offset: number
  readonly send: (offset: number, limit: number) => Promise<ReplyChunk>
  /** Called with the rows so far and those that they suggest. */
  readonly onPage: (rows: number, total: number) => void
}

export interface PageReplies {
  /** In order, without overlap. */
  readonly chunks: readonly ReplyChunk[]
  readonly total: number
  /** Rows are missing, time after time. */
  readonly truncated?: Words
}

/** Rows moved while they were being read: the reading begins again. */
class MovedError extends WordedError {
  /** What came, where the pages end before the count of the service does. */
  readonly pages: PageReplies | undefined
  constructor(message: Words, pages?: PageReplies) {
    super(message)
    this.pages = pages
  }
}

const rounds = 4
/** Times that rows may come while those in front are being fetched. */
const frontRounds = 12
/** Rows more than are known to have come in front, for those that come meanwhile. */
const spare = 50

/** Rows that two pages share, to show that nothing moved. Rows without a key may be alike: it takes some. */
function sharedRows({ key }: Dataset): number {
  return key.length > 0 ? 1 : 4
}

function countOf({ beside, node }: ReplyChunk, paging: PageRequest, name: 'total' | 'offset'): number | undefined {
  const value = beside[name]
  if (value === undefined && name === 'offset') return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  const what = sentence`the reply of ${node} has no count \`${name}\`, so nothing shows that it is complete`
  throw queryError('ENVELOPE', paging, what, { node })
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i])
}

/** How many rows of a page stand before those that the page before ended with; undefined when that can not be told. */
function seam(chunk: ReplyChunk, tail: readonly string[], grown: number): number | undefined {
  const texts = rowTexts(chunk.columns, 0, grown + tail.length)
  const places = Array.from({ length: Math.min(grown, texts.length) + 1 }, (_, at) => at)
  const found = places.filter((at) => sameTexts(texts.slice(at, at + tail.length), tail))
  return found.length === 1 ? found[0] : undefined
}

/**
 * A page and the rows that the service counts. "No data" has no count: of a first page it means none, of a later one that the
 * pages end.
 */
async function pageAt(
  paging: PageRequest,
  offset: number,
  limit: number,
  otherwise: number,
): Promise<{ readonly chunk: ReplyChunk; readonly total: number }> {
  const chunk = await paging.send(offset, limit)
  const { node } = chunk
  const echoed = countOf(chunk, paging, 'offset')
  if (echoed !== undefined && echoed !== offset) {
    const what = sentence`${node} answers from row ${echoed + 1} where row ${offset + 1} was asked for`
    throw queryError('ENVELOPE', paging, what, { node })
  }
  const isEmpty = chunk.columns.length === 0 && chunk.beside.total === undefined
  return { chunk, total: isEmpty ? otherwise : (countOf(chunk, paging, 'total') as number) }
}

/**
 * A count that is only the size of what came leaves rows behind it: where all seem to be there, the last ones are asked for
 * once more, with those behind them.
 */
async function checkEnd(paging: PageRequest, rows: number, total: number, tail: readonly string[]): Promise<void> {
  const { offset, limit } = paging
  if (rows === 0 || offset + rows < total) return
  // A service that gives no more than these at once would give these again.
  const last = rows === tail.length ? [] : tail
  const at = offset + rows - last.length
  const { chunk, total: counted } = await pageAt(paging, at, Math.max(limit, last.length + 1), total)
  const grown = Math.max(0, counted - total)
  const texts = rowTexts(chunk.columns, 0, grown + last.length + 1)
  // Rows that came in front meanwhile push the last ones back, and nothing else.
  const isEnd = sameTexts(texts.slice(grown), last) && (last.length > 0 || grown === 0)
  if (isEnd && counted >= total) return
  if (counted !== total) throw new MovedError(sentence`the service counted ${total} rows and then ${counted}`)
  if (!sameTexts(texts.slice(0, last.length), last))
    throw new MovedError(sentence`row ${at + 1} is another one than before`)
  const { node } = chunk
  throw queryError(
    'ENVELOPE',
    paging,
    sentence`${node} counts ${total} rows and has more of them; its count shows nothing`,
    {
      node,
    },
  )
}

/** @throws TruncatedError for a page at the end of all that says that there is more */
function checkWord(paging: PageRequest, chunks: readonly ReplyChunk[]): void {
  const said = chunks.find(({ more }) => more !== undefined)
  if (!said || paging.allowTruncated) return
  const { node, more } = said
  const what = sentence`${node} says that there are more rows than it counts (${more}); narrow the query, or take what came (allowTruncated)`
  throw queryError('TRUNCATED', paging, what, { node })
}

/** Some rows of a page, in order. */
function sliceChunk(chunk: ReplyChunk, from: number, to?: number): ReplyChunk {
  const { columns } = chunk
  return { ...chunk, columns: gatherRows(columns, allRows(columns.length).subarray(from, to)) }
}

/**
 * Reads pages that overlap: where the rows that two of them share are others, rows came or went before them. Rows that came
 * push the rest back, and are fetched at the end.
 *
 * Of a list whose rows never swap places it gives: no row that was never there, none twice, none less of those that were
 * there all the time, and as many as the service counted when the last of them came.
 */
class Reader {
  readonly #paging: PageRequest
  readonly #chunks: ReplyChunk[] = []
  readonly #depth: number
  /** The first rows, and the last ones, as texts. */
  #head: readonly string[] = []
  #tail: readonly string[] = []
  #rows = 0
  #total = 0
  /** Rows that came in front of the first one. */
  #pushed = 0

  constructor(paging: PageRequest) {
    this.#paging = paging
    this.#depth = sharedRows(paging.dataset)
  }

  async read(): Promise<PageReplies> {
    const { offset, limit } = this.#paging
    this.#append((await this.#page(offset, limit)).chunk)
    while (this.#rows + this.#pushed < this.#expected()) await this.#readNext()
    for (let n = 0; this.#pushed > 0; n++) await this.#readFront(n)
    if (this.#rows > this.#expected()) {
      throw new MovedError(sentence`${this.#rows} rows came where the service counts ${this.#expected()}`)
    }
    checkWord(this.#paging, this.#chunks)
    await checkEnd(this.#paging, this.#rows, this.#total, this.#tail)
    return { chunks: this.#chunks, total: this.#total }
  }

  /** Rows from the offset on, as the service counts them. */
  #expected(): number {
    return Math.max(0, this.#total - this.#paging.offset)
  }

  /** A page, and how many rows came since the last one. @throws MovedError when rows went */
  async #page(offset: number, limit: number): Promise<{ readonly chunk: ReplyChunk; readonly grown: number }> {
    const { chunk, total } = await pageAt(this.#paging, offset, limit, this.#total)
    const grown = total - this.#total
    if (grown < 0) throw new MovedError(sentence`the service counted ${this.#total} rows and then ${total}`)
    this.#total = total
    return { chunk, grown }
  }

  #append(chunk: ReplyChunk): void {
    const { columns } = chunk
    const depth = this.#depth
    if (columns.length > 0 || this.#chunks.length === 0) this.#chunks.push(chunk)
    this.#rows += columns.length
    this.#head = [...this.#head, ...rowTexts(columns, 0, depth - this.#head.length)]
    this.#tail = [...this.#tail, ...rowTexts(columns, columns.length - depth)].slice(-depth)
    this.#paging.onPage(this.#rows, this.#total)
  }

  async #readNext(): Promise<void> {
    const { offset, limit } = this.#paging
    const tail = this.#tail
    const at = offset + this.#pushed + this.#rows - tail.length
    const { chunk, grown } = await this.#page(at, limit)
    const came = seam(chunk, tail, grown)
    const fresh = chunk.columns.length - (came ?? 0) - tail.length
    if (tail.length === 0 || (grown === 0 && fresh <= 0)) {
      const truncated = sentence`the pages end at row ${offset + this.#rows} of ${this.#total}`
      throw new MovedError(truncated, { chunks: this.#chunks, total: this.#total, truncated })
    }
    if (came === undefined) throw new MovedError(sentence`row ${at + 1} is another one than before`)
    this.#pushed += came
    this.#append(sliceChunk(chunk, came + tail.length))
  }

  /** The rows that came in front while the rest was being read. */
  async #readFront(n: number): Promise<void> {
    const { offset, limit } = this.#paging
    const most = Math.min(limit, this.#pushed + this.#head.length + spare)
    if (offset > 0 || n === frontRounds) throw new MovedError(sentence`${this.#pushed} rows came`)
    const { chunk, grown } = await this.#page(0, most)
    this.#pushed += grown
    const pushed = this.#pushed
    if (pushed + this.#head.length > most && most < limit) return
    if (!sameTexts(rowTexts(chunk.columns, pushed, pushed + this.#head.length), this.#head)) {
      throw new MovedError(sentence`${pushed} rows came, and not in front`)
    }
    this.#chunks.unshift(sliceChunk(chunk, 0, pushed))
    this.#rows += pushed
    this.#pushed = 0
  }
}

function unstableError(paging: PageRequest, { message }: MovedError, often: Words): SourceError {
  const what = sentence`the rows changed while they were being read, ${often} (${message}); narrow the query or try later`
  return queryError('UNSTABLE', paging, what)
}

/**
 * All pages of a query, to the end, as many rows as the service counts. When rows come or go in the middle of it, it begins
 * again, four times at most.
 * @throws SourceError UNSTABLE when they never hold still, ENVELOPE for a reply without `total`; TruncatedError when pages end
 * before the count, unless `allowTruncated`
 */
export async function readPages(paging: PageRequest): Promise<PageReplies> {
  for (let round = 1; ; round++) {
    try {
      return await new Reader(paging).read()
    } catch (error) {
      if (!(error instanceof MovedError)) throw error
      if (round < rounds) continue
      if (!error.pages) throw unstableError(paging, error, sentence`${rounds} times over`)
      if (paging.allowTruncated) return error.pages
      const what = sentence`${messageOf(error)}; narrow the query, or take what came (allowTruncated)`
      throw queryError('TRUNCATED', paging, what)
    }
  }
}

/**
 * A single page that says that it is the whole, compared with the service's own rows behind it.
 * @throws SourceError as `readPages` does
 */
export async function checkOnlyPage(paging: PageRequest, chunk: ReplyChunk): Promise<void> {
  const { columns } = chunk
  if (columns.length === 0) return
  const total = countOf(chunk, paging, 'total') as number
  try {
    await checkEnd(paging, columns.length, total, rowTexts(columns, columns.length - sharedRows(paging.dataset)))
  } catch (error) {
    throw error instanceof MovedError ? unstableError(paging, error, sentence`within two requests`) : error
  }
}
