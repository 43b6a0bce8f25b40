import type { DatasetName } from '../../contract/catalogue.js'
import { QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { version } from '../../contract/version.js'
import { yieldTurn } from '../../threads/yield.js'
import { day } from './format-number.js'
import { type Html, html, type Section } from './html.js'
import { type DocumentManifest, htmlDocument } from './html-document.js'
import { type ReportDay, reportDay } from './report-day.js'
import { type ReportInput, type SectionName, sectionNames } from './report-tables.js'
import { anomalySection } from './section/anomaly-section.js'
import { auctionSection } from './section/auction-section.js'
import { checkFindings } from './section/check-findings.js'
import { convertibleSection } from './section/convertible-section.js'
import { meant } from './section/day-figures.js'
import { documentsSection } from './section/documents-section.js'
import { etfSection } from './section/etf-section.js'
import { financingSection } from './section/financing-section.js'
import { reportHeader } from './section/first-screen.js'
import { hotSection } from './section/hot-section.js'
import { indicesSection } from './section/indices-section.js'
import { makeSection, type ReportSection } from './section/report-section.js'
import { loadedTables, reportInputs, sourceIdentity } from './section/source-identity.js'
import { southboundSection } from './section/southbound-section.js'

/** The audit: source and version, what was loaded and whether it is complete, and every check with its worst cases. */
const appendixSection: ReportSection = {
  title: (say) => say('Appendix: the data and its checks'),
  body: (today) => [sourceIdentity(today), loadedTables(today), checkFindings(today)],
}

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
    throw new QuotebookError('USAGE', sentence`the report has no section '${name}'; ${nameHint(name, sectionNames)}`)
  }
  return names as readonly SectionName[]
}

/** What the first screen is made of. */
const firstScreen: readonly DatasetName[] = [...meant, 'etf_minute']

/** The datasets that a report of some sections shows; undefined for all. */
export function datasetsShown(names: readonly SectionName[]): readonly DatasetName[] | undefined {
  const own = names.map((name) => declared[name].reads)
  return own.some((reads) => !reads)
    ? undefined
    : [...new Set([...firstScreen, ...own.flatMap((reads) => reads ?? [])])]
}

/** What the page says of how it was made. */
function manifestOf(today: ReportDay): DocumentManifest {
  const { source, language = 'en', sections, brief, title, asked, end, until } = today
  return {
    kind: 'report',
    options: { days: asked, end, until, language, sections, brief: brief || undefined, title },
    source,
    inputs: reportInputs(today),
  }
}

async function wholeSections(names: readonly SectionName[], today: ReportDay): Promise<Section[]> {
  const sections: Section[] = []
  for (const name of names) {
    await yieldTurn()
    sections.push(await makeSection(name, declared[name], today))
  }
  return sections
}

/** A line of each section that has something to say, as markup. */
export function sectionLines(names: readonly SectionName[], today: ReportDay): [SectionName, Html][] {
  const all = names.map((name): [SectionName, Html] => [name, html`${declared[name].brief?.(today)}`])
  return all.filter(([, line]) => line.markup !== '')
}

function briefSection(names: readonly SectionName[], today: ReportDay): Section[] {
  const lines = sectionLines(names, today).map(
    ([name, line]) => html`<div><dt>${declared[name].title(today.say)}</dt><dd>${line}</dd></div>
`,
  )
  const body = html`<dl class="brief">
${lines}</dl>
`
  return lines.length > 0 ? [{ id: 'brief', title: today.say('In brief'), body }] : []
}

/**
 * One self-contained HTML page: the day in a sentence and six figures, then indices, convertible bonds, ETFs, southbound flows,
 * hot lists, candidates for abnormal movement, the refinancing balance, announcements and answers, the opening auction, and
 * as an appendix what was loaded and what the checks say. It loads nothing and runs no script but, where it is interactive, one of its own. Equal inputs give equal
 * bytes; the only day in it is the latest in the data. With `brief` a line of each section stands in place of it. A missing or empty input gives a sentence in place of its chart.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column that its section needs, USAGE for an unknown section
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const today = reportDay(input)
  const { say, date, brief, source, interactive } = today
  const name = input.title ?? say('The market’s day')
  const wanted = checkSections(input.sections ?? sectionNames)
  const shown = sectionNames.filter((one) => wanted.includes(one))
  const state =
    source.state !== undefined &&
    html`${say(', ')}${say('state of the source')} <code>${source.state.slice(0, 16)}</code>`
  return htmlDocument({
    say,
    title: date ? `${name}${say(', ')}${day(date)}` : name,
    manifest: manifestOf(today),
    top: { header: reportHeader(today, name, !brief && wanted.includes('appendix') ? 'appendix' : undefined) },
    interactive,
    sections: brief ? briefSection(shown, today) : await wholeSections(shown, today),
    footer: html`Quotebook ${version}${state}. `,
  })
}
