import type { Table } from 'apache-arrow'
import { numbers, texts } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { day } from '../format-number.js'
import { absent, type Html, html, outside, type Section } from '../html.js'
import { filled, type ReportInput } from '../report-tables.js'

const headlines = 8
const answers = 3
/** Characters of a question or an answer that are shown. */
const length = 160

function short(text: string | null | undefined): string {
  const characters = [...(text ?? '')]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('')
}

/** Places of the newest of the given rows, by a column of times that sort as text; equal times by a second column. */
function newest(table: Table, time: string, then: string, most: number, rows: Iterable<number>): number[] {
  const [at, key] = [texts(table, time), texts(table, then)]
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return [...rows]
    .sort((a, b) => compare(at[b] ?? '', at[a] ?? '') || compare(key[a] ?? '', key[b] ?? '') || a - b)
    .slice(0, most)
}

/** Of each question, the row of its highest revision. */
function lastRevisions(table: Table): Iterable<number> {
  const revision = numbers(table, 'revision_no')
  const last = new Map<string | null, number>()
  texts(table, 'qa_id').forEach((id, row) => {
    const known = last.get(id)
    if (known === undefined || (revision[row] ?? 0) > (revision[known] ?? 0)) last.set(id, row)
  })
  return last.values()
}

function newsList(table: Table): Html {
  const note = provenance(table)?.note
  const [at, source, title] = [texts(table, 'display_at'), texts(table, 'source_name'), texts(table, 'title')]
  const items = newest(table, 'display_at', 'source_id', headlines, at.keys()).map(
    (
      row,
    ) => html`<li><time>${at[row]?.replace('T', ' ').slice(0, 16)}</time> ${outside(short(title[row]))} <small>${outside(source[row])}</small></li>
`,
  )
  return html`<h3>Latest headlines</h3>
<ul class="lines">
${items}</ul>
<p class="note">Source: <code>news</code>, Beijing time, words of the publishers.${note !== undefined && html` ${outside(note)}.`}</p>
`
}

function answerList(table: Table): Html {
  const [symbol, date, question, answer] = ['symbol', 'event_date', 'question', 'answer'].map((name) =>
    texts(table, name),
  )
  const items = newest(table, 'answer_time', 'qa_id', answers, lastRevisions(table)).map(
    (
      row,
    ) => html`<li><time>${day(date?.[row])}</time> <code>${symbol?.[row]}</code> <q>${outside(short(question?.[row]))}</q>
<p>${outside(short(answer?.[row]))}</p></li>
`,
  )
  return html`<h3>Latest answers of companies</h3>
<ul class="lines">
${items}</ul>
<p class="note">Source: <code>interactive_qa</code>. Questions and answers are untrusted text of others, cut at ${length} characters.</p>
`
}

/** The latest headlines and answers, as text. */
export function wordsSection(input: ReportInput): Section {
  const [news, qa] = [filled(input.tables.news), filled(input.tables.interactive_qa)]
  const body = html`${news ? newsList(news) : absent('news')}${qa ? answerList(qa) : absent('interactive_qa')}`
  return { id: 'words', title: 'In words', body }
}
