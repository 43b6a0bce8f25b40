import { codes } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import { wordsIn } from '../../contract/say.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** What goes back for a request, before it is put on a wire. */
export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Uint8Array[]
  /** In place of `chunks`, of a long answer: its bytes, made piece by piece as its reader takes them; each time anew. */
  readonly pieces?: (() => Iterable<Uint8Array>) | undefined
  /** Business code of the envelope (section 7), or the HTTP status where that says more. */
  readonly code: number
  readonly rows: number
  /** What an envelope without data says, in English until `inLanguageOfCaller`. */
  readonly said?: Words | undefined
  readonly apiname?: string | undefined
  /** Name of the caller's key. */
  readonly caller?: string | undefined
}

export const jsonType = 'application/json; charset=utf-8'

/** Most rows of an answer that is made before it is sent: as many as an operation with a cap answers. */
const longest = 6000

/** The bytes of an answer of so many rows: all at once, or as they are taken. */
export function bodyOf(rows: number, pieces: () => Iterable<Uint8Array>): Pick<ServiceAnswer, 'chunks' | 'pieces'> {
  return rows > longest ? { chunks: [], pieces } : { chunks: [...pieces()] }
}

/** An envelope that has data. */
export function jsonAnswer(
  chunks: readonly Uint8Array[],
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const own = { 'content-type': jsonType, ...headers }
  return { status: 200, headers: own, chunks, code: codes.ok, rows: 0 }
}

type Extra = Partial<Pick<ServiceAnswer, 'status' | 'headers' | 'apiname' | 'caller'>>

/** An envelope without data: an error, or "no data". */
export function envelope(code: number, message: Words, extra: Extra = {}): ServiceAnswer {
  const headers = { 'content-type': jsonType, ...extra.headers }
  const chunks = [Buffer.from(JSON.stringify({ code, message, data: null }))]
  return { status: 200, ...extra, headers, chunks, code, rows: 0, said: message }
}

/** An answer whose message is said in a language; codes, `success` and what the contract itself says are the same in each. */
export async function inLanguageOfCaller(answer: ServiceAnswer, language: Language): Promise<ServiceAnswer> {
  const { said, code } = answer
  if (said === undefined || language === 'en') return answer
  const { chunks } = envelope(code, wordsIn(said, language))
  return { ...answer, chunks, said: undefined }
}

export const invalid = (message: Words): ServiceAnswer => envelope(codes.invalid, message)
export const forbidden = (message: Words, extra?: Extra): ServiceAnswer => envelope(codes.forbidden, message, extra)
export const unavailable = (message: Words, extra?: Extra): ServiceAnswer => envelope(codes.unavailable, message, extra)

/** Too many requests: HTTP says it too, and when the next one is let in. */
export function tooManyRequests(message: Words, retryAfter: number, caller: string | undefined): ServiceAnswer {
  return envelope(429, message, { caller, status: 429, headers: { 'retry-after': String(retryAfter) } })
}

/** So many requests are being answered that this one should come again. */
export function busy(status = 200): ServiceAnswer {
  return unavailable(sentence`busy: too many requests at once`, { status, headers: { 'retry-after': '1' } })
}

/** Content of HTTP status 200 that is no answer of an operation. */
export function content(
  body: string | Uint8Array,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  return jsonAnswer([typeof body === 'string' ? Buffer.from(body) : body], { 'content-type': type, ...headers })
}
