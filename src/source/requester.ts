import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import type { RequestBody } from '../contract/envelope.js'
import { messageOf } from '../contract/error.js'
import type { QueryRange } from './plan/query-range.js'
import { requestFields, requestParams } from './plan/request-params.js'
import type { RequestCost } from './query-run.js'
import { type ArchiveIdentity, archiveHeaderName, commonIdentity, readArchiveHeader } from './reply/archive-identity.js'
import { maskKey, maskKeyInError, maskKeyInValue } from './reply/mask-key.js'
import { readReply } from './reply/read-reply.js'
import type { ReplyChunk } from './reply/reply-chunk.js'
import { normalizeSpelling, validateReply } from './reply/validate-reply.js'
import { type RequestDetails, rewordError, SourceError } from './source-error.js'
import type { Clock } from './transport/clock.js'
import type { HttpClient, HttpResponse } from './transport/http-client.js'
import { headerOf } from './transport/http-headers.js'
import { type RetryPolicy, retry, Share } from './transport/middleware.js'
import type { NodeOrder } from './transport/node-address.js'
import type { NodePool } from './transport/node-pool.js'
import type { RateLimiter } from './transport/rate-limiter.js'

/** One attempt at a request, for a log. It never holds the key. */
export interface RequestLog {
  readonly dataset: string
  readonly params: Readonly<Record<string, unknown>>
  readonly node: string
  /** From 1; fail-over to another node counts as an attempt. */
  readonly attempt: number
  readonly milliseconds: number
  readonly outcome: 'answered' | 'failed'
  readonly status?: number
  readonly bytes?: number
  readonly rows?: number
  /** Code and message of the error. */
  readonly error?: string
  readonly message?: string
  /** Whether the same request is asked again, as long as attempts and time are left. */
  readonly retryable?: boolean
}

/** Said once of each column that comes and is not in the contract. */
export interface ExtraColumn {
  readonly dataset: string
  readonly column: string
  readonly node: string
}

export interface RequesterOptions {
  readonly key: string
  readonly http: HttpClient
  readonly order: NodeOrder
  readonly nodes: NodePool
  readonly pace: RateLimiter
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly onRequest?: ((log: RequestLog) => void) | undefined
  readonly onExtraColumn?: ((extra: ExtraColumn) => void) | undefined
}

/** One question: a box of a query, or a page of it. */
export interface RangeRequest {
  readonly dataset: Dataset
  readonly query: Query
  /** Fields that the caller wants. */
  readonly fields: readonly string[]
  readonly range: QueryRange
  readonly page?: { readonly limit?: number | undefined; readonly offset?: number | undefined } | undefined
}

export interface RequestResult {
  readonly chunk: ReplyChunk
  readonly cost: RequestCost
}

interface Request {
  readonly question: RangeRequest
  readonly asked: RequestDetails
  readonly body: string
  readonly expected: readonly string[]
}

/** An error with what was asked, and how often. */
function inFull(error: SourceError, asked: RequestDetails, attempts: number): SourceError {
  const said = error.request ? error.message : `${asked.dataset}: ${error.message}`
  return rewordError(error, error.retryable && attempts > 1 ? `${said}; asked ${attempts} times` : said, asked)
}

/** Asks a service one question at a time: kindly, patiently, and the same question only once at a time. */
export class Requester {
  readonly #wiring: RequesterOptions
  readonly #share = new Share<RequestResult>()
  readonly #extras = new Set<string>()
  #identity: ArchiveIdentity | undefined

  constructor(wiring: RequesterOptions) {
    this.#wiring = wiring
  }

  /** What the replies so far agree on about the archive behind them; undefined before the first. */
  get identity(): ArchiveIdentity | undefined {
    return this.#identity
  }

  /** @throws SourceError, ContractError; or the reason of the signal */
  async send(question: RangeRequest, signal?: AbortSignal): Promise<RequestResult> {
    const request = this.#requestOf(question)
    const { dataset, params, fields } = request.asked
    const name = JSON.stringify([dataset, params, fields])
    const { chunk, cost } = await this.#share.run(name, (shared) => this.#persist(request, shared), signal)
    const { length, columns: of } = chunk.columns
    return { chunk: { ...chunk, columns: { length, columns: new Map(of) } }, cost }
  }

  #requestOf(question: RangeRequest): Request {
    const { dataset, query, range, page } = question
    const fields = requestFields(dataset, query, question.fields)
    const params = requestParams(dataset, query, range, page)
    const body: RequestBody = {
      apikey: this.#wiring.key,
      apiname: dataset.name,
      ...(fields ? { fields: fields.join(',') } : {}),
      params,
    }

    return {
      question,
      asked: { dataset: dataset.name, params, fields },
      body: JSON.stringify(body),
      expected: fields ?? question.fields,
    }
  }

  async #persist(request: Request, signal: AbortSignal): Promise<RequestResult> {
    const { retry: policy, clock, pace, nodes, order } = this.#wiring
    const { dataset } = request.question
    let attempt = 0
    const once = (): Promise<RequestResult> =>
      nodes.run(order(dataset.nodes, dataset.name), (node) => this.#attempt(request, node, ++attempt, signal))
    const onRetry = (error: SourceError, wait: number): void => {
      if (error.retryAfter !== undefined) pace.pause(wait)
    }
    try {
      const { chunk, cost } = await pace.run(dataset.name, () => retry(once, policy, clock, signal, onRetry), signal)
      return { chunk, cost: { ...cost, requests: attempt } }
    } catch (error) {
      throw error instanceof SourceError ? inFull(error, request.asked, attempt) : error
    }
  }

  async #attempt(request: Request, node: string, attempt: number, signal: AbortSignal): Promise<RequestResult> {
    const { http, clock } = this.#wiring
    const began = clock.now()
    try {
      const answer = await http.post(node, request.body, { signal })
      const { status, received } = answer
      const chunk = this.#read(request, answer, request.expected)
      const cost = { requests: attempt, bytes: received, node }
      this.#log(request, node, attempt, began, {
        outcome: 'answered',
        status,
        bytes: received,
        rows: chunk.columns.length,
      })
      return { chunk, cost }
    } catch (cause) {
      const error = maskKeyInError(cause, this.#wiring.key)
      this.#log(request, node, attempt, began, {
        outcome: 'failed',
        error: (error as { code?: string }).code ?? 'ABORTED',
        message: messageOf(error),
        retryable: error instanceof SourceError && error.retryable,
        ...(error instanceof SourceError && error.status !== undefined ? { status: error.status } : {}),
      })
      throw error
    }
  }

  #read({ question, asked: request }: Request, answer: HttpResponse, expected: readonly string[]): ReplyChunk {
    const { dataset, query, range } = question
    const { key } = this.#wiring
    const chunk = normalizeSpelling(dataset, readReply(answer, { dataset, expected, request, key }))
    validateReply(dataset, query, range, chunk)
    const of = new Map(
      [...chunk.columns.columns].map(([name, values]) => [this.#nameOf(dataset, name, chunk.node), values]),
    )
    const beside = maskKeyInValue(chunk.beside, key) as ReplyChunk['beside']
    return { ...chunk, columns: { ...chunk.columns, columns: of }, beside, archive: this.#archiveOf(answer) }
  }

  #archiveOf(answer: HttpResponse): ArchiveIdentity | undefined {
    const told = readArchiveHeader(headerOf(answer.headers, archiveHeaderName))
    const mask = (text: string | undefined): string | undefined => text && maskKey(text, this.#wiring.key)
    const archive = told && { ...told, name: mask(told.name), about: mask(told.about) }
    this.#identity = this.#identity ? commonIdentity(this.#identity, archive ?? {}) : (archive ?? {})
    return archive
  }

  /** The name of a column; one that the contract does not know is told of, once. */
  #nameOf(dataset: Dataset, column: string, node: string): string {
    if (Object.hasOwn(dataset.columns, column) || Object.hasOwn(dataset.stored ?? {}, column)) return column
    const name = maskKey(column, this.#wiring.key)
    this.#extra(dataset, name, node)
    return name
  }

  #extra({ name: dataset }: Dataset, column: string, node: string): void {
    const name = `${dataset} ${column}`
    if (this.#extras.has(name)) return
    this.#extras.add(name)
    this.#wiring.onExtraColumn?.({ dataset, column, node })
  }

  #log(
    { asked }: Request,
    node: string,
    attempt: number,
    began: number,
    rest: Omit<RequestLog, 'dataset' | 'params' | 'node' | 'attempt' | 'milliseconds'>,
  ): void {
    const milliseconds = this.#wiring.clock.now() - began
    this.#wiring.onRequest?.({ dataset: asked.dataset, params: asked.params, node, attempt, milliseconds, ...rest })
  }
}
