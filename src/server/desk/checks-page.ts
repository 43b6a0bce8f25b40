import { fact } from '../../contract/sentence.js'
import { checkWorst } from '../../research/checks/all-checks.js'
import { day, many } from '../../research/report/format-number.js'
import { type Html, html } from '../../research/report/html.js'
import { latestTradingDays, loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { reportDay } from '../../research/report/report-day.js'
import { checkFindings } from '../../research/report/section/check-findings.js'
import { askedWord } from './asked-words.js'
import { type DeskPage, type DeskVisit, sameHref } from './desk-visit.js'

/** Last trading days that may be checked. */
const spans = ['1', '5', '20', '60']

async function findings(visit: DeskVisit, count: string): Promise<Html> {
  const { say, market, once } = visit
  const { loaded, days, checks } = await once(`checks ${count}`, async () => {
    const days = await latestTradingDays(market, Number(count))
    const loaded = await loadTables(market, days)
    return { loaded, days, checks: await checkWorst(tablesToCheck(loaded)) }
  })
  const today = reportDay({ ...loaded, source: { name: '' }, checks, language: say.language })
  return html`<p>${say`The last ${many(Number(count), 'trading day')} up to ${day(days.latest)}. A contradicted row stands open, its number beside what it should be.`}</p><h2>${day(days.latest)}</h2>${checkFindings(today)}`
}

/** What the checks say of the last days, each contradicted row beside what it should be. */
export async function checksPage(visit: DeskVisit): Promise<DeskPage> {
  const { say } = visit
  const title = say(fact('DESK', 'Checks'))
  const count = askedWord(visit, 'days', { names: spans, usual: '5', what: say('range') })
  const links = spans.map(
    (days) =>
      html`<a href="${sameHref(visit, { days })}"${days === count && html` aria-current="true"`}>${say`${many(Number(days), 'trading day')}`}</a>`,
  )
  return {
    title,
    body: html`<h1>${title}</h1><nav class="ranges" aria-label="${say('Range')}">${links}</nav>`,
    later: [() => findings(visit, count)],
  }
}
