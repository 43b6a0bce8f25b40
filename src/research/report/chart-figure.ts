import { drawPlot } from './draw-plot.js'
import { type GridColumn, type Html, type HtmlPart, html, htmlGrid } from './html.js'
import type { Ink, Plot } from './plot.js'

/** A sign of a chart and what it stands for. */
interface KeySign {
  readonly sign: 'solid' | 'faint' | 'hollow' | 'line' | 'dashed'
  readonly ink: Ink
  readonly text: HtmlPart
}

/** A chart of a page: what is drawn, what is said of it, and its numbers. */
export interface ChartFigure<R> extends Plot {
  /** Below the drawing; what it says to those who do not see it, unless given. */
  readonly caption?: HtmlPart
  readonly key?: readonly (KeySign | false)[]
  /** What the table of its numbers is called; as the drawing, unless given. */
  readonly table?: string
  readonly rows: readonly R[]
  readonly columns: readonly GridColumn<R>[]
}

/** A drawing with its key and its caption, and its numbers as a table that can be opened. */
export async function chartFigure<R>(
  { caption, key = [], table, rows, columns, ...plot }: ChartFigure<R>,
  words: { readonly label: string; readonly summary: string },
): Promise<Html> {
  const signs = key.flatMap((one) => one || [])
  const list = signs.map(
    ({ sign, ink, text }) => html`<li><i class="sign ${sign}" style="--sign:var(--${ink})"></i>${text}</li>`,
  )
  return html`<figure>
${
  list.length > 0 &&
  html`<ul class="key">${list}</ul>
`
}<div class="drawing" role="group" aria-label="${words.label}" tabindex="0">${await drawPlot(plot)}</div>
<figcaption>${caption ?? plot.desc}</figcaption>
<details><summary>${words.summary}</summary>
${htmlGrid(table ?? plot.title, rows, columns)}</details>
</figure>
`
}
