import { QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { Market } from '../../../market.js'
import { renderReport } from '../render-report.js'
import { comparePages, sourceChanges, type Verification } from '../verify/compare-pages.js'
import type { PageManifest } from '../verify/page-manifest.js'
import { type ReadPage, readPage } from '../verify/read-page.js'
import { type ReportOptions, reportInput } from './market-report.js'

/** The most days that a page may ask for: a page from outside does not decide how long this takes. */
const mostDays = 2500

function refused(name: string, right: Words): QuotebookError {
  return new QuotebookError('INVALID_VALUE', sentence`the manifest of the page: ${name} must be ${right}`)
}

/** The options of a report as its page states them. @throws QuotebookError for any that no report has */
function reportOptionsOf({ options }: PageManifest): ReportOptions {
  const { days, end, until, title, language, interactive, brief, sections } = options
  if (!Number.isInteger(days) || (days as number) < 1 || (days as number) > mostDays)
    throw refused('days', sentence`a number from 1 to ${mostDays}`)
  for (const [name, date] of Object.entries({ end, until: until ?? end })) {
    if (typeof date !== 'string' || !/^\d{8}$/.test(date)) throw refused(name, sentence`a date YYYYMMDD`)
  }
  const names = Array.isArray(sections) ? sections.map(String) : sections
  return { days, end, until, title, language, interactive, brief, sections: names } as ReportOptions
}

type StatedSource = NonNullable<PageManifest['source']>

/** Makes a page again, from a source of its own or as from one of another name and state. */
export type PageMaker = (as?: StatedSource) => Promise<string>

/**
 * A page beside the same page made again. Where the source is called otherwise, or is of another state, the page is made once more
 * under the stated name and state: they are told, and do not make another page.
 */
export async function verifyMade(page: ReadPage, make: PageMaker): Promise<Verification> {
  const own = await readPage(await make())
  const changes = sourceChanges(page.manifest, own.manifest)
  const { source } = page.manifest
  if (own.markup === page.markup || !source || changes.every(({ name }) => name === 'about'))
    return comparePages(page, own, changes)
  return comparePages(page, await readPage(await make(source)), changes)
}

/** A report beside the same report made from a source. @throws QuotebookError INVALID_VALUE for options that no report has */
export async function verifyReport(
  page: ReadPage,
  market: Market,
  onStep: ReportOptions['onStep'],
): Promise<Verification> {
  const input = await reportInput(market, { ...reportOptionsOf(page.manifest), ...(onStep && { onStep }) })
  return verifyMade(page, (as) => {
    if (!as) return renderReport(input)
    const { name, state, changed } = as
    return renderReport({ ...input, source: { ...input.source, name, state, changed } })
  })
}

/** Options of `verifyPage`. */
export interface VerifyPageOptions {
  /** Called when a step of making the page again begins: how many steps are done, of how many, and what comes. */
  readonly onStep?: ReportOptions['onStep']
}

/**
 * Verifies a page of Quotebook by building it again: a report from a source, with the options, the days and the
 * language in its manifest; a tear sheet, or any page, against one that you have built. Either the two agree byte for
 * byte, or the result reports whether the page was changed after it was made, which version, option or input differs,
 * and which figures, by how much. The name of the source, and a later state of it with the same rows, do not count as a
 * difference: they are in `source`. No code of the page is run.
 *
 * `await verifyPage(await readFile('market.html', 'utf8'), market)`
 * @throws QuotebookError INVALID_VALUE for a file that is not a page of Quotebook, USAGE for a page that no source
 * alone can rebuild
 */
export async function verifyPage(
  page: string,
  against: Market | string,
  options: VerifyPageOptions = {},
): Promise<Verification> {
  const { onStep } = checkOptions(options, { onStep: 'a function' }, 'verifyPage')
  if (typeof page !== 'string') throw new QuotebookError('USAGE', sentence`verifyPage: the page must be its text`)
  const read = await readPage(page)
  if (typeof against === 'string') {
    const other = await readPage(against)
    return comparePages(read, other, sourceChanges(read.manifest, other.manifest))
  }
  if (read.manifest.kind === 'report') return verifyReport(read, against, onStep)
  const code = read.manifest.kind === 'notebook' ? sentence`its notebook` : sentence`its strategy`
  throw new QuotebookError(
    'USAGE',
    sentence`a ${read.manifest.kind} is made again from ${code}: give verifyPage the page made anew`,
  )
}
