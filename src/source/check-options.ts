import { QuotebookError } from '../contract/error.js'
import { nearest } from '../contract/nearest.js'

/** A value that should be a number, in words. Anything else is told by its kind alone: it may be a key at the wrong place. */
export function describeNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : `a ${typeof value}`
}

/** @throws QuotebookError USAGE for an option that there is not */
export function checkOptionNames(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object') throw new QuotebookError('USAGE', `${where} can not be ${describeNumber(options)}`)
  const other = Object.keys(options).find((name) => !known.includes(name))
  if (other === undefined) return
  const near = nearest(other, known)
  const hint = near === undefined ? `it takes ${known.join(', ')}` : `did you mean '${near}'?`
  throw new QuotebookError('USAGE', `${where} has no option '${other}'; ${hint}`)
}

/** @throws QuotebookError USAGE for a number that is none, or less than it may be */
export function checkNumber(where: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  throw new QuotebookError('USAGE', `${where} can not be ${describeNumber(value)}`)
}
