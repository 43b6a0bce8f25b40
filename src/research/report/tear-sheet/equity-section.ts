import type { Say } from '../../../contract/say.js'
import { day, fixed, formatCount } from '../format-number.js'
import { grid, html, htmlGrid, type Section } from '../html.js'
import { extremes, lineSeries, type PlotPanel } from '../plot.js'
import { sentences } from '../report-words.js'
import { underwater } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'
import { curveName, percentText, runChart, signedPercent } from './sheet-parts.js'

/** Levels by day with the start at 100; the benchmark's begin at 100 where its returns do. */
interface Levels {
  readonly own: Float64Array
  readonly benchmark: Float64Array | undefined
}

/** A curve as levels, one for each day. */
function levelsOf(curve: Float64Array): Float64Array {
  return curve.subarray(1).map((value) => (100 * value) / (curve[0] as number))
}

function sheetLevels({ own, benchmark }: RunSheet): Levels {
  if (!benchmark) return { own: levelsOf(own.curve), benchmark: undefined }
  const known = levelsOf(benchmark.series.curve)
  const levels = new Float64Array(own.days.length).fill(100)
  levels.set(known, own.days.length - known.length)
  return { own: levelsOf(own.curve), benchmark: levels }
}

function curvePanel({ own, benchmark }: Levels, panel: Omit<PlotPanel, 'series'>): PlotPanel {
  const other = benchmark ? [lineSeries(benchmark, 'two', { dash: 'dashed' })] : []
  return { ...panel, series: [...other, lineSeries(own, 'one')] }
}

/** Times the least level that the greatest is; infinite where nothing is left. */
function spread({ own, benchmark }: Levels): number {
  const { low, high } = extremes([...own, ...(benchmark ?? [])])
  return high / Math.max(low, 0)
}

/** A spread from which on equal falls look so unequal that a logarithmic axis is worth its place. */
const logFrom = 2.5

/** The deepest falls by place, from the high to the recovery or the end, under their rank in the table of drawdowns. */
function worstFalls({ own }: RunSheet) {
  const end = own.days.length
  return own.performance.drawdowns.slice(0, 5).map(({ peakRow, recoveredRow = end }, at) => ({
    from: Math.max(peakRow, 1) - 1,
    to: recoveredRow - 1,
    word: String(at + 1),
  }))
}

/** Decimals that tell the labels of an axis apart. */
function decimalsFor(values: Float64Array): number {
  const { low, high } = extremes(values)
  return high - low < 1 ? 2 : high - low < 20 ? 1 : 0
}

interface Curves {
  readonly levels: Levels
  readonly falls: Levels
  readonly bands: NonNullable<PlotPanel['bands']>
  /** How much more it had become than the benchmark, as a share of that. */
  readonly excess: Float64Array | undefined
}

function panelsOf(say: Say, { levels, falls, bands, excess }: Curves): PlotPanel[] {
  const digits = decimalsFor(levels.own)
  const log = (value: number): number => (value > 0 ? Math.log(value / 100) : Number.NaN)
  const logs = { own: levels.own.map(log), benchmark: levels.benchmark?.map(log) }
  const start = say('Start = 100')
  const logarithmic = say('Start = 100, logarithmic: equal heights are equal changes in percent')
  const under = say('Below the highest value before, percent')
  const over = say('Above or below the benchmark, percent')
  const percent = { percent: true, digits: 1, exact: 2 }
  const wide = { name: logarithmic, height: 160, format: { as: 'log', digits, exact: 2 } } as const
  return [
    curvePanel(levels, { name: start, height: 210, format: { digits, exact: 2 }, bands }),
    ...(spread(levels) >= logFrom ? [curvePanel(logs, wide)] : []),
    curvePanel(falls, { name: under, height: 110, zero: 'top', format: percent }),
    ...(excess
      ? [
          {
            name: over,
            height: 90,
            zero: true,
            format: { ...percent, signed: true },
            series: [lineSeries(excess, 'one', { area: 0.35 })],
          },
        ]
      : []),
  ]
}

/** What the curves say, in a sentence, and what is to be known of them. */
function curveWords({ say, own, benchmark }: RunSheet, { bands }: Curves): { desc: string; caption: string } {
  const [total, fall] = [percentText(own.performance.total), percentText(own.performance.maxDrawdown.depth)]
  const desc = say`${total} in total, at worst ${fall} below a high.`
  const begin = benchmark
    ? say('Values at the close of each day; both start at 100.')
    : say('Values at the close of each day, the start at 100.')
  const shaded = say('In shade the deepest falls, numbered as in the table of drawdowns.')
  const late = say('The benchmark’s level before the first day is not known: it starts at 100 at the first close.')
  const isLate = benchmark && Number.isNaN(benchmark.returns[0])
  return { desc, caption: sentences(say, desc, begin, bands.length > 0 ? shaded : '', isLate ? late : '') }
}

/** The curve of the account beside its benchmark: linear with its deepest falls in shade, logarithmic where it spans much, and how far below its high it stood. */
export async function equitySection(sheet: RunSheet): Promise<Section> {
  const { say, benchmark } = sheet
  const levels = sheetLevels(sheet)
  const falls = { own: underwater(100, levels.own), benchmark: levels.benchmark && underwater(100, levels.benchmark) }
  const excess =
    levels.benchmark && levels.own.map((value, at) => value / ((levels.benchmark as Float64Array)[at] as number) - 1)
  const curves = { levels, falls, bands: worstFalls(sheet), excess }
  const level = (value: number | undefined): string => fixed(value, 2)
  const [title, own, name] = [say('Equity and drawdown'), curveName(sheet), benchmark?.name]
  const others =
    levels.benchmark && falls.benchmark && excess
      ? [
          grid.values(name ?? '', undefined, levels.benchmark, level),
          grid.values(say('benchmark below high'), undefined, falls.benchmark, percentText),
          grid.values(say('above benchmark'), undefined, excess, signedPercent),
        ]
      : []
  const body = await runChart(sheet, {
    id: 'sheet-equity',
    title,
    ...curveWords(sheet, curves),
    panels: panelsOf(say, curves),
    key: [{ sign: 'line', ink: 'one', text: own }, name !== undefined && { sign: 'dashed', ink: 'two', text: name }],
    columns: [
      grid.values(own, undefined, levels.own, level),
      grid.values(say('below high'), undefined, falls.own, percentText),
      ...others,
    ],
  })
  return { id: 'equity', title, body }
}

/** The ten deepest falls. */
export function drawdownSection({ say, own }: RunSheet): Section {
  const title = say('Worst drawdowns')
  const rows = own.performance.drawdowns.map((one, at) => ({ ...one, rank: at + 1 }))
  const table = html`<p class="note">${say('From a high to the lowest point, and on until the high was reached again or the run ended.')}</p>
${htmlGrid(title, rows, [
  grid.number('', undefined, ({ rank }) => rank),
  grid.number(say('depth'), undefined, ({ depth }) => percentText(depth)),
  grid.text(say('high'), ({ peakRow, peak }) => (peakRow === 0 ? say('the start') : day(peak))),
  grid.text(say('low'), ({ trough }) => day(trough)),
  grid.text(say('recovered'), ({ recovered }) => (recovered === undefined ? say('not yet') : day(recovered))),
  grid.number(say('trading days'), undefined, ({ days }) => formatCount(days)),
  grid.number(say('calendar days'), undefined, ({ calendarDays }) => formatCount(calendarDays)),
])}`
  const none = html`<p class="absent">${say('The curve never fell below a high.')}</p>`
  return { id: 'drawdowns', title, body: rows.length > 0 ? table : none }
}
