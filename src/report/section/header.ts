import { version } from '../../contract/version.js'
import { asOf } from '../days.js'
import { count, day } from '../format.js'
import { type Html, html } from '../html.js'
import type { ReportInput } from '../input.js'
import { grid, outside } from '../parts.js'

const none = html`<span class="none">not stated</span>`

function hash(sha256: string | undefined): Html {
  return sha256 === undefined ? none : html`<code>${sha256}</code>`
}

/** Title, day, source, version, and the checksums of everything that went in. There is no clock: equal inputs, equal bytes. */
export function header(input: ReportInput): Html {
  const { source } = input
  const date = asOf(input)
  const inputs = source.inputs.map((one) => [one.dataset, count(one.rows), hash(one.sha256)])
  return html`<header>
<p class="kicker">Quotebook report</p>
<h1>${input.title ?? 'Market report'}</h1>
${source.about !== undefined && html`<p class="about"><strong>${outside(source.about)}</strong></p>`}
<dl>
<div><dt>As of</dt><dd>${date ? html`<time datetime="${day(date)}">${day(date)}</time>` : 'no dated data'}</dd></div>
<div><dt>Source</dt><dd>${outside(source.name)}</dd></div>
<div><dt>Made by</dt><dd>Quotebook ${version}</dd></div>
<div class="whole"><dt>State of the source, sha256</dt><dd>${hash(source.state)}</dd></div>
</dl>
<p class="note">The same version over the same inputs gives this file again, to the byte. The day above is the latest trading
day in the data. A dash (—) is a missing value: not known, or did not happen. It never stands for zero.</p>
${
  inputs.length > 0 &&
  html`<details><summary>Checksums of the inputs (${count(inputs.length)})</summary>
${grid('Checksums of the inputs', [{ text: 'dataset' }, { text: 'rows', as: 'number' }, { text: 'sha256', as: 'hash' }], inputs)}</details>`
}
</header>
`
}
