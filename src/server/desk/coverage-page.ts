import { noticedCalendar } from '../../contract/calendar.js'
import { allNames, type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { datasetText } from '../../contract/dataset-text.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import type { ScopeFacts } from '../../data/archive/archive-status.js'
import { includes } from '../../data/archive/coverage/day-ranges.js'
import { daysOfScope, isShownWhole } from '../../data/archive/coverage/ledger.js'
import type { DatasetEntry } from '../../data/archive/manifest-entries.js'
import { day, formatCount, many, missingDash } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid } from '../../research/report/html.js'
import { askedDay } from './asked-words.js'
import { archiveFacts, dataAge, dataReach } from './data-age.js'
import { deskTables } from './desk-tables.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { storedDays, storedRows } from './stored-days.js'

/** What is known of a day of a dataset; `none`: nothing was due. */
type DayState = 'complete' | 'unproven' | 'missing' | 'suspect' | 'none'

const signs: Readonly<Record<DayState, string>> = {
  complete: '●',
  unproven: '○',
  missing: '×',
  suspect: '!',
  none: '·',
}

const words: Readonly<Record<DayState, (say: Say) => string>> = {
  complete: (say) => say(fact('DESK', 'complete: every row is shown to be there')),
  unproven: (say) => say(fact('DESK', 'unproven: rows are there, and nothing shows that they are all')),
  missing: (say) => say(fact('DESK', 'missing: due, and not there')),
  suspect: (say) => say(fact('DESK', 'suspect: a later answer had less, and the day is asked for again')),
  none: (say) => say(fact('DESK', 'nothing: no rows, and none were due')),
}

/** Days that a map shows, and how many of those after the last stored one that are due. */
const mapDays = 40
const dueDays = 10

/** A day of a dataset, of the worst of its scopes. */
interface CoveredDay {
  readonly state: DayState
  readonly rows: number
}

interface CoveredDataset {
  readonly name: DatasetName
  readonly of: (day: string) => CoveredDay
  readonly scopes: readonly string[]
}

function stateOfDay(
  { ledger, waiting = {} }: Partial<DatasetEntry>,
  scope: string,
  date: string,
  rows: number,
): DayState {
  if (waiting[scope]?.[date] !== undefined) return 'suspect'
  if (includes(daysOfScope(ledger, scope).all, date)) return 'complete'
  return rows > 0 ? 'unproven' : 'none'
}

const rank: readonly DayState[] = ['suspect', 'missing', 'unproven', 'complete', 'none']

/** The datasets of the archive that have days. */
async function coveredDatasets(visit: DeskVisit, facts: readonly ScopeFacts[]): Promise<readonly CoveredDataset[]> {
  const snapshot = await visit.market.archive?.read(async (one) => one)
  const found: CoveredDataset[] = []
  for (const name of snapshot ? allNames() : []) {
    const days = await storedDays(visit, name)
    if (days.length === 0) continue
    const byScope = await storedRows(visit, name)
    const scopes = [...byScope.keys()].sort()
    const entry = snapshot?.entry(name) ?? {}
    const missing = new Set(facts.flatMap((one) => (one.status.dataset === name ? one.missing : [])))
    const of = (date: string): CoveredDay => {
      const rowsIn = (scope: string): number => byScope.get(scope)?.get(date) ?? 0
      const states = scopes.map((scope) => stateOfDay(entry, scope, date, rowsIn(scope)))
      const rows = scopes.reduce((sum, scope) => sum + rowsIn(scope), 0)
      const state = rank.find((one) => (one === 'missing' ? missing.has(date) : states.includes(one))) ?? 'none'
      return { state, rows }
    }
    found.push({ name, of, scopes })
  }
  return found
}

function legend(say: Say): Html {
  const items = rank.map((state) => html`<li><b class="state-${state}">${signs[state]}</b> ${words[state](say)}</li>`)
  return html`<ul class="lines note">${items}</ul>`
}

/** A map of datasets by days: a sign and a colour for each state; each day leads to what is known of it. */
function coverMap(visit: DeskVisit, all: readonly CoveredDataset[], days: readonly string[]): Html {
  const { say } = visit
  const title = say('Datasets by day')
  const months = days.map(
    (date, at) =>
      html`<th scope="col"><a href="${sameHref(visit, { day: date })}#day" aria-label="${day(date)}">${at === 0 || date.slice(0, 6) !== days[at - 1]?.slice(0, 6) ? `${date.slice(4, 6)}-` : ''}${date.slice(6)}</a></th>`,
  )
  const lines = all.map(({ name, of }) => {
    const cells = days.map((date) => {
      const { state, rows } = of(date)
      const text = `${name} ${day(date)}: ${words[state](say)}; ${formatCount(rows)}`
      return html`<td class="state-${state}"><a tabindex="-1" href="${sameHref(visit, { day: date })}#day" title="${text}">${signs[state]}</a></td>`
    })
    return html`<tr><th scope="row"><code>${name}</code></th>${cells}</tr>
`
  })
  return html`<div class="wide" role="group" aria-label="${title}" tabindex="0"><table class="cover"><thead><tr><td></td>${months}</tr></thead><tbody>
${lines}</tbody></table></div>
`
}

/** What is known of one day: rows, state and proof of each dataset, with its table. */
async function dayPart(visit: DeskVisit, all: readonly CoveredDataset[], date: string): Promise<Html> {
  const { say, market } = visit
  const snapshot = await market.archive?.read(async (one) => one)
  const title = say`What is known of ${day(date)}`
  const proofs = ({ name, scopes, of }: CoveredDataset): string => {
    const { state } = of(date)
    const ledger = snapshot?.entry(name)?.ledger
    const found = scopes.flatMap((scope) =>
      daysOfScope(ledger, scope).records.filter(({ days }) => includes(days, date)),
    )
    const told = found.map((one) => {
      const word = isShownWhole(one) && state !== 'unproven' ? say(fact('PROOF', one.proof ?? '')) : ''
      return [word, one.asked === undefined ? '' : day(one.asked)].filter(Boolean).join(' ')
    })
    return [state === 'unproven' ? say('none') : '', ...new Set(told)].filter(Boolean).join('; ')
  }
  const nameOf = (name: DatasetName): Html => {
    const table = deskTables.find(({ dataset }) => dataset === name)
    const { title: text } = datasetText(datasetOf(name), say.language)
    return table ? html`<a href="${deskHref(visit, ['table', table.id], { day: date })}">${text}</a>` : html`${text}`
  }
  return html`<section id="day"><h2>${title}</h2>${htmlGrid(title, all, [
    grid.text(say('dataset'), ({ name }) => html`<code>${name}</code>`),
    grid.text(say('what'), ({ name }) => nameOf(name), 'name'),
    grid.number(say('rows'), undefined, ({ of }) => formatCount(of(date).rows)),
    grid.text(
      say('state'),
      ({ of }) => html`<b class="state-${of(date).state}">${signs[of(date).state]}</b> ${words[of(date).state](say)}`,
      'prose',
    ),
    grid.text(say('proof, and when it was asked for'), (one) => proofs(one) || missingDash, 'prose'),
  ])}</section>`
}

/** Which datasets have which days, and how far that is shown. */
export async function coveragePage(visit: DeskVisit): Promise<DeskPage> {
  const { say, asked } = visit
  const title = say(fact('DESK', 'Coverage'))
  const reach = await dataReach(visit)
  const facts = await archiveFacts(visit)
  const all = await coveredDatasets(visit, facts)
  const daily = (
    await Promise.all(
      all.filter(({ name }) => datasetOf(name).everyTradingDay).map(({ name }) => storedDays(visit, name)),
    )
  ).flat()
  const known = [...new Set(daily)].sort()
  const [first, last] = [known[0], known.at(-1)]
  const days =
    first === undefined || last === undefined
      ? []
      : [
          ...new Set([...noticedCalendar.between(first, last), ...known, ...(reach?.missing.slice(0, dueDays) ?? [])]),
        ].sort()
  const date = askedDay(visit, last ?? '')
  const to = asked.get('to')
  const until = days.filter((one) => to === null || one <= to)
  const shown = until.slice(-mapDays)
  const before = until.length > mapDays ? until[until.length - mapDays - 1] : undefined
  const states = all.flatMap(({ of }) => shown.map((one) => of(one).state))
  const count = (state: DayState): number => states.filter((one) => one === state).length
  const said = say`${many(all.length, 'dataset')} over ${many(shown.length, 'trading day')}: ${formatCount(count('complete'))} complete, ${formatCount(count('unproven'))} unproven, ${formatCount(count('missing'))} missing, ${formatCount(count('suspect'))} suspect.`
  const steps = html`<p class="steps">${before !== undefined && html`<a href="${sameHref(visit, { to: before, day: undefined })}">← ${say('earlier days')}</a>`}${to !== null && html` <a href="${sameHref(visit, { to: undefined })}">${say('latest days')} →</a>`}</p>`
  return {
    title,
    body: html`<h1>${title}</h1>${await dataAge(visit)}<p>${said}</p>${steps}${coverMap(visit, all, shown)}${legend(say)}${date !== undefined && (await dayPart(visit, all, date))}`,
  }
}
