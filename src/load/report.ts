import type { Market } from '../market.js'
import { report as render } from '../report/report.js'
import { type ReportOptions, reportInput } from './report-input.js'

export type { ReportOptions } from './report-input.js'

/**
 * A market report of a source's last days as one self-contained HTML page. It has no clock in it: the same data gives
 * the same bytes.
 * @throws QuotebookError ARCHIVE when the source has no daily data
 */
export async function report(market: Market, options: ReportOptions = {}): Promise<string> {
  return render(await reportInput(market, options))
}
