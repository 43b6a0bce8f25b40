import { createHash } from 'node:crypto'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { comparisonSections, mostCompared, type SavedRun } from '../../research/report/comparison-page.js'
import { day, fixed } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid, risen } from '../../research/report/html.js'
import { sectionOf } from '../../research/report/html-document.js'
import { liveScript } from '../../research/report/live-script.js'
import { sparkline } from '../../research/report/page-header.js'
import { percentText } from '../../research/report/tear-sheet/sheet-parts.js'
import { fileOf, pageHeaders } from '../service/page/page-files.js'
import { content, type ServiceAnswer } from '../service/service-answer.js'
import { type DeskPage, type DeskVisit, deskHref } from './desk-visit.js'
import { oneNamed } from './refused-page.js'

/** A folder of the list: a run, a page alone, or why it is not read. */
interface ReadRun {
  readonly name: string
  readonly run: SavedRun | undefined
  readonly pages: readonly string[]
  readonly fault: string | undefined
}

async function runsIn({ folders, say }: DeskVisit): Promise<readonly ReadRun[]> {
  const { runs } = folders
  return Promise.all(
    (runs?.names() ?? []).map(async (name) => {
      const pages = runs?.pages(name) ?? []
      try {
        return { name, run: await runs?.run(name), pages, fault: undefined }
      } catch (error) {
        if (!(error instanceof QuotebookError)) throw error
        return { name, run: undefined, pages, fault: say(messageOf(error)) }
      }
    }),
  )
}

/** Points of a small curve. */
const points = 60

function smallCurve({ equity }: SavedRun): Html | false {
  const step = Math.max(1, Math.ceil(equity.length / points))
  const some = [...equity].filter((_, at) => at % step === 0 || at === equity.length - 1)
  const drawn = sparkline(some, 'span')
  return drawn && html`<div class="small">${drawn}</div>`
}

const figure = ({ figures }: SavedRun, name: 'total' | 'cagr' | 'sharpe'): number => figures[name] ?? Number.NaN

function runsGrid(visit: DeskVisit, all: readonly ReadRun[]): Html {
  const { say } = visit
  const title = say(fact('DESK', 'Runs'))
  const number = (text: string, of: (run: SavedRun) => string) =>
    grid.number<ReadRun>(text, undefined, ({ run }) => run && of(run))
  const total = (run: SavedRun) => figure(run, 'total')
  return htmlGrid(title, all, [
    grid.text(
      '',
      ({ name, run }) =>
        run && html`<input type="checkbox" name="run" value="${name}" aria-label="${say`compare ${name}`}">`,
    ),
    grid.text(
      say('run'),
      ({ name }) => html`<a href="${deskHref(visit, ['runs', name])}"><bdi>${name}</bdi></a>`,
      'name',
    ),
    grid.text(say('curve'), ({ run, fault }) => (run ? smallCurve(run) : (fault ?? say('a page alone'))), 'prose'),
    grid.text(say(fact('DESK', 'from')), ({ run }) => run && day(run.days[0])),
    grid.text(say(fact('DESK', 'to')), ({ run }) => run && day(run.days.at(-1))),
    grid.number<ReadRun>(
      say('total return'),
      undefined,
      ({ run }) => run && risen(total(run), percentText(total(run))),
    ),
    number(say('a year'), (run) => percentText(figure(run, 'cagr'))),
    number(say('max drawdown'), ({ figures }) => percentText(figures.maxDrawdown?.depth)),
    number('Sharpe', (run) => fixed(figure(run, 'sharpe'), 2)),
  ])
}

async function compared(visit: DeskVisit, names: readonly string[], all: readonly ReadRun[]): Promise<DeskPage> {
  const { say } = visit
  const title = say('Runs compared')
  const runs = names.map((name) => {
    const whole = all.flatMap(({ name: own, run }) => (run ? [{ name: own, run }] : []))
    return oneNamed(visit, { place: 'runs', what: say('run'), name }, whole).run
  })
  if (runs.length < 2 || runs.length > mostCompared)
    return {
      title,
      status: 400,
      body: html`<h1>${title}</h1><p>${say`Tick from 2 to ${mostCompared} runs.`} <a href="${deskHref(visit, ['runs'])}">${say(fact('DESK', 'Runs'))}</a></p>`,
    }
  const sections = await comparisonSections(runs, say.language)
  const links = names.map(
    (name, at) => html`${at > 0 && say(', ')}<a href="${deskHref(visit, ['runs', name])}"><bdi>${name}</bdi></a>`,
  )
  return { title, body: html`<h1>${links}</h1>${sections.map((one) => sectionOf(one))}` }
}

function oneRun(visit: DeskVisit, { name, run, pages, fault }: ReadRun): DeskPage {
  const { say } = visit
  const frames = pages.map((file) => {
    const href = deskHref(visit, ['runs', name, file])
    return html`<p><a href="${href}"><bdi>${file}</bdi></a></p><iframe title="${file}" src="${href}" sandbox="allow-scripts allow-top-navigation-by-user-activation" loading="lazy"></iframe>`
  })
  const said =
    run &&
    html`<p class="lead">${day(run.days[0])} – ${day(run.days.at(-1))}: <b>${percentText(figure(run, 'total'))}</b></p>`
  return {
    title: name,
    body: html`<h1><bdi>${name}</bdi></h1>${fault && html`<p class="absent">${fault}</p>`}${said}${frames}${pages.length === 0 && html`<p class="absent">${say('It has no page.')}</p>`}`,
  }
}

/** The runs of a folder, those that are ticked compared, and one with its pages. */
export async function runsPage(visit: DeskVisit): Promise<DeskPage> {
  const { say, parts, asked } = visit
  const title = say(fact('DESK', 'Runs'))
  const all = await runsIn(visit)
  const ticked = asked.getAll('run')
  const [, name] = parts
  if (ticked.length > 0) return compared(visit, ticked, all)
  if (name !== undefined) return oneRun(visit, oneNamed(visit, { place: 'runs', what: say('run'), name }, all))
  const lang = asked.get('lang')
  const form = html`<form action="/desk/runs">${lang && html`<input type="hidden" name="lang" value="${lang}">`}${runsGrid(visit, all)}<button>${say('Compare the ticked runs')}</button></form>`
  return {
    title,
    body: html`<h1>${title}</h1>${all.length > 0 ? form : html`<p class="absent">${say('There is no run in the folder.')}</p>`}`,
  }
}

const codeText = /(?<![\w.])(\d{6}\.(?:SH|SZ|BJ))(?![\w.])/g

/** A page with its codes as links to the desk: in its texts alone, not in scripts, drawings, titles and links. */
export function withCodeLinks(page: string, hrefOf: (code: string) => string): string {
  const kept = /<(script|style|svg|title|a|button|textarea)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[^>]*>|[^<]+/gi
  const link = (_: string, code: string): string => html`<a href="${hrefOf(code)}" target="_top">${code}</a>`.markup
  return page.replace(kept, (part) => (part.startsWith('<') ? part : part.replace(codeText, link)))
}

/** A page that a run wrote, alone in its frame: it runs no script but that of charts, and asks for nothing. */
export function pageOfRun(visit: DeskVisit): ServiceAnswer | undefined {
  const [, name = '', file] = visit.parts
  const { runs } = visit.folders
  if (file === undefined || !runs?.names().includes(name) || !runs.pages(name).includes(file)) return undefined
  const linkedPage = withCodeLinks(Buffer.from(runs.page(name, file)).toString('utf8'), (code) =>
    deskHref(visit, ['code', code]),
  )
  const hash = createHash('sha256').update(liveScript()).digest('base64')
  const policy = `sandbox allow-scripts allow-top-navigation-by-user-activation; default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
  const { 'X-Frame-Options': _, 'Content-Security-Policy': __, ...headers } = pageHeaders
  const { body, type } = fileOf(Buffer.from(linkedPage), 'text/html; charset=utf-8')
  return content(body, type, { ...headers, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' })
}
