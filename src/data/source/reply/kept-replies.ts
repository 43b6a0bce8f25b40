import type { HttpResponse } from '../transport/http-stream.js'

/**
 * Replies to a question that was interrupted, kept by whoever puts it again: what was answered is not sent again. A request that
 * is put n times within the question has n replies, so that what is asked for again is not confirmed by what it was asked about.
 */
export interface KeptReplies {
  /** The reply to a request at this turn, where it is kept. */
  take(request: string): Promise<HttpResponse | undefined>
  /** Keeps the reply to the request that was taken last, whole; never one with the caller's key in it. */
  keep(request: string, reply: HttpResponse): Promise<void>
}
