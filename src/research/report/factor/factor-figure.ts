import { type ChartFigure, chartFigure, shownDays } from '../chart-figure.js'
import { type NumberForm, writeNumber } from '../format-number.js'
import { grid, type Section } from '../html.js'
import type { PlotPanel } from '../plot.js'
import type { FactorSheet } from './factor-sheet.js'

export type FactorValues = Float64Array

/** A strip of a chart: what is drawn, and its numbers by their heads in the table. */
export interface Strip extends Omit<PlotPanel, 'height'> {
  readonly format: NumberForm
  readonly values: readonly (readonly [head: string, values: FactorValues])[]
}

interface FactorChart {
  readonly id: string
  readonly title: string
  readonly said: string
  /** What its places are (default: the times). */
  readonly places?: readonly string[]
  readonly strips: readonly Strip[]
  readonly key?: ChartFigure<unknown>['key']
}

/** A chart of the page as a section. */
export async function factorFigure(
  sheet: FactorSheet,
  { id, title, said, places, strips, key = [] }: FactorChart,
): Promise<Section> {
  const { times } = sheet.study.signal
  // Slanted labels of narrow bins would reach over the axis.
  const few = (places?.length ?? 0) <= 8
  const height = strips.length > 2 ? 105 : strips.length > 1 ? 140 : 180
  const body = await chartFigure(sheet.say, {
    id: `factor-${id}`,
    title,
    desc: said,
    key,
    x: places ? { dates: places, isText: true, every: few } : { dates: times },
    panels: strips.map(({ values: _, ...panel }) => ({ ...panel, height })),
    rows: places ? [...places.keys()] : shownDays(times),
    columns: [
      grid.text(places ? '' : sheet.say('day'), (at: number) => (places ?? times)[at]),
      ...strips.flatMap(({ format, values }) =>
        values.map(([head, own]) => grid.values(head, undefined, own, (v) => writeNumber(v, format, true))),
      ),
    ],
  })
  return { id, title, body }
}

export const plainForm = (digits: number): NumberForm => ({ digits, exact: digits + 2 })
export const percentForm = (digits: number): NumberForm => ({ ...plainForm(digits), percent: true })
export const dashedLine = { dash: 'dashed' } as const
