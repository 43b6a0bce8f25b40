import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { day, formatCount } from '../format-number.js'
import { gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import { instrument } from './sheet-parts.js'
import { chineseReasons, reasonWords } from './sheet-words.js'

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

function meaning({ at }: RunSheet, reason: string): string {
  return Object.hasOwn(reasonWords, reason) ? reasonWords[reason as keyof typeof reasonWords][at] : ''
}

function mostOf(symbols: Refusals['symbols']): readonly [symbol: string, orders: number] {
  const counts = Array.from(symbols, ([symbol, rows]) => [symbol, rows.length] as const)
  return counts.sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))[0] ?? ['', 0]
}

/** What was not filled, and why. */
export function rejectedSection(sheet: RunSheet): Section | undefined {
  const { say, run } = sheet
  if (!run?.rejected) return undefined
  const title = say('rejected')
  const list = refusalsOf(run.rejected)
  if (list.length === 0) return { id: 'rejected', title, body: html`<p class="absent">${say('rejected none')}</p>` }
  const body = html`<p class="note">${say('rejected note')}</p>
${htmlGrid(title, list, [
  gridText(say('reason'), ({ reason }) =>
    sheet.at === 0 ? html`<code>${reason}</code>` : (chineseReasons[reason] ?? reason),
  ),
  gridText(say('meaning'), ({ reason }) => meaning(sheet, reason), 'reason'),
  gridNumber(say('buys'), undefined, ({ buys }) => formatCount(buys)),
  gridNumber(say('sells'), undefined, ({ sells }) => formatCount(sells)),
  gridNumber(say('wanted'), undefined, ({ wanted }) => formatCount(wanted)),
  gridNumber(say('filled'), undefined, ({ filled }) => formatCount(filled)),
  gridText(
    say('most often'),
    ({ symbols }) => {
      const [symbol, count] = mostOf(symbols)
      return html`${instrument(sheet, symbol)} × ${formatCount(count)}`
    },
    'name',
  ),
  gridText(say('last day'), ({ last }) => day(last)),
])}`
  return { id: 'rejected', title, body }
}
