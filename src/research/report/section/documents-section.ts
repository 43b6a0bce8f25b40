import type { Table } from 'apache-arrow'
import { datasetOf } from '../../../contract/catalogue.js'
import { valueTitle } from '../../../contract/dataset-text.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { day, formatCount, many } from '../format-number.js'
import { absent, folded, type Html, type HtmlPart, html, lines, outside } from '../html.js'
import type { ReportDay } from '../report-day.js'
import { recordsOf } from '../report-tables.js'
import { compareTexts } from '../report-words.js'
import type { ReportSection } from './report-section.js'
import { naming, stockNames } from './stock-names.js'

/** Items of each kind at most. */
const most = 40
const headlines = 10
/** Characters of a question or an answer that are shown. */
const length = 160

function short(text: string): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('')
}

/** `2026-07-29 17:14:35`, `2026-07-29T17:14:35` or `20260729` as `20260729`. */
const dateOf = (moment: string): string => moment.replaceAll('-', '').slice(0, 8)

/** A title that leads to its original, where that has an address of the web. */
function linked(title: string, url: string | null | undefined): Html {
  return url && /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${outside(title)}</a>`
    : outside(title)
}

/** Documents of the report's day, or of the last day before it that has any. */
function ofDay<R extends { readonly event_date: string }>(all: readonly R[], latest: string | undefined) {
  const dates = all.map((one) => dateOf(one.event_date)).filter((one) => latest === undefined || one <= latest)
  const date = dates.sort(compareTexts).at(-1) ?? ''
  return { date, found: all.filter((one) => dateOf(one.event_date) === date) }
}

function cutNote(shown: number, all: number, say: Say): HtmlPart {
  if (shown >= all) return false
  return html`<p class="note">${say`The first ${formatCount(shown)} of ${formatCount(all)}.`}</p>
`
}

/** A stock by its code and, where it is known, its name. */
function stock(code: string, today: ReportDay): Html {
  const name = stockNames(today).get(code)
  return html`<code>${code}</code>${name !== undefined && html` ${outside(name)}`}`
}

function announcements(table: Table, today: ReportDay): Html {
  const { say } = today
  const texts = ['symbol', 'event_date', 'title', 'announcement_type', 'content_url'] as const
  const { date, found } = ofDay(recordsOf(table, texts), today.date)
  const key = ({ symbol, event_date, title }: (typeof found)[number]): string => `${symbol} ${event_date} ${title}`
  const byKind = [...groupItems(found, (one) => one.announcement_type || 'unknown')]
  const groups = byKind
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([word, own]) => {
      const called = valueTitle(datasetOf('finance_announcement'), word, say.language) ?? word
      const shown = [...own].sort((a, b) => compareTexts(key(a), key(b))).slice(0, most)
      const items = shown.map((one) => html`${stock(one.symbol, today)} ${linked(one.title, one.content_url)}`)
      return html`<h4>${called} (${formatCount(own.length)})</h4>
${folded(items, say, lines)}${cutNote(shown.length, own.length, say)}`
    })
  return html`<h3>${say('Announcements')}${say(', ')}${day(date)}</h3>
<p>${say(fact('ANNOUNCEMENTS', '{count}', { count: many(found.length, 'announcement') }))}${say('. Source: ')}<code>finance_announcement</code></p>
${groups}`
}

/** Of the day's questions the answers of the highest revision. */
function answersOf(table: Table, latest: string | undefined) {
  const texts = ['symbol', 'event_date', 'answer_time', 'qa_id', 'question', 'answer'] as const
  const all = recordsOf(table, texts, ['revision_no'])
  const last = new Map<string, (typeof all)[number]>()
  for (const one of all) {
    const known = last.get(one.qa_id)
    if (!known || one.revision_no > known.revision_no) last.set(one.qa_id, one)
  }
  const { date, found } = ofDay(all, latest)
  return { date, found: found.filter((one) => last.get(one.qa_id) === one) }
}

function answers(table: Table, today: ReportDay): Html {
  const { say } = today
  const { date, found } = answersOf(table, today.date)
  const newest = found.sort((a, b) => compareTexts(b.answer_time, a.answer_time) || compareTexts(a.qa_id, b.qa_id))
  const byStock = [...groupItems(newest, ({ symbol }) => symbol)]
  const shown = byStock.slice(0, most)
  const items = shown.map(([code, own]) => {
    const pairs = own.map(
      ({ question, answer, answer_time: time }) => html`<p><q>${outside(short(question))}</q></p>
<p class="answer">${outside(short(answer))} <time>${time.slice(11, 16)}</time></p>
`,
    )
    return html`${stock(code, today)}
${pairs}`
  })
  const told = (at: number): number => shown.slice(0, at + 1).reduce((sum, [, own]) => sum + own.length, 0)
  const first = shown.filter((_, at) => told(at) <= 10).length || 1
  return html`<h3>${say('Answers of companies')}${say(', ')}${day(date)}</h3>
<p>${say`${many(found.length, 'answer')} of ${many(byStock.length, 'company', 'companies')}, cut at ${length} characters; words of others. Source: `}<code>interactive_qa</code></p>
${folded(items, say, lines, first)}${cutNote(shown.length, byStock.length, say)}`
}

function newsList(table: Table, say: Say): Html {
  const note = provenance(table)?.note
  const texts = (['display_at', 'source_id', 'source_name', 'title', 'url'] as const).filter((name) => has(table, name))
  const newest = recordsOf(table, texts).sort(
    (a, b) =>
      compareTexts(b.display_at ?? '', a.display_at ?? '') || compareTexts(a.source_id ?? '', b.source_id ?? ''),
  )
  const items = newest
    .slice(0, headlines)
    .map(
      ({ display_at: at = '', source_name: source, title = '', url }) =>
        html`<time>${at.replace('T', ' ').slice(0, 16)}</time> ${linked(short(title), url)} <small>${outside(source)}</small>`,
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
    const filed = announced && ofDay(recordsOf(announced, ['event_date']), date).found.length
    const qa = answered && answersOf(answered, date).found.length
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
