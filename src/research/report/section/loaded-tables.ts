import type { Table } from 'apache-arrow'
import { type DatasetName, datasetNames } from '../../../contract/catalogue.js'
import { suspectLines } from '../../../contract/row-laws.js'
import { wordsIn } from '../../../contract/say.js'
import { nullCounts } from '../../../frame/read-columns.js'
import { provenance } from '../../../frame/table/provenance.js'
import { day, formatCount, listed, many } from '../format-number.js'
import { badge, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { daysInTable, type ReportInput, titleOf } from '../report-tables.js'
import { languageOfSay, type Say } from '../report-words.js'

function span(days: readonly string[], say: Say): string {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined) return say('not by day', '不按日')
  return first === last ? day(first) : say(`${day(first)} to ${day(last)}`, `${day(first)} 至 ${day(last)}`)
}

function nullsOf(table: Table, say: Say): HtmlPart {
  const found = [...nullCounts(table)].filter(([, nulls]) => nulls > 0)
  return found.length === 0
    ? say('none', '无')
    : found.map(([name, nulls]) => `${name} ${formatCount(nulls)}`).join(say(', ', '、'))
}

function completeness(table: Table, say: Say): Html {
  const about = provenance(table)
  if (!about)
    return html`${badge('unknown', say('not stated', '未注明'))} ${say('the table carries no origin', '表中没有来源信息')}`
  const note = about.note === undefined ? null : html` ${outside(wordsIn(about.note, languageOfSay(say)))}`
  const suspect = say(suspectLines(about.suspect), suspectLines(about.suspect, 'zh'))
  const rows = suspect.map((line) => html` <b>!</b> ${outside(line)}`)
  return about.complete
    ? html`${badge('holds', say('complete', '完整'))}${note}${rows}`
    : html`${badge('fails', say('not proven whole', '未证明完整'))}${note}${rows}`
}

interface LoadedTable {
  readonly dataset?: DatasetName
  readonly title: HtmlPart
  readonly table: Table
  readonly days: readonly string[]
}

function tablesOf(input: ReportInput, say: Say): LoadedTable[] {
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
  for (const [dataset, table] of Object.entries(input.earlier?.tables ?? {}) as [DatasetName, Table][]) {
    const title = html`<code>${dataset}</code> ${say('for the means', '用于均值')}`
    there.push({ dataset, title, table, days: daysInTable(dataset, table) })
  }
  const { ticks } = input
  if (!ticks) return there
  return [...there, { title: say('auction ticks', '集合竞价快照'), table: ticks.table, days: [ticks.day] }]
}

function notLoaded(tables: readonly LoadedTable[], say: Say): Html | false {
  const rest = datasetNames.filter((name) => !tables.some(({ dataset }) => dataset === name))
  const listless = say(
    ' theme_lib_detail_kp is asked theme by theme, and the service has no list of theme ids.',
    'theme_lib_detail_kp 须逐个题材查询，而服务没有题材编号的列表。',
  )
  return (
    rest.length > 0 &&
    html`<p class="note">${say(`Not loaded: ${listed(rest)}.`, `未载入：${rest.join('、')}。`)}${rest.includes('theme_lib_detail_kp') && listless}</p>`
  )
}

/** What was loaded: rows, days, completeness and nulls of each dataset. */
export function loadedTables(input: ReportInput, say: Say): Html {
  const rows = tablesOf(input, say)
  const title = say('What was loaded', '载入的数据')
  const table =
    rows.length > 0
      ? html`<p>${say(
          `${many(rows.length, 'table')} went into this report. “Complete” means proven to hold every row that matches what was asked; a reply cut off at a row limit is never called so.`,
          `本报告用到 ${formatCount(rows.length)} 张表。“完整”指已证明包含所查询的全部行；被行数上限截断的应答绝不称完整。`,
        )}</p>
<details class="rest"${rows.every((one) => provenance(one.table)?.complete) ? '' : html` open`}><summary>${title} (${formatCount(rows.length)})</summary>
${htmlGrid(title, rows, [
  gridText(say('dataset', '数据集'), (one) => one.title),
  gridNumber(say('rows', '行数'), undefined, (one) => formatCount(one.table.numRows)),
  gridText(say('first and last day', '首末日'), ({ days }) => span(days, say)),
  gridNumber(say('days', '天数'), undefined, ({ days }) => (days.length > 0 ? formatCount(days.length) : '')),
  gridText(say('whole?', '是否完整'), (one) => completeness(one.table, say), 'prose'),
  gridText(say('nulls by column', '各列空值'), (one) => nullsOf(one.table, say), 'prose'),
])}</details>`
      : html`<p class="absent">${say('Nothing was loaded.', '没有载入任何数据。')}</p>`
  return html`<h3>${title}</h3>
${table}${notLoaded(rows, say)}
`
}
