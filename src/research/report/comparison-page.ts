import { type Language, type Phrases, translatorOf } from '../../contract/language.js'
import type { Performance } from '../analysis/performance/performance-stats.js'
import { chartFigure } from './chart-figure.js'
import { fixed, formatCount } from './format-number.js'
import { gridDays, gridText, gridValues, type Html, html, htmlGrid, type Section } from './html.js'
import { htmlDocument } from './html-document.js'
import { type Ink, lineSeries } from './plot.js'
import { type FigureForm, figureWords } from './tear-sheet/figure-words.js'
import { percentText, shownDays, signedPercent } from './tear-sheet/sheet-parts.js'
import { sheetStyle } from './tear-sheet/sheet-style.js'

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

// biome-ignore format: a table, one word a line
const words = {
  title: ['Runs compared', '回测对比'],
  contents: ['Contents', '目录'],
  curves: ['Curves', '净值曲线'],
  said: ['Each run begins at 100 on its first day.', '各次回测均以首日之前为 100。'],
  spans: ['The runs are of different days: their figures are each of its own.', '各次回测的日期不同：指标各按自己的区间计算。'],
  figures: ['Figures', '指标'],
  differs: ['What differs', '不同之处'],
  same: ['Nothing that they were made with differs.', '各次回测的参数、数据、代码与选项完全相同。'],
  what: ['', '项目'],
  day: ['day', '日期'],
  table: ['as a table ({rows} rows)', '数据表（{rows} 行）'],
  footer: ['Made by quotebook backtest compare from saved runs; figures are those of the runs.', '由 quotebook backtest compare 根据已保存的回测生成；指标取自各次回测。'],
} satisfies Phrases

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
] as const

function written(form: FigureForm, value: number): string {
  if (form === 'signed') return signedPercent(value)
  return form === 'percent' ? percentText(value) : fixed(value, 2)
}

function figureOf({ figures }: SavedRun, name: (typeof shown)[number]): number {
  const value =
    name === 'maxDrawdown' ? figures.maxDrawdown?.depth : (figures as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'number' ? value : Number.NaN
}

/** Figures of runs beside each other, named in a language. */
export function comparedFigures(runs: readonly SavedRun[], language: Language): ComparedRow[] {
  const at = language === 'en' ? 0 : 1
  const rows = shown.map((name) => {
    const { form, name: called } = figureWords[name]
    return { name: called[at], texts: runs.map((run) => written(form, figureOf(run, name))) }
  })
  const turnover = { name: figureWords.turnover.name[at], texts: runs.map(({ figures }) => fixed(figures.turnover, 2)) }
  return [...rows, turnover]
}

/** What is not the same in all runs of what they were made with. */
export function differencesOf(runs: readonly SavedRun[]): ComparedRow[] {
  const names = [...new Set(runs.flatMap(({ made }) => Object.keys(made)))]
  return names
    .map((name) => ({ name, texts: runs.map(({ made }) => made[name] ?? '') }))
    .filter(({ texts }) => new Set(texts).size > 1)
}

function gridOf(label: string, runs: readonly SavedRun[], rows: readonly ComparedRow[], what: string): Html {
  const columns = runs.map(({ name }, at) => gridText<ComparedRow>(name, ({ texts }) => html`<bdi>${texts[at]}</bdi>`))
  return htmlGrid(label, rows, [gridText(what, ({ name }) => name), ...columns])
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
  const say = translatorOf(words, lang)
  const days = [...new Set(runs.flatMap((run) => run.days))].sort()
  const levels = runs.map((run) => levelsOn(days, run))
  const formOf = (at: number) => ({ ink: inks[at % 3] as Ink, dash: dashes[Math.floor(at / 3) % 3] })
  const isOneSpan = runs.every((run) => run.days.length === days.length)
  const rows = shownDays(days)
  const curves = await chartFigure(
    {
      id: 'compared',
      title: say('curves'),
      desc: isOneSpan ? say('said') : `${say('said')} ${say('spans')}`,
      x: { dates: days },
      panels: [
        {
          name: '',
          height: 260,
          series: levels.map((values, at) => lineSeries(values, formOf(at).ink, { dash: formOf(at).dash })),
        },
      ],
      key: runs.map(({ name }, at) => ({ sign: formOf(at).dash ? 'dashed' : 'line', ink: formOf(at).ink, text: name })),
      rows,
      columns: [
        gridDays(say('day'), days),
        ...levels.map((values, at) => gridValues(runs[at]?.name ?? '', undefined, values, (v) => fixed(v, 2))),
      ],
    },
    { label: say('curves'), summary: say('table', { rows: formatCount(rows.length) }) },
  )
  const different = differencesOf(runs)
  const sections: Section[] = [
    { id: 'curves', title: say('curves'), body: curves },
    {
      id: 'figures',
      title: say('figures'),
      body: gridOf(say('figures'), runs, comparedFigures(runs, lang), say('what')),
    },
    {
      id: 'differs',
      title: say('differs'),
      body: different.length > 0 ? gridOf(say('differs'), runs, different, say('what')) : html`<p>${say('same')}</p>`,
    },
  ]
  return htmlDocument({
    title: say('title'),
    manifest: {
      kind: 'comparison',
      options: { lang },
      inputs: runs.map(({ name, days: own, hash }) => ({ name, rows: own.length, sha256: hash })),
    },
    lang: lang === 'zh' ? 'zh-CN' : 'en',
    ownStyle: sheetStyle,
    header: html`<header><h1>${say('title')}</h1></header>
`,
    contents: say('contents'),
    interactive,
    sections,
    footer: say('footer'),
  })
}
