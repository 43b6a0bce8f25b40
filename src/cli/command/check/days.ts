import type { Law } from '../../../checks/law.js'
import { QuotebookError } from '../../../contract/error.js'
import { law } from './law.js'
import type { CheckOptions } from './read.js'

/** What goes with `--days`: where the rows come from, which they are, and where the findings go. */
const withDays = ['days', 'dataset', 'unit', 'source', 'cache', 'verbose', 'format', 'out']

/** A command that has a way of its own, or with `--days` its laws over the last days of a source, as `check all` has them. */
export function orDays<O extends CheckOptions>(
  laws: readonly Law[],
  way: (options: O) => Promise<void>,
): (options: O & { readonly days?: number; readonly dataset?: string }) => Promise<void> {
  return async (options) => {
    const { days, dataset } = options
    if (days === undefined) return way(options)
    const other = Object.keys(options).find((name) => !withDays.includes(name))
    if (other !== undefined) throw new QuotebookError('USAGE', `--days reads the source: give it without --${other}`)
    const some = laws.filter((one) => dataset === undefined || one.dataset === dataset)
    await law(some, { ...options, days })
  }
}
