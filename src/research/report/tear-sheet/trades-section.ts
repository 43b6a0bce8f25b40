import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount, signedTwo } from '../format-number.js'
import { grid, type Html, html, htmlGrid, type Section } from '../html.js'
import { recordsOf } from '../report-tables.js'
import { compareTexts } from '../report-words.js'
import { type SheetTrip, sheetTrips } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'
import { instrument } from './sheet-parts.js'

/** Orders that were refused or cut, by reason, the most frequent first. */
function refusalsOf(rejected: Table) {
  const rows = recordsOf(rejected, ['reason', 'side', 'symbol', 'tradedate'], ['wanted', 'filled'])
  const all = Array.from(
    groupItems(rows, ({ reason }) => reason),
    ([reason, orders]) => ({
      reason,
      orders,
      buys: orders.filter(({ side }) => side === 'buy').length,
      wanted: orders.reduce((sum, one) => sum + one.wanted, 0),
      filled: orders.reduce((sum, one) => sum + one.filled, 0),
      last: orders.findLast(({ tradedate }) => tradedate !== '')?.tradedate,
    }),
  )
  return all.sort((a, b) => b.orders.length - a.orders.length || compareTexts(a.reason, b.reason))
}

/** Why an order was not filled, by the word that the table of refusals has: that word, and what it means. */
// biome-ignore format: a table, one reason a line
const refusalWords: Readonly<Record<string, (say: Say) => readonly [word: string, meaning: string]>> = {
  suspended: (say) => [say('suspended'), say('No price at that moment: suspended, or no row.')],
  'limit-up': (say) => [say('limit-up'), say('The price stood at its upper limit: nobody sells.')],
  'limit-down': (say) => [say('limit-down'), say('The price stood at its lower limit: nobody buys.')],
  outside: (say) => [say('outside'), say("The price lay beyond the day's other limit: nobody trades there.")],
  volume: (say) => [say('volume'), say('More than the share of the bar’s volume, or no volume.')],
  cash: (say) => [say('cash'), say('The cash paid for fewer lots, or none.')],
  lot: (say) => [say('lot'), say('Less than one lot, or an odd rest.')],
  'T+1': (say) => [say('T+1'), say('Bought today, so it can not be sold before tomorrow.')],
  price: (say) => [say(fact('REJECTED_SECTION', 'price')), say('The bar did not trade through the limit of the order.')],
  'not-listed': (say) => [say('not-listed'), say('Not listed yet.')],
  delisted: (say) => [say('delisted'), say('No longer listed.')],
  gap: (say) => [say('gap'), say('The price jumped beyond its limits and nothing explains it: the position is stopped.')],
  'not-held': (say) => [say('not-held'), say('Nothing of it was held.')],
}

/** Why an order was not filled: a word, and what it means; a word that is not known stands for itself. */
export function refusalIn(reason: string, say: Say): readonly [word: string, meaning: string] {
  return (Object.hasOwn(refusalWords, reason) && refusalWords[reason]?.(say)) || [reason, '']
}

function mostOf(orders: readonly { readonly symbol: string }[]): readonly [symbol: string, orders: number] {
  const counts = Array.from(
    groupItems(orders, ({ symbol }) => symbol),
    ([symbol, own]) => [symbol, own.length] as const,
  )
  return counts.sort(([a, one], [b, two]) => two - one || compareTexts(a, b))[0] ?? ['', 0]
}

/** What was not filled, and why. */
export function rejectedSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.rejected) return undefined
  const title = say('What was not filled, and why')
  const list = refusalsOf(run.rejected)
  if (list.length === 0) {
    return { id: 'rejected', title, body: html`<p class="absent">${say('Every order was filled.')}</p>` }
  }
  const body = html`<p class="note">${say('Orders that were refused or cut. A decision lives for one bar.')}</p>
${htmlGrid(title, list, [
  grid.text(say('reason'), ({ reason }) =>
    say.language === 'en' ? html`<code>${reason}</code>` : refusalIn(reason, say)[0],
  ),
  grid.text(say(fact('REJECTED_SECTION', 'meaning')), ({ reason }) => refusalIn(reason, say)[1], 'reason'),
  grid.number(say('buys'), undefined, ({ buys }) => formatCount(buys)),
  grid.number(say('sells'), undefined, ({ orders, buys }) => formatCount(orders.length - buys)),
  grid.number(say('shares wanted'), undefined, ({ wanted }) => formatCount(wanted)),
  grid.number(say('of them filled'), undefined, ({ filled }) => formatCount(filled)),
  grid.text(
    say('most often'),
    ({ orders }) => {
      const [symbol, count] = mostOf(orders)
      return html`${instrument(sheet, symbol)} × ${formatCount(count)}`
    },
    'name',
  ),
  grid.text(say(fact('REJECTED_SECTION', 'last day')), ({ last }) => day(last)),
])}`
  return { id: 'rejected', title, body }
}

const most = 10

function tripTable(sheet: RunSheet, title: string, trips: readonly SheetTrip[]): Html {
  const { say } = sheet
  const table = htmlGrid(title, trips, [
    grid.text(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
    grid.text(say('opened'), ({ opened }) => day(opened)),
    grid.text(say('closed'), ({ closed }) => day(closed)),
    grid.number(say(fact('TRADES_SECTION', 'trading days')), undefined, ({ held }) => formatCount(held)),
    grid.change(say('result'), say('yuan'), ({ pnl }) => pnl, signedTwo),
  ])
  const none = html`<p class="absent">${say('None.')}</p>
`
  return html`<h3>${title}</h3>
${trips.length > 0 ? table : none}`
}

/** The best and worst round trips. */
export function tradesSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.trips) return undefined
  const trips = sheetTrips(run)
  const best = trips.filter(({ pnl }) => pnl > 0).slice(0, most)
  const worst = trips
    .filter(({ pnl }) => pnl < 0)
    .reverse()
    .slice(0, most)
  const body = [tripTable(sheet, say('Best round trips'), best), tripTable(sheet, say('Worst round trips'), worst)]
  return { id: 'trades', title: say('Trades'), body }
}
