import { ContractError, type ErrorCode, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** What was asked, without the key. */
export interface RequestDetails {
  readonly dataset: string
  readonly params: Readonly<Record<string, unknown>>
  /** Absent where the operation takes none. */
  readonly fields?: readonly string[] | undefined
}

export interface SourceErrorDetails {
  readonly request?: RequestDetails | undefined
  /** Address of the node that answered, or was tried last. */
  readonly node?: string | undefined
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined
  /** Business code and message of the service, where it gave them. */
  readonly vendorCode?: number | undefined
  readonly vendorMessage?: string | undefined
  /** Whether the same request may be answered later. */
  readonly retryable?: boolean | undefined
  /** Milliseconds that the service asked to wait, however many. */
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Milliseconds that a service is left alone at its own wish, at most. */
export const longestWait = 3_600_000

/**
 * Reports a failed request to a service over HTTP. `code` gives the cause:
 *
 * | code           | cause                                                                | retryable |
 * |----------------|----------------------------------------------------------------------|-----------|
 * | UNREACHABLE    | no connection to any node                                            | yes       |
 * | CUT_OFF        | the connection broke before the reply was complete                   | yes       |
 * | TIMEOUT        | a deadline passed                                                    | yes       |
 * | UNAVAILABLE    | a temporary status or business code, or a message other than success | yes       |
 * | FORBIDDEN      | 403: the key, or its plan                                            | no        |
 * | INVALID_PARAMS | 422: the service rejects the request                                 | no        |
 * | UNSUPPORTED_MARKET | business code 503 of that name: the market is not served         | no        |
 * | ENVELOPE       | not JSON, no envelope, too large, wrong counts, another HTTP status  | no        |
 * | SERVICE        | another business code                                                | no        |
 * | TRUNCATED      | rows are missing and the request cannot be split further             | no        |
 * | UNSTABLE       | the rows changed during every attempt to read them                   | yes       |
 */
export class SourceError extends QuotebookError {
  override readonly name: string = 'SourceError'
  readonly request: RequestDetails | undefined
  readonly node: string | undefined
  readonly status: number | undefined
  readonly vendorCode: number | undefined
  readonly vendorMessage: string | undefined
  readonly retryable: boolean
  /** Milliseconds that the service asked to wait, at most an hour: a date that is wrong silences nobody for longer. */
  readonly retryAfter: number | undefined
  constructor(code: ErrorCode, message: Words, about: SourceErrorDetails = {}) {
    super(code, message, about.cause === undefined ? undefined : { cause: about.cause })
    this.request = about.request
    this.node = about.node
    this.status = about.status
    this.vendorCode = about.vendorCode
    this.vendorMessage = about.vendorMessage
    this.retryable = about.retryable ?? false
    this.retryAfter = about.retryAfter === undefined ? undefined : Math.min(about.retryAfter, longestWait)
  }
}

/** Rows are missing from an answer, and there is no way to ask for them; `allowTruncated` takes what came. */
export class TruncatedError extends SourceError {
  override readonly name: string = 'TruncatedError'
  constructor(message: Words, about: SourceErrorDetails = {}) {
    super('TRUNCATED', message, about)
  }
}

/** A failure of a query, or of a range of it, that no single reply is to blame for; `what` follows the name of the dataset. */
export function queryError(
  code: 'ENVELOPE' | 'TRUNCATED' | 'UNSTABLE',
  { dataset, query }: { readonly dataset: { readonly name: string }; readonly query: RequestDetails['params'] },
  what: Words,
  { range, ...details }: SourceErrorDetails & { readonly range?: object } = {},
): SourceError {
  const message = sentence`${dataset.name}: ${what}`
  const request = { dataset: dataset.name, params: { ...query, ...range } }
  const about = { request, retryable: code === 'UNSTABLE', ...details }
  return code === 'TRUNCATED' ? new TruncatedError(message, about) : new SourceError(code, message, about)
}

/** The same failure in other words, of a question and with other details where they are said. */
export function rewordError(
  error: SourceError,
  message: Words,
  request: RequestDetails | undefined = error.request,
  other: SourceErrorDetails = {},
): SourceError {
  const { node, status, vendorCode, vendorMessage, retryable, retryAfter, cause } = error
  const about = { request, node, status, vendorCode, vendorMessage, retryable, retryAfter, cause, ...other }
  return error instanceof TruncatedError
    ? new TruncatedError(message, about)
    : new SourceError(error.code, message, about)
}

/** What requests bring. Undefined for refusals and for answers to another question: they say nothing about the rows. */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    const isRefusal = error instanceof SourceError && !(error instanceof TruncatedError) && !error.retryable
    if (isRefusal || error instanceof ContractError) return undefined
    throw error
  }
}
