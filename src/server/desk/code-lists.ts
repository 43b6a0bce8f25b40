import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { tradeHead } from '../../contract/column-heads.js'
import { datasetText, valueTitle } from '../../contract/dataset-text.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { fact } from '../../contract/sentence.js'
import { parseCode } from '../../contract/symbol.js'
import { strings, toObjects } from '../../frame/read-columns.js'
import { day, formatCount, plain, signedTwo } from '../../research/report/format-number.js'
import { folded, type GridColumn, grid, type Html, html, htmlGrid, outside } from '../../research/report/html.js'
import { candidateState, ruleText } from '../../research/report/section/anomaly-section.js'
import { type DeskVisit, deskHref } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'
import { storedDays } from './stored-days.js'

type Line = Readonly<Record<string, unknown>>

/** Rows of documents that are shown, and calendar days that they are looked for in: not the whole of their past. */
const mostLines = 12
const daysOfDocuments = 60
/** Trading days of lists that are looked through. */
const daysOfLists = 5

const text = (line: Line, name: string): string => String(line[name] ?? '')

function part(
  visit: DeskVisit,
  name: DatasetName,
  lines: readonly Line[],
  columns: readonly GridColumn<Line>[],
): Html | false {
  if (lines.length === 0) return false
  const { title } = datasetText(datasetOf(name), visit.say.language)
  return html`<section id="${name}"><h2>${title} <small>${formatCount(lines.length)}</small></h2>${folded(lines, visit.say, (some) => htmlGrid(title, some, columns), mostLines)}</section>`
}

/** Announcements and answers about a code in the last days of each, by the columns that tell them. */
async function documents(
  visit: DeskVisit,
  name: DatasetName,
  code: string,
  texts: readonly string[],
): Promise<Html | false> {
  const { language } = visit.say
  const latest = (await storedDays(visit, name)).at(-1)
  if (latest === undefined) return false
  const startdate = dateOf(dayNumber(latest) - daysOfDocuments)
  const asked = { symbols: [parseCode(code).bare], startdate, enddate: latest, limit: mostLines }
  const table = await visit.market.query(name, asked)
  return part(visit, name, toObjects(table), [
    grid.text(tradeHead('event_date', language), (line) => day(text(line, 'event_date').slice(0, 10))),
    ...texts.map((one) => grid.text<Line>(tradeHead(one, language), (line) => outside(text(line, one)), 'prose')),
  ])
}

const announcements = (visit: DeskVisit, code: string) =>
  documents(visit, 'finance_announcement', code, ['title', 'summary'])
const answers = (visit: DeskVisit, code: string) => documents(visit, 'interactive_qa', code, ['question', 'answer'])

/** Places of a stock on hot lists of the last days. */
async function hotPlaces(visit: DeskVisit, code: string): Promise<Html | false> {
  const { say, market } = visit
  const dataset = datasetOf('hotstock')
  const days = (await storedDays(visit, 'hotstock')).slice(-daysOfLists)
  const { bare } = parseCode(code)
  const found: Line[] = []
  for (const type of days.length === 0 ? [] : (dataset.params.type?.values ?? [])) {
    const table = await market.query('hotstock', { type }, { days })
    const rows = strings(table, 's').flatMap((one, row) => (one !== null && parseCode(one).bare === bare ? row : []))
    if (rows.length === 0) continue
    const lines = toObjects(table)
    found.push(...rows.map((row) => ({ ...lines[row], list: valueTitle(dataset, type, say.language) ?? type })))
  }
  found.sort((a, b) => (text(a, 'tradedate') < text(b, 'tradedate') ? 1 : -1))
  return part(visit, 'hotstock', found, [
    grid.text(tradeHead('tradedate', say.language), (line) => day(text(line, 'tradedate'))),
    grid.text(say('list'), (line) => text(line, 'list')),
    grid.number(tradeHead('rank', say.language), undefined, (line) => text(line, 'rank')),
  ])
}

/** Days of the last ones on which a stock was a candidate for abnormal movement. */
async function candidates(visit: DeskVisit, code: string): Promise<Html | false> {
  const { say, market } = visit
  const { language } = say
  const days = (await storedDays(visit, 'anomaly_forecast')).slice(-daysOfLists)
  if (days.length === 0) return false
  const table = await market.query('anomaly_forecast', { symbols: [code] }, { days })
  const number = (name: string, unit?: string) =>
    grid.number<Line>(tradeHead(name, language), unit, (line) => plain(line[name] as number | null))
  const change = (name: string) =>
    grid.change<Line>(tradeHead(name, language), '%', (line) => (line[name] as number | null) ?? undefined, signedTwo)
  return part(visit, 'anomaly_forecast', toObjects(table), [
    grid.text(tradeHead('tradedate', language), (line) => day(text(line, 'tradedate'))),
    grid.text(tradeHead('rule', language), (line) => ruleText(text(line, 'rule'), say), 'name'),
    number('elapsed_days', say(fact('ANOMALY_SECTION', 'days'))),
    change('deviation_pct'),
    change('required_pct_chg'),
    number('trigger_price', say('yuan')),
    grid.text(tradeHead('status', language), (line) => candidateState(text(line, 'status'), line.pct_chg, say)),
  ])
}

/** Runs that traded a code, and accounts that hold it. */
async function holders(visit: DeskVisit, code: string): Promise<Html | false> {
  const { say, folders } = visit
  const { bare } = parseCode(code)
  const isIt = (one: unknown): boolean => parseCode(String(one)).bare === bare
  const runs: string[] = []
  for (const name of folders.runs?.names() ?? [])
    if ([...((await folders.runs?.traded(name)) ?? [])].some(isIt)) runs.push(name)
  const accounts = (folders.accounts?.names() ?? []).filter((name) => {
    const view = folders.accounts?.view(name)
    return [...(view?.plan.holdings ?? []), ...(view?.plan.orders ?? [])].some(({ symbol }) => isIt(symbol))
  })
  const links = [...runs.map((name) => ['runs', name]), ...accounts.map((name) => ['accounts', name])]
  return (
    links.length > 0 &&
    html`<section id="holders"><h2>${say('Runs that traded it, accounts that hold or order it')}</h2><ul>${links.map((path) => html`<li><a href="${deskHref(visit, path)}"><bdi>${path[1]}</bdi></a></li>`)}</ul></section>`
  )
}

/** What else the archive says of a code, and who trades it: each asked for when its turn comes. */
export function codeLists(visit: DeskVisit, { code, kind }: DeskInstrument): readonly (() => Promise<Html | false>)[] {
  const of = kind === 'stock' ? [candidates, announcements, answers, hotPlaces] : []
  return [holders, ...of].map((one) => () => one(visit, code))
}
