import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../answer.js'
import { compressed, type Encoding, encodingFor, smallest } from './compress.js'

/** Up to here the chunks of an answer are copied into one: a system call costs more. */
const joined = 2 ** 16

/** How an answer went out. */
export interface Sent {
  readonly bytes: number
  readonly encoding?: Encoding | undefined
}

const lengthOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

function head(response: ServerResponse, { status, headers }: Answer, length: number, encoding?: Encoding): void {
  const all: string[] = status === 304 ? [] : ['content-length', String(length)]
  if (encoding || length >= smallest) all.push('vary', 'accept-encoding')
  for (const name in headers) all.push(name, headers[name] as string)
  if (encoding) all.push('content-encoding', encoding)
  response.writeHead(status, all)
}

async function sendCompressed(response: ServerResponse, answer: Answer, encoding: Encoding): Promise<Sent> {
  const body = await compressed(Buffer.concat(answer.chunks), encoding)
  head(response, answer, body.length, encoding)
  response.end(body)
  return { bytes: body.length, encoding }
}

/** Sends an answer, compressed where the client takes it and it pays. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Sent | Promise<Sent> {
  const { chunks } = answer
  const length = lengthOf(chunks)
  const encoding = encodingFor(request.headers['accept-encoding'] as string | undefined, length)
  if (encoding) return sendCompressed(response, answer, encoding)
  head(response, answer, length)
  if (length <= joined || chunks.length > 64) response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  else {
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
  return { bytes: length }
}
