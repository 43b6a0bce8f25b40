import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { day, formatCount } from '../format-number.js'
import { gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import { reasonWords } from './reason-words.js'
import type { RunSheet } from './sheet-context.js'
import { instrument } from './sheet-parts.js'

/** Orders that were refused or cut for one reason. */
export interface Refusals {
  readonly reason: string
  readonly buys: number
  readonly sells: number
  readonly wanted: number
  readonly filled: number
  readonly symbols: ReadonlyMap<string, number>
  readonly last: string
}

/** By reason, the most frequent first. */
export function refusalsOf(rejected: Table): Refusals[] {
  const [reasons, sides, symbols, days] = [
    strings(rejected, 'reason'),
    strings(rejected, 'side'),
    strings(rejected, 'symbol'),
    strings(rejected, 'tradedate'),
  ]
  const [wanted, filled] = [numbers(rejected, 'wanted'), numbers(rejected, 'filled')]
  const all = new Map<string, { -readonly [K in keyof Refusals]: Refusals[K] } & { symbols: Map<string, number> }>()
  reasons.forEach((given, row) => {
    const reason = given ?? ''
    const one = all.get(reason) ?? { reason, buys: 0, sells: 0, wanted: 0, filled: 0, symbols: new Map(), last: '' }
    all.set(reason, one)
    one[sides[row] === 'buy' ? 'buys' : 'sells'] += 1
    one.wanted += wanted[row] as number
    one.filled += filled[row] as number
    const symbol = symbols[row] ?? ''
    one.symbols.set(symbol, (one.symbols.get(symbol) ?? 0) + 1)
    one.last = days[row] ?? one.last
  })
  const orders = ({ buys, sells }: Refusals): number => buys + sells
  return [...all.values()].sort((a, b) => orders(b) - orders(a) || (a.reason < b.reason ? -1 : 1))
}

function meaning({ at }: RunSheet, reason: string): string {
  return Object.hasOwn(reasonWords, reason) ? reasonWords[reason as keyof typeof reasonWords][at] : ''
}

function mostOf(symbols: ReadonlyMap<string, number>): [string, number] {
  return [...symbols].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))[0] ?? ['', 0]
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
  gridText(say('reason'), ({ reason }) => html`<code>${reason}</code>`),
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
