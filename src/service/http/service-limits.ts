/** What the server gives a client at most. Times in milliseconds. */
export interface ServiceLimits {
  /** Bytes of a request body. */
  readonly body: number
  /** Bytes of all headers. */
  readonly headers: number
  /** Until the headers are there, and until the whole request is. */
  readonly headersTime: number
  readonly requestTime: number
  /** A connection on which nothing moves is closed. */
  readonly idleTime: number
  /** Between the requests of a connection. */
  readonly keepAlive: number
  /** Requests that are answered at the same time; a further one is told to come again. */
  readonly concurrentRequests: number
  /** Bytes of answers that their readers have not yet taken; beyond, further requests are told to come again. */
  readonly unsentBytes: number
  readonly connections: number
  /** What is under way when the service ends may take so long to finish. */
  readonly grace: number
}

export const defaultLimits: ServiceLimits = {
  body: 2 ** 20,
  headers: 2 ** 14,
  headersTime: 15_000,
  requestTime: 30_000,
  idleTime: 120_000,
  keepAlive: 65_000,
  concurrentRequests: 256,
  unsentBytes: 2 ** 28,
  connections: 1024,
  grace: 15_000,
}
