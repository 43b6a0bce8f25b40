import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { ServiceAnswer } from '../service-answer.js'
import { yieldTurn } from '../yield.js'

/** Below, a compressed answer saves no packet. */
const smallest = 1400
/** Smaller answers take little memory however slowly they are read, and are copied into one chunk: a system call costs more. */
const large = 2 ** 16
/** Larger answers are written in slices of this many bytes. */
const sliceBytes = 2 ** 20

type Encoding = 'br' | 'gzip'

/** How an answer went out. */
export interface SendResult {
  readonly bytes: number
  readonly encoding?: Encoding | undefined
}

/** The types of the package lack the order among equals. */
interface Encodings {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[]
}

/** How an answer may be compressed, by the request's Accept-Encoding; undefined when it is sent as it is. */
function encodingFor(accept: string | undefined, bytes: number): Encoding | undefined {
  if (accept === undefined || bytes < smallest) return undefined
  const negotiator: Encodings = new Negotiator({ headers: { 'accept-encoding': accept } })
  const [first] = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] })
  return first === 'br' || first === 'gzip' ? first : undefined
}

/** Rows compress well at the fastest settings; more effort costs ten times the time for a tenth of the bytes. */
function compressed(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array): void => (error ? reject(error) : resolve(bytes))
    if (encoding === 'gzip') gzip(body, { level: 1 }, done)
    else brotliCompress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }, done)
  })
}

function writeHead(
  response: ServerResponse,
  { status, headers }: ServiceAnswer,
  length: number,
  encoding?: Encoding,
): void {
  const all: string[] = status === 304 ? [] : ['content-length', String(length)]
  if (encoding || length >= smallest) all.push('vary', 'accept-encoding')
  for (const name in headers) all.push(name, headers[name] as string)
  if (encoding) all.push('content-encoding', encoding)
  response.writeHead(status, all)
}

/** Bytes of some chunks, `size` at a time. */
function* joinedBy(chunks: readonly Uint8Array[], size: number): Generator<Uint8Array> {
  let [from, length] = [0, 0]
  for (const [at, chunk] of chunks.entries()) {
    length += chunk.length
    if (length < size && at + 1 < chunks.length) continue
    yield at === from ? chunk : Buffer.concat(chunks.slice(from, at + 1), length)
    ;[from, length] = [at + 1, 0]
  }
}

/** Ends when more may be written; false when the reader is gone. */
export function drained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve(!response.destroyed)
    }
    if (response.destroyed) resolve(false)
    else response.on('drain', end).on('close', end)
  })
}

/** Writes an answer as its reader takes it, and lets others through meanwhile. */
async function writeSlices(response: ServerResponse, chunks: readonly Uint8Array[]): Promise<void> {
  for (const slice of joinedBy(chunks, sliceBytes)) {
    const isTaken = response.write(slice)
    if (isTaken) await yieldTurn()
    else if (!(await drained(response))) return
  }
  response.end()
}

function writeBody(response: ServerResponse, chunks: readonly Uint8Array[], bytes: number): void {
  if (bytes > sliceBytes) void writeSlices(response, chunks)
  else if (bytes < large || chunks.length > 64)
    response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
  else {
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
}

/**
 * Sends an answer, compressed where the client takes it and it pays.
 * @param onLarge called before an answer is written that its reader may be long in taking
 */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ServiceAnswer,
  onLarge: (bytes: number) => void,
): Promise<SendResult> {
  let { chunks } = answer
  let bytes = 0
  for (const { length } of chunks) bytes += length
  const encoding = encodingFor(request.headers['accept-encoding'] as string | undefined, bytes)
  if (encoding) {
    const body = await compressed(Buffer.concat(chunks), encoding)
    ;[chunks, bytes] = [[body], body.length]
  }
  if (bytes >= large) onLarge(bytes)
  writeHead(response, answer, bytes, encoding)
  writeBody(response, chunks, bytes)
  return { bytes, encoding }
}
