import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { day, fixed, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html } from '../html.js'
import { moneyIn } from '../money-words.js'
import { plotPair } from '../plot.js'
import type { Say } from '../report-language.js'
import { filled } from '../report-tables.js'
import { dayFigure, type ReportSection } from './report-section.js'

/** Days drawn at most. */
const most = 250

interface Balance {
  readonly date: string
  readonly opening: number
  readonly auction: number
  readonly reborrow: number
  readonly repaid: number
  readonly closing: number
}

function balancesOf(table: Table): Balance[] {
  const date = strings(table, 'tradedate')
  const column = (name: string): Float64Array => numbers(table, name)
  const [opening, closing] = [column('opening_balance'), column('closing_balance')]
  const [auction, reborrow, repaid] = [column('auction_amount'), column('reborrow_amount'), column('repayment_amount')]
  const all = date.map(
    (own, row): Balance => ({
      date: own ?? '',
      opening: opening[row] as number,
      auction: auction[row] as number,
      reborrow: reborrow[row] as number,
      repaid: repaid[row] as number,
      closing: closing[row] as number,
    }),
  )
  return all.sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-most)
}

async function balanceFigure(balances: readonly Balance[], say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn('yuan', say)
  const written = (value: number | undefined): string => fixed(value, digits, power)
  const last = balances.at(-1)
  const moved = last ? formatSigned(exactDifference(last.closing, last.opening), digits, power) : ''
  const said = say(
    `Refinancing balance at the end of ${day(last?.date)}: ${written(last?.closing)} ${unit}, ${moved} on the day.`,
    `${day(last?.date)} 日终转融资余额 ${written(last?.closing)} ${unit}，当日变动 ${moved}。`,
  )
  const title = say('Refinancing balance by day', '转融资余额（逐日）')
  const at = balances.map(({ closing }, place) => plotPair(place, closing / 10 ** power))
  const panel = { name: `${title} (${unit})`, height: 120, series: [{ kind: 'line', at, ink: 'three' } as const] }
  const amount = (text: string, name: Exclude<keyof Balance, 'date'>) =>
    gridNumber(text, unit, (place: number) => written(balances[place]?.[name]))
  const columns = [
    gridText(say('day', '日期'), (place: number) => day(balances[place]?.date)),
    amount(say('opening', '期初余额'), 'opening'),
    amount(say('by auction', '竞价融出'), 'auction'),
    amount(say('re-borrowed', '续借'), 'reborrow'),
    amount(say('repaid', '归还'), 'repaid'),
    amount(say('closing', '期末余额'), 'closing'),
  ]
  const dates = balances.map(({ date }) => date)
  return dayFigure({ id: 'financing-chart', title, said, dates, panel }, columns, say)
}

/** The balance of the refinancing of margin loans. */
export const financingSection: ReportSection = {
  title: ['Refinancing balance', '转融资余额'],
  missing: ['refinancing (transfer_financing)', '转融资汇总（transfer_financing）'],
  body: ({ tables }, say) => {
    const table = filled(tables.transfer_financing)
    return table && balanceFigure(balancesOf(table), say)
  },
}
