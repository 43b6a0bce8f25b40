import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { day, fixed, formatSigned } from '../format-number.js'
import { gridDays, gridValues, type Html } from '../html.js'
import { lineSeries } from '../plot.js'
import { filled } from '../report-tables.js'
import { moneyIn, type Say } from '../report-words.js'
import { type ReportSection, reportFigure } from './report-section.js'

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
  return say(
    `At the end of ${date}: ${written} ${unit}, ${moved} on the day.`,
    `${date} 日终余额 ${written} ${unit}，当日变动 ${moved}。`,
  )
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
  const title = say('Refinancing balance by day', '转融资余额（逐日）')
  const amount = (text: string, values: readonly number[]) => gridValues(text, unit, values, written)
  return reportFigure(say, {
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
      gridDays(say('day', '日期'), dates),
      amount(say('opening', '期初余额'), opening),
      amount(say('by auction', '竞价融出'), column('auction_amount')),
      amount(say('re-borrowed', '续借'), column('reborrow_amount')),
      amount(say('repaid', '归还'), column('repayment_amount')),
      amount(say('closing', '期末余额'), closing),
    ],
  })
}

/** The balance of the refinancing of margin loans. */
export const financingSection: ReportSection = {
  title: ['Refinancing balance', '转融资余额'],
  missing: ['refinancing (transfer_financing)', '转融资汇总（transfer_financing）'],
  brief: ({ tables }, say) => {
    const table = filled(tables.transfer_financing)
    return table && financingSaid(table, say)
  },
  body: ({ tables }, say) => {
    const table = filled(tables.transfer_financing)
    return table && balanceFigure(table, say)
  },
}
