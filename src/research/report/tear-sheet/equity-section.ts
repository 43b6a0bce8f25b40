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

/** Decimals that tell the labels of an axis apart. */
function decimalsFor(values: Float64Array): number {
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  return high - low < 1 ? 2 : high - low < 20 ? 1 : 0
}

/** The curve of the account beside its benchmark: linear, logarithmic, and how far below its high it stood. */
export async function equitySection(sheet: RunSheet): Promise<Section> {
  const { say, own, benchmark } = sheet
  const levels = sheetLevels(sheet)
  const digits = decimalsFor(levels.own)
  const falls = { own: fallsOf(levels.own), benchmark: levels.benchmark && fallsOf(levels.benchmark) }
  const log = (value: number): number => (value > 0 ? Math.log(value / 100) : Number.NaN)
  const logs = { own: levels.own.map(log), benchmark: levels.benchmark?.map(log) }
  const panels = [
    curvePanel(levels, { name: say('axis linear'), height: 210, format: { digits, exact: 2 } }),
    curvePanel(logs, { name: say('axis log'), height: 150, format: { as: 'log', digits, exact: 2 } }),
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
    caption: sentences(sheet, desc, say('equity caption'), start, note),
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
