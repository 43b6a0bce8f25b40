import type { Market } from '../../../market.js'
import { renderReport, sectionLines } from '../render-report.js'
import { type ReportDay, reportDay } from '../report-day.js'
import { type ReportInput, type SectionName, sectionNames } from '../report-tables.js'
import { dayFigures } from '../section/day-figures.js'
import { sourceHealth } from '../section/source-health.js'
import { readPage, textOfMarkup } from '../verify/read-page.js'
import { type ReportOptions, reportInput } from './market-report.js'

type FigureRows = readonly (readonly (string | number | null)[])[]

/** The figures of the first screen in their units, and a line of each section. */
async function summaryRows(today: ReportDay): Promise<FigureRows> {
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

async function sectionRows(input: ReportInput, section: SectionName): Promise<FigureRows> {
  const { figures } = await readPage(await renderReport(input))
  return figures.filter((one) => one.section === section).map((one) => [one.label, one.text, one.value ?? null])
}

/**
 * A market report without its page: the figures of its day and a line of each section, or all figures of one section as the page shows
 * them, with the exact value where the page has one.
 * @throws QuotebookError as `report` does
 */
export async function reportFigures(market: Market, options: ReportOptions, section?: SectionName) {
  const input = await reportInput(market, section ? { ...options, sections: [section] } : options)
  const today = reportDay(input)
  const { light, reasons } = sourceHealth(today)
  return {
    day: today.date,
    source: input.source.name,
    state: input.source.state,
    light,
    /** What is wrong with its data, the worst first. */
    wrong: reasons,
    columns: section ? ['figure', 'shown', 'value'] : ['section', 'figure', 'value', 'unit', 'day', 'mean_20'],
    rows: section ? await sectionRows(input, section) : await summaryRows(today),
  }
}
