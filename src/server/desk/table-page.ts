import { tradingDayBefore } from '../../contract/calendar.js'
import { datasetOf } from '../../contract/catalogue.js'
import { tradeHead } from '../../contract/column-heads.js'
import { fact } from '../../contract/sentence.js'
import { day, formatCount, many } from '../../research/report/format-number.js'
import { type Html, html, outside } from '../../research/report/html.js'
import { askedDay, askedWord } from './asked-words.js'
import type { DeskColumn, DeskRows } from './desk-rows.js'
import { sortedPlaces } from './desk-rows.js'
import { choicesOf, type DeskTableRule, deskTables, memberTable } from './desk-tables.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { pointChart } from './point-chart.js'
import { wrongName } from './refused-page.js'
import { faultList, rowFaults, usualDays } from './row-faults.js'
import { storedDays } from './stored-days.js'
import { deskGrid } from './table-grid.js'

/** Rows of a page of a table. */
const pageRows = 100

function ruleOf(visit: DeskVisit): DeskTableRule {
  const [, id = '', theme] = visit.parts
  if (id === 'themes' && theme !== undefined) return memberTable(theme.slice(0, 20))
  const rule = deskTables.find((one) => one.id === id)
  if (rule) return rule
  const names = deskTables.map((one) => one.id)
  throw wrongName(visit, 404, {
    what: visit.say(fact('DESK', 'table')),
    word: id,
    names,
    hrefOf: (name) => deskHref(visit, ['table', name]),
  })
}

/** The day that is asked for, or else the latest; of what has no history, the present list alone. */
async function dayOf(visit: DeskVisit, rule: DeskTableRule) {
  const days = await storedDays(visit, rule.dataset)
  const latest = days.at(-1) ?? ''
  if (datasetOf(rule.dataset).day === undefined)
    return { day: latest, before: undefined, after: undefined, upTo: [latest] }
  const asked = askedDay(visit, latest) ?? latest
  const [before, after] = [days.findLast((one) => one < asked), days.find((one) => one > asked)]
  return { day: asked, before, after, upTo: days.filter((one) => one <= asked).slice(-usualDays) }
}

function columnsShown(
  visit: DeskVisit,
  { first }: DeskTableRule,
  columns: readonly DeskColumn[],
): readonly DeskColumn[] {
  const words = visit.asked
    .getAll('columns')
    .flatMap((text) => text.split(','))
    .filter((word) => word !== '')
  const names = columns.map(({ name }) => name)
  const wrong = words.find((word) => !names.includes(word))
  if (wrong !== undefined)
    throw wrongName(visit, 400, {
      what: visit.say('column'),
      word: wrong,
      names,
      hrefOf: (name) => sameHref(visit, { columns: name }),
    })
  const wanted = words.length > 0 ? words : first
  return wanted.flatMap((name) => columns.find((one) => one.name === name) ?? [])
}

/** The rows of the day whose code or name holds a text. */
function matching({ columns, codes }: DeskRows, text: string): readonly number[] {
  const wanted = text.trim().toLowerCase()
  const texts = columns.filter(({ isNumber }) => !isNumber)
  return [...codes.keys()].filter(
    (at) =>
      wanted === '' ||
      texts.some(({ cells }) =>
        String(cells[at] ?? '')
          .toLowerCase()
          .includes(wanted),
      ),
  )
}

async function scatterOf(
  { say }: DeskVisit,
  { scatter, id }: DeskTableRule,
  { columns }: DeskRows,
  places: readonly number[],
): Promise<Html | false> {
  const named = (name: string) => columns.find((one) => one.name === name)
  const [x, y] = (scatter ?? []).map(named)
  if (!x || !y) return false
  const names = ['code', 'name'].flatMap((name) => named(name) ?? [])
  const chart = await pointChart(say, `scatter-${id}`, [x, y], places, names)
  return chart && html`<aside>${chart}</aside>`
}

/** Day, filter, columns and list of a table, as a form whose address says all of it. */
function controls(
  visit: DeskVisit,
  rule: DeskTableRule,
  columns: readonly DeskColumn[],
  shown: readonly DeskColumn[],
): Html {
  const { say, asked } = visit
  const kept = ['day', 'sort', 'lang'].flatMap((name) => {
    const value = asked.get(name)
    return value === null ? [] : html`<input type="hidden" name="${name}" value="${value}">`
  })
  const choices = choicesOf(rule, say)
  const choice = asked.get(rule.choice ?? '')
  const list = html`<label>${tradeHead(rule.choice ?? '', say.language)} <select name="${rule.choice}" data-go>${choices.map(
    ([value, title]) => html`<option value="${value}"${value === choice && html` selected`}>${title}</option>`,
  )}</select></label>`
  const boxes = columns.map(
    ({ name, head }) =>
      html`<label><input type="checkbox" name="columns" value="${name}"${shown.some((one) => one.name === name) && html` checked`}> ${head}</label>`,
  )
  return html`<form class="controls" action="/desk/${visit.parts.map(encodeURIComponent).join('/')}">${kept}${choices.length > 0 && list}
<label>${say('Filter')} <input type="search" name="find" value="${asked.get('find')}"></label>
<details><summary>${say('Columns')}</summary><fieldset><legend>${say('Columns')}</legend>${boxes}</fieldset></details>
<button>${say('Show')}</button></form>
`
}

function pager(visit: DeskVisit, page: number, pages: number): Html | false {
  const { say } = visit
  if (pages < 2) return false
  const link = (to: number, text: string): Html | false =>
    to >= 1 &&
    to <= pages &&
    html`<a href="${sameHref(visit, { page: to === 1 ? undefined : String(to) })}">${text}</a> `
  return html`<nav class="pager" aria-label="${say('Pages of the table')}">${link(page - 1, say('← before'))}<span>${say`page ${page} of ${pages}`}</span> ${link(page + 1, say('next →'))}<a href="${sameHref(visit, { page: 'all' })}">${say('all rows')}</a></nav>
`
}

function pageOf(visit: DeskVisit, pages: number): number | 'all' {
  const word = visit.asked.get('page') ?? '1'
  if (word === 'all') return word
  const page = Number(word)
  if (/^\d{1,6}$/.test(word) && page >= 1 && page <= pages) return page
  throw wrongName(visit, 400, {
    what: visit.say(fact('DESK', 'page')),
    word,
    names: ['1', String(pages)],
    hrefOf: (name) => sameHref(visit, { page: name }),
  })
}

/** A table of a day: sorted, filtered, its columns chosen, each by the address. */
export async function tablePage(visit: DeskVisit): Promise<DeskPage> {
  const { say, asked } = visit
  const rule = ruleOf(visit)
  const title = rule.title(say)
  const choices = choicesOf(rule, say)
  const choice =
    rule.choice && askedWord(visit, rule.choice, { names: choices.map(([value]) => value), usual: choices[0]?.[0] })
  const { day: date, before, after, upTo } = await dayOf(visit, rule)
  const tradedBefore = before !== undefined && before === tradingDayBefore(date) ? before : undefined
  const read = await rule.read(visit, { day: date, before: tradedBefore, choice, isLatest: after === undefined })
  const shown = columnsShown(visit, rule, read.columns)
  const sort = asked.get('sort') ?? rule.sort
  const names = read.columns.map(({ name }) => name)
  const by = read.columns.find(({ name }) => name === sort.replace(/^-/, ''))
  if (!by && asked.has('sort'))
    throw wrongName(visit, 400, {
      what: say('column'),
      word: sort,
      names,
      hrefOf: (name) => sameHref(visit, { sort: name }),
    })
  const found = matching(read, asked.get('find') ?? '')
  const places = by ? sortedPlaces(found, by, sort.startsWith('-')) : found
  const pages = Math.max(1, Math.ceil(places.length / pageRows))
  const page = pageOf(visit, pages)
  const some = page === 'all' ? places : places.slice((page - 1) * pageRows, page * pageRows)
  const steps = html`${before !== undefined && html`<a href="${sameHref(visit, { day: before, page: undefined })}">← ${day(before)}</a> `}${after !== undefined && html`<a href="${sameHref(visit, { day: after, page: undefined })}">${day(after)} →</a>`}`
  const rows = say`${many(places.length, 'row')} of all ${formatCount(read.codes.length)}`
  const none = html`<p class="absent">${rule.none?.(say) ?? say`Not in this source: ${rule.dataset}, ${day(date)}.`}</p>`
  const dated = date !== '' && html` <small><time datetime="${day(date)}">${day(date)}</time></small>`
  const rowsShown = async (): Promise<Html> => {
    const faults = await rowFaults(visit, rule, read, upTo)
    const scatter = await scatterOf(visit, rule, read, found)
    const table = deskGrid(visit, title, read, faults, { shown, places: some, sort })
    const list = faultList(visit, faults, (at) => `${read.codes[at] ?? ''}`)
    return html`${list}<div class="${scatter ? 'beside' : ''}"><div>${table}${page !== 'all' && pager(visit, page, pages)}</div>${scatter}</div>`
  }
  const isEmpty = read.codes.length === 0
  return {
    title: `${title} ${day(date)}`,
    body: html`<h1>${title}${read.name && html` ${outside(read.name)}`}${dated}</h1>
<p class="steps">${steps} <span>${rows}</span></p>
${controls(visit, rule, read.columns, shown)}${isEmpty && none}`,
    ...(isEmpty ? {} : { later: [rowsShown] }),
  }
}
