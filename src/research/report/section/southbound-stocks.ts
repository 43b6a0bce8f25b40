import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { filter } from '../../../frame/verb/filter.js'
import { netStreaks } from '../../analysis/southbound/net-streaks.js'
import type { Flows } from '../../analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../analysis/southbound/southbound-names.js'
import { day, fixed, formatCount, formatSigned, many } from '../format-number.js'
import { gridNumber, gridPair, gridText, type Html, type HtmlPart, html, outside } from '../html.js'
import { moneyIn } from '../report-words.js'
import { briefNames } from './report-section.js'

interface Stock {
  readonly code: string
  readonly name: string | null
  readonly net: number
  readonly turnover: number
  /** Days in a row in the lists, up to this one. */
  readonly run: number
}

/** The stocks in the lists of the latest day, by net buys. */
export function stocksOf(top: Table, date: string): Stock[] {
  const today = southboundNames(filter(top, ({ trade_date }) => trade_date === date) as Table)
  const all = southboundNames(top)
  const runs = numbers(all, 'current_run')
  const runOf = new Map(strings(all, 'code').map((one, row) => [one, runs[row] as number]))
  const [name, net, turnover] = [strings(today, 'name'), numbers(today, 'net'), numbers(today, 'turnover')]
  const stocks = strings(today, 'code').map(
    (code, row): Stock => ({
      code: code ?? '',
      name: name[row] ?? null,
      net: net[row] as number,
      turnover: turnover[row] as number,
      run: runOf.get(code) ?? 0,
    }),
  )
  return stocks.filter((one) => !Number.isNaN(one.net)).sort((a, b) => b.net - a.net || (a.code < b.code ? -1 : 1))
}

/** Stocks listed of each side at most. */
const most = 10

const sidesOf = (stocks: readonly Stock[]) => ({
  bought: stocks.filter(({ net }) => net > 0).slice(0, most),
  sold: stocks
    .filter(({ net }) => net < 0)
    .slice(-most)
    .reverse(),
})

/** The first of them in a line. */
export function stocksLine(stocks: readonly Stock[], unit: Flows['unit'], say: Say): HtmlPart {
  const { bought, sold } = sidesOf(stocks)
  const money = moneyIn(unit, say)
  const show = ({ code, name, net }: Stock) =>
    html`${outside(name ?? code)} ${formatSigned(net, money.digits, money.power)}`
  const word = (text: string): string => `${text}${say`, ${money.unit}`}`
  return [briefNames(word(say('Bought most')), bought, show, say), briefNames(word(say('Sold most')), sold, show, say)]
}

/** The names bought and sold most on the latest day. */
export function stocksTables(stocks: readonly Stock[], unit: Flows['unit'], say: Say): Html {
  const { bought, sold } = sidesOf(stocks)
  const money = moneyIn(unit, say)
  const columns = [
    gridText(say('code'), ({ code }: Stock) => code),
    gridText(say('name'), ({ name }: Stock) => outside(name), 'name'),
    gridNumber(say('net buys'), money.unit, ({ net }: Stock) => formatSigned(net, money.digits, money.power)),
    gridNumber(say(fact('SOUTHBOUND_STOCKS', 'turnover')), money.unit, ({ turnover }: Stock) =>
      fixed(turnover, money.digits, money.power),
    ),
    gridNumber(say('days running'), say(fact('SOUTHBOUND_STOCKS', 'days')), ({ run }: Stock) => formatCount(run)),
  ]
  return gridPair(columns, {
    [say('Bought')]: bought,
    [say('Sold')]: sold,
  })
}

/** The run of days with one sign that reaches the latest day, by channel. */
export function streakSentence(flows: Flows, date: string, say: Say): string {
  const table = netStreaks(flows)
  const money = moneyIn(flows.unit, say)
  const [channel, side, end, cut] = ['channel', 'side', 'end', 'cut'].map((name) => strings(table, name))
  const [days, net] = [numbers(table, 'days'), numbers(table, 'net')]
  const row = (channel ?? []).findIndex((one, i) => one === 'both' && end?.[i] === date)
  if (row < 0) return ''
  const count = days[row] as number
  const amount = `${formatSigned(net[row], money.digits, money.power)} ${money.unit}`
  const isLeast = cut?.[row] === 'start' || cut?.[row] === 'both'
  const isBuying = side?.[row] === 'buying'
  const who = isBuying ? say('buyers') : say('sellers')
  return say` Up to ${day(date)} both channels together were net ${who} for ${isLeast ? say('at least ') : ''}${many(count, 'day')} in a row, ${amount} in all.`
}
