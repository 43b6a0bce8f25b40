import { day } from './format-number.js'
import { page } from './report-page.js'
import { asOf, type ReportInput } from './report-tables.js'
import { anomalySection } from './section/anomaly-section.js'
import { auctionSection } from './section/auction-section.js'
import { breadthSection } from './section/breadth-section.js'
import { checksSection } from './section/checks-section.js'
import { convertibleSection } from './section/convertible-section.js'
import { loadedSection } from './section/loaded-section.js'
import { reportHeader } from './section/report-header.js'
import { southboundSection } from './section/southbound-section.js'
import { wordsSection } from './section/words-section.js'

/**
 * One self-contained HTML page: what was loaded and whether it is whole, whether the vendor's derived numbers hold,
 * southbound flows, convertible premiums, breadth, candidates for abnormal movement, the opening auction, and words.
 * It loads nothing and runs no script. Equal inputs give equal bytes; the only day in it is the latest in the data.
 * A missing or empty input gives a sentence in place of its chart.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that its section needs
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const date = asOf(input)
  const name = input.title ?? 'Market report'
  const sections = [
    loadedSection(input),
    checksSection(input),
    await southboundSection(input),
    await convertibleSection(input),
    await breadthSection(input),
    anomalySection(input),
    await auctionSection(input),
    wordsSection(input),
  ]
  return page(date ? `${name}, ${day(date)}` : name, reportHeader(input), sections)
}
