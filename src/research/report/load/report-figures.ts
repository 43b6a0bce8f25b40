import type { Market } from '../../../market.js'
import { renderReport, sectionLines } from '../render-report.js'
import { type ReportDay, reportDay } from '../report-day.js'
import { type ReportInput, type SectionName, sectionNames } from '../report-tables.js'
import { dayFigures } from '../section/day-figures.js'
import { type SourceHealth, sourceHealth } from '../section/source-health.js'
import { readPage, textOfMarkup } from '../verify/read-page.js'
import { type ReportOptions, reportInput } from './market-report.js'

/** A report as figures. */
interface ReportFigures extends Pick<SourceHealth, 'light'> {
  readonly day: string | undefined
  readonly source: ReportInput['source']['name']
  readonly state: string | undefined
  /** What is wrong with its data, the worst first. */
  readonly wrong: readonly string[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** The figures of the first screen in their units, and a line of each section. */
async function summaryRows(today: ReportDay): Promise<ReportFigures['rows']> {
  const day = dayFigures(today).map(({ section, label, unit, power, past }) => {
    const scaled = (value: number | undefined): number | null =>
      value === undefined || Number.isNaN(value) ? null : Number((value / 10 ** power).toPrecision(12))
    const mean = past?.means.find(({ window }) => window === 20)?.mean
    return [section, label, scaled(past?.value), unit, past?.day ?? null, scaled(mean)]
  })
  const lines = sectionLines(sectionNames, today).map(async ([name, { markup }]) => {
    return [name, today.say('in brief'), await textOfMarkup(markup), null, null, null]
  })
  return [...day, ...(await Promise.all(lines))]
}

async function sectionRows(input: ReportInput, section: SectionName): Promise<ReportFigures['rows']> {
  const { figures } = await readPage(await renderReport(input))
  return figures.filter((one) => one.section === section).map((one) => [one.label, one.text, one.value ?? null])
}

/**
 * A market report without its page: the figures of its day and a line of each section, or all figures of one section as the page shows
 * them, with the exact value where the page has one.
 * @throws QuotebookError as `report` does
 */
export async function reportFigures(
  market: Market,
  options: ReportOptions,
  section?: SectionName,
): Promise<ReportFigures> {
  const input = await reportInput(market, section ? { ...options, sections: [section] } : options)
  const today = reportDay(input)
  const { light, reasons } = sourceHealth(today)
  return {
    day: today.date,
    source: input.source.name,
    state: input.source.state,
    light,
    wrong: reasons,
    columns: section ? ['figure', 'shown', 'value'] : ['section', 'figure', 'value', 'unit', 'day', 'mean_20'],
    rows: section ? await sectionRows(input, section) : await summaryRows(today),
  }
}
