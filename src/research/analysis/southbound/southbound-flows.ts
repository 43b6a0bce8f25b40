import type { Table } from 'apache-arrow'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { provenance } from '../../../frame/table/provenance.js'
import { resultTable } from '../../checks/check-columns.js'
import { sumDecimals } from '../../checks/exact/decimal.js'
import { recordColumns } from '../../checks/record-columns.js'
import type { FlowUnit } from '../../checks/southbound/southbound-channels.js'
import { type Conversion, conversionOf, type UnitOptions } from './flow-unit.js'
import { type ChannelListings, type Listings, readListings } from './listings.js'

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
 * How much of the whole the largest have: the first, the first three, and the sum of the squared shares (Herfindahl's
 * index). NaN where the whole is not known or not above 0, or a part is below 0. The order of the parts does not matter.
 */
function sharesOf(parts: Float64Array, whole: number) {
  const [least = Number.NaN] = parts.sort()
  const squares = parts.reduce((sum, part) => sum + (part / whole) ** 2, 0)
  if (!(whole > 0 && least >= 0)) return { largest: Number.NaN, three: Number.NaN, herfindahl: Number.NaN }
  return {
    largest: (parts.at(-1) as number) / whole,
    three: parts.length <= 3 ? 1 : sumDecimals(parts.subarray(-3)) / whole,
    herfindahl: Math.min(1, squares),
  }
}

/** `2` via Shanghai, `4` via Shenzhen, `both` the two together. */
export type FlowChannel = '2' | '4' | 'both'

export const flowChannels: readonly FlowChannel[] = ['2', '4', 'both']

/** Options of `southboundFlows`: the unit of its amounts, and the exchange rate for a conversion. */
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

/** What the listings of a day have in the channels given. */
function rowOf(
  { days, start }: Listings,
  at: number,
  { channel, lists }: { readonly channel: FlowChannel; readonly lists: readonly ChannelListings[] },
  convert: Conversion['convert'],
) {
  const [buys, sells, parts]: [number[], number[], number[]] = [[], [], []]
  for (let place = start[at] as number; place < (start[at + 1] as number); place++) {
    const own: number[] = []
    for (const { listed, buy, sell } of lists) {
      if (listed[place] === 0) continue
      own.push(buy[place] as number, sell[place] as number)
      buys.push(buy[place] as number)
      sells.push(sell[place] as number)
    }
    if (own.length > 0) parts.push(turnoverOf(own))
  }
  const day = days[at] as string
  const turnover = sumDecimals([...buys, ...sells])
  return {
    day,
    channel,
    stocks: parts.length,
    turnover: convert(turnover, day),
    buy: convert(sumDecimals(buys), day),
    sell: convert(sumDecimals(sells), day),
    net: convert(sumDecimals([...buys, ...sells.map((sell) => -sell)]), day),
    ...sharesOf(Float64Array.from(parts), turnover),
  }
}

type FlowRow = ReturnType<typeof rowOf>

function rowsOf(listings: Listings, convert: Conversion['convert']): FlowRow[] {
  const [sh, sz] = listings.channels
  const kinds = flowChannels.map((channel, at) => ({ channel, lists: [[sh], [sz], [sh, sz]][at] ?? [] }))
  return listings.days.flatMap((_, at) =>
    kinds
      .filter(({ lists }) => lists.every(({ present }) => present[at] === 1))
      .map((kind) => rowOf(listings, at, kind, convert)),
  )
}

/**
 * Computes the southbound flows of the top ten by day and channel.
 *
 * | column                              | meaning                                                                      |
 * |-------------------------------------|------------------------------------------------------------------------------|
 * | `trade_date`, `channel`             | the day; `2` Shanghai, `4` Shenzhen, `both`                                   |
 * | `turnover`, `buy`, `sell`, `net`    | sums over the stocks of the channel's list; net = buy - sell                  |
 * | `stocks`                            | different stocks                                                             |
 * | `largest`, `largest_three`          | share of the stock, or the three, with the largest turnover, 0 to 1           |
 * | `herfindahl`                        | sum of the squared shares: 1 / stocks when all are equal, 1 when there is one |
 *
 * A stock in both channels has two rows with the numbers of both; each channel of it is counted once, and it is one
 * stock of `both`. Net and turnover are computed from buys and sells, never from `amount`, which may count a channel
 * twice; `checkSouthbound` reports such rows. Sums are exact, of the decimals as sent.
 *
 * Null is not 0: if the rows of a stock contradict each other, or a number of a channel is missing, all four in a row
 * of that channel included, the sums that need it are null. A channel has a row on a day only if the table has rows of
 * it, and `both` only if both have: a query with `market_type` 2 alone lacks Shenzhen. Shares are null if the turnover
 * is null or 0, and if the query asked for some `symbols` only.
 *
 * Amounts are in `unit`, which the columns record; `rate` converts Hong Kong dollars to yuan, each sum as the nearest
 * double of the exact product, null on a day without a rate. Source: interface specification, 2.11; Tushare `ggt_top10`
 * (doc_id 49) has the same columns.
 * @throws QuotebookError INVALID_VALUE when a trade_date is null, for an unknown unit, and for a rate that is not above
 * 0 or not applicable; MISSING_COLUMN
 */
export function southboundFlows(input: Table | DataFrame, options: FlowsOptions = {}): Flows {
  const table = asTable(input)
  const conversion = conversionOf(options, 'southboundFlows')
  const listings = readListings(table)
  const rows = rowsOf(listings, conversion.convert)
  const partial = provenance(table)?.request.params['symbols'] !== undefined
  const { unit } = conversion
  const { text, number, count } = recordColumns(rows)
  const share = (meaning: string, of: (row: FlowRow) => number) =>
    number('ratio', meaning, (row) => (partial ? null : of(row)))
  const made = {
    trade_date: text('date', 'Trading day.', ({ day }) => day),
    channel: text('label', '2 Shanghai, 4 Shenzhen, both: the two together.', ({ channel }) => channel),
    turnover: number(unit, 'buy + sell.', ({ turnover }) => turnover),
    buy: number(unit, 'Buys of the top ten; null where a stock of theirs is unknown.', ({ buy }) => buy),
    sell: number(unit, 'Sells of the top ten.', ({ sell }) => sell),
    net: number(unit, 'buy - sell.', ({ net }) => net),
    stocks: count('stock', 'Different stocks counted.', ({ stocks }) => stocks),
    largest: share('Share of the stock with the largest turnover.', ({ largest }) => largest),
    largest_three: share('Share of the three stocks with the largest turnover.', ({ three }) => three),
    herfindahl: share('Sum of the squared shares of turnover.', ({ herfindahl }) => herfindahl),
  }
  return { table: resultTable(made), unit, days: listings.days.length }
}
