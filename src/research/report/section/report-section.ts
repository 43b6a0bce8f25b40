import { type ChartFigure, chartFigure } from '../chart-figure.js'
import { formatCount, many } from '../format-number.js'
import { absent, type Html, type HtmlPart, html, type Section } from '../html.js'
import type { ReportInput, SectionName } from '../report-tables.js'
import type { Say } from '../report-words.js'

/** A section as it is declared: its words in English and Chinese, and its body. */
export interface ReportSection {
  readonly title: readonly [en: string, zh: string]
  /** What the source has none of, where there is no body. */
  readonly missing?: readonly [en: string, zh: string]
  readonly body: (input: ReportInput, say: Say) => HtmlPart | Promise<HtmlPart>
  /** The section in a line of the brief report; nothing where there is none. */
  readonly brief?: (input: ReportInput, say: Say) => HtmlPart
}

/** Names that a line of the brief report holds of a kind. */
const named = 3

/** A few of a list behind a word, each a name and what is said of it: `涨幅居前：汀兰转债 +0.92 %，…`. */
export function briefNames<R>(word: string, list: readonly R[], show: (one: R) => HtmlPart, say: Say): HtmlPart {
  const shown = list
    .slice(0, named)
    .map((one, at) => html`${at > 0 && say(', ', '，')}<wbr><span class="whole">${show(one)}</span>`)
  return shown.length > 0 && [word, say(': ', '：'), shown, say('. ', '。')]
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
