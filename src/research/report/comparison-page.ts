import type { Language } from '../../contract/language.js'
import { sayIn } from '../../contract/say.js'
import { fact } from '../../contract/sentence.js'
import type { Performance } from '../analysis/performance/performance-stats.js'
import { daysFigure } from './chart-figure.js'
import { fixed } from './format-number.js'
import { grid, type Html, html, htmlGrid } from './html.js'
import { htmlDocument } from './html-document.js'
import { pageTop } from './page-header.js'
import { type Ink, lineSeries } from './plot.js'
import { sentences } from './report-words.js'
import { figureEntries } from './tear-sheet/sheet-figures.js'
import { figureText } from './tear-sheet/sheet-parts.js'

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
}

/** A figure, or a fact, of each of several runs. */
export interface ComparedRow {
  readonly name: string
  readonly texts: readonly string[]
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
    return { name: words(say)[0], texts: runs.map((run) => figureText(say, form, figureOf(run, name))) }
  })
}

/** What is not the same in all runs of what they were made with. */
export function differencesOf(runs: readonly SavedRun[]): ComparedRow[] {
  const names = [...new Set(runs.flatMap(({ made }) => Object.keys(made)))]
  return names
    .map((name) => ({ name, texts: runs.map(({ made }) => made[name] ?? '') }))
    .filter(({ texts }) => new Set(texts).size > 1)
}

function gridOf(label: string, runs: readonly SavedRun[], rows: readonly ComparedRow[]): Html {
  const columns = runs.map(({ name }, at) => grid.text<ComparedRow>(name, ({ texts }) => html`<bdi>${texts[at]}</bdi>`))
  return htmlGrid(label, rows, [grid.text('', ({ name }) => name), ...columns])
}

const inks: readonly Ink[] = ['one', 'two', 'three']
const dashes = [undefined, 'dashed', 'dotted'] as const

/** Levels of a run on the days of all, with 100 before its first. */
function levelsOn(days: readonly string[], run: SavedRun): Float64Array {
  const place = new Map(run.days.map((day, at) => [day, at]))
  return Float64Array.from(days, (day) => {
    const at = place.get(day)
    return at === undefined ? Number.NaN : (100 * (run.equity[at] as number)) / run.start
  })
}

/**
 * Several runs on one page: their curves over each other, their figures side by side, and what differs in params, data and code. The same
 * runs give the same bytes; nothing is loaded and no script runs but, where it is interactive, one of its own.
 */
export async function comparisonPage(runs: readonly SavedRun[], lang: Language, interactive = false): Promise<string> {
  const say = sayIn(lang)
  const days = [...new Set(runs.flatMap((run) => run.days))].sort()
  const levels = runs.map((run) => levelsOn(days, run))
  const formOf = (at: number) => ({ ink: inks[at % 3] as Ink, dash: dashes[Math.floor(at / 3) % 3] })
  const isOneSpan = runs.every((run) => run.days.length === days.length)
  const [curves, figures, differs] = [say('Curves'), say(fact('COMPARISON_PAGE', 'Figures')), say('What differs')]
  const begin = say('Each run begins at 100 on its first day.')
  const spans = say('The runs are of different days: their figures are each of its own.')
  const series = levels.map((values, at) => lineSeries(values, formOf(at).ink, { dash: formOf(at).dash }))
  const drawing = await daysFigure(say, {
    id: 'compared',
    title: curves,
    desc: sentences(say, begin, isOneSpan ? '' : spans),
    x: { dates: days },
    panels: [{ name: '', height: 260, series }],
    key: runs.map(({ name }, at) => ({ sign: formOf(at).dash ? 'dashed' : 'line', ink: formOf(at).ink, text: name })),
    columns: [...levels.map((values, at) => grid.values(runs[at]?.name ?? '', undefined, values, (v) => fixed(v, 2)))],
  })
  const different = differencesOf(runs)
  const same = say('Nothing that they were made with differs.')
  const title = say('Runs compared')
  return htmlDocument({
    say,
    title,
    manifest: {
      kind: 'comparison',
      options: { lang },
      inputs: runs.map(({ name, days: own, hash }) => ({ name, rows: own.length, sha256: hash })),
    },
    top: pageTop(say, { kicker: title, title: runs.map(({ name }) => name).join(', ') }),
    interactive,
    first: [{ id: 'curves', title: curves, body: drawing }],
    sections: [
      { id: 'figures', title: figures, body: gridOf(figures, runs, comparedFigures(runs, lang)) },
      {
        id: 'differs',
        title: differs,
        body: different.length > 0 ? gridOf(differs, runs, different) : html`<p>${same}</p>`,
      },
    ],
    footer: say('Made by quotebook backtest compare from saved runs; figures are those of the runs. '),
  })
}
