import type { ReplyChunk } from './reply-chunk.js'

/** A reply that came before, and the tag by which the service knows it: the sha256 of its body in quotes. */
export interface TaggedReply {
  readonly tag: string
  readonly chunk: ReplyChunk
}

/**
 * The replies to a question that is asked again and again: a service that tells of its archive sends none of the rows that the
 * asker has already.
 */
export class EtagCache {
  #before: ReadonlyMap<string, TaggedReply> = new Map()
  #now = new Map<string, TaggedReply>()

  /** All of the question was answered: the replies that it did not take this time are let go. */
  endRound(): void {
    this.#before = this.#now
    this.#now = new Map()
  }

  /** The reply to a request, of this round or the one before. */
  get(request: string): TaggedReply | undefined {
    return this.#now.get(request) ?? this.#before.get(request)
  }

  set(request: string, reply: TaggedReply): void {
    this.#now.set(request, reply)
  }
}
