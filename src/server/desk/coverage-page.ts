import { noticedCalendar } from '../../contract/calendar.js'
import { allNames, type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { datasetText } from '../../contract/dataset-text.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { includes } from '../../data/archive/coverage/day-ranges.js'
import { daysOfScope, recordOf } from '../../data/archive/coverage/ledger.js'
import type { Snapshot } from '../../data/archive/snapshot.js'
import { day, formatCount, many } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid } from '../../research/report/html.js'
import { askedDay } from './asked-words.js'
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
  missing: (say) => say(fact('DESK', 'missing: a trading day without rows')),
  suspect: (say) => say(fact('DESK', 'suspect: a later answer had less, and the day is asked for again')),
  none: (say) => say(fact('DESK', 'nothing: no rows, and none were due')),
}

/** Days that a map shows. */
const mapDays = 40

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
  snapshot: Snapshot,
  dataset: Dataset,
  scope: string,
  date: string,
  rows: number,
  span: readonly [string, string],
): DayState {
  const { ledger, waiting = {} } = snapshot.entry(dataset.name) ?? {}
  if (waiting[scope]?.[date] !== undefined) return 'suspect'
  if (includes(daysOfScope(ledger, scope).all, date)) return 'complete'
  if (rows > 0) return 'unproven'
  return dataset.everyTradingDay && date >= span[0] && date <= span[1] ? 'missing' : 'none'
}

const rank: readonly DayState[] = ['suspect', 'missing', 'unproven', 'complete', 'none']

/** The datasets of the archive that have days. */
async function coveredDatasets(visit: DeskVisit): Promise<readonly CoveredDataset[]> {
  const { archive } = visit.market
  if (!archive) return []
  const latest =
    (await Promise.all(allNames().map((name) => storedDays(visit, name))))
      .flatMap((days) => days.at(-1) ?? [])
      .sort()
      .at(-1) ?? ''
  const snapshot = await archive.read(async (one) => one)
  const found: CoveredDataset[] = []
  for (const name of allNames()) {
    const days = await storedDays(visit, name)
    if (days.length === 0) continue
    const byScope = await storedRows(visit, name)
    const span = [days[0] as string, latest] as const
    const dataset = datasetOf(name)
    const scopes = [...byScope.keys()].sort()
    const of = (date: string): CoveredDay => {
      const states = scopes.map((scope) =>
        stateOfDay(snapshot, dataset, scope, date, byScope.get(scope)?.get(date) ?? 0, span),
      )
      const rows = scopes.reduce((sum, scope) => sum + (byScope.get(scope)?.get(date) ?? 0), 0)
      const state = rank.find((one) => states.includes(one)) ?? 'none'
      return { state: state === 'none' && rows > 0 ? 'unproven' : state, rows }
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
  const proofs = (name: string, scopes: readonly string[]): string => {
    const found = scopes.flatMap((scope) => recordOf(snapshot?.entry(name)?.ledger, scope, date) ?? [])
    return [
      ...new Set(
        found.map(({ proof, asked }) => [proof, asked === undefined ? '' : day(asked)].filter(Boolean).join(' ')),
      ),
    ].join('; ')
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
    grid.text(
      say('proof, and when it was asked for'),
      ({ name, scopes }) => proofs(name, scopes) || say('not recorded'),
      'prose',
    ),
  ])}</section>`
}

/** Which datasets have which days, and how far that is shown. */
export async function coveragePage(visit: DeskVisit): Promise<DeskPage> {
  const { say, asked } = visit
  const title = say(fact('DESK', 'Coverage'))
  const all = await coveredDatasets(visit)
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
      : [...new Set([...noticedCalendar.between(first, last), ...known])].sort()
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
    body: html`<h1>${title}</h1><p>${said}</p>${steps}${coverMap(visit, all, shown)}${legend(say)}${date !== undefined && (await dayPart(visit, all, date))}`,
  }
}
