import type { DatasetName } from '../../../contract/catalogue.js'
import type { Say } from '../../../contract/say.js'
import { absent, type HtmlPart, html, type Section } from '../html.js'
import type { ReportDay } from '../report-day.js'
import type { SectionName } from '../report-tables.js'

/** A section as it is declared: its title, what it reads, and its body. */
export interface ReportSection {
  readonly title: (say: Say) => string
  /** The datasets that it shows (default: all). */
  readonly reads?: readonly DatasetName[]
  /** What the source has none of, where there is no body. */
  readonly missing?: (say: Say) => string
  readonly body: (today: ReportDay) => HtmlPart | Promise<HtmlPart>
  /** The section in a line of the brief report; nothing where there is none. */
  readonly brief?: (today: ReportDay) => HtmlPart
}

/** Names that a line of the brief report holds of a kind. */
const named = 3

/** A few of a list behind a word, each a name and what is said of it: `涨幅居前：汀兰转债 +0.92%，…`. */
export function briefNames<R>(word: string, list: readonly R[], show: (one: R) => HtmlPart, say: Say): HtmlPart {
  const shown = list
    .slice(0, named)
    .map((one, at) => html`${at > 0 && say(', ')}<wbr><span class="whole">${show(one)}</span>`)
  return shown.length > 0 && [word, say(': '), shown, say('. ')]
}

/** The section of a report; a body of nothing is the sentence that its data is not in the source. */
export async function makeSection(id: SectionName, section: ReportSection, today: ReportDay): Promise<Section> {
  const { say } = today
  const body = (await section.body(today)) || absent(section.missing?.(say) ?? '', say)
  return { id, title: section.title(say), body }
}
