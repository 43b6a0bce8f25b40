import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { comparisonSections, mostCompared, type SavedRun } from '../../research/report/comparison-page.js'
import { day, fixed } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid, risen } from '../../research/report/html.js'
import { sectionOf } from '../../research/report/html-document.js'
import { sparkline } from '../../research/report/page-header.js'
import { percentText } from '../../research/report/tear-sheet/sheet-parts.js'
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
    grid.text(say('from'), ({ run }) => run && day(run.days[0])),
    grid.text(say('to'), ({ run }) => run && day(run.days.at(-1))),
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
  return { title, body: html`<h1><bdi>${names.join(', ')}</bdi></h1>${sections.map((one) => sectionOf(one))}` }
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
