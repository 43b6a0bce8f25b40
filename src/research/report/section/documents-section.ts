import type { Table } from 'apache-arrow'
import { datasetOf } from '../../../contract/catalogue.js'
import { valueTitle } from '../../../contract/language.js'
import { wordsIn } from '../../../contract/say.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { day, formatCount, many } from '../format-number.js'
import { absent, folded, type Html, type HtmlPart, html, lines, outside } from '../html.js'
import { asOf, filled, type ReportInput } from '../report-tables.js'
import { languageOfSay, type Say } from '../report-words.js'
import type { ReportSection } from './report-section.js'
import { stockNames } from './stock-names.js'

/** Items of each kind at most. */
const most = 40
const headlines = 10
/** Characters of a question or an answer that are shown. */
const length = 160

function short(text: string | null | undefined): string {
  const characters = [...(text ?? '')]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('')
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** `2026-07-29 17:14:35`, `2026-07-29T17:14:35` or `20260729` as `20260729`. */
const dateOf = (moment: string | null): string => (moment ?? '').replaceAll('-', '').slice(0, 8)

/** A title that leads to its original, where that has an address of the web. */
function linked(title: string, url: string | null | undefined): Html {
  return url && /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${outside(title)}</a>`
    : outside(title)
}

/** Rows of the report's day, or of the last day before it that has any. */
function rowsOfDay(moments: readonly (string | null)[], latest: string | undefined): { date: string; rows: number[] } {
  const dates = moments.map(dateOf)
  const date =
    dates
      .filter((one) => latest === undefined || one <= latest)
      .sort(compare)
      .at(-1) ?? ''
  return { date, rows: dates.flatMap((one, row) => (one === date ? [row] : [])) }
}

function cutNote(shown: number, all: number, say: Say): HtmlPart {
  if (shown >= all) return false
  return html`<p class="note">${say(`The first ${formatCount(shown)} of ${formatCount(all)}.`, `列前 ${formatCount(shown)} 条，共 ${formatCount(all)} 条。`)}</p>
`
}

function announcements(table: Table, input: ReportInput, say: Say): Html {
  const [symbol, time, title, kind, url] = ['symbol', 'event_date', 'title', 'announcement_type', 'content_url'].map(
    (name) => strings(table, name),
  )
  const names = stockNames(input)
  const { date, rows } = rowsOfDay(time ?? [], asOf(input))
  const key = (row: number): string => `${symbol?.[row]} ${time?.[row]} ${title?.[row]}`
  const byKind = [...groupItems(rows, (row) => kind?.[row] ?? 'unknown')].sort(([a], [b]) => compare(a, b))
  const groups = byKind.map(([word, own]) => {
    const called = valueTitle(datasetOf('finance_announcement'), word, input.language ?? 'en') ?? word
    const shown = [...own].sort((a, b) => compare(key(a), key(b))).slice(0, most)
    const items = shown.map((row) => {
      const code = symbol?.[row] ?? ''
      const name = names.get(code)
      return html`<code>${code}</code>${name !== undefined && html` ${outside(name)}`} ${linked(title?.[row] ?? '', url?.[row])}`
    })
    return html`<h4>${called} (${formatCount(own.length)})</h4>
${folded(items, say, lines)}${cutNote(shown.length, own.length, say)}`
  })
  return html`<h3>${say('Announcements', '公司公告')}, ${day(date)}</h3>
<p>${say(String(many(rows.length, 'announcement')), `共 ${formatCount(rows.length)} 份`)}${say('. Source: ', '。来源：')}<code>finance_announcement</code></p>
${groups}`
}

/** Of each question, the row of its highest revision. */
function lastRevisions(table: Table): ReadonlySet<number> {
  const revision = numbers(table, 'revision_no')
  const last = new Map<string | null, number>()
  strings(table, 'qa_id').forEach((id, row) => {
    const known = last.get(id)
    if (known === undefined || (revision[row] ?? 0) > (revision[known] ?? 0)) last.set(id, row)
  })
  return new Set(last.values())
}

function answers(table: Table, input: ReportInput, say: Say): Html {
  const [symbol, date, time, id, question, answer] = [
    'symbol',
    'event_date',
    'answer_time',
    'qa_id',
    'question',
    'answer',
  ].map((name) => strings(table, name))
  const last = lastRevisions(table)
  const found = rowsOfDay(date ?? [], asOf(input))
  const names = stockNames(input)
  const rows = found.rows.filter((row) => last.has(row))
  const newest = (a: number, b: number): number =>
    compare(time?.[b] ?? '', time?.[a] ?? '') || compare(id?.[a] ?? '', id?.[b] ?? '')
  const byStock = [...groupItems(rows.sort(newest), (row) => symbol?.[row] ?? '')]
  const shown = byStock.slice(0, most)
  const items = shown.map(([code, own]) => {
    const name = names.get(code)
    const pairs = own.map(
      (row) => html`<p><q>${outside(short(question?.[row]))}</q></p>
<p class="answer">${outside(short(answer?.[row]))} <time>${time?.[row]?.slice(11, 16)}</time></p>
`,
    )
    return html`<code>${code}</code>${name !== undefined && html` ${outside(name)}`}
${pairs}`
  })
  const told = (at: number): number => shown.slice(0, at + 1).reduce((sum, [, own]) => sum + own.length, 0)
  const first = shown.filter((_, at) => told(at) <= 10).length || 1
  return html`<h3>${say('Answers of companies', '互动问答')}, ${day(found.date)}</h3>
<p>${say(`${many(rows.length, 'answer')} of ${many(byStock.length, 'company', 'companies')}, cut at ${length} characters; words of others. Source: `, `${formatCount(byStock.length)} 家公司答复 ${formatCount(rows.length)} 条，超过 ${length} 字的截短；内容为他人所写。来源：`)}<code>interactive_qa</code></p>
${folded(items, say, lines, first)}${cutNote(shown.length, byStock.length, say)}`
}

function newsList(table: Table, say: Say): Html {
  const note = provenance(table)?.note
  const [at, id, source, title, url] = ['display_at', 'source_id', 'source_name', 'title', 'url'].map((name) =>
    has(table, name) ? strings(table, name) : undefined,
  )
  const rows = (at ?? [])
    .map((_, row) => row)
    .sort((a, b) => compare(at?.[b] ?? '', at?.[a] ?? '') || compare(id?.[a] ?? '', id?.[b] ?? '') || a - b)
    .slice(0, headlines)
  const items = rows.map(
    (row) =>
      html`<time>${at?.[row]?.replace('T', ' ').slice(0, 16)}</time> ${linked(short(title?.[row]), url?.[row])} <small>${outside(source?.[row])}</small>`,
  )
  return html`<h3>${say('Latest headlines', '最新新闻')}</h3>
${lines(items)}<p class="note">${say('Beijing time, words of the publishers. Source:', '北京时间，文字为发布方所写。来源：')} <code>news</code>${note !== undefined && html` (${outside(wordsIn(note, languageOfSay(say)))})`}</p>
`
}

/** Announcements and answers of the day, and the latest headlines: text of others, grouped, linked and escaped. */
export const documentsSection: ReportSection = {
  title: ['Announcements and answers', '公告与问答'],
  brief: (input, say) => {
    const { finance_announcement, interactive_qa } = input.tables
    const rowsIn = (table: Table) => rowsOfDay(strings(table, 'event_date'), asOf(input)).rows
    const [announced, answered] = [filled(finance_announcement), filled(interactive_qa)]
    const filed = announced && rowsIn(announced).length
    const last = answered && lastRevisions(answered)
    const qa = answered && rowsIn(answered).filter((row) => last?.has(row)).length
    return [
      filed !== undefined && say(`${many(filed, 'announcement')} of the day. `, `当日公告 ${formatCount(filed)} 份。`),
      qa !== undefined && say(`${many(qa, 'answer')} of companies.`, `互动问答 ${formatCount(qa)} 条。`),
    ]
  },
  body: (input, say) => {
    const { finance_announcement, interactive_qa, news } = input.tables
    const [filed, qa, headlines] = [finance_announcement, interactive_qa, news].map(filled)
    const parts = [
      filed && announcements(filed, input, say),
      qa && answers(qa, input, say),
      headlines && newsList(headlines, say),
    ]
    const missing = [
      say('announcements (finance_announcement)', '公司公告（finance_announcement）'),
      say('answers of companies (interactive_qa)', '互动问答（interactive_qa）'),
      say('news (news)', '聚合新闻（news）'),
    ]
    return parts.map((part, at) => part ?? absent(missing[at] ?? '', say))
  },
}
