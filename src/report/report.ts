import { asOf } from './days.js'
import { day } from './format.js'
import type { ReportInput } from './input.js'
import { page } from './page.js'
import { anomaly } from './section/anomaly.js'
import { auction } from './section/auction.js'
import { breadth } from './section/breadth.js'
import { checks } from './section/checks.js'
import { convertible } from './section/convertible.js'
import { header } from './section/header.js'
import { loaded } from './section/loaded.js'
import { southbound } from './section/southbound.js'
import { wordsSection } from './section/words.js'

/**
 * One self-contained HTML page: what was loaded and whether it is whole, whether the vendor's derived numbers hold,
 * southbound flows, convertible premiums, breadth, candidates for abnormal movement, the opening auction, and words.
 * It loads nothing and runs no script. Equal inputs give equal bytes; the only day in it is the latest in the data.
 * A missing or empty input gives a sentence in place of its chart.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that its section needs
 */
export async function report(input: ReportInput): Promise<string> {
  const date = asOf(input)
  const name = input.title ?? 'Market report'
  const sections = [
    loaded(input),
    checks(input),
    await southbound(input),
    await convertible(input),
    await breadth(input),
    anomaly(input),
    await auction(input),
    wordsSection(input),
  ]
  return page(date ? `${name}, ${day(date)}` : name, header(input), sections)
}
