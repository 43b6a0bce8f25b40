import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, formatSigned } from '../format-number.js'
import { gridDays, gridValues, type Html } from '../html.js'
import { lineSeries } from '../plot.js'
import { moneyIn } from '../report-words.js'
import type { ReportSection } from './report-section.js'

/** Days drawn at most. */
const most = 250

/** Rows of the days that are drawn, the oldest first. */
function rowsByDay(table: Table): { readonly days: readonly string[]; readonly order: readonly number[] } {
  const days = strings(table, 'tradedate').map((date) => date ?? '')
  return { days, order: [...days.keys()].sort((a, b) => ((days[a] ?? '') < (days[b] ?? '') ? -1 : 1)).slice(-most) }
}

/** The latest balance and what it moved by, in a sentence. */
function financingSaid(table: Table, say: Say): string {
  const { unit, power, digits } = moneyIn('yuan', say)
  const { days, order } = rowsByDay(table)
  const last = order.at(-1) ?? -1
  const [end, start] = ['closing_balance', 'opening_balance'].map((name) => numbers(table, name)[last])
  const moved = end === undefined ? '' : formatSigned(exactDifference(end, start as number), digits, power)
  const [date, written] = [day(days[last]), fixed(end, digits, power)]
  return say`At the end of ${date}: ${written} ${unit}, ${moved} on the day.`
}

function balanceFigure(table: Table, say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn('yuan', say)
  const written = (value: number | undefined): string => fixed(value, digits, power)
  const { days, order } = rowsByDay(table)
  const column = (name: string): number[] => {
    const values = numbers(table, name)
    return order.map((row) => values[row] as number)
  }
  const [dates, closing, opening] = [
    order.map((row) => days[row] ?? ''),
    column('closing_balance'),
    column('opening_balance'),
  ]
  const title = say('Refinancing balance by day')
  const amount = (text: string, values: readonly number[]) => gridValues(text, unit, values, written)
  return chartFigure(say, {
    id: 'financing-chart',
    title,
    desc: financingSaid(table, say),
    x: { dates },
    panels: [
      {
        name: `${title} (${unit})`,
        height: 120,
        format: { exact: digits },
        series: [
          lineSeries(
            closing.map((value) => value / 10 ** power),
            'three',
          ),
        ],
      },
    ],
    rows: [...dates.keys()],
    columns: [
      gridDays(say('day'), dates),
      amount(say('opening'), opening),
      amount(say('by auction'), column('auction_amount')),
      amount(say('re-borrowed'), column('reborrow_amount')),
      amount(say('repaid'), column('repayment_amount')),
      amount(say('closing'), closing),
    ],
  })
}

/** The balance of the refinancing of margin loans. */
export const financingSection: ReportSection = {
  title: (say) => say('Refinancing balance'),
  reads: ['transfer_financing'],
  missing: (say) => say('refinancing (transfer_financing)'),
  brief: ({ say, of }) => {
    const own = of('transfer_financing')
    return own && financingSaid(own.table, say)
  },
  body: ({ say, of }) => {
    const own = of('transfer_financing')
    return own && balanceFigure(own.table, say)
  },
}
