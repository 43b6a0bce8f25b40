import type { Table } from 'apache-arrow'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { type AgainstPast, againstPast, type DaySeries, sumsByDay, windows } from '../day-series.js'
import { coveredDays, filled, type ReportInput } from '../report-tables.js'
import { moneyIn, type Say } from '../report-words.js'

/** A number that says what the day was, and how it is written. */
export interface DayFigure {
  readonly id: 'index' | 'breadth' | 'limits' | 'premium' | 'southbound' | 'etf' | 'financing'
  readonly label: string
  readonly unit: string
  readonly digits: number
  /** The number is shown divided by 10^power. */
  readonly power: number
  readonly isSigned: boolean
  /** Where it is read. */
  readonly source: string
  /** Undefined where the source has none. */
  readonly past: AgainstPast | undefined
}

/** One column of a statistical index by day. */
export function indexSeries(table: Table | undefined, index: string, column: 'close' | 'pct_chg'): DaySeries {
  if (!table) return new Map()
  const [name, date, values] = [dictionary(table, 'name'), strings(table, 'tradedate'), numbers(table, column)]
  const code = name.words.indexOf(index)
  const rows: [string, number][] = []
  name.codes.forEach((own, row) => {
    if (code >= 0 && own === code) rows.push([date[row] ?? '', values[row] as number])
  })
  return new Map(rows)
}

/** Premiums over the conversion value of the bonds of each day, those that have one. */
export function premiumsByDay(table: Table): ReadonlyMap<string, readonly number[]> {
  const [date, premium] = [strings(table, 'tradedate'), numbers(table, 'cb_over_rate')]
  const byDay = new Map<string, number[]>()
  date.forEach((day, row) => {
    if (day === null) return
    const list = byDay.get(day) ?? []
    byDay.set(day, list)
    if (!Number.isNaN(premium[row])) list.push(premium[row] as number)
  })
  return byDay
}

export function medianPremiums(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  return new Map(
    Array.from(premiumsByDay(table), ([day, list]) => [day, list.length > 0 ? quantile(list, 0.5) : Number.NaN]),
  )
}

/** Net buys of both channels by day; NaN on a day on which only one is known. */
function southboundNets(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  const [date, channel, net] = [strings(table, 'trade_date'), strings(table, 'channel'), numbers(table, 'net')]
  const days = new Map<string, number>()
  date.forEach((day, row) => {
    if (day === null) return
    if (channel[row] === 'both') days.set(day, net[row] as number)
    else if (!days.has(day)) days.set(day, Number.NaN)
  })
  return days
}

/** Turnover of all bars of a day. */
export function barTurnover(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  const date = dictionary(table, 'tradedate')
  return sumsByDay(date.codes, date.words, numbers(table, 'amount'))
}

function closingBalances(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  const [date, balance] = [strings(table, 'tradedate'), numbers(table, 'closing_balance')]
  return new Map(date.map((day, row) => [day ?? '', balance[row] as number]))
}

/** A figure as it is declared: what it is called, how it is written, and its number by day. */
interface FigureRule extends Pick<DayFigure, 'id' | 'source'> {
  readonly label: readonly [en: string, zh: string]
  /** An amount in billions, or another unit. */
  readonly unit: 'money' | readonly [en: string, zh: string]
  readonly digits?: number
  readonly isSigned?: true
  readonly series: (input: Pick<ReportInput, 'tables' | 'flows'>) => DaySeries
}

const percent = ['%', '%'] as const
const points = ['points', '点'] as const

// biome-ignore format: a table, one figure a line
const rules: readonly FigureRule[] = [
  { id: 'index', label: ['All A shares, equal weight', '全A等权 涨跌幅'], unit: percent, isSigned: true, source: 'theme_daily', series: ({ tables }) => indexSeries(filled(tables.theme_daily), '全A等权', 'pct_chg') },
  { id: 'breadth', label: ['Advances–declines index (涨跌家数)', '涨跌家数'], unit: points, digits: 0, source: 'theme_daily', series: ({ tables }) => indexSeries(filled(tables.theme_daily), '涨跌家数', 'close') },
  { id: 'limits', label: ['Price-limit index (停板家数)', '停板家数'], unit: points, digits: 0, source: 'theme_daily', series: ({ tables }) => indexSeries(filled(tables.theme_daily), '停板家数', 'close') },
  { id: 'premium', label: ['Median conversion premium', '转股溢价率中位数'], unit: percent, source: 'convertible_daily', series: ({ tables }) => medianPremiums(filled(tables.convertible_daily)) },
  { id: 'southbound', label: ['Southbound top ten, net buys', '港股通十大成交净买入'], unit: 'money', isSigned: true, source: 'southbound_top10', series: ({ flows }) => southboundNets(filled(flows?.flows.table)) },
  { id: 'etf', label: ['ETF turnover', 'ETF 成交额'], unit: 'money', source: 'etf_minute', series: ({ tables }) => barTurnover(filled(tables.etf_minute)) },
  { id: 'financing', label: ['Refinancing balance', '转融资余额'], unit: 'money', source: 'transfer_financing', series: ({ tables }) => closingBalances(filled(tables.transfer_financing)) },
]

/** The number of a figure beside the days before it; of ETFs, whose earlier bars are not read, those of the report alone. */
function pastOf(input: ReportInput): (rule: FigureRule) => AgainstPast | undefined {
  const { earlier = { tables: {} } } = input
  const [first, shown] = [coveredDays(earlier), coveredDays(input)]
  const short = [...new Set(windows.map((window) => Math.min(window, shown.length)))]
  return ({ id, series }) => {
    const own = series(input)
    if (id === 'etf' && first.length > 0) return againstPast(own, shown, short)
    return own.size > 0 ? againstPast(new Map([...series(earlier), ...own]), [...first, ...shown]) : undefined
  }
}

/** The figures of the day: six, the first of these that the source has, and of the others what is missing. */
export function dayFigures(input: ReportInput, say: Say): DayFigure[] {
  const past = pastOf(input)
  const all = rules.map((rule): DayFigure => {
    const { id, label, unit, digits = 2, isSigned = false, source } = rule
    const currency = id === 'southbound' ? (input.flows?.flows.unit ?? 'yuan') : 'yuan'
    const form = unit === 'money' ? moneyIn(currency, say) : { unit: say(...unit), power: 0, digits }
    return { id, label: say(...label), ...form, isSigned, source, past: past(rule) }
  })
  const there = all.filter(({ past }) => past !== undefined)
  const chosen = [...there, ...all.filter(({ past }) => past === undefined)].slice(0, 6)
  return all.filter((one) => chosen.includes(one))
}
