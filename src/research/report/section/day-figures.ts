import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { type AgainstPast, againstPast, type DaySeries, sumsByDay, windows } from '../day-series.js'
import { datesOf, onceOf, type ReportDay } from '../report-day.js'
import { moneyIn } from '../report-words.js'

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
  readonly label: (say: Say) => string
  /** An amount in billions, or another unit. */
  readonly unit: 'money' | ((say: Say) => string)
  readonly digits?: number
  readonly isSigned?: true
  readonly series: (of: Pick<ReportDay, 'of' | 'flows'>) => DaySeries
}

const percent = (): string => '%'
const points = (say: Say): string => say('points')

// biome-ignore format: a table, one figure a line
const rules: readonly FigureRule[] = [
  { id: 'index', label: (say) => say('All A shares, equal weight'), unit: percent, isSigned: true, source: 'theme_daily', series: ({ of }) => indexSeries(of('theme_daily')?.table, '全A等权', 'pct_chg') },
  { id: 'breadth', label: (say) => say('Advances–declines index (涨跌家数)'), unit: points, digits: 0, source: 'theme_daily', series: ({ of }) => indexSeries(of('theme_daily')?.table, '涨跌家数', 'close') },
  { id: 'limits', label: (say) => say('Price-limit index (停板家数)'), unit: points, digits: 0, source: 'theme_daily', series: ({ of }) => indexSeries(of('theme_daily')?.table, '停板家数', 'close') },
  { id: 'premium', label: (say) => say('Median conversion premium'), unit: percent, source: 'convertible_daily', series: ({ of }) => medianPremiums(of('convertible_daily')?.table) },
  { id: 'southbound', label: (say) => say('Southbound top ten, net buys'), unit: 'money', isSigned: true, source: 'southbound_top10', series: ({ flows }) => southboundNets(flows?.flows.table) },
  { id: 'etf', label: (say) => say('ETF turnover'), unit: 'money', source: 'etf_minute', series: ({ of }) => barTurnover(of('etf_minute')?.table) },
  { id: 'financing', label: (say) => say('Refinancing balance'), unit: 'money', source: 'transfer_financing', series: ({ of }) => closingBalances(of('transfer_financing')?.table) },
]

/** The number of a figure beside the days before it; of ETFs, whose earlier bars are not read, those of the report alone. */
function pastOf(today: ReportDay): (rule: FigureRule) => AgainstPast | undefined {
  const { days } = today
  const earlier = { ...datesOf(today.earlier ?? { tables: {} }), flows: today.earlier?.flows }
  const short = [...new Set(windows.map((window) => Math.min(window, days.length)))]
  return ({ id, series }) => {
    const own = series(today)
    if (id === 'etf' && earlier.days.length > 0) return againstPast(own, days, short)
    return own.size > 0 ? againstPast(new Map([...series(earlier), ...own]), [...earlier.days, ...days]) : undefined
  }
}

/** The figures of the day: six, the first of these that the source has, and of the others what is missing. */
export const dayFigures = onceOf((today): readonly DayFigure[] => {
  const { say, flows } = today
  const past = pastOf(today)
  const all = rules.map((rule): DayFigure => {
    const { id, label, unit, digits = 2, isSigned = false, source } = rule
    const currency = id === 'southbound' ? (flows?.flows.unit ?? 'yuan') : 'yuan'
    const form = unit === 'money' ? moneyIn(currency, say) : { unit: unit(say), power: 0, digits }
    return { id, label: label(say), ...form, isSigned, source, past: past(rule) }
  })
  const there = all.filter((one) => one.past !== undefined)
  const chosen = [...there, ...all.filter((one) => one.past === undefined)].slice(0, 6)
  return all.filter((one) => chosen.includes(one))
})
