import type { Table } from 'apache-arrow'
import type { DatasetName } from '../../../contract/catalogue.js'
import type { Say } from '../../../contract/say.js'
import { dictionary, numbers, strings } from '../../../frame/read-columns.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { formatCount, many } from '../format-number.js'
import { datesOf, onceOf, type ReportDay } from '../report-day.js'
import { recordsOf, type SectionName } from '../report-tables.js'
import { moneyIn } from '../report-words.js'

/** A number by day, `YYYYMMDD`; NaN where it is not known. */
type DaySeries = ReadonlyMap<string, number>

/** Days that means are taken over. */
export const windows = [20, 60] as const

/**
 * Holds the latest number of a series against those of the days before, in windows of its last days, this one included.
 * @param days the days that windows are counted in, ascending
 * @param over the windows
 */
function againstPast(series: DaySeries, days: readonly string[], over: readonly number[] = windows) {
  const day = [...series.keys()].sort().at(-1)
  if (day === undefined) return undefined
  const value = series.get(day) ?? Number.NaN
  const before = days.filter((one) => one < day)
  const known = (window: number): number[] =>
    [...before.slice(before.length - Math.min(before.length, window - 1)), day].flatMap((one) => {
      const number = series.get(one) ?? Number.NaN
      return Number.isNaN(number) ? [] : [number]
    })
  const means = over.flatMap((window) => {
    const numbers = known(window)
    return numbers.length < 2 ? [] : [{ window, days: numbers.length, mean: sumDecimals(numbers) / numbers.length }]
  })
  const all = known(60)
  const isRanked = !Number.isNaN(value) && all.length > 1
  /** Place among the numbers of the last 60 days, 1 the highest; undefined without others. */
  const rank = isRanked ? 1 + all.filter((one) => one > value).length : undefined
  return { day, value, means, rank, of: all.length, recent: all }
}

/** Sums by day, of the rows that have a number; a day whose every number is missing is NaN. */
function sumsByDay(codes: Int32Array, days: readonly string[], values: Float64Array): DaySeries {
  const lists: number[][] = days.map(() => [])
  codes.forEach((code, row) => {
    const value = values[row] as number
    if (!Number.isNaN(value)) lists[code]?.push(value)
  })
  const seen = new Set(codes)
  return new Map(
    days.flatMap((day, code): [string, number][] => {
      const list = lists[code] ?? []
      return seen.has(code) ? [[day, list.length > 0 ? sumDecimals(list) : Number.NaN]] : []
    }),
  )
}

/** A number that says what the day was, and how it is written. */
export interface DayFigure {
  readonly id: 'index' | 'breadth' | 'limits' | 'premium' | 'southbound' | 'etf' | 'financing'
  readonly label: string
  readonly unit: string
  readonly digits: number
  /** The number is shown divided by 10^power. */
  readonly power: number
  readonly isSigned: boolean
  /** Where it is read, from which columns besides the key, and the section that it belongs to. */
  readonly source: string
  readonly columns: readonly string[]
  readonly section: SectionName
  /** Undefined where the source has none. */
  readonly past: ReturnType<typeof againstPast>
  /** What the number is of, where some rows of its day have none: `of 14 of 20 bonds`. */
  readonly share?: string | undefined
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
  const rows = recordsOf(table, ['trade_date', 'channel'], ['net']).filter(({ trade_date: date }) => date !== '')
  const both = rows.filter(({ channel }) => channel === 'both')
  return new Map([
    ...rows.map(({ trade_date: date }) => [date, Number.NaN] as const),
    ...both.map(({ trade_date: date, net }) => [date, net] as const),
  ])
}

/** Turnover of all bars of a day. */
export function barTurnover(table: Table | undefined): DaySeries {
  if (!table) return new Map()
  const date = dictionary(table, 'tradedate')
  return sumsByDay(date.codes, date.words, numbers(table, 'amount'))
}

function closingBalances(table: Table | undefined): DaySeries {
  const rows = table ? recordsOf(table, ['tradedate'], ['closing_balance']) : []
  return new Map(rows.map(({ tradedate, closing_balance: balance }) => [tradedate, balance]))
}

/** A figure as it is declared: what it is called, how it is written, and its number by day. */
interface FigureRule extends Pick<DayFigure, 'id' | 'source' | 'columns' | 'section'> {
  readonly label: (say: Say) => string
  /** An amount in billions, or another unit. */
  readonly unit: 'money' | ((say: Say) => string)
  readonly digits?: number
  readonly isSigned?: true
  readonly series: (of: Pick<ReportDay, 'of' | 'flows'>) => DaySeries
  readonly share?: (today: ReportDay) => string | undefined
}

/** Of how many bonds of the latest day the premiums are; undefined where all have one. */
function premiumShare({ of, say }: ReportDay): string | undefined {
  const own = of('convertible_daily')
  const known = own && premiumsByDay(own.table).get(own.date ?? '')?.length
  if (!own || known === undefined || known === own.rows.length) return undefined
  return say`of ${formatCount(known)} of ${many(own.rows.length, 'bond')}`
}

const percent = (): string => '%'
const stocks = (say: Say): string => say('stocks')

// biome-ignore format: a table, one figure a line
const rules: readonly FigureRule[] = [
  { id: 'index', label: (say) => say('All A shares, equal weight'), unit: percent, isSigned: true, source: 'theme_daily', columns: ['name', 'pct_chg'], section: 'indices', series: ({ of }) => indexSeries(of('theme_daily')?.table, '全A等权', 'pct_chg') },
  { id: 'breadth', label: (say) => say('Advances–declines index (涨跌家数)'), unit: stocks, digits: 0, source: 'theme_daily', columns: ['name', 'close'], section: 'indices', series: ({ of }) => indexSeries(of('theme_daily')?.table, '涨跌家数', 'close') },
  { id: 'limits', label: (say) => say('Price-limit index (停板家数)'), unit: stocks, digits: 0, source: 'theme_daily', columns: ['name', 'close'], section: 'indices', series: ({ of }) => indexSeries(of('theme_daily')?.table, '停板家数', 'close') },
  { id: 'premium', label: (say) => say('Median conversion premium'), unit: percent, source: 'convertible_daily', columns: ['cb_over_rate'], section: 'convertible', series: ({ of }) => medianPremiums(of('convertible_daily')?.table), share: premiumShare },
  { id: 'southbound', label: (say) => say('Southbound top ten, net buys'), unit: 'money', isSigned: true, source: 'southbound_top10', columns: ['sh_buy', 'sh_sell', 'sz_buy', 'sz_sell'], section: 'southbound', series: ({ flows }) => southboundNets(flows?.flows.table) },
  { id: 'etf', label: (say) => say('ETF turnover'), unit: 'money', source: 'etf_minute', columns: ['amount'], section: 'etf', series: ({ of }) => barTurnover(of('etf_minute')?.table) },
  { id: 'financing', label: (say) => say('Refinancing balance'), unit: 'money', source: 'transfer_financing', columns: ['closing_balance'], section: 'financing', series: ({ of }) => closingBalances(of('transfer_financing')?.table) },
]

/** Datasets that the means of the first screen are of, where a question brings many days of them: of bars it would be hundreds. */
export const meant: readonly DatasetName[] = [
  'theme_daily',
  'convertible_daily',
  'southbound_top10',
  'transfer_financing',
]

/** The number of a figure beside the days before it; of ETFs, whose earlier bars are not read, those of the report alone. */
function pastOf(today: ReportDay): (rule: FigureRule) => DayFigure['past'] {
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
    const { id, label, unit, digits = 2, isSigned = false, source, columns, section } = rule
    const currency = id === 'southbound' ? (flows?.flows.unit ?? 'yuan') : 'yuan'
    const form = unit === 'money' ? moneyIn(currency, say) : { unit: unit(say), power: 0, digits }
    return {
      id,
      label: label(say),
      ...form,
      isSigned,
      source,
      columns,
      section,
      past: past(rule),
      share: rule.share?.(today),
    }
  })
  const there = all.filter((one) => one.past !== undefined)
  const chosen = [...there, ...all.filter((one) => one.past === undefined)].slice(0, 6)
  return all.filter((one) => chosen.includes(one))
})
