import type { Table } from 'apache-arrow'
import { invalid } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { type CheckColumn, nullableIntegerColumn, resultTable } from '../../checks/check-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { recordColumns } from '../../checks/record-columns.js'
import { type Conversion, conversionOf, type UnitOptions } from './flow-unit.js'
import { type Listings, readListings } from './listings.js'
import { adjoin } from './mainland-days.js'

function refuseSomeSymbols(table: Table): void {
  const asked = provenance(table)?.request.params['symbols']
  if (asked === undefined) return
  const why = sentence`the rows were asked for some symbols only, so on which days others were traded is not known`
  throw invalid(sentence`southboundNames: ${why}; query without symbols and filter the result`)
}

/** Each stock on each day on which it stands in a list. */
function stockDays({ days, start, stock, channels }: Listings, { convert }: Conversion) {
  return days.flatMap((date, day) => {
    const places = Array.from(stock.subarray(start[day], start[day + 1]), (_, at) => (start[day] as number) + at)
    return places.flatMap((place) => {
      /** Whether it stands in Shanghai's list, in Shenzhen's. */
      const isListed = channels.map(({ present, listed }) => present[day] === 1 && listed[place] === 1)
      if (!isListed.includes(true)) return []
      const own = channels.filter((_, side) => isListed[side])
      const [buys, sells] = [own.map(({ buy }) => buy[place] as number), own.map(({ sell }) => sell[place] as number)]
      const net = convert(sumDecimals([...buys, ...sells.map((sell) => -sell)]), date)
      const turnover = convert(sumDecimals([...buys, ...sells]), date)
      return [{ stock: stock[place] as number, day, isListed, net, turnover }]
    })
  })
}

function listedStocks(listings: Listings, conversion: Conversion) {
  const { days, codes } = listings
  const isNext = days.map((day, at) => at > 0 && adjoin(days[at - 1] as string, day))
  return [...groupItems(stockDays(listings, conversion), ({ stock }) => stock)].map(([stock, own]) => {
    /** Days in a row up to each of its days. */
    const runs: number[] = []
    own.forEach(({ day }, at) => {
      const goesOn = isNext[day] && own[at - 1]?.day === day - 1
      runs.push(goesOn ? (runs[at - 1] as number) + 1 : 1)
    })
    return { code: codes[stock] ?? null, own, runs }
  })
}

type ListedStock = ReturnType<typeof listedStocks>[number]

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

function byDays(a: ListedStock, b: ListedStock): number {
  if (a.own.length !== b.own.length) return b.own.length - a.own.length
  return (a.code ?? '') < (b.code ?? '') ? -1 : 1
}

/**
 * Summarises the stocks of the top ten: how often and how long each was in the list, and its net buys. The result has
 * one row a stock, most days first, then by code.
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
 * Days in a row are days of the table; up to three trading days of the mainland without any row count as Hong Kong's
 * holidays, and a longer gap ends every run, because rows are missing there. The flow of a stock on days outside the
 * top ten is unknown, so the sums are not its entire flow. Null is not 0: a sum with an unknown day is null, and
 * `days_2` is null if the table lacks rows of that channel. If the table lacks the rows of one channel on a day, the
 * day counts with the other alone; southboundFlows has no `both` on such a day. Sums are exact; with a `rate` each day
 * is converted on its own, to the nearest double.
 * @throws QuotebookError INVALID_VALUE if the query asked for some `symbols` only, if a trade_date is null or not a
 * date, and as southboundFlows for units; MISSING_COLUMN
 */
export function southboundNames(input: Table | DataFrame, options: UnitOptions = {}): Table {
  const table = asTable(input)
  refuseSomeSymbols(table)
  const conversion = conversionOf(options, 'southboundNames')
  const listings = readListings(table)
  const { days, channels } = listings
  const stocks = listedStocks(listings, conversion).sort(byDays)
  const names = lastNames(table)
  const { text, number, count } = recordColumns(stocks)
  const inChannel = (side: 0 | 1, where: string): CheckColumn => {
    const isThere = channels[side].present.includes(1)
    const listed = ({ own }: ListedStock): number => own.filter(({ isListed }) => isListed[side]).length
    const daysListed = Float64Array.from(stocks, (one) => (isThere ? listed(one) : Number.NaN))
    return nullableIntegerColumn('day', `Days in the list of ${where}.`, daysListed)
  }
  const dayOf = (one: ListedStock['own'][number] | undefined): string | null => days[one?.day ?? -1] ?? null
  const known = ({ own }: ListedStock): number => own.filter(({ net }) => !Number.isNaN(net)).length
  const bought = ({ own }: ListedStock): number => own.filter(({ net }) => net > 0).length
  const sum = (name: 'net' | 'turnover') => (one: ListedStock) => sumDecimals(one.own.map((day) => day[name]))
  const current = ({ own, runs }: ListedStock): number =>
    own.at(-1)?.day === days.length - 1 ? (runs.at(-1) as number) : 0
  const netMeaning = 'Net buys over its days in the lists; null where a day is unknown.'
  const { unit } = conversion
  return resultTable({
    code: text('code', 'Security code.', ({ code }) => code),
    name: text('label', 'Name that the security had last.', ({ code }) => names.get(code ?? '') ?? null),
    days: count('day', 'Days in either list.', ({ own }) => own.length),
    days_2: inChannel(0, 'Shanghai'),
    days_4: inChannel(1, 'Shenzhen'),
    first: text('date', 'First day in a list.', ({ own }) => dayOf(own[0])),
    last: text('date', 'Last day in a list.', ({ own }) => dayOf(own.at(-1))),
    longest_run: count('day', 'Most days in a row.', ({ runs }) => Math.max(...runs)),
    current_run: count('day', 'Days in a row up to the last day of the table.', current),
    net: number(unit, netMeaning, sum('net')),
    turnover: number(unit, 'Turnover over its days in the lists.', sum('turnover')),
    known_days: count('day', 'Days whose net is known.', known),
    net_buying: number(
      'ratio',
      'Share of the known days with more bought than sold.',
      (one) => bought(one) / known(one),
    ),
  })
}
