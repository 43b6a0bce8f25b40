import type { Say } from '../../../contract/say.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { chartFigure } from '../chart-figure.js'
import { day } from '../format-number.js'
import { grid, type Html } from '../html.js'
import { lineSeries } from '../plot.js'
import { onceOf } from '../report-day.js'
import { recordsOf } from '../report-tables.js'
import { compareTexts, moneyIn } from '../report-words.js'
import type { ReportSection } from './report-section.js'

/** Days drawn at most. */
const most = 250

/** The balances of the days that are drawn, the oldest first. */
const balancesOf = onceOf(({ of }) => {
  const { table } = of('transfer_financing') ?? {}
  if (!table) return undefined
  const all = recordsOf(
    table,
    ['tradedate'],
    ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'],
  )
  return all.sort((a, b) => compareTexts(a.tradedate, b.tradedate)).slice(-most)
})

type Balances = NonNullable<ReturnType<typeof balancesOf>>

/** The latest balance and what it moved by, in a sentence. */
function financingSaid(all: Balances, say: Say): string {
  const { unit, write, signed } = moneyIn('yuan', say)
  const { tradedate, opening_balance: start = Number.NaN, closing_balance: end } = all.at(-1) ?? {}
  const moved = end === undefined ? '' : signed(exactDifference(end, start))
  return say`At the end of ${day(tradedate)}: ${write(end)} ${unit}, ${moved} on the day.`
}

function balanceFigure(all: Balances, say: Say): Promise<Html> {
  const { unit, power, digits, write } = moneyIn('yuan', say)
  const title = say('Refinancing balance by day')
  const amount = (text: string, name: Exclude<keyof Balances[number], 'tradedate'>) =>
    grid.number(text, unit, (one: Balances[number]) => write(one[name]))
  const closing = all.map(({ closing_balance: value }) => value / 10 ** power)
  return chartFigure(say, {
    id: 'financing-chart',
    title,
    desc: financingSaid(all, say),
    x: { dates: all.map(({ tradedate }) => tradedate) },
    panels: [
      { name: `${title} (${unit})`, height: 120, format: { exact: digits }, series: [lineSeries(closing, 'three')] },
    ],
    rows: all,
    columns: [
      grid.text(say('day'), ({ tradedate }: Balances[number]) => day(tradedate)),
      amount(say('opening'), 'opening_balance'),
      amount(say('by auction'), 'auction_amount'),
      amount(say('re-borrowed'), 'reborrow_amount'),
      amount(say('repaid'), 'repayment_amount'),
      amount(say('closing'), 'closing_balance'),
    ],
  })
}

/** The balance of the refinancing of margin loans. */
export const financingSection: ReportSection = {
  title: (say) => say('Refinancing balance'),
  reads: ['transfer_financing'],
  missing: (say) => say('refinancing (transfer_financing)'),
  brief: (today) => {
    const own = balancesOf(today)
    return own && financingSaid(own, today.say)
  },
  body: (today) => {
    const own = balancesOf(today)
    return own && balanceFigure(own, today.say)
  },
}
