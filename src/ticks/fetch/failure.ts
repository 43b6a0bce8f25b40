import { type ErrorCode, messageOf, QuotebookError } from '../../contract/error.js'
import { sizeText } from './room.js'

/** A day that could not be fetched, and why. */
export interface FailedDay {
  readonly day: string
  readonly error: unknown
}

/** Days that are told one by one. */
const told = 5

function codeOf(error: unknown): ErrorCode {
  return error instanceof QuotebookError ? error.code : 'FILE'
}

/** One error for all that could not be fetched. @param asked files that were to be fetched */
export function daysFailed(year: number, failed: readonly FailedDay[], asked: number): QuotebookError {
  const days = [...failed].sort((one, other) => (one.day < other.day ? -1 : 1))
  const codes = new Set(days.map(({ error }) => codeOf(error)))
  const lines = days.slice(0, told).map(({ day, error }) => `${day}: ${messageOf(error)}`)
  const more =
    days.length > told
      ? `; and ${days.length - told} more: ${days
          .slice(told)
          .map(({ day }) => day)
          .join(', ')}`
      : ''
  const message = `${days.length} of ${asked} files of ${year} could not be fetched: ${lines.join('; ')}${more}`
  return new QuotebookError(codes.size === 1 ? codeOf(days[0]?.error) : 'FILE', message, { cause: days[0]?.error })
}

/** Why nothing more is fetched, after what was fetched is in its place. */
export function fetchStopped(year: number, error: unknown, fetched: number, asked: number): QuotebookError {
  const message = `${messageOf(error)}; ${fetched} of ${asked} files of ${year} were fetched, and the next run goes on from there`
  return new QuotebookError(codeOf(error), message, { cause: error })
}

/** The disk had no more room in the middle. */
export function diskFull(dir: string, missing: number, cause: unknown): QuotebookError {
  const rest = missing > 0 ? ` about ${sizeText(missing)} are still to come;` : ''
  return new QuotebookError('FILE', `${dir}: the disk is full;${rest} make room, or choose another disk`, { cause })
}
