import { QuotebookError } from '../../contract/error.js'
import { describeNumber } from '../check-options.js'

/** Milliseconds that a phase may take. */
export interface Deadlines {
  /** To make a connection, with TLS. */
  readonly connect: number
  /** From the sent request to the head of its answer. */
  readonly headers: number
  /** Between two pieces of the body. */
  readonly body: number
  /** For all of it. */
  readonly call: number
}

export const defaultDeadlines: Deadlines = { connect: 10_000, headers: 30_000, body: 30_000, call: 120_000 }

/** 24 days: a timer that is set for longer rings at once. */
const longest = 2 ** 31 - 1

function checked(name: keyof Deadlines, milliseconds: number | undefined): number {
  const value = milliseconds ?? defaultDeadlines[name]
  if (value > 0) return Math.min(value, longest)
  throw new QuotebookError('USAGE', `deadlines: ${name} can not be ${describeNumber(value)} milliseconds`)
}

/**
 * Deadlines with the defaults for those not given; Infinity is as long as a timer can be.
 * @throws QuotebookError USAGE for what is not a time
 */
export function checkDeadlines(given: Partial<Deadlines> = {}): Deadlines {
  return {
    connect: checked('connect', given.connect),
    headers: checked('headers', given.headers),
    body: checked('body', given.body),
    call: checked('call', given.call),
  }
}
