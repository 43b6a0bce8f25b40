import { LRUCache } from 'lru-cache'
import type { ServiceAnswer } from './service-answer.js'

/** Longer requests, and larger answers, are not remembered: they cost more to send than to find. */
const [longest, largest] = [1024, 2 ** 16]
/** What an entry takes beside its texts, about. */
const overhead = 600

const marks = 2 ** 18

/** FNV-1a: 32 bits that tell a text from most others. */
function markOf(text: string): number {
  let mark = 0x811c9dc5
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193)
  return mark
}

interface Known {
  readonly apikey: string
  readonly answer: ServiceAnswer
}

/**
 * Answers to requests that were put before, word for word, while the archive is in the same state. Whoever asks is still
 * let in by the door each time: the key is a part of the request.
 */
export class ResponseCache {
  readonly #answers: LRUCache<string, Known>
  /** Marks of requests that were put once: only what is put again is worth its place. */
  readonly #marks = new Int32Array(marks)
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

  /** A request as the text that it is known by; undefined for one that is too long. */
  keyOf(body: Uint8Array): string | undefined {
    return body.length > longest ? undefined : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  }

  get(text: string | undefined, state: string | undefined): Known | undefined {
    return text === undefined || state !== this.#state ? undefined : this.#answers.get(text)
  }

  /** The answer, in one piece of its own memory and remembered where it is small and was asked for before. */
  add(text: string | undefined, state: string, apikey: string, answer: ServiceAnswer): ServiceAnswer {
    const { chunks } = answer
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    if (text === undefined || size > largest) return answer
    const mark = markOf(text)
    const place = mark & (marks - 1)
    if (this.#marks[place] !== mark) {
      this.#marks[place] = mark
      return answer
    }
    if (state !== this.#state) {
      this.#answers.clear()
      this.#state = state
    }
    // Out of Node's pool a small piece would keep eight thousand bytes.
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
