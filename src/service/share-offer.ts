import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.js'

/** The inner level of a `file_download` reply (section 2.13). */
export interface FileResult {
  /** 0 when the share is ready. */
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
}

/** The shares of the tick files: what `file_download` hands out, and what is found behind the link. */
export interface Shares {
  /** The share of a year for a caller. `base`: address of this service without a path, no slash at its end. */
  offer(caller: Caller, year: number, base: string): Promise<FileResult>
  /** Answers a request whose path begins with `/share/`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}
