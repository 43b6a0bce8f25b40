import { QuotebookError } from '../../contract/error.js'

interface Refusal {
  readonly node: string
  readonly status: number
}

/** The link has ended, or its password is not taken any more: a new share may help. */
export class ShareEndedError extends QuotebookError {
  readonly status: number
  constructor({ node, status }: Refusal, why = '') {
    super('FILE', `the share of auction ticks at ${node} answers ${status}${why}`)
    this.status = status
  }
}

/** The share is well, and has no file of the day. */
export class DayAbsentError extends QuotebookError {
  readonly day: string
  constructor(name: string, day: string) {
    super('FILE', `${name} has no file of ${day}`)
    this.day = day
  }
}

const ended: readonly number[] = [401, 403, 404, 410]

/** Whether a status says that there is no way in any more. */
export function isEndedStatus(status: number): boolean {
  return ended.includes(status)
}

/** What to look at, by status. */
const hints: Readonly<Record<number, string>> = {
  401: ': is its password right?',
  403: ': is its password right, and is it still open?',
  404: ': is the link right, and has it not ended?',
  410: ': it has ended',
}

/** @param isElsewhere a redirect led to another origin, and the password stayed behind */
export function shareEnded(refusal: Refusal, isElsewhere: boolean): ShareEndedError {
  const why = ': it was led to by a redirect, and the password goes to no other address than that of the link'
  return new ShareEndedError(refusal, isElsewhere ? why : hints[refusal.status])
}

export function listingError(name: string, why: string): QuotebookError {
  return new QuotebookError('FILE', `the share of auction ticks at ${name} can not be listed: ${why}`)
}
