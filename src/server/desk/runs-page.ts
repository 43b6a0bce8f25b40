import { messageOf, QuotebookError } from '../../contract/error.js'
import type { Say } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import { comparisonSections, mostCompared, type SavedRun } from '../../research/report/comparison-page.js'
import { day, fixed } from '../../research/report/format-number.js'
import { grid, type Html, type HtmlPart, html, htmlGrid, risen } from '../../research/report/html.js'
import { sectionOf } from '../../research/report/html-document.js'
import { sparkline } from '../../research/report/page-header.js'
import { percentText } from '../../research/report/tear-sheet/sheet-parts.js'
import type { PageKind } from '../../research/report/verify/page-manifest.js'
import { type DeskPage, type DeskVisit, deskHref, type WrittenPage } from './desk-visit.js'
import { oneNamed } from './refused-page.js'

/** A folder of the list: a run, pages, or why it is not read. */
interface ReadRun {
  readonly name: string
  readonly run: SavedRun | undefined
  readonly pages: readonly string[]
  /** What those pages say of themselves that are not the tear sheet of the run, by name. */
  readonly written: ReadonlyMap<string, WrittenPage | undefined>
  readonly fault: string | undefined
}

async function readRun({ folders: { runs }, say }: DeskVisit, name: string): Promise<ReadRun> {
  const pages = runs?.pages(name) ?? []
  const others = pages.filter((file) => file !== 'tear-sheet.html')
  const written = new Map(
    await Promise.all(others.map(async (file) => [file, await runs?.written(name, file)] as const)),
  )
  try {
    return { name, run: await runs?.run(name), pages, written, fault: undefined }
  } catch (error) {
    if (!(error instanceof QuotebookError)) throw error
    return { name, run: undefined, pages, written, fault: say(messageOf(error)) }
  }
}

const runsIn = (visit: DeskVisit): Promise<readonly ReadRun[]> =>
  Promise.all((visit.folders.runs?.names() ?? []).map((name) => readRun(visit, name)))

/** Figures of a factor page that are listed. */
const factorFigures = 5
/** Points of a small curve. */
const points = 60

function smallCurve({ equity }: SavedRun): Html | false {
  const step = Math.max(1, Math.ceil(equity.length / points))
  const some = [...equity].filter((_, at) => at % step === 0 || at === equity.length - 1)
  const drawn = sparkline(some, 'span')
  return drawn && html`<div class="small">${drawn}</div>`
}

const figure = ({ figures }: SavedRun, name: 'total' | 'cagr' | 'sharpe'): number => figures[name] ?? Number.NaN

/** A line of the list: a run, or a page that lies in a folder or beside them. */
interface RunLine extends Pick<ReadRun, 'name' | 'run' | 'fault'> {
  readonly file?: string
  readonly page?: WrittenPage | undefined
}

function linesOf({ written, ...one }: ReadRun): readonly RunLine[] {
  const { name, run, fault } = one
  const pages = [...written].map(([file, page]): RunLine => ({ name, run: undefined, fault: undefined, file, page }))
  return run || fault !== undefined || pages.length === 0 ? [one, ...pages] : pages
}

const kindWords: Readonly<Record<PageKind, (say: Say) => string>> = {
  report: (say) => say(fact('PAGE_KIND', 'report')),
  'tear-sheet': (say) => say(fact('PAGE_KIND', 'tear sheet')),
  factor: (say) => say(fact('PAGE_KIND', 'factor')),
  comparison: (say) => say(fact('PAGE_KIND', 'comparison')),
  plan: (say) => say(fact('PAGE_KIND', 'plan')),
  notebook: (say) => say(fact('PAGE_KIND', 'notebook')),
}

function kindOf(say: Say, { run, page }: RunLine): string {
  if (page) return kindWords[page.kind](say)
  if (!run) return say('a page alone')
  if (run.outOfSample) return say(fact('RUN_KIND', 'walk-forward'))
  return run.searched ? say(fact('RUN_KIND', 'sweep')) : say(fact('RUN_KIND', 'run'))
}

/** What a search found, and how far that is believed; or what a page says first. */
function toldOf(say: Say, { run, page, fault }: RunLine): HtmlPart {
  if (fault !== undefined) return fault
  const { searched, outOfSample } = run ?? {}
  if (searched) {
    const best = Object.entries(searched.best ?? {}).map(([name, value]) => `${name}=${value}`)
    const [deflated, overfit] = [searched.deflatedSharpe, searched.overfitting].map((one) =>
      percentText(one?.probability ?? Number.NaN),
    ) as [string, string]
    const found = say`best of ${searched.trials} trials: ${best.join(', ')}; true Sharpe above 0: ${deflated}; overfitting: ${overfit}`
    const walked =
      outOfSample && say`out of sample ${percentText(outOfSample.total)}, Sharpe ${fixed(outOfSample.sharpe, 2)}`
    return [walked, found].filter(Boolean).join(say('; '))
  }
  if (page?.kind !== 'factor') return page?.title
  const shown = page.figures.slice(0, factorFigures).map(({ label, text }) => `${say(label)} ${text}`)
  return html`<bdi>${page.title}</bdi>${say(': ')}${shown.join(say('; '))}`
}

function runsGrid(visit: DeskVisit, all: readonly ReadRun[]): Html {
  const { say } = visit
  const title = say(fact('DESK', 'Runs'))
  const number = (text: string, of: (run: SavedRun) => string) =>
    grid.number<RunLine>(text, undefined, ({ run }) => run && of(run))
  const total = (run: SavedRun) => figure(run, 'total')
  const link = ({ name, file }: RunLine): Html => {
    const text = file === undefined || file === name ? name : `${name}/${file}`
    return html`<a href="${deskHref(visit, ['runs', name])}${file !== undefined && `#${encodeURIComponent(file)}`}"><bdi>${text}</bdi></a>`
  }
  const tick = ({ name, run }: RunLine): HtmlPart =>
    run && html`<input type="checkbox" name="run" value="${name}" aria-label="${say`compare ${name}`}">`
  return htmlGrid(title, all.flatMap(linesOf), [
    grid.text('', tick),
    grid.text(say('run'), link, 'name'),
    grid.text(say('kind'), (line) => kindOf(say, line)),
    grid.text(say('curve'), ({ run }) => run && smallCurve(run), 'prose'),
    grid.text(say(fact('DESK', 'from')), ({ run }) => run && day(run.days[0])),
    grid.text(say(fact('DESK', 'to')), ({ run }) => run && day(run.days.at(-1))),
    grid.number<RunLine>(
      say('total return'),
      undefined,
      ({ run }) => run && risen(total(run), percentText(total(run))),
    ),
    number(say('a year'), (run) => percentText(figure(run, 'cagr'))),
    number(say('max drawdown'), ({ figures }) => percentText(figures.maxDrawdown?.depth)),
    number('Sharpe', (run) => fixed(figure(run, 'sharpe'), 2)),
    grid.text(say('what came of it'), (line) => toldOf(say, line), 'prose'),
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
    return html`<p id="${encodeURIComponent(file)}"><a href="${href}"><bdi>${file}</bdi></a></p><iframe title="${file}" src="${href}" sandbox="allow-scripts allow-top-navigation-by-user-activation" loading="lazy"></iframe>`
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
