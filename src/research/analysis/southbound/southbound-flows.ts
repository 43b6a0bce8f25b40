import type { Table } from 'apache-arrow'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { provenance } from '../../../frame/table/provenance.js'
import { integerColumn, labelColumn, numberColumn, resultTable } from '../../checks/check-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import type { FlowUnit } from '../../checks/southbound/southbound-channels.js'
import { type Conversion, conversionOf, type UnitOptions } from './flow-unit.js'
import { type ChannelListings, type Listings, readListings } from './listings.js'

interface Shares {
  readonly largest: Float64Array
  readonly three: Float64Array
  readonly herfindahl: Float64Array
}

/** Buys and sells added, exactly, of whole numbers without a detour. */
function turnoverOf(parts: readonly number[]): number {
  let sum = 0
  for (const part of parts) {
    if (!Number.isInteger(part)) return sumDecimals(parts)
    sum += Math.abs(part)
  }
  return sum <= Number.MAX_SAFE_INTEGER && parts.every((part) => part >= 0) ? sum : sumDecimals(parts)
}

/**
 * Writes how much of the whole the largest have: the first, the first three, and the sum of the squared shares (Herfindahl's
 * index). Nothing where the whole is not known or not above 0, or a part is below 0. The order of the parts does not matter.
 */
function concentrate(parts: Float64Array, whole: number, into: Shares, row: number): void {
  if (!(whole > 0)) return
  parts.sort()
  const count = parts.length
  if (!((parts[0] as number) >= 0)) return
  into.largest[row] = (parts[count - 1] as number) / whole
  into.three[row] = count <= 3 ? 1 : sumDecimals(parts.subarray(count - 3)) / whole
  let squares = 0
  for (const part of parts) squares += (part / whole) ** 2
  into.herfindahl[row] = Math.min(1, squares)
}

/** `2` via Shanghai, `4` via Shenzhen, `both` the two together. */
export type FlowChannel = '2' | '4' | 'both'

export const flowChannels: readonly FlowChannel[] = ['2', '4', 'both']

/** Options of `southboundFlows`: the unit of its amounts, and the rate where money is converted. */
export type FlowsOptions = UnitOptions

/** Southbound flows by day and channel, in one unit. */
export interface Flows {
  /** One row for each day and channel, by day, then 2, 4, both. */
  readonly table: Table
  /** What its amounts are counted in. */
  readonly unit: FlowUnit
  /** Days that have rows. */
  readonly days: number
}

/** Room for the rows of the result: three a day at most. */
function roomFor(days: number) {
  const most = 3 * days
  const floats = (): Float64Array => new Float64Array(most).fill(Number.NaN)
  return {
    day: new Int32Array(most),
    channel: new Int32Array(most),
    stocks: new Int32Array(most),
    buy: floats(),
    sell: floats(),
    net: floats(),
    turnover: floats(),
    largest: floats(),
    three: floats(),
    herfindahl: floats(),
  }
}

type Room = ReturnType<typeof roomFor>

/** Buys, sells with their sign turned, and both of a channel's list on one day; the turnover of each stock. */
interface Day {
  readonly buys: number[]
  readonly sells: number[]
  readonly all: number[]
  readonly parts: Float64Array
  stocks: number
}

/** Collects what the listings of a day have in the channels given. */
function collect({ start }: Listings, day: number, channels: readonly ChannelListings[], into: Day): void {
  into.buys.length = into.sells.length = into.all.length = into.stocks = 0
  const own: number[] = []
  for (let place = start[day] as number; place < (start[day + 1] as number); place++) {
    own.length = 0
    for (const { listed, buy, sell } of channels) {
      if (listed[place] === 1) own.push(buy[place] as number, sell[place] as number)
    }
    if (own.length === 0) continue
    for (let at = 0; at < own.length; at += 2) {
      const [buy, sell] = [own[at] as number, own[at + 1] as number]
      into.buys.push(buy)
      into.sells.push(-sell)
      into.all.push(buy, sell)
    }
    into.parts[into.stocks++] = turnoverOf(own)
  }
}

function fill(listings: Listings, convert: Conversion['convert'], room: Room): number {
  const { days, start, channels } = listings
  const most = start.reduce((longest, at, day) => Math.max(longest, at - (start[day - 1] ?? 0)), 0)
  const own: Day = { buys: [], sells: [], all: [], parts: new Float64Array(most), stocks: 0 }
  const kinds = [[channels[0]], [channels[1]], channels]
  let row = 0
  for (let day = 0; day < days.length; day++) {
    const date = days[day] as string
    for (let channel = 0; channel < kinds.length; channel++) {
      const asked = kinds[channel] as readonly ChannelListings[]
      if (asked.some(({ present }) => present[day] === 0)) continue
      collect(listings, day, asked, own)
      const turnover = sumDecimals(own.all)
      room.day[row] = day
      room.channel[row] = channel
      room.stocks[row] = own.stocks
      room.turnover[row] = convert(turnover, date)
      room.buy[row] = convert(sumDecimals(own.buys), date)
      room.sell[row] = convert(0 - sumDecimals(own.sells), date)
      room.net[row] = convert(sumDecimals(own.buys.concat(own.sells)), date)
      concentrate(own.parts.subarray(0, own.stocks), turnover, room, row)
      row++
    }
  }
  return row
}

/**
 * Southbound flows of the top ten by day and channel.
 *
 * | column                              | meaning                                                                      |
 * |-------------------------------------|------------------------------------------------------------------------------|
 * | `trade_date`, `channel`             | the day; `2` Shanghai, `4` Shenzhen, `both`                                   |
 * | `turnover`, `buy`, `sell`, `net`    | sums over the stocks of the channel's list; net = buy - sell                  |
 * | `stocks`                            | different stocks                                                             |
 * | `largest`, `largest_three`          | share of the stock, or the three, with the largest turnover, 0 to 1           |
 * | `herfindahl`                        | sum of the squared shares: 1 / stocks when all are equal, 1 when there is one |
 *
 * A stock that stands in both channels has two rows that carry the numbers of both; each channel of it is counted once,
 * and it is one stock of `both`. Net and turnover are taken from buys and sells, never from `amount`, which may count a
 * channel twice; `checkSouthbound` tells where it does. Sums are those of the decimals that were sent, exact.
 *
 * Null is not 0: where the rows of a stock contradict each other, or a number of a channel is missing, all four in a row
 * of that channel included, the sums that need it are null. A channel has a row on a day only if the table holds rows of
 * it, and `both` only where both have: a table asked with `market_type` 2 alone knows too little of Shenzhen. Shares are null
 * where the turnover is null or 0, and where the table was asked for some `symbols` only.
 *
 * Amounts are in `unit`, which the columns carry; `rate` turns Hong Kong dollars into yuan, each sum as the nearest double of
 * the exact product, null on a day without a rate.
 * Source: interface specification, 2.11; Tushare `ggt_top10` (doc_id 49) has the same columns.
 * @throws QuotebookError INVALID_VALUE when a trade_date is null, for an unknown unit, and for a rate that is not above 0 or
 * not wanted; MISSING_COLUMN
 */
export function southboundFlows(input: Table | DataFrame, options: FlowsOptions = {}): Flows {
  const table = asTable(input)
  const conversion = conversionOf(options, 'southboundFlows')
  const listings = readListings(table)
  const room = roomFor(listings.days.length)
  const rows = fill(listings, conversion.convert, room)
  const partial = provenance(table)?.request.params['symbols'] !== undefined
  const { unit } = conversion
  const cut = (column: Float64Array): Float64Array => column.subarray(0, rows)
  const money = (meaning: string, column: Float64Array) => numberColumn(unit, meaning, cut(column))
  const share = (meaning: string, column: Float64Array) =>
    numberColumn('ratio', meaning, partial ? cut(column).fill(Number.NaN) : cut(column))
  const made = {
    trade_date: labelColumn('date', 'Trading day.', { codes: room.day.subarray(0, rows), words: listings.days }),
    channel: labelColumn('label', '2 Shanghai, 4 Shenzhen, both: the two together.', {
      codes: room.channel.subarray(0, rows),
      words: flowChannels,
    }),
    turnover: money('buy + sell.', room.turnover),
    buy: money('Buys of the top ten; null where a stock of theirs is unknown.', room.buy),
    sell: money('Sells of the top ten.', room.sell),
    net: money('buy - sell.', room.net),
    stocks: integerColumn('stock', 'Different stocks counted.', room.stocks.subarray(0, rows)),
    largest: share('Share of the stock with the largest turnover.', room.largest),
    largest_three: share('Share of the three stocks with the largest turnover.', room.three),
    herfindahl: share('Sum of the squared shares of turnover.', room.herfindahl),
  }
  return { table: resultTable(made), unit, days: listings.days.length }
}
