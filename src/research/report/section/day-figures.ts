import type { Table } from 'apache-arrow'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { type AgainstPast, againstPast, type DaySeries, sumsByDay, windows } from '../day-series.js'
import { moneyIn } from '../money-words.js'
import type { Say } from '../report-language.js'
import { coveredDays, filled, type ReportInput } from '../report-tables.js'

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

function southboundNets({ flows }: Pick<ReportInput, 'flows'>): DaySeries {
  const table = filled(flows?.flows.table)
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

export function closingBalances(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  const [date, balance] = [strings(table, 'tradedate'), numbers(table, 'closing_balance')]
  return new Map(date.map((day, row) => [day ?? '', balance[row] as number]))
}

type FigureSeries = Readonly<Record<DayFigure['id'], DaySeries>>

function seriesOf({ tables, flows }: Pick<ReportInput, 'tables' | 'flows'>): FigureSeries {
  const [indices, bonds, etfs] = [tables.theme_daily, tables.convertible_daily, tables.etf_minute].map(filled)
  return {
    index: indexSeries(indices, '全A等权', 'pct_chg'),
    breadth: indexSeries(indices, '涨跌家数', 'close'),
    limits: indexSeries(indices, '停板家数', 'close'),
    premium: medianPremiums(bonds),
    southbound: southboundNets({ flows }),
    etf: barTurnover(etfs),
    financing: closingBalances(filled(tables.transfer_financing)),
  }
}

/** The number of each figure beside the days before it; of ETFs, whose earlier bars are not read, those of the report alone. */
function pastOf(input: ReportInput): (id: DayFigure['id']) => AgainstPast | undefined {
  const { earlier = { tables: {} } } = input
  const [before, own] = [seriesOf(earlier), seriesOf(input)]
  const [first, shown] = [coveredDays(earlier), coveredDays(input)]
  const short = [...new Set(windows.map((window) => Math.min(window, shown.length)))]
  return (id) =>
    id === 'etf' && first.length > 0
      ? againstPast(own.etf, shown, short)
      : own[id].size > 0
        ? againstPast(new Map([...before[id], ...own[id]]), [...first, ...shown])
        : undefined
}

/** The figures of the day: six, the first of these that the source has, and of the others what is missing. */
export function dayFigures(input: ReportInput, say: Say): DayFigure[] {
  const past = pastOf(input)
  const points = { digits: 2, power: 0, isSigned: false, source: 'theme_daily' }
  const count = { ...points, digits: 0 }
  const [yuan, flow] = [moneyIn('yuan', say), moneyIn(input.flows?.flows.unit ?? 'yuan', say)]
  const figures: Omit<DayFigure, 'past'>[] = [
    { id: 'index', label: say('All A shares, equal weight', '全A等权 涨跌幅'), unit: '%', ...points, isSigned: true },
    {
      id: 'breadth',
      label: say('Advances–declines index (涨跌家数)', '涨跌家数'),
      unit: say('points', '点'),
      ...count,
    },
    { id: 'limits', label: say('Price-limit index (停板家数)', '停板家数'), unit: say('points', '点'), ...count },
    {
      id: 'premium',
      label: say('Median conversion premium', '转股溢价率中位数'),
      unit: '%',
      ...points,
      source: 'convertible_daily',
    },
    {
      id: 'southbound',
      label: say('Southbound top ten, net buys', '港股通十大成交净买入'),
      ...points,
      ...flow,
      isSigned: true,
      source: 'southbound_top10',
    },
    { id: 'etf', label: say('ETF turnover', 'ETF 成交额'), ...points, ...yuan, source: 'etf_minute' },
    {
      id: 'financing',
      label: say('Refinancing balance', '转融资余额'),
      ...points,
      ...yuan,
      source: 'transfer_financing',
    },
  ]
  const all = figures.map((one): DayFigure => ({ ...one, past: past(one.id) }))
  const there = all.filter(({ past }) => past !== undefined)
  const chosen = [...there, ...all.filter(({ past }) => past === undefined)].slice(0, 6)
  return all.filter((one) => chosen.includes(one))
}
