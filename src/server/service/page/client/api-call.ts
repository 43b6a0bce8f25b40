import type { Dataset } from '../../../../contract/dataset.js'
import { asReply, type Content, contentOf } from '../../../../contract/envelope.js'
import { codes, messageOf } from '../../../../contract/error.js'
import type { ArchiveIdentity } from '../../../../data/source/reply/archive-identity.js'
import type { WireParams } from './form-values.js'
import { parseExactly } from './json-text.js'

/** A call without its key. `fields` undefined: all of them. */
export interface ApiCall {
  readonly dataset: Dataset
  readonly params: WireParams
  readonly fields: readonly string[] | undefined
}

/** The body of a request, as the contract has it (section 2.1); what is undefined is not sent. */
export function requestBody(call: ApiCall, apikey: string): Readonly<Record<string, unknown>> {
  const { dataset, params, fields } = call
  const hasParams = dataset.needsParams === true || Object.keys(params).length > 0
  return { apikey, apiname: dataset.name, fields: fields?.join(','), params: hasParams ? params : undefined }
}

/** What came back over HTTP, whole. */
export interface HttpReply {
  readonly status: number
  /** Retry-After, where it is a number of seconds. */
  readonly retryAfter: number | undefined
  readonly text: string
  readonly bytes: number
  readonly milliseconds: number
  /** The archive that the answer came from, where the service tells it. */
  readonly origin: ArchiveIdentity | undefined
  /** When it was there, by the clock that never goes back. */
  readonly at: number
}

/** What an answer turned out to be. */
export type ReplyOutcome =
  | { readonly kind: 'content'; readonly code: number; readonly message: string; readonly content: Content }
  | { readonly kind: 'none'; readonly code: number; readonly message: string }
  /** An envelope that says no. `inner`: it is the lower level of a file result. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly inner?: true }
  /** Not JSON, no envelope, or content that breaks the contract. */
  | { readonly kind: 'broken'; readonly what: 'notJson' | 'notEnvelope' | 'malformed'; readonly message: string }

/** The lower level of a file result that is not there (or not yet). */
function innerRefusal(data: Readonly<Record<string, unknown>> | null): ReplyOutcome | undefined {
  if (typeof data?.code !== 'number' || !('data' in data) || data.code === 0 || data.code === codes.ok) return undefined
  const { code } = data
  const message = String(data.message ?? '')
  return code === codes.noData ? { kind: 'none', code, message } : { kind: 'refused', code, message, inner: true }
}

/** Reads an answer; never throws. */
export function readOutcome(dataset: Dataset, received: HttpReply): ReplyOutcome {
  let what: 'notJson' | 'notEnvelope' | 'malformed' = 'notJson'
  try {
    const value = parseExactly(received.text)
    what = 'notEnvelope'
    const reply = asReply(value)
    what = 'malformed'
    const { code, message } = reply
    if (code === codes.noData) return { kind: 'none', code, message }
    if (code !== codes.ok) return { kind: 'refused', code, message }
    if (received.status !== 200) return { kind: 'refused', code: received.status, message }
    const inner = dataset.shape === 'object' ? innerRefusal(reply.data) : undefined
    if (inner) return inner
    const content = contentOf(reply, dataset.shape)
    return content ? { kind: 'content', code, message, content } : { kind: 'none', code, message }
  } catch (error) {
    return { kind: 'broken', what, message: what === 'malformed' ? String(messageOf(error)) : '' }
  }
}

/** Why an answer may not be all there is: it is cut by the cap, one page of several, or the newest only. */
export type MissingRows =
  | { readonly word: 'capped'; readonly rows: number }
  | { readonly word: 'paged'; readonly shown: number; readonly total: number }
  | { readonly word: 'newest' }

/** The rows of an answer that were not sent, as far as it shows. */
export function missingRows(call: ApiCall, content: Content): MissingRows | undefined {
  const { limit } = call.dataset
  const rows = content.items.length
  if (limit.kind === 'cap') return rows >= limit.rows ? { word: 'capped', rows: limit.rows } : undefined
  if (limit.kind === 'page') {
    const { total } = content.beside
    return typeof total === 'number' && total > rows ? { word: 'paged', shown: rows, total } : undefined
  }
  if (limit.kind !== 'newest') return undefined
  return rows >= Number(call.params.limit ?? limit.default) ? { word: 'newest' } : undefined
}
