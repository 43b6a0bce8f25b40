import type { DatasetName } from '../../../contract/catalogue.js'
import { sourceText } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { version } from '../../../contract/version.js'
import { day, enumerated, formatCount } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import type { ReportDay } from '../report-day.js'
import { inputIn } from '../source-words.js'
import { daysText, healthFacts } from './source-health.js'

function hash(sha256: string | undefined, say: Say): Html {
  return sha256 === undefined ? html`<span class="none">${say('not stated')}</span>` : html`<code>${sha256}</code>`
}

function stateOfSource({ source, say }: ReportDay): Html {
  if (source.changed !== true) return hash(source.state, say)
  return html`<span class="none">${say('none: the source changed while it was read, and its tables may be of different moments')}</span>`
}

/** Datasets that are loaded whole, with what their rows are called. */
const uncut: Readonly<Partial<Record<DatasetName, (say: Say) => string>>> = {
  news: (say) => say('news'),
  finance_announcement: (say) => say('announcements'),
  interactive_qa: (say) => say('answers'),
}

function uncutNote({ of, say }: ReportDay): string {
  const there = Object.entries(uncut).flatMap(([name, word]) => (of(name as DatasetName) ? [word(say)] : []))
  if (there.length === 0) return ''
  const all = enumerated(there, say)
  return say` ${all.charAt(0).toUpperCase()}${all.slice(1)} are all that the source has, not cut to these days.`
}

/** Day, source, version, and the checksums of everything that went in. There is no clock: equal inputs, equal bytes. */
export function sourceIdentity(today: ReportDay): Html {
  const { source, date, say } = today
  const { inputs } = source
  const checksums = say('Checksums of the inputs')
  return html`<h3>${say('Source and version')}</h3>
<dl class="facts">
<div><dt>${say('As of')}</dt><dd>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : say('no dated data')}</dd></div>
<div><dt>${say('Days covered')}</dt><dd>${daysText(today)}</dd></div>
<div><dt>${say(fact('SOURCE_IDENTITY', 'Source'))}</dt><dd>${outside(sourceText(source.name, say.language))}</dd></div>
<div><dt>${say(fact('SOURCE_IDENTITY', 'Made by'))}</dt><dd>Quotebook ${version}</dd></div>
${healthFacts(today)}<div class="whole"><dt>${say('State of the source, sha256')}</dt><dd>${stateOfSource(today)}</dd></div>
</dl>
<p class="note">${say('The same version over the same inputs gives this file again, byte for byte. A dash (—) is a missing value, never zero.')}${uncutNote(today)}</p>
${
  inputs.length > 0 &&
  html`<details class="rest"><summary>${checksums} (${formatCount(inputs.length)})</summary>
${htmlGrid(checksums, inputs, [
  gridText(say('dataset'), ({ dataset }) => inputIn(dataset, say.language)),
  gridNumber(say('rows'), undefined, ({ rows }) => formatCount(rows)),
  gridText('sha256', ({ sha256 }) => hash(sha256, say), 'hash'),
])}</details>`
}
`
}
