import { type Fact, fact, sentence, type Words } from './sentence.js'

/** Business codes of the service (section 7). */
export const codes = { ok: 200, noData: 1002, forbidden: 403, invalid: 422, unavailable: 503 } as const

/** Stable codes of the errors that Quotebook throws; a `SourceError` has codes of its own. */
export type ErrorCode =
  | 'INVALID_PARAMS'
  | 'UNSUPPORTED_MARKET'
  | 'CONTRACT'
  | 'ENVELOPE'
  | 'IMPORT'
  | 'ARCHIVE'
  | 'ARCHIVE_CHANGED'
  | 'ARCHIVE_BUSY'
  | 'FILE'
  | 'MISSING_COLUMN'
  | 'INVALID_VALUE'
  | 'CONTRADICTED'
  | 'TRUNCATED'
  | 'UNSTABLE'
  | 'UNREACHABLE'
  | 'CUT_OFF'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'FORBIDDEN'
  | 'SERVICE'
  | 'LOOK_AHEAD'
  | 'STRATEGY'
  | 'NO_DECISION'
  | 'USAGE'
  | 'KEYS'
  | 'SQL'
  | 'PACKAGE'
  | 'BUDGET'

/** The same in every copy of this file: in both builds of the package and in the bundle of danfo. */
const brand = Symbol.for('quotebook.error')

/** An error whose message is a fact; inside, for what its caller turns into a QuotebookError. */
export class WordedError extends Error {
  /** The message with its values, which a view renders in its language. */
  declare readonly words: Words
  constructor(message: Words, options?: { cause?: unknown }) {
    super(String(message), options)
    Object.defineProperty(this, 'words', { value: message })
  }
}

/**
 * Reports any failure that Quotebook foresees, with a stable `code`, a message that is enough to act on, and the cause.
 */
export class QuotebookError extends WordedError {
  override readonly name: string = 'QuotebookError'
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: Words, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }
}

/** An error of another copy is one too. Subclasses inherit the test and do not answer for their base. */
Object.defineProperty(QuotebookError, Symbol.hasInstance, {
  value(this: unknown, error: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this as typeof QuotebookError, error)) return true
    return this === QuotebookError && typeof error === 'object' && error !== null && brand in error
  },
})

/** A value, given or in the data, that can't be right. */
export function invalid(message: Words): QuotebookError {
  return new QuotebookError('INVALID_VALUE', message)
}

/** A call that says what can't be meant. */
export function misuse(message: Words): QuotebookError {
  return new QuotebookError('USAGE', message)
}

/** A request that the contract does not allow; business code 422. */
export class ParamsError extends QuotebookError {
  override readonly name: string = 'ParamsError'
  readonly field: string
  readonly suggestion: string | undefined
  constructor(field: string, message: Words, suggestion?: string) {
    super('INVALID_PARAMS', message)
    this.field = field
    this.suggestion = suggestion
  }
}

/** Data that breaks the contract: which dataset, which field, which row (from 0), which node sent it. */
export class ContractError extends QuotebookError {
  override readonly name: string = 'ContractError'
  readonly dataset: string
  readonly field: string | undefined
  readonly row: number | undefined
  readonly node: string | undefined
  /** What is wrong, without the dataset. */
  declare readonly what: Words
  constructor(
    dataset: string,
    message: Words,
    where: {
      readonly field?: string | undefined
      readonly row?: number | undefined
      readonly node?: string | undefined
      readonly cause?: unknown
    } = {},
  ) {
    const from = where.node === undefined ? '' : sentence` (answer of ${where.node})`
    super(
      'CONTRACT',
      sentence`${dataset}: ${message}${from}`,
      where.cause === undefined ? undefined : { cause: where.cause },
    )
    Object.defineProperty(this, 'what', { value: message })
    this.dataset = dataset
    this.field = where.field
    this.row = where.row
    this.node = where.node
  }
}

/** What is wrong in a row (from 0). */
export const rowFact = (row: number, what: Words): Fact => fact('ROW', 'row {row}: {what}', { row: row + 1, what })

/** What a file that was read has wrong: the file, its line or row (from 1), the field. */
export class ImportError extends QuotebookError {
  override readonly name: string = 'ImportError'
  readonly file: string
  readonly line: number | undefined
  readonly field: string | undefined
  constructor(file: string, message: Words, where: { line?: number; field?: string; cause?: unknown } = {}) {
    const at = where.line === undefined ? file : `${file}:${where.line}`
    super('IMPORT', sentence`${at}: ${message}`, where.cause === undefined ? undefined : { cause: where.cause })
    this.file = file
    this.line = where.line
    this.field = where.field
  }
}

/** A native error whose message is a fact: `worded(RangeError, sentence`...`)`. */
export function worded<E extends Error>(kind: new (message: string) => E, words: Words): E {
  return Object.defineProperty(new kind(String(words)), 'words', { value: words })
}

/** What anything that was thrown says. */
export function messageOf(error: unknown): Words {
  if (!(error instanceof Error)) return String(error)
  return (error as { readonly words?: Words }).words ?? error.message
}

/** Whether an error says that no more can be written: no room on the disk, in a quota, or in a file. */
export function isDiskFull(error: unknown): boolean {
  const told = error instanceof QuotebookError ? error.cause : error
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((told as { readonly code?: string } | undefined)?.code ?? '')
}

/** Why a file can not be written, with its name, which the system does not say of a full disk. */
export function unwritten(path: string, cause: unknown): unknown {
  if (cause instanceof QuotebookError || !isDiskFull(cause)) return cause
  const message = sentence`${path} can not be written: ${messageOf(cause)}; make room, or choose another disk`
  return new QuotebookError('FILE', message, { cause })
}
