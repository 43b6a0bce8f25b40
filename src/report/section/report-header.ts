import { version } from '../../contract/version.js'
import { day, formatCount, listed, many } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { asOf, coveredDays, filled, type ReportInput } from '../report-tables.js'

const none = html`<span class="none">not stated</span>`
const changed = html`<span class="none">none: the source changed while it was read, and its tables may be of different moments</span>`

function hash(sha256: string | undefined): Html {
  return sha256 === undefined ? none : html`<code>${sha256}</code>`
}

/** First and last day with data and how many there are; and how many were asked for, if that is more. */
function span(input: ReportInput): string {
  const days = coveredDays(input)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined) return 'no days of quotes'
  const range = first === last ? day(first) : `${day(first)} to ${day(last)}`
  const short =
    input.asked !== undefined && days.length < input.asked ? `; ${formatCount(input.asked)} were asked for` : ''
  return `${range}, ${many(days.length, 'trading day')}${short}`
}

/** Datasets that are loaded whole, with what their rows are called. */
const uncut = { news: 'news', finance_announcement: 'announcements', interactive_qa: 'answers' } as const

function uncutNote({ tables }: ReportInput): string {
  const there = (Object.keys(uncut) as (keyof typeof uncut)[]).filter((name) => filled(tables[name]))
  if (there.length === 0) return ''
  const said = listed(there.map((name) => uncut[name]))
  return ` ${said.charAt(0).toUpperCase()}${said.slice(1)} are all that the source has, not cut to these days.`
}

/** Title, day, source, version, and the checksums of everything that went in. There is no clock: equal inputs, equal bytes. */
export function reportHeader(input: ReportInput): Html {
  const { source } = input
  const date = asOf(input)
  const { inputs } = source
  return html`<header>
<p class="kicker">Quotebook report</p>
<h1>${input.title ?? 'Market report'}</h1>
${source.about !== undefined && html`<p class="about"><strong>${outside(source.about)}</strong></p>`}
<dl>
<div><dt>As of</dt><dd>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : 'no dated data'}</dd></div>
<div><dt>Days covered</dt><dd>${span(input)}</dd></div>
<div><dt>Source</dt><dd>${outside(source.name)}</dd></div>
<div><dt>Made by</dt><dd>Quotebook ${version}</dd></div>
<div class="whole"><dt>State of the source, sha256</dt><dd>${source.changed === true ? changed : hash(source.state)}</dd></div>
</dl>
<p class="note">The same version over the same inputs gives this file again, to the byte. “As of” is the latest trading
day in the data. A dash (—) is a missing value: not known, or did not happen. It never stands for zero.${uncutNote(input)}</p>
${
  inputs.length > 0 &&
  html`<details><summary>Checksums of the inputs (${formatCount(inputs.length)})</summary>
${htmlGrid('Checksums of the inputs', inputs, [
  gridText('dataset', ({ dataset }) => dataset),
  gridNumber('rows', undefined, ({ rows }) => formatCount(rows)),
  gridText('sha256', ({ sha256 }) => hash(sha256), 'hash'),
])}</details>`
}
</header>
`
}
