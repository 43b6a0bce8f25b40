import { day, formatCount } from '../format-number.js'
import { gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { percentText } from './sheet-parts.js'

/** The ten deepest falls. */
export function drawdownSection({ say, own }: RunSheet): Section {
  const { drawdowns } = own.performance
  const title = say('Worst drawdowns')
  if (drawdowns.length === 0)
    return {
      id: 'drawdowns',
      title,
      body: html`<p class="absent">${say('The curve never fell below a high.')}</p>`,
    }
  const body = html`<p class="note">${say('From a high to the lowest point, and on until the high was reached again or the run ended.')}</p>
${htmlGrid(
  title,
  drawdowns.map((one, at) => ({ ...one, rank: at + 1 })),
  [
    gridNumber('', undefined, ({ rank }) => rank),
    gridNumber(say('depth'), undefined, ({ depth }) => percentText(depth)),
    gridText(say('high'), ({ peakRow, peak }) => (peakRow === 0 ? say('the start') : day(peak))),
    gridText(say('low'), ({ trough }) => day(trough)),
    gridText(say('recovered'), ({ recovered }) => (recovered === undefined ? say('not yet') : day(recovered))),
    gridNumber(say('trading days'), undefined, ({ days }) => formatCount(days)),
    gridNumber(say('calendar days'), undefined, ({ calendarDays }) => formatCount(calendarDays)),
  ],
)}`
  return { id: 'drawdowns', title, body }
}
