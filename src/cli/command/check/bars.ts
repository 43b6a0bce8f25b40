import { checkBars } from '../../../checks/bars/check.js'
import { barsLaws } from '../../../checks/bars/laws.js'
import { QuotebookError } from '../../../contract/error.js'
import type { BarDataset } from '../../../load/bars.js'
import { type LawOptions, law } from './law.js'
import { rowsOf } from './read.js'
import { showCheck } from './show.js'

export interface BarsOptions extends LawOptions {
  readonly dataset?: BarDataset
  readonly factor?: number
}

/** Without `--dataset` the days are of ETFs and of bonds, a query is of ETFs, and the bars of a file tell by their codes what they are. */
export async function bars(options: BarsOptions): Promise<void> {
  const { file, params, dataset, factor } = options
  if (file !== undefined || params !== undefined) {
    const table = await rowsOf(dataset ?? 'etf_minute', options)
    const about = { ...(dataset === undefined ? {} : { dataset }), ...(factor === undefined ? {} : { factor }) }
    return showCheck(checkBars(table, about), options)
  }
  if (factor !== undefined) throw new QuotebookError('USAGE', '--factor is for bars of a --file or of --params')
  const some = barsLaws.filter((one) => dataset === undefined || one.dataset === dataset)
  await law(some, options)
}
