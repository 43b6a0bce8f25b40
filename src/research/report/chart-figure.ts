import type { Say } from '../../contract/say.js'
import { drawPlot } from './draw-plot.js'
import { many } from './format-number.js'
import { type GridColumn, grid, Html, type HtmlPart, html, htmlGrid } from './html.js'
import type { KeySign, Plot } from './plot.js'

/** A chart of a page: what is drawn, what is said of it, and its numbers. */
export interface ChartFigure<R> extends Plot {
  /** Below the drawing (default: what it says to those who do not see it). */
  readonly caption?: HtmlPart
  readonly key?: readonly (KeySign | false)[]
  /** What the table of its numbers is called (default: as the drawing). */
  readonly table?: string
  /** It is drawn by the script of a page that is served, and has no still drawing. */
  readonly isLive?: true
  readonly rows: readonly R[]
  readonly columns: readonly GridColumn<R>[]
}

/** A drawing with its key and its caption, and its numbers as a table that can be opened. */
export async function chartFigure<R>(
  say: Say,
  { caption, key = [], table, isLive, rows, columns, ...plot }: ChartFigure<R>,
): Promise<Html> {
  const signs = key.flatMap((one) => one || [])
  const list = signs.map(
    ({ sign, ink, text }) => html`<li><i class="sign ${sign}" style="--sign:var(--${ink})"></i>${text}</li>`,
  )
  const keyed = { ...plot, key: signs }
  const drawing = isLive ? new Html('', [keyed]) : await drawPlot(keyed)
  return html`<figure>
${
  list.length > 0 &&
  html`<ul class="key">${list}</ul>
`
}<div class="drawing" data-plot="${plot.id}" role="group" aria-label="${plot.title}" tabindex="0">${drawing}</div>
<figcaption>${caption ?? plot.desc}</figcaption>
<details><summary>${say`The numbers as a table (${many(rows.length, 'row')})`}</summary>
${htmlGrid(table ?? plot.title, rows, columns)}</details>
</figure>
`
}

/** Days for the table below a chart, by place: all, or where they are many the last of each month. */
export function shownDays(days: readonly string[]): readonly number[] {
  const all = [...days.keys()]
  if (all.length <= 260) return all
  return all.filter((at) => days[at]?.slice(0, 6) !== days[at + 1]?.slice(0, 6))
}

export interface DaysFigure extends Omit<ChartFigure<number>, 'rows'> {
  readonly x: { readonly dates: readonly string[] }
  /** The place of the first day that has numbers. */
  readonly from?: number
}

/** A drawing over days, and its numbers by the place of a day. */
export function daysFigure(say: Say, { from = 0, columns, ...chart }: DaysFigure): Promise<Html> {
  const { dates } = chart.x
  const rows = shownDays(dates).filter((at) => at >= from)
  return chartFigure(say, { ...chart, rows, columns: [grid.days(say('day'), dates), ...columns] })
}
