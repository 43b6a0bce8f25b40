import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { filter } from '../../../frame/verb/filter.js'
import { netStreaks } from '../../analysis/southbound/net-streaks.js'
import type { Flows } from '../../analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../analysis/southbound/southbound-names.js'
import { day, fixed, formatCount, formatSigned, many } from '../format-number.js'
import { gridNumber, gridPair, gridText, type Html, type HtmlPart, html, outside } from '../html.js'
import { moneyIn, type Say } from '../report-words.js'
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
function stocksOf(top: Table, date: string): Stock[] {
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
export function stocksLine(top: Table, date: string, unit: Flows['unit'], say: Say): HtmlPart {
  const { bought, sold } = sidesOf(stocksOf(top, date))
  const money = moneyIn(unit, say)
  const show = ({ code, name, net }: Stock) =>
    html`${outside(name ?? code)} ${formatSigned(net, money.digits, money.power)}`
  const word = (text: string): string => `${text}${say(`, ${money.unit}`, `（${money.unit}）`)}`
  return [
    briefNames(word(say('Bought most', '净买入居前')), bought, show, say),
    briefNames(word(say('Sold most', '净卖出居前')), sold, show, say),
  ]
}

/** The names bought and sold most on the latest day. */
export function stocksTables(top: Table, date: string, unit: Flows['unit'], say: Say): Html {
  const { bought, sold } = sidesOf(stocksOf(top, date))
  const money = moneyIn(unit, say)
  const columns = [
    gridText(say('code', '代码'), ({ code }: Stock) => code),
    gridText(say('name', '名称'), ({ name }: Stock) => outside(name), 'name'),
    gridNumber(say('net buys', '净买入'), money.unit, ({ net }: Stock) => formatSigned(net, money.digits, money.power)),
    gridNumber(say('turnover', '成交额'), money.unit, ({ turnover }: Stock) =>
      fixed(turnover, money.digits, money.power),
    ),
    gridNumber(say('days running', '连续上榜'), say('days', '日'), ({ run }: Stock) => formatCount(run)),
  ]
  return gridPair(columns, {
    [say('Bought', '净买入居前')]: bought,
    [say('Sold', '净卖出居前')]: sold,
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
  return say(
    ` Up to ${day(date)} both channels together were net ${isBuying ? 'buyers' : 'sellers'} for ${isLeast ? 'at least ' : ''}${many(count, 'day')} in a row, ${amount} in all.`,
    `截至 ${day(date)}，两通道合计${isLeast ? '至少' : '已'}连续 ${formatCount(count)} 日净${isBuying ? '买入' : '卖出'}，累计 ${amount}。`,
  )
}
