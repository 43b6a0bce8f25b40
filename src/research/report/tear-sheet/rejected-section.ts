import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount } from '../format-number.js'
import { gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { instrument } from './sheet-parts.js'

/** Orders that were refused or cut for one reason. */
interface Refusals {
  readonly reason: string
  readonly buys: number
  readonly sells: number
  readonly wanted: number
  readonly filled: number
  readonly symbols: ReadonlyMap<string, readonly number[]>
  readonly last: string
}

/** By reason, the most frequent first. */
function refusalsOf(rejected: Table): Refusals[] {
  const [reasons, sides] = [strings(rejected, 'reason'), strings(rejected, 'side')]
  const [symbols, days] = [strings(rejected, 'symbol'), strings(rejected, 'tradedate')]
  const [wanted, filled] = [numbers(rejected, 'wanted'), numbers(rejected, 'filled')]
  const sum = (rows: readonly number[], values: Float64Array): number =>
    rows.reduce((total, row) => total + (values[row] as number), 0)
  const all = Array.from(
    groupItems(reasons.keys(), (row) => reasons[row] ?? ''),
    ([reason, rows]): Refusals => {
      const buys = rows.filter((row) => sides[row] === 'buy').length
      return {
        reason,
        buys,
        sells: rows.length - buys,
        wanted: sum(rows, wanted),
        filled: sum(rows, filled),
        symbols: groupItems(rows, (row) => symbols[row] ?? ''),
        last: days[rows.findLast((row) => days[row] !== null) ?? -1] ?? '',
      }
    },
  )
  const orders = ({ buys, sells }: Refusals): number => buys + sells
  return all.sort((a, b) => orders(b) - orders(a) || (a.reason < b.reason ? -1 : 1))
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

function mostOf(symbols: Refusals['symbols']): readonly [symbol: string, orders: number] {
  const counts = Array.from(symbols, ([symbol, rows]) => [symbol, rows.length] as const)
  return counts.sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))[0] ?? ['', 0]
}

/** What was not filled, and why. */
export function rejectedSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.rejected) return undefined
  const title = say('What was not filled, and why')
  const list = refusalsOf(run.rejected)
  if (list.length === 0)
    return {
      id: 'rejected',
      title,
      body: html`<p class="absent">${say('Every order was filled.')}</p>`,
    }
  const body = html`<p class="note">${say('Orders that were refused or cut. A decision lives for one bar.')}</p>
${htmlGrid(title, list, [
  gridText(say('reason'), ({ reason }) =>
    say.language === 'en' ? html`<code>${reason}</code>` : refusalIn(reason, say)[0],
  ),
  gridText(say(fact('REJECTED_SECTION', 'meaning')), ({ reason }) => refusalIn(reason, say)[1], 'reason'),
  gridNumber(say('buys'), undefined, ({ buys }) => formatCount(buys)),
  gridNumber(say('sells'), undefined, ({ sells }) => formatCount(sells)),
  gridNumber(say('shares wanted'), undefined, ({ wanted }) => formatCount(wanted)),
  gridNumber(say('of them filled'), undefined, ({ filled }) => formatCount(filled)),
  gridText(
    say('most often'),
    ({ symbols }) => {
      const [symbol, count] = mostOf(symbols)
      return html`${instrument(sheet, symbol)} × ${formatCount(count)}`
    },
    'name',
  ),
  gridText(say(fact('REJECTED_SECTION', 'last day')), ({ last }) => day(last)),
])}`
  return { id: 'rejected', title, body }
}
