import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import { yieldTurn } from '../../../threads/yield.js'
import type { ServiceAnswer } from '../service-answer.js'

/** Below, a compressed answer saves no packet. */
const smallest = 1400
/** Smaller answers take little memory however slowly they are read, and are copied into one chunk: a system call costs more. */
const large = 2 ** 16
/** Larger answers are written in slices of this many bytes. */
const sliceBytes = 2 ** 18

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

const fastest = { gzip: { level: 1 }, br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } }

/** Rows compress well at the fastest settings; more effort costs ten times the time for a tenth of the bytes. */
function compressed(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array): void => (error ? reject(error) : resolve(bytes))
    if (encoding === 'gzip') gzip(body, fastest.gzip, done)
    else brotliCompress(body, fastest.br, done)
  })
}

/** @param length undefined where it is known at the end */
function writeHead(
  response: ServerResponse,
  { status, headers }: ServiceAnswer,
  length: number | undefined,
  encoding?: Encoding,
): void {
  const all: string[] = status === 304 || length === undefined ? [] : ['content-length', String(length)]
  if (encoding || length === undefined || length >= smallest) all.push('vary', 'accept-encoding')
  for (const name in headers) all.push(name, headers[name] as string)
  if (encoding) all.push('content-encoding', encoding)
  response.writeHead(status, all)
}

/** Bytes of some chunks, `sliceBytes` at a time, each slice in a turn of its own. */
async function* slices(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [waiting, length]: [Uint8Array[], number] = [[], 0]
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      const part = chunk.length <= sliceBytes ? chunk : chunk.subarray(from, from + sliceBytes)
      waiting.push(part)
      length += part.length
      if (length < sliceBytes) continue
      yield waiting.length === 1 ? part : Buffer.concat(waiting, length)
      await yieldTurn()
      ;[waiting, length] = [[], 0]
    }
  }
  if (length > 0) yield Buffer.concat(waiting, length)
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

/** Makes a long answer, and compresses it, as its reader takes it; how many bytes that were. @throws what its making does */
async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  encoding?: Encoding,
): Promise<number> {
  let bytes = 0
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      bytes += chunk.length
      yield chunk
    }
  }
  const from = Readable.from(slices(pieces), { highWaterMark: 1 })
  const zip = encoding === 'gzip' ? createGzip(fastest.gzip) : encoding && createBrotliCompress(fastest.br)
  try {
    await (zip ? pipeline(from, zip, counted, response) : pipeline(from, counted, response))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
  return bytes
}

/** Sends each part when it is made, and the next is made when it is on its way: its making may keep the thread for long. */
async function sendParts(
  response: ServerResponse,
  parts: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
): Promise<number> {
  const zip =
    encoding === 'gzip'
      ? createGzip({ ...fastest.gzip, flush: constants.Z_SYNC_FLUSH })
      : encoding && createBrotliCompress({ ...fastest.br, flush: constants.BROTLI_OPERATION_FLUSH })
  let bytes = 0
  zip?.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    response.write(chunk)
  })
  const written = (part: Uint8Array): Promise<unknown> => new Promise((resolve) => zip?.write(part, resolve))
  try {
    for await (const part of parts) {
      if (zip) await written(part)
      else response.write(part)
      bytes += zip ? 0 : part.length
      await yieldTurn()
      if (response.destroyed) return bytes
    }
    if (zip) await new Promise((resolve) => zip.once('end', resolve).end())
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
  return bytes
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
  const accept = request.headers['accept-encoding'] as string | undefined
  let { chunks } = answer
  if (answer.pieces) {
    const encoding = encodingFor(accept, Infinity)
    onLarge(4 * sliceBytes)
    writeHead(response, answer, undefined, encoding)
    return { bytes: await sendPieces(response, answer.pieces(), encoding), encoding }
  }
  if (answer.parts) {
    const encoding = encodingFor(accept, Infinity)
    writeHead(response, answer, undefined, encoding)
    return { bytes: await sendParts(response, answer.parts(), encoding), encoding }
  }
  let bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  const encoding = encodingFor(accept, bytes)
  if (encoding) {
    const body = await compressed(Buffer.concat(chunks), encoding)
    ;[chunks, bytes] = [[body], body.length]
  }
  if (bytes >= large) onLarge(bytes)
  writeHead(response, answer, bytes, encoding)
  if (bytes > sliceBytes) sendPieces(response, chunks).catch(() => response.destroy())
  else response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes))
  return { bytes, encoding }
}
