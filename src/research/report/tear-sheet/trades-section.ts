import { day, fixed, formatCount, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { instrument, sentences } from './sheet-parts.js'
import { contributions, type SheetTrip, sheetTrips } from './trading-figures.js'

const most = 10

function tripTable(sheet: RunSheet, title: string, trips: readonly SheetTrip[]): Html {
  const { say } = sheet
  if (trips.length === 0)
    return html`<h3>${title}</h3>
<p class="absent">${say('none')}</p>
`
  return html`<h3>${title}</h3>
${htmlGrid(title, trips, [
  gridText(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
  gridText(say('opened'), ({ opened }) => day(opened)),
  gridText(say('closed'), ({ closed }) => day(closed)),
  gridNumber(say('held days'), undefined, ({ held }) => formatCount(held)),
  gridNumber(say('result'), say('yuan'), ({ pnl }) => formatSigned(pnl, 2)),
])}`
}

function contributionTable(sheet: RunSheet): Html | undefined {
  const { say } = sheet
  const all = contributions(sheet)
  if (all.length === 0) return undefined
  const isCut = all.length > 2 * most
  const shown = isCut ? [...all.slice(0, most), ...all.slice(-most)] : all
  const sum = all.reduce((total, { pnl }) => total + pnl, 0)
  const note = say('contributions note', { sum: formatSigned(sum, 2), count: formatCount(all.length) })
  return html`<h3>${say('contributions')}</h3>
<p class="note">${sentences(sheet, note, isCut ? say('contributions cut', { count: most }) : '')}</p>
${htmlGrid(say('contributions'), shown, [
  gridText(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
  gridNumber(say('fills'), undefined, ({ fills }) => formatCount(fills)),
  gridNumber(say('bought'), say('yuan'), ({ bought }) => fixed(bought, 2)),
  gridNumber(say('sold'), say('yuan'), ({ sold }) => fixed(sold, 2)),
  gridNumber(say('costs'), say('yuan'), ({ costs }) => fixed(costs, 2)),
  gridNumber(say('still held'), say('yuan'), ({ open }) => fixed(open, 2)),
  gridNumber(say('result'), say('yuan'), ({ pnl }) => formatSigned(pnl, 2)),
])}`
}

/** The best and worst round trips, and what each instrument brought. */
export function tradesSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.trips && !run?.fills) return undefined
  const trips = sheetTrips(sheet)
  const best = trips.filter(({ pnl }) => pnl > 0).slice(0, most)
  const worst = trips
    .filter(({ pnl }) => pnl < 0)
    .slice(-most)
    .reverse()
  const body = html`${tripTable(sheet, say('best trips'), best)}${tripTable(sheet, say('worst trips'), worst)}
${contributionTable(sheet)}`
  return { id: 'trades', title: say('trades'), body }
}
