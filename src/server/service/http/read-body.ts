import type { IncomingMessage } from 'node:http'
import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** The body is longer than it may be. */
export class TooLargeError extends Error {}

/** So much of a body that is too long is still taken in and dropped: who is cut off while sending never reads the answer. */
const dropped = 2 ** 24

/**
 * Calls `done` with the whole body of a request, or with why there is none: a TooLargeError when it is longer than `maxBytes`,
 * another when the connection breaks.
 */
export function takeBody(request: IncomingMessage, maxBytes: number, done: (body: Buffer | Error) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + dropped) {
    done(new TooLargeError())
    return
  }
  let chunks: Buffer[] = []
  let length = 0
  let isDone = false
  const end = (body: Buffer | Error): void => {
    if (isDone) return
    isDone = true
    done(body)
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    else if (length <= maxBytes + dropped) chunks = []
    else {
      request.pause()
      end(new TooLargeError())
    }
  })
  request.on('end', () => {
    if (length > maxBytes) end(new TooLargeError())
    else end(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  })
  request.on('close', () => {
    if (!isDone) end(worded(Error, sentence`the request was broken off`))
  })
}

/**
 * The whole body of a request.
 * @throws TooLargeError when it is longer than `maxBytes`; what the connection throws when it breaks
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    takeBody(request, maxBytes, (body) => (body instanceof Error ? reject(body) : resolve(body))),
  )
}
