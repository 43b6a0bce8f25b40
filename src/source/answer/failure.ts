import { codes } from '../../contract/error.js'
import { type RequestDetails, SourceError, type SourceErrorDetails } from '../error.js'
import { maskKey } from './secret.js'

/** What a service said went wrong, by HTTP or in the envelope. */
export interface Refusal {
  readonly code: number
  readonly message: string
  /** Milliseconds that the service asks to wait, where it says so in the reply itself. */
  readonly retryAfter?: number | undefined
}

const longest = 300
/** As far as a text is read at all: a page may be large. */
const read = 4000

/** Text of a service in one line, without the key, should it have sent it back. */
export function quotable(text: string, key: string): string {
  const line = maskKey(text.slice(0, read), key)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would act on them
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

function unavailable(code: number): boolean {
  return code === 429 || code === codes.unavailable || code === 502 || code === 504
}

/** A business code or an HTTP status as the error that it means. */
export function serviceError(complaint: Refusal, request: RequestDetails, about: SourceErrorDetails): SourceError {
  const { code, message } = complaint
  const where = { ...about, request, vendorCode: code, vendorMessage: message }
  const said = `${request.dataset}: ${about.node} answers ${code}${message === '' ? '' : ` ${message}`}`
  if (code === 401 || code === codes.forbidden) {
    return new SourceError('FORBIDDEN', `${said.replace(/\.$/, '')}; check the key and its plan`, where)
  }
  if (code === codes.invalid) return new SourceError('INVALID_PARAMS', said, where)
  if (/UNSUPPORTED_MARKET/.test(message)) return new SourceError('UNSUPPORTED_MARKET', said, where)
  if (unavailable(code)) return new SourceError('UNAVAILABLE', said, { ...where, retryable: true })
  return new SourceError('SERVICE', said, where)
}
