import { fact } from '../../../contract/sentence.js'
import { day, formatCount, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, type Section } from '../html.js'
import { type SheetTrip, sheetTrips } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'
import { instrument } from './sheet-parts.js'

const most = 10

function tripTable(sheet: RunSheet, title: string, trips: readonly SheetTrip[]): Html {
  const { say } = sheet
  if (trips.length === 0)
    return html`<h3>${title}</h3>
<p class="absent">${say('None.')}</p>
`
  return html`<h3>${title}</h3>
${htmlGrid(title, trips, [
  gridText(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
  gridText(say('opened'), ({ opened }) => day(opened)),
  gridText(say('closed'), ({ closed }) => day(closed)),
  gridNumber(say(fact('TRADES_SECTION', 'trading days')), undefined, ({ held }) => formatCount(held)),
  gridNumber(say('result'), say('yuan'), ({ pnl }) => formatSigned(pnl, 2)),
])}`
}

/** The best and worst round trips. */
export function tradesSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.trips) return undefined
  const trips = sheetTrips(run)
  const best = trips.filter(({ pnl }) => pnl > 0).slice(0, most)
  const worst = trips
    .filter(({ pnl }) => pnl < 0)
    .slice(-most)
    .reverse()
  const body = html`${tripTable(sheet, say('Best round trips'), best)}${tripTable(sheet, say('Worst round trips'), worst)}`
  return { id: 'trades', title: say('Trades'), body }
}
