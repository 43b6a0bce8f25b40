import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../contract/catalogue.js'
import { nullCounts } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { count, day, listed, many } from '../format-number.js'
import { badge, grid, type Html, html, outside, type Part, type Section } from '../html.js'
import { daysOf, type ReportInput, titleOf } from '../report-tables.js'

function span(days: readonly string[]): string {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined) return 'not by day'
  return first === last ? day(first) : `${day(first)} to ${day(last)}`
}

function nullsOf(table: Table): Part {
  const found = [...nullCounts(table)].filter(([, nulls]) => nulls > 0)
  return found.length === 0 ? 'none' : found.map(([name, nulls]) => `${name} ${count(nulls)}`).join(', ')
}

function completeness(table: Table): Html {
  const about = provenance(table)
  if (!about) return html`${badge('unknown', 'not stated')} the table carries no origin`
  const note = about.note === undefined ? null : html` ${outside(about.note)}`
  return about.complete
    ? html`${badge('holds', 'complete')}${note}`
    : html`${badge('fails', 'not proven whole')}${note}`
}

function rowOf(name: DatasetName, table: Table): readonly Part[] {
  const days = daysOf(name, table)
  return [
    html`<code>${titleOf(name, table)}</code>`,
    count(table.numRows),
    span(days),
    days.length ? count(days.length) : '',
    completeness(table),
    nullsOf(table),
  ]
}

const listless = ' theme_lib_detail_kp is asked theme by theme, and the service has no list of theme ids.'

/** What was loaded: rows, days, completeness and nulls of each dataset. */
export function loaded(input: ReportInput): Section {
  const there = datasetNames.flatMap((name) => {
    const table = input.tables[name]
    const more = (input.more ?? []).flatMap((one) => (one.dataset === name ? [{ name, table: one.table }] : []))
    return table ? [{ name, table }, ...more] : more
  })
  const rest = datasetNames.filter((name) => !there.some((one) => one.name === name))
  const { ticks } = input
  const rows = there.map(({ name, table }) => rowOf(name, table))
  if (ticks) {
    const { table } = ticks
    rows.push(['auction ticks', count(table.numRows), day(ticks.day), '1', completeness(table), nullsOf(table)])
  }
  const heads = [
    { text: 'dataset' },
    { text: 'rows', as: 'number' as const },
    { text: 'first and last day' },
    { text: 'days', as: 'number' as const },
    { text: 'whole?', as: 'prose' as const },
    { text: 'nulls by column', as: 'prose' as const },
  ]
  const body = html`${
    rows.length > 0
      ? html`<p>${many(rows.length, 'table')} went into this report. “Complete” means proven to hold every row that matches what was
asked; a reply cut off at a row limit is never called so.</p>
${grid('What was loaded', heads, rows)}`
      : html`<p class="absent">Nothing was loaded.</p>`
  }${rest.length > 0 && html`<p class="note">Not loaded: ${listed(rest)}.${rest.includes('theme_lib_detail_kp') && listless}</p>`}
`
  return { id: 'loaded', title: 'What was loaded', body }
}
