import type { ECharts } from 'echarts/core'
import { writeNumber } from '../format-number.js'
import type { PagePlot, Pair, PlotPanel } from '../plot.js'
import type { PlotReading } from './plot-reading.js'

/** A point that has a name, and how the drawing library counts it. */
export interface NamedPoint {
  readonly name: string
  readonly pair: Pair
  readonly panel: number
  readonly seriesIndex: number
  readonly dataIndex: number
}

/** The points of a plot that have names. */
export function namedPoints({ panels }: PagePlot): readonly NamedPoint[] {
  let count = 0
  return panels.flatMap(({ series }, panel) =>
    series.flatMap((one) => {
      const seriesIndex = count++
      if (one.kind !== 'points' || !one.names) return []
      return one.at.map((pair, dataIndex) => ({
        name: one.names?.[dataIndex] ?? '',
        pair,
        panel,
        seriesIndex,
        dataIndex,
      }))
    }),
  )
}

/** How far, in pixels, a point is pointed at. */
const reach = 40

/** The point nearest to a place of the drawing, in both directions. */
export function nearestPoint(
  chart: ECharts,
  points: readonly NamedPoint[],
  { x, y }: { readonly x: number; readonly y: number },
): NamedPoint | undefined {
  let [found, least]: [NamedPoint | undefined, number] = [undefined, reach]
  for (const point of points) {
    const [left, top] = chart.convertToPixel({ seriesIndex: point.seriesIndex }, [
      ...point.pair,
    ] as number[]) as number[]
    const apart = Math.hypot((left ?? Number.NaN) - x, (top ?? Number.NaN) - y)
    if (apart < least) [found, least] = [point, apart]
  }
  return found
}

/** What a chart says of a point: its name, and both its numbers. */
export function readingOfPoint({ x, panels }: PagePlot, { name, pair: [at, height], panel }: NamedPoint): PlotReading {
  const own = panels[panel] as PlotPanel
  const row = (text: string) => [{ name: '', text }]
  const across = 'dates' in x ? [] : [{ name: x.name, rows: row(writeNumber(at, x.format, true)) }]
  return { place: name, panels: [...across, { name: own.name, rows: row(writeNumber(height, own.format, true)) }] }
}
