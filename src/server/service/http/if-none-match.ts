import { createHash } from 'node:crypto'
import type { ServiceAnswer } from '../service-answer.js'

/**
 * An answer, or nothing but its headers where the client has it already: `tags` is its If-None-Match, where a tag is the sha256
 * of a body. RFC 9110, 13.1.2: the status is then 412, since the method is POST; 304 belongs to GET.
 */
export function ifNoneMatch(answer: ServiceAnswer, tags: string | undefined): ServiceAnswer {
  if (tags === undefined || answer.status !== 200) return answer
  const hash = createHash('sha256')
  for (const chunk of answer.chunks) hash.update(chunk)
  const etag = `"${hash.digest('hex')}"`
  const tagged = { ...answer, headers: { ...answer.headers, etag } }
  return tags.includes(etag) ? { ...tagged, status: 412, chunks: [], rows: 0 } : tagged
}
