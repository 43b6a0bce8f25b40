import type { Table } from 'apache-arrow'
import { datasetOf } from '../../../contract/catalogue.js'
import { valueTitle } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { day, formatCount, many } from '../format-number.js'
import { absent, folded, type Html, type HtmlPart, html, lines, outside } from '../html.js'
import type { ReportDay } from '../report-day.js'
import type { ReportSection } from './report-section.js'
import { naming, stockNames } from './stock-names.js'

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
  return html`<p class="note">${say`The first ${formatCount(shown)} of ${formatCount(all)}.`}</p>
`
}

function announcements(table: Table, today: ReportDay): Html {
  const { say } = today
  const [symbol, time, title, kind, url] = ['symbol', 'event_date', 'title', 'announcement_type', 'content_url'].map(
    (name) => strings(table, name),
  )
  const names = stockNames(today)
  const { date, rows } = rowsOfDay(time ?? [], today.date)
  const key = (row: number): string => `${symbol?.[row]} ${time?.[row]} ${title?.[row]}`
  const byKind = [...groupItems(rows, (row) => kind?.[row] ?? 'unknown')].sort(([a], [b]) => compare(a, b))
  const groups = byKind.map(([word, own]) => {
    const called = valueTitle(datasetOf('finance_announcement'), word, say.language) ?? word
    const shown = [...own].sort((a, b) => compare(key(a), key(b))).slice(0, most)
    const items = shown.map((row) => {
      const code = symbol?.[row] ?? ''
      const name = names.get(code)
      return html`<code>${code}</code>${name !== undefined && html` ${outside(name)}`} ${linked(title?.[row] ?? '', url?.[row])}`
    })
    return html`<h4>${called} (${formatCount(own.length)})</h4>
${folded(items, say, lines)}${cutNote(shown.length, own.length, say)}`
  })
  return html`<h3>${say('Announcements')}, ${day(date)}</h3>
<p>${say(fact('ANNOUNCEMENTS', '{count}', { count: many(rows.length, 'announcement') }))}${say('. Source: ')}<code>finance_announcement</code></p>
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

function answers(table: Table, today: ReportDay): Html {
  const { say } = today
  const [symbol, date, time, id, question, answer] = [
    'symbol',
    'event_date',
    'answer_time',
    'qa_id',
    'question',
    'answer',
  ].map((name) => strings(table, name))
  const last = lastRevisions(table)
  const found = rowsOfDay(date ?? [], today.date)
  const names = stockNames(today)
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
  return html`<h3>${say('Answers of companies')}, ${day(found.date)}</h3>
<p>${say`${many(rows.length, 'answer')} of ${many(byStock.length, 'company', 'companies')}, cut at ${length} characters; words of others. Source: `}<code>interactive_qa</code></p>
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
  return html`<h3>${say('Latest headlines')}</h3>
${lines(items)}<p class="note">${say('Beijing time, words of the publishers. Source:')} <code>news</code>${note !== undefined && html` (${outside(say(note))})`}</p>
`
}

/** Announcements and answers of the day, and the latest headlines: text of others, grouped, linked and escaped. */
export const documentsSection: ReportSection = {
  title: (say) => say('Announcements and answers'),
  reads: ['finance_announcement', 'interactive_qa', 'news', ...naming],
  brief: ({ say, of, date }) => {
    const [announced, answered] = [of('finance_announcement')?.table, of('interactive_qa')?.table]
    const rowsIn = (table: Table) => rowsOfDay(strings(table, 'event_date'), date).rows
    const filed = announced && rowsIn(announced).length
    const last = answered && lastRevisions(answered)
    const qa = answered && rowsIn(answered).filter((row) => last?.has(row)).length
    return [
      filed !== undefined && say`${many(filed, 'announcement')} of the day. `,
      qa !== undefined && say`${many(qa, 'answer')} of companies.`,
    ]
  },
  body: (today) => {
    const { say, of } = today
    const [filed, qa, headlines] = [of('finance_announcement'), of('interactive_qa'), of('news')]
    return [
      filed ? announcements(filed.table, today) : absent(say('announcements (finance_announcement)'), say),
      qa ? answers(qa.table, today) : absent(say('answers of companies (interactive_qa)'), say),
      headlines ? newsList(headlines.table, say) : absent(say('news (news)'), say),
    ]
  },
}
