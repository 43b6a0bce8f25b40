import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../../contract/catalogue.js'
import { suspectLines } from '../../../contract/row-laws.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { nullCounts } from '../../../frame/read-columns.js'
import { provenance } from '../../../frame/table/provenance.js'
import { enumerated, formatCount, many } from '../format-number.js'
import { badge, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { daySpan } from '../page-header.js'
import type { ReportDay } from '../report-day.js'
import { daysInTable, titleOf } from '../report-tables.js'

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

interface LoadedTable {
  readonly dataset?: DatasetName
  readonly title: HtmlPart
  readonly table: Table
  readonly days: readonly string[]
}

function tablesOf({ tables, more = [], earlier, ticks, say }: ReportDay): LoadedTable[] {
  const there = datasetNames.flatMap((dataset): LoadedTable[] => {
    const own = [tables[dataset], ...more.map((one) => (one.dataset === dataset ? one.table : undefined))]
    return own
      .filter((table) => table !== undefined)
      .map((table) => ({
        dataset,
        title: html`<code>${titleOf(dataset, table)}</code>`,
        table,
        days: daysInTable(dataset, table),
      }))
  })
  for (const [dataset, table] of Object.entries(earlier?.tables ?? {}) as [DatasetName, Table][]) {
    const title = html`<code>${dataset}</code> ${say('for the means')}`
    there.push({ dataset, title, table, days: daysInTable(dataset, table) })
  }
  if (!ticks) return there
  return [...there, { title: say('auction ticks'), table: ticks.table, days: [ticks.day] }]
}

function notLoaded(tables: readonly LoadedTable[], say: Say): Html | false {
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
  gridText(say('dataset'), (one) => one.title),
  gridNumber(say('rows'), undefined, (one) => formatCount(one.table.numRows)),
  gridText(say('first and last day'), ({ days }) =>
    days.length === 0 ? say('not by day') : daySpan(say, days[0], days.at(-1)),
  ),
  gridNumber(say(fact('LOADED_TABLES', 'days')), undefined, ({ days }) =>
    days.length > 0 ? formatCount(days.length) : '',
  ),
  gridText(say('whole?'), (one) => completeness(one.table, say), 'prose'),
  gridText(say('nulls by column'), (one) => nullsOf(one.table, say), 'prose'),
])}</details>`
      : html`<p class="absent">${say('Nothing was loaded.')}</p>`
  return html`<h3>${title}</h3>
${table}${notLoaded(rows, say)}
`
}
