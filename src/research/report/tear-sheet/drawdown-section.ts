import { day, formatCount } from '../format-number.js'
import { gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { percentText } from './sheet-parts.js'

/** The ten deepest falls. */
export function drawdownSection({ say, own }: RunSheet): Section {
  const { drawdowns } = own.performance
  const title = say('drawdowns')
  if (drawdowns.length === 0)
    return { id: 'drawdowns', title, body: html`<p class="absent">${say('drawdowns absent')}</p>` }
  const body = html`<p class="note">${say('drawdowns note')}</p>
${htmlGrid(
  title,
  drawdowns.map((one, at) => ({ ...one, rank: at + 1 })),
  [
    gridNumber('', undefined, ({ rank }) => rank),
    gridNumber(say('depth'), undefined, ({ depth }) => percentText(depth)),
    gridText(say('peak'), ({ peakRow, peak }) => (peakRow === 0 ? say('start day') : day(peak))),
    gridText(say('trough'), ({ trough }) => day(trough)),
    gridText(say('recovered'), ({ recovered }) => (recovered === undefined ? say('not recovered') : day(recovered))),
    gridNumber(say('trading days'), undefined, ({ days }) => formatCount(days)),
    gridNumber(say('calendar days'), undefined, ({ calendarDays }) => formatCount(calendarDays)),
  ],
)}`
  return { id: 'drawdowns', title, body }
}
