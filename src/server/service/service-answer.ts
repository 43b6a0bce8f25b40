import { codes } from '../../contract/error.js'
import type { Language } from '../../contract/language.js'
import { wordsIn } from '../../contract/say.js'
import type { Words } from '../../contract/sentence.js'
import type { RefusedError } from './refused-error.js'

/** What goes back for a request, before it is put on a wire. */
export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Uint8Array[]
  /** In place of `chunks`, of a long answer: its bytes, made piece by piece as its reader takes them; each time anew. */
  readonly pieces?: (() => Iterable<Uint8Array>) | undefined
  /** In place of both, of a page that is shown while it is made: its parts, each sent when it is there. */
  readonly parts?: (() => AsyncIterable<Uint8Array>) | undefined
  /** In place of all, of an envelope without data: what it says, in English, until the language of the caller is known. */
  readonly said?: Words | undefined
  /** Business code of the envelope (section 7), or the HTTP status where that says more. */
  readonly code: number
  readonly rows: number
}

export const jsonType = 'application/json; charset=utf-8'

/** Most rows of an answer that is made before it is sent: as many as an operation with a cap answers. */
const longest = 6000

/** The bytes of an answer of so many rows: all at once, or as they are taken. */
export function bodyOf(rows: number, pieces: () => Iterable<Uint8Array>): Pick<ServiceAnswer, 'chunks' | 'pieces'> {
  return rows > longest ? { chunks: [], pieces } : { chunks: [...pieces()] }
}

/** Content of HTTP status 200. */
export function content(
  body: string | Uint8Array,
  type = jsonType,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  const chunks = [typeof body === 'string' ? Buffer.from(body) : body]
  return { status: 200, headers: { 'content-type': type, ...headers }, chunks, code: codes.ok, rows: 0 }
}

/** An envelope without data: an error, or "no data". */
export function envelope(
  code: number,
  said: Words,
  { headers, status = 200 }: Partial<Pick<ServiceAnswer, 'status' | 'headers'>> = {},
): ServiceAnswer {
  return { status, headers: { 'content-type': jsonType, ...headers }, chunks: [], code, rows: 0, said }
}

/** A refusal as an envelope. `hasCodes`: its code says what it is, and the HTTP status only what belongs to HTTP. */
export function refused({ status, words, about }: RefusedError, hasCodes: boolean): ServiceAnswer {
  const { 'www-authenticate': _, ...others } = about.headers ?? {}
  const isAnswer = hasCodes && !about.isOfHttp
  return envelope(about.code, words, isAnswer ? { headers: others } : { status, headers: about.headers ?? {} })
}

/** An answer with its bytes: what an envelope says is encoded in the language of the caller; its codes are the same in each. */
export async function encoded(answer: ServiceAnswer, language: Language): Promise<ServiceAnswer> {
  const { said, code } = answer
  if (said === undefined) return answer
  const message = wordsIn(said, language)
  return { ...answer, chunks: [Buffer.from(JSON.stringify({ code, message, data: null }))] }
}
