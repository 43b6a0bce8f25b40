import { sentence, type Words } from '../../../contract/sentence.js'
import { SourceError } from '../source-error.js'
import { apiTarget } from './node-address.js'

/** How far a request has come. */
export interface ResponseProgress {
  readonly node: string
  /** HTTP status; undefined until the head of the answer is whole. */
  readonly status: number | undefined
  /** Bytes of the body that came. */
  readonly received: number
}

/** What is kept of a foreign error: other fields may quote what was sent or received. */
const harmless = new Set([
  'name',
  'message',
  'stack',
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'cause',
])

/** The same error without fields that may quote a request or an answer. */
function bare(error: Error): Error {
  for (const key of Object.keys(error)) if (!harmless.has(key)) Reflect.deleteProperty(error, key)
  if (error.cause instanceof Error) bare(error.cause)
  else delete error.cause
  if (error instanceof AggregateError) for (const one of error.errors) if (one instanceof Error) bare(one)
  return error
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function textOf(error: Error): string {
  return error.message || codeOf(error) || error.name
}

/** Milliseconds as people say them. */
export function seconds(milliseconds: number): Words {
  return sentence`${Math.round(milliseconds) / 1000} s`
}

/** A size as people say it. */
function size(bytes: number): Words {
  if (bytes < 2 ** 10) return sentence`${bytes} bytes`
  return bytes < 2 ** 20 ? `${Math.round(bytes / 2 ** 10)} KiB` : `${Math.round((10 * bytes) / 2 ** 20) / 10} MiB`
}

function where({ status, received }: ResponseProgress): Words {
  return status === undefined
    ? sentence`before it answered`
    : sentence`in the middle of its answer, after ${size(received)}`
}

/** The connection broke before the answer was whole. */
export function cutOffError(progress: ResponseProgress, error: Error): SourceError {
  const { node, status } = progress
  const message = sentence`${node} broke off ${where(progress)}: ${textOf(error)}`
  return new SourceError('CUT_OFF', message, { node, status, retryable: true, cause: bare(error) })
}

/** An answer that can not be read, however often it comes. */
export function unreadableError(progress: ResponseProgress, what: Words, error?: Error): SourceError {
  const { node, status } = progress
  return new SourceError('ENVELOPE', sentence`answer of ${node} ${what}`, { node, status, cause: error && bare(error) })
}

export function tooLargeError(progress: ResponseProgress, limit: number): SourceError {
  return unreadableError(progress, sentence`is larger than ${size(limit)}; ask for fewer rows at a time`)
}

export function expansionError(progress: ResponseProgress, times: number): SourceError {
  return unreadableError(progress, sentence`grows to more than ${times} times its size when it is decompressed`)
}

/** No head of an answer, or nothing more of its body, in the time given. */
function silenceError(progress: ResponseProgress, milliseconds: number): SourceError {
  const { node, status } = progress
  const message = sentence`${node} was silent for ${seconds(milliseconds)} ${where(progress)}`
  return new SourceError('TIMEOUT', message, { node, status, retryable: true })
}

/** The whole call took too long. */
export function deadlineError(node: string, milliseconds: number): SourceError {
  const message = sentence`${node} gave no whole answer within ${seconds(milliseconds)}`
  return new SourceError('TIMEOUT', message, { node, retryable: true })
}

/** What undici's parser says of a connection that ended too early; the rest that it finds is not HTTP. */
const endedEarly = /Invalid EOF state/
/** A status that only answers what was not asked: 100 or 101. */
const unasked = /^bad (response|upgrade)$/

/** What does not heal by waiting, and what to do about it. */
const lasting: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^ENOTFOUND$/, 'no such host; is the address right?'],
  [/^(ERR_SSL_|EPROTO$)/, 'it does not speak TLS; is the address http://?'],
  [/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/, 'its certificate is not trusted'],
]

const nothingListens = sentence`nothing listens at this port of this machine; is the service running?`

/** Whether a port of this machine is closed: waiting a few seconds would only hide that. */
export const isClosedHere = ({ code, node, cause }: SourceError): boolean =>
  code === 'UNREACHABLE' &&
  cause instanceof Error &&
  codeOf(cause) === 'ECONNREFUSED' &&
  node !== undefined &&
  apiTarget(node).isLocal

/** No connection was made. */
function unreachable(node: string, error: Error, deadline: number): SourceError {
  const isLasting = lasting.find(([code]) => code.test(codeOf(error)))?.[1]
  const isClosed = codeOf(error) === 'ECONNREFUSED' && apiTarget(node).isLocal
  const hint = isClosed ? nothingListens : isLasting
  const isLate = codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT'
  const said = isLate ? sentence`not within ${seconds(deadline)}` : textOf(error).replace(/\s+/g, ' ').trim()
  const message = sentence`no connection to ${node}: ${hint === undefined ? said : sentence`${hint} (${said})`}`
  return new SourceError('UNREACHABLE', message, { node, retryable: isLasting === undefined, cause: bare(error) })
}

/** An error of undici or of the socket as ours. */
export function transportError(
  error: Error,
  progress: ResponseProgress,
  deadlines: Readonly<Record<'connect' | 'headers' | 'body', number>>,
  isConnected: boolean,
): SourceError {
  const code = codeOf(error)
  if (!isConnected) return unreachable(progress.node, error, deadlines.connect)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return silenceError(progress, deadlines.headers)
  if (code === 'UND_ERR_BODY_TIMEOUT') return silenceError(progress, deadlines.body)
  if (error.name === 'HTTPParserError' && !endedEarly.test(error.message)) {
    return unreadableError(progress, sentence`is not HTTP: ${textOf(error)}`, error)
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return unreadableError(progress, sentence`has too many headers`, error)
  if (code === 'UND_ERR_SOCKET' && unasked.test(error.message)) {
    return unreadableError(progress, sentence`goes on with another protocol or a request for more`, error)
  }
  return cutOffError(progress, error)
}
