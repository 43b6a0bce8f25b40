import type { Ink, KeySign, PagePlot, PlotSeries } from './plot.js'

/** The sign that a key gives a series. */
export function seriesSign(series: PlotSeries): { readonly sign: KeySign['sign']; readonly ink: Ink } | undefined {
  if (series.kind === 'bar') return { sign: series.hollow ? 'hollow' : 'solid', ink: series.ink }
  if (series.kind === 'whiskers') return { sign: 'line', ink: series.ink }
  if (series.kind === 'line') return { sign: series.dash ? 'dashed' : 'line', ink: series.ink }
  return series.kind === 'points'
    ? { sign: series.mark === 'diamond' || series.mark === 'ring' ? 'hollow' : 'solid', ink: series.ink }
    : undefined
}

/** The name of a series: its own, or what the key says of its sign. */
export function seriesName(series: PlotSeries, { key }: PagePlot): string | undefined {
  if ('name' in series && series.name !== undefined) return series.name
  const own = series.kind === 'points' ? undefined : seriesSign(series)
  return own && key?.find(({ sign, ink }) => sign === own.sign && ink === own.ink)?.text
}
