import { codes, messageOf, QuotebookError, WordedError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

interface RefusalOptions {
  /** Business code of the envelope (section 7); absent, the HTTP status. */
  readonly code?: number
  /** The HTTP status says it on `/api` too; absent, unless the code is one of section 7. */
  readonly isOfHttp?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the caller's key. */
  readonly caller?: string
  /** What only the operator hears of. */
  readonly fault?: unknown
}

/** A request that is refused: the HTTP status that says why, and the message. */
export class RefusedError extends WordedError {
  readonly status: number
  readonly about: RefusalOptions & { readonly code: number; readonly isOfHttp: boolean }

  constructor(status: number, message: Words, about: RefusalOptions = {}) {
    super(message)
    this.status = status
    const code = about.code ?? status
    this.about = { code, isOfHttp: !(Object.values(codes) as number[]).includes(code), ...about }
  }
}

/** HTTP status and business code of errors about what was asked. */
const statuses: Readonly<Record<string, readonly [status: number, code?: number]>> = {
  INVALID_PARAMS: [422],
  SQL: [422],
  UNSUPPORTED_MARKET: [422, codes.unavailable],
  TRUNCATED: [409],
  FORBIDDEN: [403],
  PACKAGE: [501, codes.unavailable],
}

/** So many requests are being answered that this one should come again. */
export function busy(): RefusedError {
  return new RefusedError(503, sentence`busy: too many requests at once`, { headers: { 'retry-after': '1' } })
}

/** Any error as what a caller may hear of it, whatever the door. What nobody asked for is for the operator, and is its `fault`. */
export function statusOf(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error
  const own = error instanceof QuotebookError ? error.code : ''
  const [status, code] = statuses[own] ?? []
  if (status === undefined) return new RefusedError(503, sentence`temporarily unavailable`, { fault: error })
  return new RefusedError(status, own === 'UNSUPPORTED_MARKET' ? own : messageOf(error), code ? { code } : {})
}
