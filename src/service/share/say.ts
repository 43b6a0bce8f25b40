import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Methods of the share, and what it says of them. */
export const allowed = 'OPTIONS, PROPFIND, GET, HEAD'

const always: OutgoingHttpHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' }

/** Answers with a text. */
export function say(response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = Buffer.from(text)
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length }
  response.writeHead(status, { ...always, ...type, ...headers })
  response.end(body)
}

/** The body of a request as text; undefined when it is longer than `limit` bytes. */
export async function bodyOf(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length <= limit) pieces.push(piece)
    else if (length > limit * 128) break
  }
  return length > limit ? undefined : Buffer.concat(pieces).toString('utf8')
}
