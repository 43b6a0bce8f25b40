import { type ChartFigure, chartFigure } from '../chart-figure.js'
import { formatCount, many } from '../format-number.js'
import { absent, type Html, type HtmlPart, type Section } from '../html.js'
import type { ReportInput, SectionName } from '../report-tables.js'
import type { Say } from '../report-words.js'

/** A section as it is declared: its words in English and Chinese, and its body. */
export interface ReportSection {
  readonly title: readonly [en: string, zh: string]
  /** What the source has none of, where there is no body. */
  readonly missing?: readonly [en: string, zh: string]
  readonly body: (input: ReportInput, say: Say) => HtmlPart | Promise<HtmlPart>
}

/** The section of a report; a body of nothing is the sentence that its data is not in the source. */
export async function makeSection(
  id: SectionName,
  section: ReportSection,
  input: ReportInput,
  say: Say,
): Promise<Section> {
  const { title, missing = ['', ''] } = section
  return { id, title: say(...title), body: (await section.body(input, say)) || absent(say(...missing), say) }
}

/** A chart of the report with its numbers. */
export function reportFigure<R>(say: Say, chart: ChartFigure<R>): Promise<Html> {
  const { length } = chart.rows
  const summary = say(`The numbers as a table (${many(length, 'row')})`, `数据表（${formatCount(length)} 行）`)
  return chartFigure(chart, { label: say('Chart', '图'), summary })
}
