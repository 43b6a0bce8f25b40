import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'

/** What to throw for a column that a table or a DataFrame does not have: its name, and the nearest or all others. */
export function missingColumn(name: string, names: readonly string[], isFrame: boolean): QuotebookError {
  const near = nearest(name, names)
  const hint = near ? `did you mean '${near}'?` : `it has: ${names.join(', ')}`
  return new QuotebookError('MISSING_COLUMN', `the ${isFrame ? 'DataFrame' : 'table'} has no column '${name}'; ${hint}`)
}
