import { day, timeLabel, writeNumber } from '../format-number.js'
import type { KeySign, PagePlot, PlotPanel, PlotSeries } from '../plot.js'
import { seriesName, seriesSign } from '../series-name.js'

/** A value of a place, and the sign of its series. */
interface ReadRow {
  readonly name: string
  readonly text: string
  readonly sign?: Pick<KeySign, 'sign' | 'ink'>
}

/** What a chart says of a place: all its values, panel by panel. */
export interface PlotReading {
  readonly place: string
  readonly panels: readonly { readonly name: string; readonly rows: readonly ReadRow[] }[]
}

/** Values of a series at an x: of points there may be several, of a gap there are none. */
function valuesAt(series: Exclude<PlotSeries, { kind: 'candles' | 'whiskers' }>, x: number): readonly number[] {
  const near = series.at[x]
  const pairs = near?.[0] === x && series.kind !== 'points' ? [near] : series.at.filter((pair) => pair[0] === x)
  return pairs.flatMap(([, y]) => (y === null ? [] : [y]))
}

/** The height of the first series at an x: where the crosshair lies that keys have moved. */
export function firstValue({ panels }: PagePlot, x: number): number | undefined {
  const [first] = panels[0]?.series ?? []
  if (!first) return undefined
  return first.kind === 'candles' || first.kind === 'whiskers' ? first.at[x]?.[1] : valuesAt(first, x)[0]
}

function panelRows(plot: PagePlot, panel: PlotPanel, x: number, priceWords: readonly string[]): ReadRow[] {
  const written = (value: number | undefined): string => writeNumber(value, panel.format, true)
  const named = panel.series.filter((one) => seriesName(one, plot) !== undefined)
  const shown =
    named.length > 0 ? panel.series.filter((one) => one.kind === 'candles' || named.includes(one)) : panel.series
  const rows = shown.flatMap((series): ReadRow[] => {
    if (series.kind === 'candles') {
      const [open, close, low, high] = series.at[x] ?? []
      return [open, high, low, close].map((value, i) => ({ name: priceWords[i] ?? '', text: written(value) }))
    }
    const sign = seriesSign(series)
    if (series.kind === 'whiskers') {
      const [low, , high] = series.at[x] ?? []
      return [
        { name: seriesName(series, plot) ?? '', text: `${written(low)}, ${written(high)}`, ...(sign && { sign }) },
      ]
    }
    const texts = valuesAt(series, x).slice(0, 6).map(written)
    return [{ name: seriesName(series, plot) ?? '', text: texts.join(', '), ...(sign && { sign }) }]
  })
  // Series without names are one thing in several inks: the one that there is speaks.
  const said = named.length > 0 || rows.length > 3 ? rows : [rows.find(({ text }) => text !== '') ?? rows[0]]
  return said.flatMap((row) => (row ? [{ ...row, text: row.text || written(undefined) }] : []))
}

/** All values of a place, written as the page writes them; a missing one is a dash. */
export function readingAt(plot: PagePlot, x: number, priceWords: readonly string[]): PlotReading {
  const place =
    'dates' in plot.x
      ? plot.x.isText
        ? (plot.x.dates[x] ?? '')
        : timeLabel(plot.x.dates[x] ?? day(undefined))
      : `${plot.x.name} ${writeNumber(x, plot.x.format, true)}`
  const panels = plot.panels.map((panel) => ({ name: panel.name, rows: panelRows(plot, panel, x, priceWords) }))
  return { place, panels: panels.filter(({ rows }) => rows.length > 0) }
}
