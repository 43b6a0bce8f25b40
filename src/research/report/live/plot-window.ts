import type { PagePlot, PlotSeries } from '../plot.js'

/** The places of a plot along x, ascending: of days 0, 1, 2, …, else every x that a point has. */
export function plotPlaces({ x, panels }: PagePlot): readonly number[] {
  if ('dates' in x) return [...x.dates.keys()]
  const all = panels.flatMap(({ series }) =>
    series.flatMap((one) => (one.kind === 'candles' ? [] : one.at.map(([at]) => at))),
  )
  return [...new Set(all)].sort((a, b) => a - b)
}

function cut(series: PlotSeries, from: number, to: number, shift: number): PlotSeries {
  if (series.kind === 'candles') return { ...series, at: series.at.slice(from, to + 1) }
  const kept = series.at.map(([x], i) => (x >= from && x <= to ? i : -1)).filter((i) => i >= 0)
  const at = kept.map((i) => {
    const [x, y] = series.at[i] as readonly [number, number | null]
    return [x - shift, y] as const
  })
  if (series.kind !== 'points') return { ...series, at }
  return { ...series, at, ...(series.labels ? { labels: kept.map((i) => series.labels?.[i] ?? '') } : {}) }
}

/** A plot between two of its places, both included. */
export function windowOf(plot: PagePlot, from: number, to: number): PagePlot {
  const places = plotPlaces(plot)
  if (places.length === 0 || (from === 0 && to === places.length - 1)) return plot
  const [first, last] = [places[from] ?? 0, places[to] ?? 0]
  const isDates = 'dates' in plot.x
  const x =
    'dates' in plot.x ? { ...plot.x, dates: plot.x.dates.slice(from, to + 1) } : numbersBetween(plot.x, first, last)
  const panels = plot.panels.map((panel) => ({
    ...panel,
    series: panel.series.map((one) => cut(one, first, last, isDates ? first : 0)),
  }))
  return { ...plot, x, panels }
}

function numbersBetween(x: Exclude<PagePlot['x'], { dates: unknown }>, min: number, max: number): PagePlot['x'] {
  const { step: _, ...rest } = x
  return { ...rest, min, max }
}
