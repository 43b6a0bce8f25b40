import { fact } from '../../../contract/sentence.js'
import { has } from '../../../frame/read-columns.js'
import { day, fixed, formatCount } from '../format-number.js'
import { type Html, html, type Section } from '../html.js'
import { recordsOf } from '../report-tables.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrument } from './sheet-parts.js'

const texts = ['tradedate', 'symbol', 'side'] as const
const figures = ['shares', 'price', 'amount', 'commission', 'stamp', 'transfer'] as const

export function fillsOf({ fills }: TearSheetRun) {
  if (!fills) return []
  const minutes = has(fills, 'minute') ? recordsOf(fills, ['minute']) : []
  return recordsOf(fills, texts, figures).map((one, at) => ({ ...one, minute: minutes[at]?.minute ?? '' }))
}

/** The most fills that a page lists. */
const most = 10_000

/** A row with as little markup as a cell can do with: a page of ten thousand stays light. */
function fillRow(sheet: RunSheet, fill: ReturnType<typeof fillsOf>[number]): Html {
  const { tradedate, minute, symbol, side, shares, price, amount, commission, stamp, transfer } = fill
  const when = `${day(tradedate)}${minute && ` ${minute.slice(0, 2)}:${minute.slice(2)}`}`
  const word =
    side === 'buy' ? html`<td class="up">${sheet.say('buy')}</td>` : html`<td class="down">${sheet.say('sell')}</td>`
  return html`<tr><td>${when}</td><td>${instrument(sheet, symbol)}</td>${word}<td>${formatCount(shares)}</td><td>${fixed(price, 3)}</td><td>${fixed(amount, 2)}</td><td>${fixed(commission + stamp + transfer, 2)}</td></tr>
`
}

/** Every fill, folded; undefined where none are known. */
export function fillsSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.fills) return undefined
  const title = say(fact('FILLS', 'Fills'))
  const all = fillsOf(run)
  if (all.length === 0) return { id: 'fills', title, body: html`<p class="absent">${say('None.')}</p>` }
  const cut = all.length > most && html`<p class="note">${say`The last ${formatCount(most)} are listed.`}</p>\n`
  const heads = [
    say('day'),
    say('instrument'),
    say(fact('PLAN_WORDS', 'side')),
    say(fact('HOLDINGS', 'shares')),
    say('price'),
    say(fact('PLAN_WORDS', 'amount')),
    say('fees'),
  ]
  const body = html`${cut}<details><summary>${say`All ${formatCount(all.length)} fills`}</summary>
<div class="wide fills" role="group" aria-label="${title}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${all.slice(-most).map((fill) => fillRow(sheet, fill))}</tbody></table></div>
</details>
`
  return { id: 'fills', title, body }
}
