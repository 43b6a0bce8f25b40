import { QuotebookError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { day } from './format-number.js'
import type { Section } from './html.js'
import { sayIn } from './report-language.js'
import { page } from './report-page.js'
import { asOf, type ReportInput, type SectionName, sectionNames } from './report-tables.js'
import { anomalySection } from './section/anomaly-section.js'
import { appendixSection } from './section/appendix-section.js'
import { auctionSection } from './section/auction-section.js'
import { convertibleSection } from './section/convertible-section.js'
import { documentsSection } from './section/documents-section.js'
import { etfSection } from './section/etf-section.js'
import { financingSection } from './section/financing-section.js'
import { hotSection } from './section/hot-section.js'
import { indicesSection } from './section/indices-section.js'
import { reportHeader } from './section/report-header.js'
import { makeSection, type ReportSection } from './section/report-section.js'
import { southboundSection } from './section/southbound-section.js'

const declared: Readonly<Record<SectionName, ReportSection>> = {
  indices: indicesSection,
  convertible: convertibleSection,
  etf: etfSection,
  southbound: southboundSection,
  hot: hotSection,
  anomaly: anomalySection,
  financing: financingSection,
  documents: documentsSection,
  auction: auctionSection,
  appendix: appendixSection,
}

/** @throws QuotebookError USAGE for a section that does not exist */
export function checkSections(names: readonly string[]): readonly SectionName[] {
  for (const name of names) {
    if (sectionNames.some((known) => known === name)) continue
    const near = nearest(name, sectionNames)
    const hint = near ? sentence`did you mean '${near}'?` : sentence`there are: ${sectionNames.join(', ')}`
    throw new QuotebookError('USAGE', sentence`the report has no section '${name}'; ${hint}`)
  }
  return names as readonly SectionName[]
}

/**
 * One self-contained HTML page: the day in a sentence and six figures, then indices, convertible bonds, ETFs, southbound flows,
 * hot lists, candidates for abnormal movement, the refinancing balance, announcements and answers, the opening auction, and
 * as an appendix what was loaded and what the checks say. It loads nothing and runs no script. Equal inputs give equal
 * bytes; the only day in it is the latest in the data. A missing or empty input gives a sentence in place of its chart.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that its section needs, USAGE for an unknown section
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const say = sayIn(input.language)
  const date = asOf(input)
  const name = input.title ?? say('The market’s day', '市场日报')
  const wanted = checkSections(input.sections ?? sectionNames)
  const sections: Section[] = []
  for (const section of sectionNames.filter((one) => wanted.includes(one)))
    sections.push(await makeSection(section, declared[section], input))
  return page({
    title: date ? `${name}, ${day(date)}` : name,
    header: reportHeader(input, name, wanted.includes('appendix')),
    sections,
    input,
  })
}
