import { day, fixed, plain } from '../format-number.js'
import { gridNumber, gridText, type Section } from '../html.js'
import { type Pair, type PlotPanel, plotPair } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { underwater } from './sheet-figures.js'
import { percentText, sentences, sheetFigure, tableRows } from './sheet-parts.js'

/** Levels by day with the start at 100; the benchmark's begin at 100 where its returns do. */
export interface Levels {
  readonly own: Float64Array
  readonly benchmark: Float64Array | undefined
}

/** A curve as levels, one for each day. */
function levelsOf(curve: Float64Array): Float64Array {
  return curve.subarray(1).map((value) => (100 * value) / (curve[0] as number))
}

export function sheetLevels({ own, benchmark }: RunSheet): Levels {
  if (!benchmark) return { own: levelsOf(own.curve), benchmark: undefined }
  const { curve } = benchmark.series
  const levels = new Float64Array(own.days.length).fill(100)
  levels.set(levelsOf(curve), own.days.length - (curve.length - 1))
  return { own: levelsOf(own.curve), benchmark: levels }
}

function pairs(values: Float64Array): Pair[] {
  return Array.from(values, (value, at) => plotPair(at, value))
}

function curvePanel(
  levels: Levels,
  of: (value: number) => number,
  panel: Pick<PlotPanel, 'name' | 'height' | 'format' | 'zero'>,
): PlotPanel {
  const { own, benchmark } = levels
  return {
    ...panel,
    series: [
      ...(benchmark ? [{ kind: 'line', at: pairs(benchmark.map(of)), ink: 'two', dash: 'dashed' } as const] : []),
      { kind: 'line', at: pairs(own.map(of)), ink: 'one' },
    ],
  }
}

function fallsOf(levels: Float64Array): Float64Array {
  return underwater(Float64Array.of(100, ...levels)).subarray(1)
}

/** Decimals that tell the labels of an axis apart. */
function decimalsFor(values: Float64Array): number {
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  return high - low < 1 ? 2 : high - low < 20 ? 1 : 0
}

/** A label of the logarithmic axis, on which levels may be far below 1. */
function levelText(level: number, digits: number): string {
  return level < 10 ? plain(Number(level.toPrecision(2))) : fixed(level, digits)
}

/** The curve of the account beside its benchmark: linear, logarithmic, and how far below its high it stood. */
export async function equitySection(sheet: RunSheet): Promise<Section> {
  const { say, own, benchmark } = sheet
  const levels = sheetLevels(sheet)
  const digits = decimalsFor(levels.own)
  const falls = { own: fallsOf(levels.own), benchmark: levels.benchmark && fallsOf(levels.benchmark) }
  const log = (value: number): number => (value > 0 ? Math.log(value / 100) : Number.NaN)
  const panels = [
    curvePanel(levels, (value) => value, { name: say('axis linear'), height: 210, format: (v) => fixed(v, digits) }),
    curvePanel(levels, log, {
      name: say('axis log'),
      height: 150,
      format: (v) => levelText(100 * Math.exp(v), digits),
    }),
    curvePanel(falls, (value) => value, {
      name: say('axis under'),
      height: 110,
      zero: true,
      format: (v) => percentText(v, v % 0.01 === 0 ? 0 : 1),
    }),
  ]
  const { rows, note } = tableRows(sheet)
  const { total, maxDrawdown } = own.performance
  const desc = say('equity said', { total: percentText(total), fall: percentText(maxDrawdown.depth) })
  const start = benchmark && Number.isNaN(benchmark.returns[0]) ? say('benchmark begins') : ''
  const column = (text: string, values: Float64Array, of: (value: number) => string) =>
    gridNumber(text, undefined, (at: number) => of(values[at] as number))
  const level = (value: number): string => fixed(value, 2)
  const name = benchmark && (benchmark.name || say('benchmark'))
  const body = await sheetFigure(
    sheet,
    {
      plot: { id: 'sheet-equity', title: say('equity'), desc, x: { dates: own.days }, panels },
      key: [
        { sign: 'line', ink: 'one', text: say('strategy') },
        ...(name === undefined ? [] : [{ sign: 'dashed', ink: 'two', text: name } as const]),
      ],
      caption: sentences(sheet, desc, say('equity caption'), start, note),
    },
    rows,
    [
      gridText(say('day'), (at) => day(own.days[at])),
      column(say('strategy'), levels.own, level),
      column(say('under'), falls.own, percentText),
      ...(levels.benchmark && falls.benchmark
        ? [column(name ?? '', levels.benchmark, level), column(say('benchmark under'), falls.benchmark, percentText)]
        : []),
    ],
  )
  return { id: 'equity', title: say('equity'), body }
}
