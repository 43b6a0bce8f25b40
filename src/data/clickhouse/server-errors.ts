import { type ErrorCode, messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'

/** What a ClickHouse server did not do, and which server. */
export class ClickHouseError extends QuotebookError {
  override readonly name: string = 'ClickHouseError'
  /** Host and port of the node that was asked. */
  readonly node: string
  /** The server's own number of its exception, such as 60 for an unknown table; undefined where it gave no answer. */
  readonly exception: number | undefined
  constructor(code: ErrorCode, message: Words, node: string, where: { exception?: number; cause?: unknown } = {}) {
    super(code, sentence`${node}: ${message}`, where.cause === undefined ? undefined : { cause: where.cause })
    this.node = node
    this.exception = where.exception
  }
}

/** Exceptions by what they mean to whoever asks; the rest is SERVICE. */
const codeOf: Readonly<Record<number, ErrorCode>> = {
  159: 'TIMEOUT',
  160: 'TIMEOUT',
  209: 'UNREACHABLE',
  210: 'UNREACHABLE',
  279: 'UNREACHABLE',
  32: 'CUT_OFF',
  33: 'CUT_OFF',
  192: 'FORBIDDEN',
  193: 'FORBIDDEN',
  194: 'FORBIDDEN',
  195: 'FORBIDDEN',
  291: 'FORBIDDEN',
  497: 'FORBIDDEN',
  516: 'FORBIDDEN',
  202: 'UNAVAILABLE',
  242: 'UNAVAILABLE',
  999: 'UNAVAILABLE',
}
const noneReached = 279
/** Exceptions of a replica without its keeper: its tables can be read only. */
const keeperAway = new Set([242, 999])

/** What a server says, in one line, without its stack. */
function oneLine(text: string): string {
  return text
    .replace(/^(Code: \d+[.,]\s*)?(e\.displayText\(\) = )?((DB::(Net)?|Coordination::)Exception: )?/, '')
    .replace(/, e\.what\(\) = (DB::(Net)?|Coordination::)Exception\s*$/, '')
    .replace(/,? ?Stack trace:[\s\S]*$/, '')
    .replace(/\s*\n\s*/g, ' ')
    .slice(0, 600)
    .trim()
}

function ofException(number: number, text: string, node: string, cause: unknown): ClickHouseError {
  const code = codeOf[number] ?? 'SERVICE'
  // Whose password is wrong, it says too.
  if (code === 'FORBIDDEN') {
    return new ClickHouseError(code, sentence`the server does not let this user in, or not into this database`, node, {
      exception: number,
    })
  }
  // It says of each try of each replica of a shard what came of it.
  const tried = number === noneReached ? [...text.matchAll(/\(([^()\s]+:\d+)\)/g)].map(([, at]) => at) : []
  if (tried.length > 0) {
    const said = sentence`not reached: ${[...new Set(tried)].sort().join(', ')}`
    return new ClickHouseError(code, said, node, { exception: number, cause })
  }
  const said = oneLine(text)
  const why = keeperAway.has(number) ? sentence`its keeper does not answer: ${said}` : said
  return new ClickHouseError(code, why, node, { exception: number, cause })
}

const cut = /aborted|socket hang up|ECONNRESET|EPIPE|premature close|other side closed|terminated/i
const away = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|certificate|TLS/i

/** Whatever the client threw, as ours: which node, and what it says. */
export function clickHouseError(error: unknown, node: string): unknown {
  if (error instanceof ClickHouseError) return error
  if (error instanceof QuotebookError) return new ClickHouseError(error.code, messageOf(error), node, { cause: error })
  const text = String(messageOf(error))
  // The package does not find the number in the words of old servers, and finds none in a stream.
  const number = Number(/^Code: (\d+)/.exec(text)?.[1] ?? (error as { readonly code?: unknown }).code)
  if (Number.isSafeInteger(number) && number > 0) return ofException(number, text, node, error)
  const said = `${(error as NodeJS.ErrnoException).code ?? ''} ${text}`
  if (/timeout/i.test(text)) return new ClickHouseError('TIMEOUT', sentence`no answer in time`, node, { cause: error })
  if (cut.test(said)) return new ClickHouseError('CUT_OFF', sentence`the connection broke`, node, { cause: error })
  if (away.test(said))
    return new ClickHouseError('UNREACHABLE', sentence`not reached: ${oneLine(text)}`, node, { cause: error })
  return new ClickHouseError('SERVICE', oneLine(text), node, { cause: error })
}

/** Exceptions of a table, and of a database, that is not there. */
export const [noTable, noDatabase] = [60, 81]

/** For `catch`: nothing where a server gave one of these exceptions; any other error goes on. */
export function noneOn(...exceptions: readonly number[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof ClickHouseError && exceptions.includes(error.exception ?? 0)) return undefined
    throw error
  }
}
