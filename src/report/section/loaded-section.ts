import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../contract/catalogue.js'
import { nullCounts } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { day, formatCount, listed, many } from '../format-number.js'
import {
  badge,
  gridNumber,
  gridText,
  type Html,
  type HtmlPart,
  html,
  htmlGrid,
  outside,
  type Section,
} from '../html.js'
import { daysInTable, type ReportInput, titleOf } from '../report-tables.js'

function span(days: readonly string[]): string {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined) return 'not by day'
  return first === last ? day(first) : `${day(first)} to ${day(last)}`
}

function nullsOf(table: Table): HtmlPart {
  const found = [...nullCounts(table)].filter(([, nulls]) => nulls > 0)
  return found.length === 0 ? 'none' : found.map(([name, nulls]) => `${name} ${formatCount(nulls)}`).join(', ')
}

function completeness(table: Table): Html {
  const about = provenance(table)
  if (!about) return html`${badge('unknown', 'not stated')} the table carries no origin`
  const note = about.note === undefined ? null : html` ${outside(about.note)}`
  return about.complete
    ? html`${badge('holds', 'complete')}${note}`
    : html`${badge('fails', 'not proven whole')}${note}`
}

const listless = ' theme_lib_detail_kp is asked theme by theme, and the service has no list of theme ids.'

interface LoadedTable {
  readonly dataset?: DatasetName
  readonly title: HtmlPart
  readonly table: Table
  readonly days: readonly string[]
}

/** What was loaded: rows, days, completeness and nulls of each dataset. */
export function loadedSection(input: ReportInput): Section {
  const there = datasetNames.flatMap((dataset): LoadedTable[] => {
    const first = input.tables[dataset]
    const more = (input.more ?? []).flatMap((one) => (one.dataset === dataset ? [one.table] : []))
    return [...(first ? [first] : []), ...more].map((table) => ({
      dataset,
      title: html`<code>${titleOf(dataset, table)}</code>`,
      table,
      days: daysInTable(dataset, table),
    }))
  })
  const rest = datasetNames.filter((name) => !there.some(({ dataset }) => dataset === name))
  const { ticks } = input
  const rows = ticks ? [...there, { title: 'auction ticks', table: ticks.table, days: [ticks.day] }] : there
  const body = html`${
    rows.length > 0
      ? html`<p>${many(rows.length, 'table')} went into this report. “Complete” means proven to hold every row that matches what was
asked; a reply cut off at a row limit is never called so.</p>
${htmlGrid('What was loaded', rows, [
  gridText('dataset', ({ title }) => title),
  gridNumber('rows', undefined, ({ table }) => formatCount(table.numRows)),
  gridText('first and last day', ({ days }) => span(days)),
  gridNumber('days', undefined, ({ days }) => (days.length > 0 ? formatCount(days.length) : '')),
  gridText('whole?', ({ table }) => completeness(table), 'prose'),
  gridText('nulls by column', ({ table }) => nullsOf(table), 'prose'),
])}`
      : html`<p class="absent">Nothing was loaded.</p>`
  }${rest.length > 0 && html`<p class="note">Not loaded: ${listed(rest)}.${rest.includes('theme_lib_detail_kp') && listless}</p>`}
`
  return { id: 'loaded', title: 'What was loaded', body }
}
