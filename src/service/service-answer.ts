import { codes } from '../contract/error.js'

/** What goes back for a request, before it is put on a wire. */
export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Uint8Array[]
  /** Business code of the envelope (section 7), or the HTTP status where that says more. */
  readonly code: number
  readonly message: string
  readonly rows: number
  readonly apiname?: string | undefined
  /** Name of the caller's key. */
  readonly caller?: string | undefined
}

export const jsonType = 'application/json; charset=utf-8'

interface Extra {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly apiname?: string | undefined
  readonly caller?: string | undefined
}

/** An envelope without data: an error, or "no data". */
export function envelope(code: number, message: string, extra: Extra = {}): ServiceAnswer {
  const { status = 200, headers = {}, apiname, caller } = extra
  const body = Buffer.from(JSON.stringify({ code, message, data: null }))
  return {
    status,
    headers: { 'content-type': jsonType, ...headers },
    chunks: [body],
    code,
    message,
    rows: 0,
    apiname,
    caller,
  }
}

export const invalid = (message: string, extra?: Extra): ServiceAnswer => envelope(codes.invalid, message, extra)
export const forbidden = (message: string, extra?: Extra): ServiceAnswer => envelope(codes.forbidden, message, extra)
export const unavailable = (message: string, extra?: Extra): ServiceAnswer =>
  envelope(codes.unavailable, message, extra)

/** Too many requests: HTTP says it too, and when the next one is let in. */
export function tooManyRequests(message: string, retryAfter: number, extra: Extra = {}): ServiceAnswer {
  return envelope(429, message, { ...extra, status: 429, headers: { 'retry-after': String(retryAfter) } })
}

/** So many requests are being answered that this one should come again. */
export function busy(status = 200): ServiceAnswer {
  return unavailable('busy: too many requests at once', { status, headers: { 'retry-after': '1' } })
}
