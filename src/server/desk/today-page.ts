import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { groupItems } from '../../frame/table/group-items.js'
import { day, formatCount, many } from '../../research/report/format-number.js'
import { absent, grid, type Html, html, htmlGrid } from '../../research/report/html.js'
import { reportInput } from '../../research/report/load/market-report.js'
import { type ReportDay, reportDay } from '../../research/report/report-day.js'
import { contradictedRows } from '../../research/report/section/contradicted-rows.js'
import { reportHeader } from '../../research/report/section/first-screen.js'
import { daysText } from '../../research/report/section/source-health.js'
import { accountsTonight, codeLink } from './account-orders.js'
import { archiveFacts, countDatasets, dataAge } from './data-age.js'
import { type DeskColumn, gridNumbers, sortedPlaces } from './desk-rows.js'
import { deskTables } from './desk-tables.js'
import { type DeskPage, type DeskVisit, deskHref } from './desk-visit.js'
import { storedDays } from './stored-days.js'

/** Days whose rows are checked for the line on the state of the data. */
const checkedDays = 3
/** Codes of contradicted rows that are named. */
const fewCodes = 5
/** Bonds of either end. */
const movers = 5

/** Over which days the state of the data was told, which rows are contradicted, and where each of them stands. */
function whatWasChecked(visit: DeskVisit, today: ReportDay): Html {
  const { say } = visit
  const rows = contradictedRows(today).flatMap(({ title, days }) =>
    days.map(({ day: date, codes }) => {
      const links = codes.slice(0, fewCodes).map((code) => html` ${codeLink(visit)(code)}`)
      const more = codes.length > fewCodes && html` ${say`and ${codes.length - fewCodes} more`}`
      const text = html`${title}${date && html` ${day(date)}`}`
      const told = date ? html`<a href="${deskHref(visit, ['checks'], { day: day(date) })}">${text}</a>` : text
      return html` <span>${told}${say(': ')}${links}${more}${say('.')}</span>`
    }),
  )
  const checks = html`<a href="${deskHref(visit, ['checks'])}">${say(fact('DESK', 'Checks'))}</a>`
  const coverage = html`<a href="${deskHref(visit, ['coverage'])}">${say(fact('DESK', 'Coverage'))}</a>`
  return html`${rows} ${say`Checked: ${daysText(today)}.`} ${checks} · ${coverage}`
}

/** The day in a sentence and in figures, with the state of the data, as the market report begins. */
async function headOfDay(visit: DeskVisit): Promise<Html> {
  const { say, market, once } = visit
  try {
    return await once(`day ${say.language} ${deskHref(visit, [])}`, async () => {
      const input = await reportInput(market, { days: checkedDays, sections: ['indices'], language: say.language })
      const today = reportDay(input)
      return reportHeader(today, say(fact('DESK', 'Today')), whatWasChecked(visit, today))
    })
  } catch (error) {
    if (!(error instanceof QuotebookError) || error.code !== 'ARCHIVE') throw error
    return html`<h1>${say(fact('DESK', 'Today'))}</h1>${absent(say(messageOf(error)), say)}`
  }
}

/** The bonds that rose and fell most. */
async function moversOfDay(visit: DeskVisit): Promise<Html | false> {
  const { say, once } = visit
  const [bonds] = deskTables
  const latest = (await storedDays(visit, 'convertible_daily')).at(-1)
  if (!bonds || latest === undefined) return false
  const { columns, codes } = await once(`bonds ${latest} ${say.language}`, () =>
    bonds.read(visit, { day: latest, before: undefined, choice: undefined, isLatest: true }),
  )
  const named = (name: string) => columns.find((one) => one.name === name) as DeskColumn
  const [name, change, close, premium] = ['name', 'pct_chg', 'close', 'cb_over_rate'].map(named) as [
    DeskColumn,
    DeskColumn,
    DeskColumn,
    DeskColumn,
  ]
  const known = [...codes.keys()].filter((at) => change.cells[at] !== null)
  const few = Math.min(movers, Math.floor(known.length / 2))
  if (few === 0) return false
  const link = (at: number): Html =>
    html`<a href="${deskHref(visit, ['code', codes[at] ?? ''])}">${name.show(name.cells[at] ?? null)}</a>`
  const tables = [true, false].map((isDown) => {
    const title = isDown ? say('Largest gains') : say('Largest losses')
    const places = sortedPlaces(known, change, isDown).slice(0, few)
    return html`<div><h3>${title}</h3>${htmlGrid(title, places, [grid.text(name.head, link, 'name'), ...[change, close, premium].map(gridNumbers)])}</div>`
  })
  return html`<section><h2><a href="${deskHref(visit, ['table', 'bonds'])}">${bonds.title(say)}</a> <small>${day(latest)}</small></h2><div class="pair">${tables}</div></section>`
}

/** What the archive has of each dataset, what is missing and what is asked for again. */
async function stateOfArchive(visit: DeskVisit): Promise<Html | false> {
  const { say } = visit
  if (!visit.market.archive) return false
  const facts = await archiveFacts(visit)
  const scopes = facts.filter(({ status, missing }) => missing.length > 0 || status.waiting > 0)
  const lacking = scopes.map(({ status }) => status)
  const rows = facts.reduce((sum, { status }) => sum + status.rows, 0)
  const said = say`${many(countDatasets(facts), 'dataset')}, ${many(rows, 'row')}; ${many(countDatasets(scopes), 'dataset')} with days that are missing or asked for again.`
  const title = say('State of the data')
  const why = (one: (typeof lacking)[number]): string => (one.why === null ? '' : say(one.why))
  // The lists of a dataset that are as late as each other are one line.
  const alike = groupItems(lacking, (one) => [one.dataset, one.last, one.missing, one.waiting, why(one)].join())
  const table = htmlGrid(title, [...alike.values()] as [(typeof lacking)[number], ...typeof lacking][], [
    grid.text(
      say('dataset'),
      (all) => html`<code>${all[0].dataset}</code> ${all.map(({ scope }) => scope).join(', ')}`,
      'prose',
    ),
    grid.text(say('last day'), ([{ last }]) => day(last)),
    grid.number(say('missing'), say('days'), ([{ missing }]) => formatCount(missing ?? 0)),
    grid.number(say('asked again'), say('days'), ([{ waiting }]) => formatCount(waiting)),
    grid.text(say('why'), ([one]) => why(one), 'prose'),
  ])
  return html`<section><h2>${title}</h2><p>${said} <a href="${deskHref(visit, ['coverage'])}">${say(fact('DESK', 'Coverage'))}</a> · <a href="${deskHref(visit, ['checks'])}">${say(fact('DESK', 'Checks'))}</a></p>${lacking.length > 0 && table}</section>`
}

/** What the day was, what is wanted tonight, and how the data stands. */
export async function todayPage(visit: DeskVisit): Promise<DeskPage> {
  return {
    title: visit.say(fact('DESK', 'Today')),
    body: html`<p class="note reading">${visit.say('The day is being read …')}</p>`,
    later: [
      () => headOfDay(visit),
      () => dataAge(visit),
      () => accountsTonight(visit),
      () => moversOfDay(visit),
      () => stateOfArchive(visit),
    ],
  }
}
