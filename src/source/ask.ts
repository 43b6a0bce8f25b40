import type { Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import type { RequestBody } from '../contract/envelope.js'
import { messageOf } from '../contract/error.js'
import { archiveHeaderName, type Identity, inCommon, readArchiveHeader } from './answer/identity.js'
import { checkInside } from './answer/inside.js'
import type { Piece } from './answer/piece.js'
import { readReply } from './answer/reply.js'
import { errorWithoutKey, valueWithoutKey, withoutKey } from './answer/secret.js'
import { inContractSpelling } from './answer/spelling.js'
import { type Asked, reworded, SourceError } from './error.js'
import type { Box } from './plan/box.js'
import { wireFields, wireParams } from './plan/wire.js'
import type { Cost } from './tally.js'
import type { Clock } from './transport/clock.js'
import { headerOf } from './transport/headers.js'
import type { Answer, Http } from './transport/http.js'
import type { NodeOrder } from './transport/node-order.js'
import type { Nodes } from './transport/nodes.js'
import type { Pace } from './transport/pace.js'
import { type RetryPolicy, retry } from './transport/retry.js'
import { Share } from './transport/share.js'

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

export interface Wiring {
  readonly key: string
  readonly http: Http
  readonly order: NodeOrder
  readonly nodes: Nodes
  readonly pace: Pace
  readonly retry: RetryPolicy
  readonly clock: Clock
  readonly onRequest?: ((log: RequestLog) => void) | undefined
  readonly onExtraColumn?: ((extra: ExtraColumn) => void) | undefined
}

/** One question: a box of a query, or a page of it. */
export interface Question {
  readonly dataset: Dataset
  readonly query: Query
  /** Fields that the caller wants. */
  readonly wanted: readonly string[]
  readonly box: Box
  readonly page?: { readonly limit?: number | undefined; readonly offset?: number | undefined } | undefined
}

export interface Asking {
  readonly piece: Piece
  readonly cost: Cost
}

interface Request {
  readonly question: Question
  readonly asked: Asked
  readonly body: string
  readonly expected: readonly string[]
}

/** An error with what was asked, and how often. */
function inFull(error: SourceError, asked: Asked, attempts: number): SourceError {
  const said = error.asked ? error.message : `${asked.dataset}: ${error.message}`
  return reworded(error, error.retryable && attempts > 1 ? `${said}; asked ${attempts} times` : said, asked)
}

/** Asks a service one question at a time: kindly, patiently, and the same question only once at a time. */
export class Asker {
  readonly #wiring: Wiring
  readonly #share = new Share<Asking>()
  readonly #extras = new Set<string>()
  #identity: Identity | undefined

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  /** What the replies so far agree on about the archive behind them; undefined before the first. */
  get identity(): Identity | undefined {
    return this.#identity
  }

  /** @throws SourceError, ContractError; or the reason of the signal */
  async ask(question: Question, signal?: AbortSignal): Promise<Asking> {
    const request = this.#requestOf(question)
    const { dataset, params, fields } = request.asked
    const name = JSON.stringify([dataset, params, fields])
    const { piece, cost } = await this.#share.run(name, (shared) => this.#persist(request, shared), signal)
    const { length, of } = piece.columns
    return { piece: { ...piece, columns: { length, of: new Map(of) } }, cost }
  }

  #requestOf(question: Question): Request {
    const { dataset, query, box, page, wanted } = question
    const fields = wireFields(dataset, query, wanted)
    const params = wireParams(dataset, query, box, page)
    const body: RequestBody = {
      apikey: this.#wiring.key,
      apiname: dataset.name,
      ...(fields ? { fields: fields.join(',') } : {}),
      params,
    }
    const expected = fields ?? wanted
    return { question, asked: { dataset: dataset.name, params, fields }, body: JSON.stringify(body), expected }
  }

  async #persist(request: Request, signal: AbortSignal): Promise<Asking> {
    const { retry: policy, clock, pace, nodes, order } = this.#wiring
    const { dataset } = request.question
    let attempt = 0
    const once = (): Promise<Asking> =>
      nodes.run(order(dataset.nodes, dataset.name), (node) => this.#attempt(request, node, ++attempt, signal))
    const onRetry = (error: SourceError, wait: number): void => {
      if (error.retryAfter !== undefined) pace.pause(wait)
    }
    try {
      const { piece, cost } = await pace.run(dataset.name, () => retry(once, policy, clock, signal, onRetry), signal)
      return { piece, cost: { ...cost, requests: attempt } }
    } catch (error) {
      throw error instanceof SourceError ? inFull(error, request.asked, attempt) : error
    }
  }

  async #attempt(request: Request, node: string, attempt: number, signal: AbortSignal): Promise<Asking> {
    const { http, clock } = this.#wiring
    const began = clock.now()
    try {
      const answer = await http.post(node, request.body, { signal })
      const { status, received } = answer
      const piece = this.#read(request, answer, request.expected)
      const cost = { requests: attempt, bytes: received, node }
      this.#log(request, node, attempt, began, {
        outcome: 'answered',
        status,
        bytes: received,
        rows: piece.columns.length,
      })
      return { piece, cost }
    } catch (cause) {
      const error = errorWithoutKey(cause, this.#wiring.key)
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

  #read({ question, asked }: Request, answer: Answer, expected: readonly string[]): Piece {
    const { dataset, query, box } = question
    const { key } = this.#wiring
    const piece = inContractSpelling(dataset, readReply(answer, { dataset, expected, asked, key }))
    checkInside(dataset, query, box, piece)
    const of = new Map([...piece.columns.of].map(([name, values]) => [this.#nameOf(dataset, name, piece.node), values]))
    const beside = valueWithoutKey(piece.beside, key) as Piece['beside']
    return { ...piece, columns: { ...piece.columns, of }, beside, archive: this.#archiveOf(answer) }
  }

  #archiveOf(answer: Answer): Identity | undefined {
    const told = readArchiveHeader(headerOf(answer.headers, archiveHeaderName))
    const mask = (text: string | undefined): string | undefined => text && withoutKey(text, this.#wiring.key)
    const archive = told && { ...told, name: mask(told.name), about: mask(told.about) }
    this.#identity = this.#identity ? inCommon(this.#identity, archive ?? {}) : (archive ?? {})
    return archive
  }

  /** The name of a column; one that the contract does not know is told of, once. */
  #nameOf(dataset: Dataset, column: string, node: string): string {
    if (Object.hasOwn(dataset.columns, column) || Object.hasOwn(dataset.stored ?? {}, column)) return column
    const name = withoutKey(column, this.#wiring.key)
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
