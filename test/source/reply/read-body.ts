import type { Dataset } from '../../../src/contract/dataset.js'
import { readReply } from '../../../src/source/reply/read-reply.js'
import type { ReplyChunk } from '../../../src/source/reply/reply-chunk.js'

/** A body as an answer of a service with status 200, read. */
export function readBody(dataset: Dataset, bytes: Uint8Array, expected: readonly string[]): ReplyChunk {
  const answer = { status: 200, contentType: '', retryAfter: undefined, bytes, received: 0, node: 'n', headers: {} }
  const request = { dataset: dataset.name, params: {}, fields: expected }
  return readReply(answer as never, { dataset, expected, request: request as never, key: 'secret' })
}

/** What a body is refused with; `taken` where it is not refused. */
export function verdictOf(dataset: Dataset, bytes: Uint8Array, expected: readonly string[]): string {
  try {
    readBody(dataset, bytes, expected)
    return 'taken'
  } catch (error) {
    return String((error as { readonly code?: unknown }).code ?? error)
  }
}
