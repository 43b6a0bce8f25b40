import { textWidth, truncateText } from '../../frame/show/text-width.js'
import type { LineSeries, PagePlot, PlotPanel } from './plot.js'
import { letter } from './plot-look.js'
import { seriesName } from './series-name.js'

/** Between the end of a line and its label. */
export const endDistance = 6
/** Pixels that a label takes down. */
export const endHeight = 17
const longest = 20

/** What stands at the ends of the lines of a panel: their names, where two or more have one and there is room below each other. */
function panelEnds(panel: PlotPanel, plot: PagePlot): readonly (readonly [LineSeries, string])[] {
  const names = new Map<string, LineSeries>()
  for (const one of panel.series) {
    if (one.kind !== 'line' || one.area !== undefined || !one.at.some(([, y]) => y !== null)) continue
    const name = seriesName(one, plot)
    if (name !== undefined && !names.has(name)) names.set(name, one)
  }
  if (names.size < 2 || names.size * endHeight > panel.height) return []
  return [...names].map(([name, line]) => [line, truncateText(name, longest)])
}

/** The labels at the ends of lines; none on a telephone, where the key alone names them. */
export function lineEnds(plot: PagePlot, isNarrow: boolean): ReadonlyMap<LineSeries, string> {
  return new Map(isNarrow ? [] : plot.panels.flatMap((panel) => panelEnds(panel, plot)))
}

/** What the labels take at the right: names are short, and often capitals. */
export function endRoom(labels: Iterable<string>): number {
  const widest = Math.max(0, ...[...labels].map(textWidth))
  return widest === 0 ? 0 : endDistance + 18 + widest * (letter + 1)
}
