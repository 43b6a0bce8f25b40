import type { Table } from 'apache-arrow'
import { invalid } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { dictionary } from '../../../frame/read-columns.js'
import { bucketRows } from '../../../frame/table/group-rows.js'
import { type Channel, readChannels } from '../../checks/southbound/southbound-channels.js'

/** What the rows say of one channel: of each listing whether it is in the channel's top ten, and what was bought and sold. */
export interface ChannelListings {
  /** 1 on the days that have rows of the channel itself, by day. */
  readonly present: Uint8Array
  /** 1 where the stock is in the channel's top ten, as far as its rows tell. */
  readonly listed: Uint8Array
  /** In the unit that was sent; where a stock is listed, NaN is "not known". */
  readonly buy: Float64Array
  readonly sell: Float64Array
}

/** The stocks of each day, each once, however many rows it has. */
export interface Listings {
  /** Days that have rows, ascending. */
  readonly days: readonly string[]
  /** The listings of day `d` are `start[d]` to `start[d + 1]`, the last not included. */
  readonly start: Int32Array
  /** The stock of a listing: its place in `codes`, and after their last for a row without a code. */
  readonly stock: Int32Array
  readonly codes: readonly string[]
  /** Shanghai, Shenzhen. */
  readonly channels: readonly [ChannelListings, ChannelListings]
}

/** Rows by day, days ascending: the days, where each begins, and the rows in that order. */
function rowsByDay(table: Table) {
  const { codes, words: known } = dictionary(table, 'trade_date')
  const lacking = codes.indexOf(-1)
  if (lacking >= 0) throw invalid(sentence`row ${lacking + 1}: trade_date is null`)
  const used = new Set(codes)
  const days = known.filter((_, code) => used.has(code)).sort()
  const places = new Map(days.map((day, place) => [day, place]))
  const dayOfRow = codes.map((code) => places.get(known[code] as string) as number)
  const { rows, starts } = bucketRows(dayOfRow, days.length)
  return { days, first: starts, rows }
}

/** The listing of every row, in the order of days, and where the listings of each day begin. */
function placesOf(table: Table, { days, first, rows }: ReturnType<typeof rowsByDay>) {
  const code = dictionary(table, 'code')
  const nameless = code.words.length
  const start = new Int32Array(days.length + 1)
  const stock = new Int32Array(rows.length)
  const places = new Int32Array(rows.length)
  /** The last listing of a stock; one from before the day began is of another day. */
  const placeOf = new Int32Array(nameless + 1).fill(-1)
  let count = 0
  for (let day = 0; day < days.length; day++) {
    const begin = count
    start[day] = begin
    for (let at = first[day] as number; at < (first[day + 1] as number); at++) {
      const own = code.codes[rows[at] as number] as number
      const key = own < 0 ? nameless : own
      if ((placeOf[key] as number) < begin) {
        stock[count] = key
        placeOf[key] = count++
      }
      places[at] = placeOf[key] as number
    }
  }
  start[days.length] = count
  return { start, stock: stock.subarray(0, count), codes: code.words, places }
}

/** One channel of every listing: what its rows agree on. */
function channelOf(
  sent: Channel,
  { days, first, rows }: ReturnType<typeof rowsByDay>,
  places: Int32Array,
  count: number,
  market: ReturnType<typeof dictionary>,
): ChannelListings {
  const own = market.words.indexOf(sent.code)
  const present = new Uint8Array(days.length)
  const [listed, seen, unknown] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)]
  const [buy, sell] = [new Float64Array(count), new Float64Array(count)]
  for (let day = 0; day < days.length; day++)
    for (let at = first[day] as number; at < (first[day + 1] as number); at++) {
      const [row, place] = [rows[at] as number, places[at] as number]
      const [bought, sold] = [sent.buy[row] as number, sent.sell[row] as number]
      if (seen[place] === 0) {
        seen[place] = 1
        buy[place] = bought
        sell[place] = sold
      } else {
        if (buy[place] !== bought) buy[place] = Number.NaN
        if (sell[place] !== sold) sell[place] = Number.NaN
      }
      const isEmpty =
        Number.isNaN(bought) && Number.isNaN(sold) && Number.isNaN(sent.amount[row]) && Number.isNaN(sent.net[row])
      if (!isEmpty) listed[place] = 1
      if (own < 0 || market.codes[row] !== own) continue
      present[day] = 1
      if (isEmpty) unknown[place] = 1
    }
  for (let place = 0; place < count; place++) {
    if (unknown[place] === 0) continue
    listed[place] = 1
    buy[place] = sell[place] = Number.NaN
  }
  return { present, listed, buy, sell }
}

/**
 * Joins the rows of a stock and day into one listing.
 *
 * A stock that stands in both channels has two rows that carry the numbers of both. What they agree on is taken once;
 * where they differ or one lacks the number, it is NaN. A row of a channel without any number of that channel is a stock
 * that is listed and not known, so it is NaN too. All four numbers of the other channel missing is "not in its top ten".
 * @throws QuotebookError INVALID_VALUE when a trade_date is null; MISSING_COLUMN
 */
export function readListings(table: Table): Listings {
  const order = rowsByDay(table)
  const { places, ...found } = placesOf(table, order)
  const market = dictionary(table, 'market_type')
  const [sh, sz] = readChannels(table)
  const channel = (sent: Channel): ChannelListings => channelOf(sent, order, places, found.stock.length, market)
  return { days: order.days, ...found, channels: [channel(sh), channel(sz)] }
}
