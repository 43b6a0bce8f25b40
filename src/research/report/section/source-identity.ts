import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../../contract/catalogue.js'
import { sourceText } from '../../../contract/dataset-text.js'
import { suspectLines } from '../../../contract/row-laws.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { version } from '../../../contract/version.js'
import { nullCounts } from '../../../frame/read-columns.js'
import { digest } from '../../../frame/table/digest.js'
import { provenance } from '../../../frame/table/provenance.js'
import { day, enumerated, formatCount, many } from '../format-number.js'
import { badge, grid, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { daySpan } from '../page-header.js'
import { onceOf, type ReportDay } from '../report-day.js'
import { daysInTable, titleOf } from '../report-tables.js'
import { inputIn } from '../report-words.js'
import type { PageInput } from '../verify/page-manifest.js'
import { daysText, healthFacts } from './source-health.js'

function nullsOf(table: Table, say: Say): HtmlPart {
  const found = [...nullCounts(table)].filter(([, nulls]) => nulls > 0)
  return found.length === 0
    ? say('none')
    : found.map(([name, nulls]) => `${name} ${formatCount(nulls)}`).join(say(fact('LOADED_TABLES', ', ')))
}

function completeness(table: Table, say: Say): Html {
  const about = provenance(table)
  if (!about) return html`${badge('unknown', say('not stated'))} ${say('the table carries no origin')}`
  const note = about.note === undefined ? null : html` ${outside(say(about.note))}`
  const rows = suspectLines(about.suspect, say.language).map((line) => html` <b>!</b> ${outside(line)}`)
  return about.complete
    ? html`${badge('holds', say('complete'))}${note}${rows}`
    : html`${badge('fails', say('not proven whole'))}${note}${rows}`
}

/** The tables that a report is made from: what the page and its manifest call each, and its days. */
const tablesOf = onceOf(({ tables, more = [], earlier, ticks, say }) => {
  const code = (name: string) => html`<code>${name}</code>`
  const whole = datasetNames.flatMap((dataset) => {
    const own = more.filter((one) => one.dataset === dataset).map(({ table }) => table)
    return [tables[dataset] ?? [], ...own].flat().map((table) => {
      const name = titleOf(dataset, table)
      return { dataset, name, title: code(name) as HtmlPart, table, days: daysInTable(dataset, table) }
    })
  })
  const before = Object.entries(earlier?.tables ?? {}) as [DatasetName, Table][]
  const means = before.map(([dataset, table]) => {
    const title: HtmlPart = html`${code(dataset)} ${say('for the means')}`
    return { dataset, name: `${dataset}, earlier days`, title, table, days: daysInTable(dataset, table) }
  })
  const ofTicks = { dataset: undefined, name: 'auction ticks', title: say('auction ticks') as HtmlPart }
  return [...whole, ...means, ...(ticks ? [{ ...ofTicks, table: ticks.table, days: [ticks.day] }] : [])]
})

/** What the manifest says of the tables: the name, the size and the checksum of each. */
export const reportInputs = onceOf((today): readonly PageInput[] =>
  tablesOf(today).map(({ name, table }) => ({
    name,
    rows: table.numRows,
    sha256: digest(table),
    complete: provenance(table)?.complete,
  })),
)

function notLoaded(tables: ReturnType<typeof tablesOf>, say: Say): Html | false {
  const rest = datasetNames.filter((name) => !tables.some(({ dataset }) => dataset === name))
  const listless = say(' theme_lib_detail_kp is asked theme by theme, and the service has no list of theme ids.')
  return (
    rest.length > 0 &&
    html`<p class="note">${say`Not loaded: ${enumerated(rest, say)}.`}${rest.includes('theme_lib_detail_kp') && listless}</p>`
  )
}

/** What was loaded: rows, days, completeness and nulls of each dataset. */
export function loadedTables(today: ReportDay): Html {
  const { say } = today
  const rows = tablesOf(today)
  const title = say('What was loaded')
  const table =
    rows.length > 0
      ? html`<p>${say`${many(rows.length, 'table')} went into this report. “Complete” means proven to hold every row that matches what was asked; a reply cut off at a row limit is never called so.`}</p>
<details class="rest"${rows.every((one) => provenance(one.table)?.complete) ? '' : html` open`}><summary>${title} (${formatCount(rows.length)})</summary>
${htmlGrid(title, rows, [
  grid.text(say('dataset'), (one) => one.title),
  grid.number(say('rows'), undefined, (one) => formatCount(one.table.numRows)),
  grid.text(say('first and last day'), ({ days }) =>
    days.length === 0 ? say('not by day') : daySpan(say, days[0], days.at(-1)),
  ),
  grid.number(say(fact('LOADED_TABLES', 'days')), undefined, ({ days }) =>
    days.length > 0 ? formatCount(days.length) : '',
  ),
  grid.text(say('whole?'), (one) => completeness(one.table, say), 'prose'),
  grid.text(say('nulls by column'), (one) => nullsOf(one.table, say), 'prose'),
])}</details>`
      : html`<p class="absent">${say('Nothing was loaded.')}</p>`
  return html`<h3>${title}</h3>
${table}${notLoaded(rows, say)}
`
}

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
  const inputs = reportInputs(today)
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
  grid.text(say('dataset'), ({ name }) => inputIn(name, say.language)),
  grid.number(say('rows'), undefined, ({ rows }) => formatCount(rows)),
  grid.text('sha256', ({ sha256 }) => hash(sha256, say), 'hash'),
])}</details>`
}
`
}
