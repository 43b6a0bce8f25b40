import { constants, isUtf8 } from 'node:buffer'
import type { Dataset } from '../../../contract/dataset.js'
import { asReply, type Content, contentOf, type Reply } from '../../../contract/envelope.js'
import { ContractError, codes, type ErrorCode, messageOf, QuotebookError } from '../../../contract/error.js'
import { received, sent, sentence, type Words } from '../../../contract/sentence.js'
import { withoutMark } from '../../../contract/without-mark.js'
import { columnTypeOf } from '../../../frame/table/arrow.js'
import { checkJson, WordCount } from '../../../frame/table/check-json.js'
import { decode } from '../../../frame/table/decode.js'
import { nulls, type RecordColumns } from '../../../frame/table/values.js'
import { type RequestDetails, SourceError, type SourceErrorDetails } from '../source-error.js'
import { isPassing } from '../transport/http-headers.js'
import type { HttpResponse } from '../transport/http-stream.js'
import { noKey } from '../transport/node-address.js'
import { maskKey } from './mask-key.js'
import type { ReplyChunk } from './reply-chunk.js'
import { wordOfMore } from './word-of-more.js'

/** What a reply is read with. */
export interface ReplyContext {
  readonly dataset: Dataset
  /** Columns that must be there. */
  readonly expected: readonly string[]
  readonly request: RequestDetails
  /** The key, to be kept out of what is said. */
  readonly key: string
}

/** Characters of what is quotedWords, and of what is read for it: a page may be large. */
const longestQuote = 300
const mostRead = 4000

/** Text of a service in one line, without the key, should it have sent it back. */
export function quotable(text: string, key: string): string {
  const line = maskKey(text.slice(0, mostRead), key)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would act on them
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  return line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line
}

/** Words whose values are fit to be quotedWords. */
export const quotedWords = (words: Words, key: string): Words => received(sent(words), (text) => quotable(text, key))

/** What a service said went wrong, by HTTP or in the envelope. */
export interface Refusal {
  readonly code: number
  readonly message: string
  /** Milliseconds that the service asks to wait, where it says so in the reply itself. */
  readonly retryAfter?: number | undefined
  /** No envelope came: the code is that of HTTP alone. */
  readonly isBare?: boolean | undefined
}

/** An error about a reply, with the request and the node. */
function replyError(
  code: ErrorCode,
  message: Words,
  { node, status }: HttpResponse,
  { request }: ReplyContext,
  details: SourceErrorDetails = {},
): SourceError {
  return new SourceError(code, sentence`${request.dataset}: ${message}`, { request, node, status, ...details })
}

/** A business code or an HTTP status as the error that it means. */
function refusalError(
  { code, message, retryAfter, isBare }: Refusal,
  response: HttpResponse,
  context: ReplyContext,
): SourceError {
  const vendorMessage = quotable(message, context.key)
  const details = {
    vendorCode: isBare ? undefined : code,
    vendorMessage,
    retryAfter: retryAfter ?? response.retryAfter,
  }
  const said = [code, vendorMessage].filter(Boolean).join(' ')
  const text = sentence`${response.node} answers ${said}`
  if (code === 401 || code === codes.forbidden) {
    const blank = context.key === context.key.trim() ? '' : sentence`, which begins or ends with a blank,`
    const refused = sentence`${response.node} answers ${said.replace(/\.$/, '')}`
    const hint =
      context.key === noKey
        ? sentence`${refused}; no key was given: set QUOTEBOOK_APIKEY to your key`
        : sentence`${refused}; check the key${blank} and its plan`
    return replyError('FORBIDDEN', hint, response, context, details)
  }
  if (code === codes.invalid) return replyError('INVALID_PARAMS', text, response, context, details)
  if (/UNSUPPORTED_MARKET/.test(vendorMessage))
    return replyError('UNSUPPORTED_MARKET', text, response, context, details)
  if (isPassing(code)) {
    return replyError('UNAVAILABLE', text, response, context, { ...details, retryable: true })
  }
  return replyError('SERVICE', text, response, context, details)
}

/** As far as a page is read: looking for tags takes the square of its length. */
const firstOfPage = 2 ** 13

/** A page of a proxy says what it is in its title. */
function pageTitle(page: string): string {
  const text = page.slice(0, firstOfPage)
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ')
}

function notJsonError(text: string, response: HttpResponse, context: ReplyContext, cause: unknown): SourceError {
  const { node, contentType } = response
  const start = text.trimStart()
  if (start === '') return replyError('ENVELOPE', sentence`${node} sends an empty answer`, response, context)
  if (start.startsWith('<') || contentType.startsWith('text/html')) {
    const title = quotable(pageTitle(start), context.key)
    const message = sentence`${node} sends a page, not JSON: “${title}”; is it the address of the service?`
    return replyError('ENVELOPE', message, response, context)
  }
  if (start.startsWith('{') && !start.trimEnd().endsWith('}')) {
    return replyError('CUT_OFF', sentence`the answer of ${node} ends in the middle`, response, context, {
      retryable: true,
    })
  }
  const message = sentence`${node} sends no JSON: ${quotedWords(messageOf(cause), context.key)}`
  return replyError('ENVELOPE', message, response, context)
}

/** What `read` gives of a reply; whatever is wrong there is an error of the envelope. */
function inEnvelope<T>(read: () => T, response: HttpResponse, context: ReplyContext): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof ContractError) throw cause
    const message = sentence`${quotedWords(messageOf(cause), context.key)} (answer of ${response.node})`
    throw replyError('ENVELOPE', message, response, context)
  }
}

function parseReply(response: HttpResponse, context: ReplyContext): Reply {
  const { bytes, node } = response
  if (bytes.byteLength > constants.MAX_STRING_LENGTH) {
    throw replyError('ENVELOPE', sentence`the answer of ${node} is longer than a text can be`, response, context)
  }
  if (!isUtf8(bytes)) throw replyError('ENVELOPE', sentence`the answer of ${node} is not UTF-8 text`, response, context)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  inEnvelope(() => checkJson(bytes), response, context)
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
  } catch (cause) {
    throw notJsonError(text, response, context, cause)
  }
  return inEnvelope(() => asReply(value), response, context)
}

/** What a reply complains of, on either of its levels; undefined when it has data, or says that there is none. */
function refusalIn({ code, message, data }: Reply, shape: Dataset['shape']): Refusal | undefined {
  if (code !== codes.ok && code !== codes.noData) return { code, message }
  const inner = data?.code
  if (shape !== 'object' || typeof inner !== 'number' || !('data' in (data ?? {}))) return undefined
  if (inner === 0 || inner === codes.ok || inner === codes.noData) return undefined
  // How long a share that is being prepared takes, in seconds.
  const wait = (data?.data as { readonly retry_after?: unknown } | null | undefined)?.retry_after
  const retryAfter = typeof wait === 'number' && wait > 0 ? 1000 * wait : undefined
  return { code: inner, message: typeof data?.message === 'string' ? data.message : '', retryAfter }
}

/** What an HTTP status other than 200 means; an envelope in the body says it better. */
function statusError(response: HttpResponse, context: ReplyContext): SourceError {
  const { status, node } = response
  let reply: Reply | undefined
  try {
    reply = parseReply(response, context)
  } catch {}
  if (reply?.code === codes.ok || reply?.code === codes.noData) reply = undefined
  const byReply = reply && refusalError(reply, response, context)
  const isBare = reply === undefined
  const byStatus = refusalError({ code: status, message: reply?.message ?? '', isBare }, response, context)
  if (byReply && byReply.code !== 'SERVICE' && isPassing(status)) return byReply
  if (byStatus.code !== 'SERVICE') return byStatus
  if (byReply) return byReply
  const isRedirect = status >= 300 && status < 400
  const hint = status === 404 ? sentence`; is it the address of the service?` : ''
  const advice = isRedirect ? sentence`; redirects are not followed, give the address itself` : hint
  return replyError('ENVELOPE', sentence`${node} answers with HTTP status ${status}${advice}`, response, context)
}

/** A dataset's columns without rows. */
function noRows({ columns }: Dataset, names: readonly string[]): RecordColumns {
  return {
    length: 0,
    columns: new Map(names.map((name) => [name, nulls(columnTypeOf((columns[name] as { kind: 'code' }).kind), 0)])),
  }
}

function decoded({ fields, items }: Content, response: HttpResponse, context: ReplyContext): RecordColumns {
  const { dataset, expected, key } = context
  if (items.length === 0 && fields.length === 0) return noRows(dataset, expected)
  try {
    return inEnvelope(() => decode(dataset, fields, items, expected, new WordCount()), response, context)
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    const { field, row, what } = error
    const message = quotedWords(what, key)
    throw new ContractError(dataset.name, message, { field, row, node: response.node })
  }
}

/** "No data" beside rows: one of the two is wrong, and nobody can tell which. */
function contentIn(reply: Reply, shape: Dataset['shape']): Content | undefined {
  const { code, data } = reply
  const items = code === codes.noData ? data?.items : undefined
  if (!Array.isArray(items) || items.length === 0) return contentOf(reply, shape)
  throw new QuotebookError(
    'ENVELOPE',
    sentence`the reply says that there is no data (${code}) and has ${items.length} rows`,
  )
}

/** Under any other message than `success` a service that is busy, or at its quota, may send no rows, or some of them. */
function checkMessage(rows: number, message: string, response: HttpResponse, context: ReplyContext): void {
  if (/^(success|ok)?$/i.test(message.trim())) return
  const vendorMessage = quotable(message, context.key)
  const sent = rows === 0 ? sentence`without rows` : sentence`with ${rows} rows`
  const text = sentence`${response.node} answers ${sent} and says “${vendorMessage}”, not success`
  throw replyError('UNAVAILABLE', text, response, context, { vendorCode: codes.ok, vendorMessage, retryable: true })
}

/**
 * An answer as columns.
 * @throws SourceError for what the service complains of, and for what is no reply; ContractError for rows that break the
 * contract, naming node, field and row
 */
export function readReply(response: HttpResponse, context: ReplyContext): ReplyChunk {
  const { dataset, expected, key } = context
  const { node, status, headers, bytes } = response
  if (status !== 200) throw statusError(response, context)
  const reply = parseReply(response, context)
  const refusal = refusalIn(reply, dataset.shape)
  if (refusal) throw refusalError(refusal, response, context)
  const content = inEnvelope(() => contentIn(reply, dataset.shape), response, context)
  if (content) checkMessage(content.items.length, reply.message, response, context)
  const columns = content ? decoded(content, response, context) : noRows(dataset, expected)
  const beside = content?.beside ?? {}
  const word = wordOfMore(dataset, { rows: columns.length, beside, outer: reply.outer ?? {}, headers })
  return { columns, beside, node, bytes: bytes.length, ...(word === undefined ? {} : { more: quotedWords(word, key) }) }
}
