import { chineseNote } from '../../../contract/chinese-notes.js'
import { day } from '../format-number.js'
import { type Html, html, outside } from '../html.js'
import { sayIn } from '../report-language.js'
import { asOf, type ReportInput } from '../report-tables.js'
import { firstScreen } from './first-screen.js'
import { healthLine } from './source-health.js'

/**
 * The head of the page: the state of its data in a line, its title and day, and what the day was.
 * @param appendix whether the page has one that the line can lead to
 */
export function reportHeader(input: ReportInput, title: string, appendix: boolean): Html {
  const { source } = input
  const say = sayIn(input.language)
  const date = asOf(input)
  return html`<header>
${healthLine(input, appendix)}${
  source.about !== undefined &&
  html`<p class="about"><strong>${outside(say(source.about, chineseNote(source.about)))}</strong></p>
`
}<h1>${title} <small>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : say('no dated data', '没有带日期的数据')}</small></h1>
${firstScreen(input)}</header>
`
}
