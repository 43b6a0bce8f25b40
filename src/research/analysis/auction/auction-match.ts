import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { asTable } from '../../../frame/as-table.js'
import type { Data } from '../../../frame/data.js'
import { cellOf, type Text } from '../../../frame/table/values.js'
import { resultTable } from '../../checks/check-columns.js'
import { recordColumns } from '../../checks/record-columns.js'
import { type Auctions, auctionsOf, auctionTimes } from './auctions.js'
import { gapPercent, type PreviousClose, previousClose, ticksPerYuanBy } from './previous-close.js'
import { closesByDay, firstBars } from './quotes-by-day.js'
import {
  type AuctionColumn,
  type AuctionOptions,
  auctionKinds,
  imbalance,
  signedUnmatched,
  TickColumns,
} from './tick-columns.js'

/** Options of `auctionMatch`. */
export interface MatchOptions extends AuctionOptions {
  /** Closes with tradedate, code or symbol, and close; that of the last day before counts. Then pct_chg need not be there. */
  readonly closes?: Data | undefined
  /** Minute bars with tradedate, symbol or code, trademin, and open, close or vwap (etf_minute, convertible_minute, or your own). */
  readonly bars?: Data | undefined
  /** The price step in yuan. Default: by the code, 0.001 for funds and convertible bonds, 0.01 for shares. */
  readonly tick?: number | undefined
}

/**
 * How an auction ended. `no snapshot`: there is none at or after the match; `unsettled`: snapshots of the match
 * disagree; `incomplete`: price or volume is missing.
 */
export type MatchStatus = 'matched' | 'no trade' | 'incomplete' | 'unsettled' | 'no snapshot'

interface MatchColumns {
  readonly price: Float64Array
  readonly change: Float64Array | undefined
  readonly vol: Float64Array
  readonly amount: Float64Array
  readonly unmatched: Float64Array
  /** Prices as they are sent: one that is not above 0 says that there is none. */
  readonly sent: Float64Array
}

/** What came of an auction, from its last snapshot before continuous trading and the ones since 09:25. */
function statusOf(rows: Int32Array, { sent, price, vol }: MatchColumns): MatchStatus {
  const last = rows[rows.length - 1]
  if (last === undefined) return 'no snapshot'
  const differs = rows.some((row) => !Object.is(sent[row], sent[last]) || !Object.is(vol[row], vol[last]))
  if (differs) return 'unsettled'
  const hasVolume = (vol[last] as number) > 0
  if (vol[last] === 0 || ((sent[last] as number) <= 0 && !hasVolume)) return 'no trade'
  return Number.isNaN(price[last]) || Number.isNaN(vol[last]) ? 'incomplete' : 'matched'
}

function at(column: Float64Array, row: number): number {
  return column[row] ?? Number.NaN
}

function extremes(column: Float64Array, rows: Int32Array): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const row of rows) {
    const price = column[row] as number
    if (price < low) low = price
    if (price > high) high = price
  }
  return low <= high ? { low, high } : { low: Number.NaN, high: Number.NaN }
}

/** Change against the previous close: from the close where it is known, else as the file has it. */
function gapAt({ price, change }: MatchColumns, row: number, previous: PreviousClose, perYuan: number): number {
  if (Number.isNaN(at(price, row)) || previous.source === 'conflict') return Number.NaN
  if (!Number.isNaN(previous.close)) return gapPercent(at(price, row), previous.close, perYuan)
  return change ? at(change, row) : Number.NaN
}

/** How many rows, in order of time, are before a second of the day, or at it too. */
function countBefore(rows: Int32Array, seconds: Float64Array, limit: number, isIncluded = false): number {
  const first = rows.findIndex((row) => (seconds[row] as number) > limit || (!isIncluded && seconds[row] === limit))
  return first < 0 ? rows.length : first
}

/** @returns a function of the place of an auction, which gives a row of the result. Numbers are NaN where missing. */
function matcher(auctions: Auctions, columns: MatchColumns, options: MatchOptions) {
  const { order, starts, tradedate, symbol: symbols, seconds } = auctions
  const closes = options.closes && closesByDay(asTable(options.closes))
  const bars = options.bars && firstBars(asTable(options.bars))
  const perYuanOf = ticksPerYuanBy(options.tick)
  const wordAt = (text: Text, row: number): string => text.dictionary[text.data[row] as number] ?? ''
  return (auction: number) => {
    const all = order.subarray(starts[auction] as number, starts[auction + 1] as number)
    const row = all[0] as number
    const [day, symbol] = [wordAt(tradedate, row), wordAt(symbols, row)]
    const { opens, firm, match, ends } = auctionTimes
    const rows = all.subarray(countBefore(all, seconds, opens), countBefore(all, seconds, ends))
    const late = rows.subarray(countBefore(rows, seconds, match))
    const status = statusOf(late, columns)
    const last = late[late.length - 1] ?? -1
    const price = status === 'no trade' ? Number.NaN : at(columns.price, last)
    const perYuan = perYuanOf(symbol)
    const { price: prices, change: changes } = columns
    const previous = previousClose({ symbol, day, rows, prices, changes }, perYuan, closes)
    const row0920 = rows[countBefore(rows, seconds, firm, true) - 1] ?? -1
    const price0920 = at(prices, row0920)
    const first = bars?.(symbol, day)
    return {
      /** The row of the ticks that holds its day and symbol. */
      row,
      status,
      /** The row of the ticks that holds its match; -1 when there is none. */
      at: last,
      price,
      price0920,
      drift: gapPercent(price, price0920, perYuan),
      ...extremes(prices, rows),
      snapshots: rows.length,
      previous,
      gap: status === 'no trade' ? Number.NaN : gapAt(columns, last, previous, perYuan),
      gap0920: gapAt(columns, row0920, previous, perYuan),
      first,
      firstDiff: gapPercent(first?.price ?? Number.NaN, price, perYuan),
    }
  }
}

type Match = ReturnType<ReturnType<typeof matcher>>

function matchTable(matches: readonly Match[], auctions: Auctions, columns: MatchColumns, ticks: TickColumns): Table {
  const { text, number, count } = recordColumns(matches)
  const yuan = ticks.unit('price')
  const sourceMeaning = 'given, implied by prices and percentages, or conflict.'
  const word = (column: Text, row: number): string | null => cellOf(column, row) as string | null
  return resultTable({
    tradedate: text('date', 'Trading day.', ({ row }) => word(auctions.tradedate, row)),
    symbol: text('code', 'Security code, as in the file.', ({ row }) => word(auctions.symbol, row)),
    status: text('label', 'matched, no trade, incomplete, unsettled or no snapshot.', ({ status }) => status),
    time: text('clock', 'Time of the snapshot that holds the match.', ({ at }) => word(auctions.time, at)),
    price: number(yuan, 'Price of the match.', ({ price }) => price),
    vol: number(ticks.unit('vol'), 'Volume matched.', (one) => at(columns.vol, one.at)),
    amount: number(ticks.unit('amount'), 'Turnover matched.', (one) => at(columns.amount, one.at)),
    unmatched: number(ticks.unit('unmatched'), 'Volume left over: above 0 of buyers, below 0 of sellers.', (one) =>
      at(columns.unmatched, one.at),
    ),
    imbalance: number(undefined, 'unmatched / (vol + |unmatched|), from -1 to 1.', (one) =>
      imbalance(at(columns.vol, one.at), at(columns.unmatched, one.at)),
    ),
    prev_close: number(yuan, 'Previous close, where it is known to the tick.', ({ previous }) => previous.close),
    prev_low: number(yuan, 'Lowest that the previous close can be.', ({ previous }) => previous.low),
    prev_high: number(yuan, 'Highest that the previous close can be.', ({ previous }) => previous.high),
    prev_source: text('label', sourceMeaning, ({ previous }) => previous.source),
    prev_day: text('date', 'Day of the close that was given.', ({ previous }) => previous.day),
    gap_pct: number('percent', 'Match against the previous close.', ({ gap }) => gap),
    price_0920: number(yuan, 'Indicative price at 09:20.', ({ price0920 }) => price0920),
    gap_0920_pct: number('percent', 'The same of price_0920.', ({ gap0920 }) => gap0920),
    drift_pct: number('percent', 'Match against price_0920.', ({ drift }) => drift),
    low: number(yuan, 'Lowest indicative price.', ({ low }) => low),
    high: number(yuan, 'Highest indicative price.', ({ high }) => high),
    snapshots: count('snapshot', 'Snapshots from 09:15 to 09:30.', ({ snapshots }) => snapshots),
    first_min: text('minute', 'Minute of the first bar.', ({ first }) => first?.minute ?? null),
    first_price: number(yuan, 'Its open, else close, else vwap.', ({ first }) => first?.price ?? null),
    first_of: text('label', 'open, close or vwap.', ({ first }) => first?.of ?? null),
    first_low: number(yuan, 'Low of the first bar.', ({ first }) => first?.low ?? null),
    first_high: number(yuan, 'High of the first bar.', ({ first }) => first?.high ?? null),
    first_diff_pct: number('percent', 'first_price against the match.', ({ firstDiff }) => firstDiff),
  })
}

/**
 * Computes the result of each opening auction: a row for each day and symbol, by day, then symbol.
 *
 * Needs tradedate, symbol, time, price, vol, amount, unmatched and side, and pct_chg unless `closes` are given (see
 * `AuctionOptions` for their names, which are assumed: the specification does not name the columns of tick files). Only
 * snapshots from 09:15 to before 09:30 count; the match is the last of them from 09:25 on. `status`:
 *
 * - `matched`: it has a price and a volume.
 * - `no trade`: its volume is 0, or its price is 0, which means none; `price` is null.
 * - `incomplete`: its price or its volume is missing; the other is shown.
 * - `unsettled`: snapshots from 09:25 on have different prices or volumes; the last one is shown.
 * - `no snapshot`: nothing from 09:25 on; every number of the match is null, and so is every number that needs it.
 *
 * `unmatched` is above 0 of buyers, below 0 of sellers; `imbalance` is unmatched / (vol + |unmatched|). `price_0920` is
 * the price of the last snapshot until 09:20:00, after which the exchanges accept no withdrawals, and `drift_pct` the
 * change of price since. `low` and `high` are the extremes of the indicative price, over `snapshots` snapshots.
 *
 * The previous close (`prev_source`): `given`, by `closes`, on `prev_day`; or `implied` by every price of the auction
 * and its published change, which is read as (price / close - 1) x 100 rounded to the nearest. If several prices on the
 * tick remain, `prev_low` and `prev_high` are its bounds and `prev_close` is null. `conflict`: the snapshots contradict
 * each other, or they do not allow the given close (for example on a day ex right or dividend, which a plain table of
 * closes does not show, after a day missing from it, or with another adjustment): then `prev_close` and the gaps are
 * null.
 *
 * `gap_pct` = (price / prev_close - 1) x 100, or the file's own percentage if the close is known between bounds only;
 * `gap_0920_pct` the same of price_0920. `first_price` is the open of the day's first bar in `bars`, or its close or
 * vwap (`first_of`), and `first_diff_pct` its change against the match. Formulas are conventions.
 * @throws QuotebookError MISSING_COLUMN naming the missing columns; INVALID_VALUE for two rows of one day, symbol and
 * time, for unreadable days, codes or times, and for duplicate closes or first bars
 */
export function auctionMatch(ticks: Data, options: MatchOptions = {}): Table {
  checkOptions(options, { ...auctionKinds, closes: 'an object', bars: 'an object', tick: 'any' }, 'auctionMatch')
  const needed: AuctionColumn[] = ['tradedate', 'symbol', 'time', 'price', 'vol', 'amount', 'unmatched', 'side']
  if (!options.closes) needed.push('pct_chg')
  const read = new TickColumns('auctionMatch', asTable(ticks), needed, options)
  const auctions = auctionsOf('auctionMatch', read)
  const columns: MatchColumns = {
    price: read.prices('price'),
    sent: read.numbers('price'),
    change: read.has('pct_chg') ? read.numbers('pct_chg') : undefined,
    vol: read.volumes('vol'),
    amount: read.volumes('amount'),
    unmatched: signedUnmatched('auctionMatch', read, options),
  }
  const matchAt = matcher(auctions, columns, options)
  const matches = Array.from({ length: auctions.count }, (_, auction) => matchAt(auction))
  return matchTable(matches, auctions, columns, read)
}
