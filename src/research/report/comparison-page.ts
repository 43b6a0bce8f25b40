import type { Language } from '../../contract/language.js'
import { type Say, sayIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import type { Performance } from '../analysis/performance/performance-stats.js'
import { daysFigure } from './chart-figure.js'
import { enumerated, fixed } from './format-number.js'
import { type GridColumn, grid, type Html, html, htmlGrid, type Section } from './html.js'
import { htmlDocument } from './html-document.js'
import { type PageSource, pageTop } from './page-header.js'
import { lineSeries, lineSign, seriesForm } from './plot.js'
import { sentences } from './report-words.js'
import { underwater } from './tear-sheet/measured-series.js'
import { figureEntries } from './tear-sheet/sheet-figures.js'
import { figureText, percentText } from './tear-sheet/sheet-parts.js'

/** A run as `quotebook backtest --out` keeps it. */
export interface SavedRun {
  /** What it is called: its folder, or its title. */
  readonly name: string
  readonly days: readonly string[]
  /** Yuan at the end of each day. */
  readonly equity: Float64Array
  readonly start: number
  readonly figures: Partial<Performance> & { readonly turnover?: number; readonly winRate?: number }
  /** What it was run with, by name: params, options, code, data. */
  readonly made: Readonly<Record<string, string>>
  /** sha256 of what it was run with. */
  readonly hash: string
  /** Of how many trials its params are the best, and how far that is believed; probabilities of 1. */
  readonly searched?:
    | {
        readonly trials: number
        readonly best?: Readonly<Record<string, unknown>>
        readonly deflatedSharpe?: { readonly probability?: number | null }
        readonly overfitting?: { readonly probability?: number | null }
      }
    | undefined
  /** What a walk-forward came to on days by which nothing was chosen. */
  readonly outOfSample?: SavedRun['figures'] | undefined
  /** Where its data came from. */
  readonly source?: PageSource | undefined
  /** Where its tear sheet lies, from the page. */
  readonly page?: string | undefined
}

/** A figure, or a fact, of each of several runs. */
export interface ComparedRow {
  readonly name: string
  readonly texts: readonly string[]
  /** Places of the best of them, where more or less is better. */
  readonly best?: readonly number[]
}

/** The most runs that are told apart in one drawing. */
export const mostCompared = 9

const shown = [
  'total',
  'cagr',
  'volatility',
  'maxDrawdown',
  'sharpe',
  'sortino',
  'calmar',
  'beta',
  'alpha',
  'informationRatio',
  'turnover',
] as const

/** Whether more of a figure is better, or less; of the others neither. */
const better: Readonly<Partial<Record<(typeof shown)[number], 1 | -1>>> = {
  total: 1,
  cagr: 1,
  volatility: -1,
  maxDrawdown: 1,
  sharpe: 1,
  sortino: 1,
  calmar: 1,
  alpha: 1,
  informationRatio: 1,
}

function figureOf({ figures }: SavedRun, name: (typeof shown)[number]): number {
  const value =
    name === 'maxDrawdown' ? figures.maxDrawdown?.depth : (figures as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'number' ? value : Number.NaN
}

/** Figures of runs beside each other, named in a language. */
export function comparedFigures(runs: readonly SavedRun[], language: Language): ComparedRow[] {
  const say = sayIn(language)
  return shown.map((name) => {
    const { form, words } = figureEntries[name]
    const values = runs.map((run) => figureOf(run, name))
    // A loss over a deeper fall is a Calmar ratio nearer to zero: of losses it ranks nothing.
    const sign = name === 'calmar' && values.some((value) => value < 0) ? 0 : (better[name] ?? 0)
    const top = Math.max(...values.filter((value) => !Number.isNaN(value)).map((value) => sign * value))
    const best = sign === 0 ? [] : [...values.keys()].filter((at) => sign * (values[at] as number) === top)
    return { name: words(say)[0], texts: values.map((value) => figureText(say, form, value)), best }
  })
}

/** What is not the same in all runs of what they were made with. */
export function differencesOf(runs: readonly SavedRun[]): ComparedRow[] {
  const names = [...new Set(runs.flatMap(({ made }) => Object.keys(made)))]
  return names
    .map((name) => ({ name, texts: runs.map(({ made }) => made[name] ?? '') }))
    .filter(({ texts }) => new Set(texts).size > 1)
}

function gridOf(label: string, runs: readonly SavedRun[], rows: readonly ComparedRow[], as: 'number' | 'text'): Html {
  const columns = runs.map(({ name }, at): GridColumn<ComparedRow> => {
    const cell = ({ texts, best }: ComparedRow): Html =>
      best?.includes(at) ? html`<b>${texts[at]}</b>` : html`<bdi>${texts[at]}</bdi>`
    return { ...grid.text(name, cell), as }
  })
  return htmlGrid(label, rows, [grid.text('', ({ name }) => name), ...columns])
}

/** The tear sheets of the runs, as links. */
function linksOf(runs: readonly SavedRun[], say: Say): Html | undefined {
  const links = runs.flatMap(({ name, page }) =>
    page === undefined ? [] : [html`<a href="${page}"><bdi>${name}</bdi></a>`],
  )
  return links.length === 0
    ? undefined
    : html`${say('Tear sheets')}${say(': ')}${links.map((link, at) => html`${at > 0 && say(', ')}${link}`)}`
}

/** Levels of a run on the days of all, NaN where it has none. @param begin the level before its first day */
function levelsOn(days: readonly string[], run: SavedRun, begin = 100): Float64Array {
  const place = new Map(run.days.map((day, at) => [day, at]))
  return Float64Array.from(days, (day) => {
    const at = place.get(day)
    return at === undefined ? Number.NaN : (begin * (run.equity[at] as number)) / run.start
  })
}

/** Levels of all runs, and how far each lies below the highest before: a run that begins later begins where the longest stands then. */
function curvesOf(runs: readonly SavedRun[], days: readonly string[]) {
  const longest = runs.reduce((one, other) => (other.days.length > one.days.length ? other : one))
  const own = levelsOn(days, longest)
  return runs.map((run) => {
    const before = days.findLastIndex((day, at) => day < (run.days[0] ?? '') && !Number.isNaN(own[at]))
    const begin = before < 0 ? 100 : (own[before] as number)
    const levels = levelsOn(days, run, begin)
    return { levels, falls: underwater(begin, levels) }
  })
}

/** The curves of runs over each other, and how far each lay below its high. */
function curvesFigure(runs: readonly SavedRun[], say: Say): Promise<Html> {
  const days = [...new Set(runs.flatMap((run) => run.days))].sort()
  const drawn = curvesOf(runs, days)
  const isOneSpan = runs.every((run) => run.days.length === days.length)
  const begin = say('The longest run begins at 100; one that begins later begins where that stands then.')
  const spans = say('The runs are of different days: their figures are each of its own.')
  const seriesOf = (all: readonly Float64Array[]) =>
    all.map((values, at) => lineSeries(values, seriesForm(at).ink, { dash: seriesForm(at).dash }))
  const under = say('Below the highest value before, percent')
  return daysFigure(say, {
    id: 'compared',
    title: say('Curves'),
    desc: sentences(say, begin, isOneSpan ? '' : spans),
    x: { dates: days },
    panels: [
      { name: '', height: 240, series: seriesOf(drawn.map(({ levels }) => levels)) },
      {
        name: under,
        height: 110,
        zero: 'top',
        format: { percent: true, digits: 1, exact: 2 },
        series: seriesOf(drawn.map(({ falls }) => falls)),
      },
    ],
    key: runs.map(({ name }, at) => lineSign(at, name)),
    columns: runs.flatMap(({ name }, at) => [
      grid.values(name, undefined, drawn[at]?.levels ?? [], (v) => fixed(v, 2)),
      grid.values(name, say('below high'), drawn[at]?.falls ?? [], (v) => percentText(v)),
    ]),
  })
}

/** The sections of a comparison: curves over each other, figures side by side, and what differs in params, data and code. */
export async function comparisonSections(
  runs: readonly SavedRun[],
  lang: Language,
): Promise<readonly [Section, ...Section[]]> {
  const say = sayIn(lang)
  const [curves, figures, differs] = [say('Curves'), say(fact('COMPARISON_PAGE', 'Figures')), say('What differs')]
  const different = differencesOf(runs)
  const same = say('Nothing that they were made with differs.')
  return [
    { id: 'curves', title: curves, body: await curvesFigure(runs, say) },
    {
      id: 'figures',
      title: figures,
      body: html`${gridOf(figures, runs, comparedFigures(runs, lang), 'number')}<p class="note">${say('Bold: the best of a line.')}</p>
`,
    },
    {
      id: 'differs',
      title: differs,
      body: different.length > 0 ? gridOf(differs, runs, different, 'text') : html`<p>${same}</p>`,
    },
  ]
}

/**
 * Several runs on one page. The same runs give the same bytes; nothing is loaded and no script runs but, where it is interactive, one of
 * its own.
 */
export async function comparisonPage(runs: readonly SavedRun[], lang: Language, interactive = false): Promise<string> {
  const say = sayIn(lang)
  const title = say('Runs compared')
  const source = runs.find((run) => run.source?.about !== undefined)?.source ?? runs[0]?.source
  const [first, ...sections] = await comparisonSections(runs, lang)
  return htmlDocument({
    say,
    title,
    manifest: {
      kind: 'comparison',
      options: { lang },
      inputs: runs.map(({ name, days: own, hash }) => ({ name, rows: own.length, sha256: hash })),
    },
    top: pageTop(say, {
      kicker: title,
      title: enumerated(
        runs.map(({ name }) => name),
        say,
      ),
      source,
      lead: linksOf(runs, say),
    }),
    interactive,
    first: [first],
    sections,
    footer: say('Made by quotebook backtest compare from saved runs; figures are those of the runs. '),
  })
}
