import type { Table } from 'apache-arrow'
import { invalid } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, has } from '../../../frame/read-columns.js'
import { provenance } from '../../../frame/table/provenance.js'
import { type CheckColumn, nullableIntegerColumn, resultTable } from '../../checks/check-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { recordColumns } from '../../checks/record-columns.js'
import { type Conversion, conversionOf, type UnitOptions } from './flow-unit.js'
import { type Listings, readListings } from './listings.js'
import { adjoin } from './mainland-days.js'

/** What is counted of one stock. */
interface StockDays {
  readonly code: string | null
  readonly days: [number, number]
  listed: number
  first: number
  last: number
  run: number
  longest: number
  known: number
  bought: number
  readonly net: number[]
  readonly turnover: number[]
}

function refuseSomeSymbols(table: Table): void {
  const asked = provenance(table)?.request.params['symbols']
  if (asked === undefined) return
  const why = sentence`the rows were asked for some symbols only, so on which days others were traded is not known`
  throw invalid(sentence`southboundNames: ${why}; query without symbols and filter the result`)
}

function addDay(one: StockDays, day: number, isNext: boolean, net: number, turnover: number): void {
  one.run = one.listed > 0 && isNext && one.last === day - 1 ? one.run + 1 : 1
  one.longest = Math.max(one.longest, one.run)
  if (one.listed === 0) one.first = day
  one.last = day
  one.listed++
  one.net.push(net)
  one.turnover.push(turnover)
  if (Number.isNaN(net)) return
  one.known++
  if (net > 0) one.bought++
}

function countStocks({ days, start, stock, codes, channels }: Listings, { convert }: Conversion): StockDays[] {
  const found = new Map<number, StockDays>()
  for (let day = 0; day < days.length; day++) {
    const isNext = day > 0 && adjoin(days[day - 1] as string, days[day] as string)
    for (let place = start[day] as number; place < (start[day + 1] as number); place++) {
      const parts: number[] = []
      const lists = channels.map(({ present, listed, buy, sell }) => {
        if (present[day] === 0 || listed[place] === 0) return 0
        parts.push(buy[place] as number, sell[place] as number)
        return 1
      })
      if (parts.length === 0) continue
      const key = stock[place] as number
      const one: StockDays = found.get(key) ?? {
        code: codes[key] ?? null,
        days: [0, 0],
        listed: 0,
        first: day,
        last: day,
        run: 0,
        longest: 0,
        known: 0,
        bought: 0,
        net: [],
        turnover: [],
      }
      found.set(key, one)
      one.days[0] += lists[0] ?? 0
      one.days[1] += lists[1] ?? 0
      const date = days[day] as string
      const net = sumDecimals(parts.map((part, at) => (at % 2 === 0 ? part : -part)))
      addDay(one, day, isNext, convert(net, date), convert(sumDecimals(parts), date))
    }
  }
  return [...found.values()]
}

/** The name that a stock had last; of two on one day the one that sorts first. */
function lastNames(table: Table): ReadonlyMap<string, string> {
  if (!has(table, 'name')) return new Map()
  const [date, code, name] = [dictionary(table, 'trade_date'), dictionary(table, 'code'), dictionary(table, 'name')]
  const last = new Map<string, readonly [day: string, name: string]>()
  for (let row = 0; row < name.codes.length; row++) {
    const stock = code.words[code.codes[row] as number]
    const called = name.words[name.codes[row] as number]
    if (stock === undefined || called === undefined) continue
    const day = date.words[date.codes[row] as number] as string
    const known = last.get(stock)
    if (!known || day > known[0] || (day === known[0] && called < known[1])) last.set(stock, [day, called])
  }
  return new Map([...last].map(([stock, [, called]]) => [stock, called]))
}

function byDays(a: StockDays, b: StockDays): number {
  if (a.listed !== b.listed) return b.listed - a.listed
  return (a.code ?? '') < (b.code ?? '') ? -1 : 1
}

/**
 * The stocks of the top ten: how often and how long each was in the list, and what was bought of it. One row a stock, most
 * days first, then by code.
 *
 * | column                                | meaning                                                                   |
 * |---------------------------------------|---------------------------------------------------------------------------|
 * | `code`, `name`                        | the stock, by the name that it had last                                   |
 * | `days`, `days_2`, `days_4`            | days in either list, in Shanghai's, in Shenzhen's                         |
 * | `first`, `last`                       | first and last of these days                                              |
 * | `longest_run`, `current_run`          | days in a row in either list; the run that reaches the last day, 0 if none |
 * | `net`, `turnover`                     | sums over its days in the lists, each channel counted once                |
 * | `known_days`, `net_buying`            | days whose net is known, and the share of them with more bought than sold |
 *
 * Days in a row are days of the table; up to three trading days of the mainland without any row are taken as Hong Kong's
 * holidays, and a longer gap ends every run, for there rows are missing. What happened to a stock on days when it was not
 * among the ten is not known, so the sums are not its whole flow. Null is not 0: a sum with a day that is not known is
 * null, and `days_2` is null where the table has no row of that channel. A day on which the table lacks the rows of one channel
 * counts with the other alone; southboundFlows has no `both` on such a day. Sums are exact; with a `rate` each day is
 * converted on its own, to the nearest double.
 * @throws QuotebookError INVALID_VALUE when the table was asked for some `symbols` only, when a trade_date is null or no date,
 * and as southboundFlows for units; MISSING_COLUMN
 */
export function southboundNames(input: Table | DataFrame, options: UnitOptions = {}): Table {
  const table = asTable(input)
  refuseSomeSymbols(table)
  const conversion = conversionOf(options, 'southboundNames')
  const listings = readListings(table)
  const { days, channels } = listings
  const stocks = countStocks(listings, conversion).sort(byDays)
  const names = lastNames(table)
  const { text, number, count } = recordColumns(stocks)
  const inChannel = (side: 0 | 1, where: string): CheckColumn => {
    const isThere = channels[side].present.includes(1)
    const own = Float64Array.from(stocks, (one) => (isThere ? one.days[side] : Number.NaN))
    return nullableIntegerColumn('day', `Days in the list of ${where}.`, own)
  }
  const current = ({ last, run }: StockDays): number => (last === days.length - 1 ? run : 0)
  const netMeaning = 'Net buys over its days in the lists; null where a day is unknown.'
  const { unit } = conversion
  return resultTable({
    code: text('code', 'Security code.', ({ code }) => code),
    name: text('label', 'Name that the security had last.', ({ code }) => names.get(code ?? '') ?? null),
    days: count('day', 'Days in either list.', ({ listed }) => listed),
    days_2: inChannel(0, 'Shanghai'),
    days_4: inChannel(1, 'Shenzhen'),
    first: text('date', 'First day in a list.', ({ first }) => days[first] ?? null),
    last: text('date', 'Last day in a list.', ({ last }) => days[last] ?? null),
    longest_run: count('day', 'Most days in a row.', ({ longest }) => longest),
    current_run: count('day', 'Days in a row up to the last day of the table.', current),
    net: number(unit, netMeaning, ({ net }) => sumDecimals(net)),
    turnover: number(unit, 'Turnover over its days in the lists.', ({ turnover }) => sumDecimals(turnover)),
    known_days: count('day', 'Days whose net is known.', ({ known }) => known),
    net_buying: number('ratio', 'Share of the known days with more bought than sold.', (one) => one.bought / one.known),
  })
}
