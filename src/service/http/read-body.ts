import type { IncomingMessage } from 'node:http'

/** The body is longer than it may be. */
export class TooLargeError extends Error {}

/** So much of a body that is too long is still taken in and dropped: who is cut off while sending never reads the answer. */
const dropped = 2 ** 24

/**
 * The whole body of a request.
 * @throws TooLargeError when it is longer than `maxBytes`; what the connection throws when it breaks
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes + dropped) {
      reject(new TooLargeError())
      return
    }
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else if (length <= maxBytes + dropped) chunks = []
      else {
        request.pause()
        reject(new TooLargeError())
      }
    })
    request.on('end', () => {
      if (length > maxBytes) reject(new TooLargeError())
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    request.on('error', reject)
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('the request was broken off'))
    })
  })
}
