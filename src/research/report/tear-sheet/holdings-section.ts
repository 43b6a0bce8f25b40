import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { fixed, formatCount, formatSigned } from '../format-number.js'
import { grid, html, htmlGrid, risen, type Section } from '../html.js'
import { recordsOf } from '../report-tables.js'
import { fillsOf } from './fills-section.js'
import type { RunSheet } from './sheet-context.js'
import { instrument, percentText, signedPercent } from './sheet-parts.js'
import { weightsStrip } from './weights-strip.js'

type Filled = Pick<
  ReturnType<typeof fillsOf>[number],
  'tradedate' | 'symbol' | 'side' | 'shares' | 'amount' | 'commission' | 'stamp' | 'transfer'
>
interface Happened {
  readonly tradedate: string
  readonly symbol: string
  readonly before: number
  readonly after: number
  readonly cash: number
}

/** Yuan that went into what is held of each code at the end, less what came back of it: purchases and costs, sales, dividends. */
export function paidByCode(fills: readonly Filled[], events: readonly Happened[]): ReadonlyMap<string, number> {
  const moves = fills.map(({ tradedate, symbol, side, shares, amount, commission, stamp, transfer }) => {
    const sign = side === 'buy' ? 1 : -1
    return { tradedate, symbol, shares: sign * shares, paid: sign * amount + commission + stamp + transfer }
  })
  const given = events.map(({ before, after, cash, ...one }) => ({ ...one, shares: after - before, paid: -cash }))
  const paid = new Map<string, number>()
  for (const [symbol, own] of groupItems([...given, ...moves], (one) => one.symbol)) {
    let [held, sum] = [0, 0]
    // What comes of ex-rights is there before the fills of its day.
    for (const one of own.sort((a, b) => (a.tradedate < b.tradedate ? -1 : a.tradedate > b.tradedate ? 1 : 0))) {
      if (held === 0) sum = 0
      held += one.shares
      sum += one.paid
    }
    paid.set(symbol, sum)
  }
  return paid
}

/** What is held at the end, with what was paid for it and what it gained; undefined where only a curve is known. */
export async function holdingsSection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run, own } = sheet
  if (!run?.positions || !run.fills) return undefined
  const [last, equity] = [own.days.at(-1), run.equity[own.days.length - 1] as number]
  const all = recordsOf(run.positions, ['tradedate', 'symbol'], ['shares', 'value'])
  const events = run.events ? recordsOf(run.events, ['tradedate', 'symbol'], ['before', 'after', 'cash']) : []
  const paid = paidByCode(fillsOf(run), events)
  const rows = all
    .filter(({ tradedate }) => tradedate === last)
    .map((one) => ({ ...one, cost: paid.get(one.symbol) ?? Number.NaN }))
    .sort((a, b) => b.value - a.value)
  const title = say('Holdings at the end')
  const strip = run.account && (await weightsStrip(sheet, run.account))
  if (rows.length === 0)
    return { id: 'holdings', title, body: html`<p class="absent">${say('Nothing is held.')}</p>${strip}` }
  const note = say(
    'Cost: what was paid for what is held, fees included, less what was sold of it and what it paid out. Weight: share of equity.',
  )
  const body = html`<p class="note">${note}</p>
${htmlGrid(title, rows, [
  grid.text(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'name'),
  grid.number(say(fact('HOLDINGS', 'shares')), undefined, ({ shares }) => formatCount(shares)),
  grid.number(say('cost'), say('yuan a share'), ({ cost, shares }) => fixed(cost / shares, 3)),
  grid.number(say(fact('HOLDINGS', 'close')), say('yuan'), ({ value, shares }) => fixed(value / shares, 3)),
  grid.number(say(fact('HOLDINGS', 'value')), say('yuan'), ({ value }) => fixed(value, 2)),
  grid.number(say('gain'), say('yuan'), ({ value, cost }) => risen(value - cost, formatSigned(value - cost, 2))),
  grid.number(say('gain'), '%', ({ value, cost }) => risen(value - cost, signedPercent(value / cost - 1))),
  grid.number(say('weight'), undefined, ({ value }) => percentText(value / equity)),
])}${strip}`
  return { id: 'holdings', title, body }
}
