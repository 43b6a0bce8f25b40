import { fixed } from '../format-number.js'
import { gridDays, gridValues, type Section } from '../html.js'
import { lineSeries, type PlotPanel } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { underwater } from './sheet-figures.js'
import { percentText, sentences, sheetChart, tableRows } from './sheet-parts.js'

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
  const { curve } = benchmark.series
  const levels = new Float64Array(own.days.length).fill(100)
  levels.set(levelsOf(curve), own.days.length - (curve.length - 1))
  return { own: levelsOf(own.curve), benchmark: levels }
}

function curvePanel({ own, benchmark }: Levels, panel: Omit<PlotPanel, 'series'>): PlotPanel {
  const other = benchmark ? [lineSeries(benchmark, 'two', { dash: 'dashed' })] : []
  return { ...panel, series: [...other, lineSeries(own, 'one')] }
}

function fallsOf(levels: Float64Array): Float64Array {
  return underwater(Float64Array.of(100, ...levels)).subarray(1)
}

/** Times the least level that the greatest is; infinite where nothing is left. */
function spread({ own, benchmark }: Levels): number {
  const all = [...own, ...(benchmark ?? [])]
  const [low, high] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]
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
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  return high - low < 1 ? 2 : high - low < 20 ? 1 : 0
}

/** The curve of the account beside its benchmark: linear with its deepest falls in shade, logarithmic where it spans much, and how far below its high it stood. */
export async function equitySection(sheet: RunSheet): Promise<Section> {
  const { say, own, benchmark } = sheet
  const levels = sheetLevels(sheet)
  const digits = decimalsFor(levels.own)
  const falls = { own: fallsOf(levels.own), benchmark: levels.benchmark && fallsOf(levels.benchmark) }
  const isWide = spread(levels) >= logFrom
  const log = (value: number): number => (value > 0 ? Math.log(value / 100) : Number.NaN)
  const logs = { own: levels.own.map(log), benchmark: levels.benchmark?.map(log) }
  const bands = worstFalls(sheet)
  const panels = [
    curvePanel(levels, { name: say('axis linear'), height: 210, format: { digits, exact: 2 }, bands }),
    ...(isWide
      ? [curvePanel(logs, { name: say('axis log'), height: 160, format: { as: 'log', digits, exact: 2 } })]
      : []),
    curvePanel(falls, {
      name: say('axis under'),
      height: 110,
      zero: true,
      format: { percent: true, digits: 1, exact: 2 },
    }),
  ]
  const { rows, note } = tableRows(sheet)
  const { total, maxDrawdown } = own.performance
  const desc = say('equity said', { total: percentText(total), fall: percentText(maxDrawdown.depth) })
  const start = benchmark && Number.isNaN(benchmark.returns[0]) ? say('benchmark begins') : ''
  const shaded = bands.length > 0 ? say('equity shaded') : ''
  const level = (value: number | undefined): string => fixed(value, 2)
  const name = benchmark?.name
  const body = await sheetChart(sheet, {
    id: 'sheet-equity',
    title: say('equity'),
    desc,
    x: { dates: own.days },
    panels,
    key: [
      { sign: 'line', ink: 'one', text: say('strategy') },
      name !== undefined && { sign: 'dashed', ink: 'two', text: name },
    ],
    caption: sentences(sheet, desc, say(benchmark ? 'equity caption' : 'equity alone'), shaded, start, note),
    rows,
    columns: [
      gridDays(say('day'), own.days),
      gridValues(say('strategy'), undefined, levels.own, level),
      gridValues(say('under'), undefined, falls.own, percentText),
      ...(levels.benchmark && falls.benchmark
        ? [
            gridValues(name ?? '', undefined, levels.benchmark, level),
            gridValues(say('benchmark under'), undefined, falls.benchmark, percentText),
          ]
        : []),
    ],
  })
  return { id: 'equity', title: say('equity'), body }
}
