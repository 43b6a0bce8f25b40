import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { ServiceAnswer } from './service-answer.js'

/** Longer requests, and larger answers, are not cached: they cost more to send than to compute. Bytes. */
const [maxRequest, maxAnswer] = [1024, 2 ** 16]
/** Bytes of an entry beside its texts, about. */
const overhead = 600

const hashSlots = 2 ** 18

interface CachedResponse {
  readonly apikey: string
  readonly answer: ServiceAnswer
}

/**
 * Answers to requests that came before, byte for byte, while the archive is in the same state. The key is a part of the
 * request, and is authenticated each time.
 */
export class ResponseCache {
  readonly #answers: LRUCache<string, CachedResponse>
  /** Hashes of requests that came once: only what comes again is cached. */
  readonly #hashes = new Int32Array(hashSlots)
  #state = ''

  constructor(maxBytes: number) {
    this.#answers = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ answer }, text) => overhead + text.length + (answer.chunks[0]?.length ?? 0),
    })
  }

  get bytes(): number {
    return this.#answers.calculatedSize
  }

  /** A request as the key of its answer; undefined for one that is too long. */
  keyOf(body: Uint8Array): string | undefined {
    return body.length > maxRequest
      ? undefined
      : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  }

  get(text: string | undefined, state: string | undefined): CachedResponse | undefined {
    return text === undefined || state !== this.#state ? undefined : this.#answers.get(text)
  }

  /** The answer, cached in one chunk of its own memory where it is small and its request came before. */
  add(text: string | undefined, state: string, apikey: string, answer: ServiceAnswer): ServiceAnswer {
    const { chunks } = answer
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    if (text === undefined || size > maxAnswer) return answer
    const hash = crc32(text) | 0
    const slot = hash & (hashSlots - 1)
    if (this.#hashes[slot] !== hash) {
      this.#hashes[slot] = hash
      return answer
    }
    if (state !== this.#state) {
      this.#answers.clear()
      this.#state = state
    }
    // A small buffer out of Node's pool would keep all 8 KiB of the pool.
    const bytes = Buffer.allocUnsafeSlow(size)
    chunks.reduce((at, chunk) => {
      bytes.set(chunk, at)
      return at + chunk.length
    }, 0)
    const whole = { ...answer, chunks: [bytes] }
    this.#answers.set(text, { apikey, answer: whole })
    return whole
  }
}
