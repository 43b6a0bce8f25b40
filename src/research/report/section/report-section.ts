import { drawPlot } from '../draw-plot.js'
import { absent, figure, type GridColumn, type Html, type HtmlPart, htmlGrid, type Section } from '../html.js'
import type { PlotPanel } from '../plot.js'
import { type Say, sayIn } from '../report-language.js'
import type { ReportInput, SectionName } from '../report-tables.js'

/** A section as it is declared: its words in English and Chinese, and its body. */
export interface ReportSection {
  readonly title: readonly [en: string, zh: string]
  /** What the source has none of, where there is no body. */
  readonly missing?: readonly [en: string, zh: string]
  readonly body: (input: ReportInput, say: Say) => HtmlPart | Promise<HtmlPart>
}

/** The section of a report; a body of nothing is the sentence that its data is not in the source. */
export async function makeSection(id: SectionName, section: ReportSection, input: ReportInput): Promise<Section> {
  const say = sayIn(input.language)
  const { title, missing = ['', ''] } = section
  return { id, title: say(...title), body: (await section.body(input, say)) || absent(say(...missing), say) }
}

/** One panel over days, with what it says and its numbers as a table. */
export async function dayFigure(
  {
    id,
    title,
    said,
    dates,
    panel,
  }: { id: string; title: string; said: string; dates: readonly string[]; panel: PlotPanel },
  columns: readonly GridColumn<number>[],
  say: Say,
): Promise<Html> {
  const drawing = await drawPlot({ id, title, desc: said, x: { dates }, panels: [panel] })
  const rows = [...dates.keys()]
  return figure({ drawing, caption: said, numbers: htmlGrid(title, rows, columns), rows: rows.length, say })
}
