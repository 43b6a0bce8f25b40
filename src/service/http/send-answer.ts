import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import type { ServiceAnswer } from '../service-answer.js'

/** Below, a compressed answer saves no packet. */
const smallest = 1400
/** Up to here the chunks of an answer are copied into one: a system call costs more. */
const joined = 2 ** 16

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

async function sendCompressed(
  response: ServerResponse,
  answer: ServiceAnswer,
  encoding: Encoding,
): Promise<SendResult> {
  const body = await compressed(Buffer.concat(answer.chunks), encoding)
  writeHead(response, answer, body.length, encoding)
  response.end(body)
  return { bytes: body.length, encoding }
}

/** Sends an answer, compressed where the client takes it and it pays. Without compression it does so at once. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ServiceAnswer,
): SendResult | Promise<SendResult> {
  const { chunks } = answer
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  const encoding = encodingFor(request.headers['accept-encoding'] as string | undefined, bytes)
  if (encoding) return sendCompressed(response, answer, encoding)
  writeHead(response, answer, bytes)
  if (bytes <= joined || chunks.length > 64) response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  else {
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
  return { bytes }
}
