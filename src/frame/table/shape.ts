import { QuotebookError } from '../../contract/error.js'

/** An argument in the words of a message, whatever it is. */
export function described(given: unknown): string {
  if (Array.isArray(given)) return 'an array'
  return typeof given === 'object' && given !== null
    ? 'an object'
    : typeof given === 'string'
      ? `'${given}'`
      : String(given)
}

/** What to throw for an argument of another shape than the one that is taken. */
export function wrongShape(what: string, right: string, given: unknown): QuotebookError {
  return new QuotebookError('USAGE', `${what} must be ${right}, not ${described(given)}`)
}

/** Options, or whatever else has names and values. @throws QuotebookError USAGE for anything that is no object of that kind */
export function namedIn<T extends object>(given: T, what: string, right: string): T {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  throw wrongShape(what, right, given)
}
