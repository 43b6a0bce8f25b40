import { datasetOf } from '../../contract/catalogue.js'
import { fact } from '../../contract/sentence.js'
import { concatTables } from '../../frame/table/concat-tables.js'
import { checkWorst } from '../../research/checks/all-checks.js'
import { day, many } from '../../research/report/format-number.js'
import { type Html, html } from '../../research/report/html.js'
import { latestTradingDays, loadTables, tablesToCheck } from '../../research/report/load/load-tables.js'
import { reportDay } from '../../research/report/report-day.js'
import { checkFindings } from '../../research/report/section/check-findings.js'
import { askedDay, askedWord } from './asked-words.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { usualDays } from './row-faults.js'
import { storedDays } from './stored-days.js'
import { themeDetails } from './theme-members.js'

/** Last trading days that may be checked. */
const spans = ['1', '5', '20', '60']

async function findings(visit: DeskVisit, count: string, end: string | undefined): Promise<Html> {
  const { say, market, once } = visit
  const { loaded, days, checks } = await once(`checks ${count} ${end ?? ''}`, async () => {
    const days = await latestTradingDays(market, Number(count), { end })
    const read = await loadTables(market, { ...days, isExact: true })
    const details = (await themeDetails(market)).map(([, table]) => table)
    const themes = details.length > 0 && {
      theme_lib_detail_kp: concatTables(datasetOf('theme_lib_detail_kp'), details),
    }
    const loaded = { ...read, tables: { ...read.tables, ...themes } }
    return { loaded, days, checks: await checkWorst(tablesToCheck(loaded)) }
  })
  const today = reportDay({ ...loaded, source: { name: '' }, checks, language: say.language })
  return html`<p>${say`The last ${many(Number(count), 'trading day')} up to ${day(days.latest)}. A contradicted row stands open, its number beside what it should be.`}</p><h2>${day(days.latest)}</h2>${checkFindings(today, (code) => deskHref(visit, ['code', code]))}`
}

/** What the checks say of the last days, each contradicted row beside what it should be. */
export async function checksPage(visit: DeskVisit): Promise<DeskPage> {
  const { say } = visit
  const title = say(fact('DESK', 'Checks'))
  const count = askedWord(visit, 'days', { names: spans, usual: `${usualDays}`, what: say('range') })
  const end = askedDay(visit, (await storedDays(visit, 'convertible_daily')).at(-1) ?? '')
  const links = spans.map(
    (days) =>
      html`<a href="${sameHref(visit, { days })}"${days === count && html` aria-current="true"`}>${say(fact('TRADING_DAYS', '{count}', { count: many(Number(days), 'trading day') }))}</a>`,
  )
  return {
    title,
    body: html`<h1>${title}</h1><nav class="ranges" aria-label="${say('Range')}">${links}</nav>`,
    later: [() => findings(visit, count, end)],
  }
}
