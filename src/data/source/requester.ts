import { createHash } from 'node:crypto'
import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import type { RequestBody } from '../../contract/envelope.js'
import { messageOf } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { QueryRange } from './plan/query-range.js'
import { requestFields, requestParams } from './plan/request-params.js'
import { type ArchiveIdentity, archiveHeaderName, commonIdentity, readArchiveHeader } from './reply/archive-identity.js'
import type { EtagCache, TaggedReply } from './reply/etag-cache.js'
import { maskKey, maskKeyInError, maskKeyInValue } from './reply/mask-key.js'
import { readReply } from './reply/read-reply.js'
import type { ReplyChunk } from './reply/reply-chunk.js'
import { normalizeSpelling, validateReply } from './reply/validate-reply.js'
import { type RequestDetails, rewordError, SourceError } from './source-error.js'
import type { Clock } from './transport/clock.js'
import type { HttpClient } from './transport/http-client.js'
import { headerOf } from './transport/http-headers.js'
import type { HttpResponse } from './transport/http-stream.js'
import {
  type RetryPolicy,
  retryRequests,
  type Send,
  shareInFlight,
  type TransportRequest,
} from './transport/middleware.js'
import type { NodeOrder } from './transport/node-address.js'
import type { NodePool } from './transport/node-pool.js'
import type { PaceLimits, RateLimiter } from './transport/rate-limiter.js'
import { isClosedHere } from './transport/transport-errors.js'

/** What answering one request took. */
export interface RequestCost {
  readonly requests: number
  readonly bytes: number
  readonly node: string
}

/** One attempt at a request, for a log. It never contains the key. */
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
  readonly message?: Words
  /** Whether the same request is asked again, as long as attempts and time are left. */
  readonly retryable?: boolean
}

/** Said once of each column that comes and is not in the contract. */
export interface ExtraColumn {
  readonly dataset: string
  readonly column: string
  readonly node: string
}

/** A service, and the parts that a request to it goes through. */
export interface ServiceParts {
  readonly name: string
  readonly pace: PaceLimits
  readonly key: string
  readonly http: HttpClient
  readonly order: NodeOrder
  readonly nodes: NodePool
  readonly limiter: RateLimiter
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly time: () => number
  readonly onRequest?: ((log: RequestLog) => void) | undefined
  readonly onExtraColumn?: ((extra: ExtraColumn) => void) | undefined
}

/** A request for a range of a query, or for a page of it. */
export interface RangeRequest {
  readonly dataset: Dataset
  readonly query: Query
  /** Fields that the caller wants. */
  readonly fields: readonly string[]
  readonly range: QueryRange
  readonly page?: { readonly limit?: number | undefined; readonly offset?: number | undefined } | undefined
  readonly seen?: EtagCache | undefined
}

export interface RequestResult {
  readonly chunk: ReplyChunk
  readonly cost: RequestCost
}

/** A request of an operation on its way through the transport. */
interface ServiceRequest extends TransportRequest {
  readonly rangeRequest: RangeRequest
  readonly details: RequestDetails
  /** Columns that the reply must have. */
  readonly expected: readonly string[]
  readonly body: string
  /** Attempts so far, on all nodes. */
  readonly attempts: { count: number }
}

/** The entity tag that our own service knows a body by. */
function tagOf({ bytes }: HttpResponse): string {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`
}

/** HTTP status of a POST whose answer the asker has already: what If-None-Match says is not so (RFC 9110, 13.1.2). */
const alreadySeen = 412

function isSeen(known: TaggedReply | undefined, { status, headers }: HttpResponse): known is TaggedReply {
  return known !== undefined && status === alreadySeen && headerOf(headers, archiveHeaderName) !== ''
}

/** Sends the requests of a service: paced, retried, and the same request only once at a time. */
export class Requester {
  readonly #options: ServiceParts
  readonly #send: Send<ServiceRequest, RequestResult>
  readonly #extras = new Set<string>()
  #identity: ArchiveIdentity | undefined
  #hasAnswered = false
  /** A closed port of this machine is not waited for, unless a service was there, which may come back. */
  readonly #isTriedAgain = (error: SourceError): boolean =>
    error.retryable && (this.#hasAnswered || !isClosedHere(error))

  constructor(options: ServiceParts) {
    const { limiter, nodes, retry, clock } = options
    this.#options = options
    const onRetry = (error: SourceError, wait: number): void => {
      if (error.retryAfter !== undefined) limiter.pause(wait)
    }
    const retried = retryRequests<ServiceRequest, RequestResult>(retry, clock, onRetry, this.#isTriedAgain)
    const send = nodes.failOver((request: ServiceRequest) => this.#attempt(request))
    this.#send = shareInFlight<ServiceRequest, RequestResult>()(describeErrors(limiter.limit(retried(send))))
  }

  /** What the replies so far agree on about the archive behind them; undefined before the first. */
  get identity(): ArchiveIdentity | undefined {
    return this.#identity
  }

  /** @throws SourceError, ContractError; or the reason of the signal */
  async send(request: RangeRequest, signal?: AbortSignal): Promise<RequestResult> {
    const { dataset, query, range, page } = request
    const { key: apikey, order } = this.#options
    const fields = requestFields(dataset, query, request.fields)
    const params = requestParams(dataset, query, range, page)
    const body: RequestBody = { apikey, apiname: dataset.name, ...(fields ? { fields: fields.join(',') } : {}), params }
    const sent: ServiceRequest = {
      operation: dataset.name,
      key: JSON.stringify([dataset.name, params, fields]),
      nodes: order(dataset.nodes, dataset.name),
      node: '',
      signal,
      rangeRequest: request,
      details: { dataset: dataset.name, params, fields },
      body: JSON.stringify(body),
      expected: fields ?? request.fields,
      attempts: { count: 0 },
    }
    const { chunk, ...rest } = await this.#send(sent)
    // Callers with the same request share the columns, and each may take its own out.
    const { length, columns } = chunk.columns
    return { chunk: { ...chunk, columns: { length, columns: new Map(columns) } }, ...rest }
  }

  /** One attempt at one node, and its line in the log. No error leaves with the key in it. */
  async #attempt(request: ServiceRequest): Promise<RequestResult> {
    const { node, body, signal, attempts } = request
    const { clock, key, http, onRequest } = this.#options
    const { dataset, params } = request.details
    const began = clock.now()
    const attempt = ++attempts.count
    const { seen } = request.rangeRequest
    const known = seen?.get(request.key)
    const log = (outcome: Omit<RequestLog, 'dataset' | 'params' | 'node' | 'attempt' | 'milliseconds'>): void =>
      onRequest?.({ dataset, params, node, attempt, milliseconds: clock.now() - began, ...outcome })
    try {
      const response = await http.post(node, body, { signal, headers: known && { 'if-none-match': known.tag } })
      this.#hasAnswered = true
      const { status, received: bytes } = response
      const isKnown = isSeen(known, response)
      const chunk = isKnown ? this.#again(known, response) : this.#read(request, response)
      if (chunk.archive) seen?.set(request.key, { tag: isKnown ? known.tag : tagOf(response), chunk })
      log({ outcome: 'answered', status, bytes, rows: isKnown ? 0 : chunk.columns.length })
      return { chunk, cost: { requests: attempt, bytes, node } }
    } catch (cause) {
      const error = maskKeyInError(cause, key)
      log({
        outcome: 'failed',
        error: (error as { code?: string }).code ?? 'ABORTED',
        message: messageOf(error),
        retryable: error instanceof SourceError && this.#isTriedAgain(error),
        ...(error instanceof SourceError && error.status !== undefined ? { status: error.status } : {}),
      })
      throw error
    }
  }

  /** The reply that came before, of the archive as it is now. */
  #again({ chunk }: TaggedReply, response: HttpResponse): ReplyChunk {
    return { ...chunk, node: response.node, archive: this.#archiveOf(response) }
  }

  #read({ rangeRequest, details, expected }: ServiceRequest, response: HttpResponse): ReplyChunk {
    const { dataset, query, range } = rangeRequest
    const { key } = this.#options
    const context = { dataset, expected, request: details, key }
    const chunk = normalizeSpelling(dataset, readReply(response, context))
    validateReply(dataset, query, range, chunk)
    const { length, columns } = chunk.columns
    const named = [...columns].map(([name, values]) => [this.#nameOf(dataset, name, chunk.node), values] as const)
    const beside = maskKeyInValue(chunk.beside, key) as ReplyChunk['beside']
    return { ...chunk, columns: { length, columns: new Map(named) }, beside, archive: this.#archiveOf(response) }
  }

  #archiveOf({ headers }: HttpResponse): ArchiveIdentity | undefined {
    const sent = readArchiveHeader(headerOf(headers, archiveHeaderName))
    const mask = (text: string | undefined): string | undefined => text && maskKey(text, this.#options.key)
    const archive = sent && { ...sent, name: mask(sent.name), about: mask(sent.about) }
    this.#identity = this.#identity ? commonIdentity(this.#identity, archive ?? {}) : (archive ?? {})
    return archive
  }

  /** The name of a column; one that the contract does not know is reported, once. */
  #nameOf({ name: dataset, columns, stored }: Dataset, column: string, node: string): string {
    if (Object.hasOwn(columns, column) || Object.hasOwn(stored ?? {}, column)) return column
    const name = maskKey(column, this.#options.key)
    const extra = `${dataset} ${name}`
    if (this.#extras.has(extra)) return name
    this.#extras.add(extra)
    this.#options.onExtraColumn?.({ dataset, column: name, node })
    return name
  }
}

/** Errors with the request and the attempts that it took. */
function describeErrors(next: Send<ServiceRequest, RequestResult>): Send<ServiceRequest, RequestResult> {
  return async (request) => {
    const { details, attempts } = request
    try {
      return await next(request)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const text = error.request ? messageOf(error) : sentence`${details.dataset}: ${messageOf(error)}`
      const isRepeated = error.retryable && attempts.count > 1
      throw rewordError(error, isRepeated ? sentence`${text}; asked ${attempts.count} times` : text, details)
    }
  }
}
