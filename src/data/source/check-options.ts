import { QuotebookError } from '../../contract/error.js'
import { describeKind } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'

/** @throws QuotebookError USAGE for a number that is none, or less than it may be */
export function checkNumber(where: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === 'number' && value >= least)) return
  throw new QuotebookError('USAGE', sentence`${where} can not be ${describeKind(value)}`)
}
