import type { Table } from 'apache-arrow'
import {
  integerColumn,
  labelColumn,
  numberColumn,
  type ResultColumn,
  resultTable,
  textColumn,
} from '../../checks/columns.js'
import type { Data } from '../../frame/data.js'
import { type Auctions, auctionsOf, session, taken, wordAt } from './auctions.js'
import { type PrevClose, percentOver, perYuanOf, prevCloseOf } from './previous-close.js'
import { type Closes, closesOf, type FirstBar, firstBarsOf } from './quotes-by-day.js'
import {
  type AuctionColumn,
  type AuctionOptions,
  imbalanceOf,
  signedLeft,
  type TickColumns,
  tickColumns,
} from './tick-columns.js'

/** The result of auctionMatch. */
function tableOfMatches(matches: readonly Match[], auctions: Auctions, ticks: TickColumns): Table {
  const rows = Int32Array.from(matches, ({ row }) => row)
  const numberOf = (unit: string | undefined, meaning: string, of: (match: Match) => number): ResultColumn =>
    numberColumn(unit, meaning, Float64Array.from(matches, of))
  const labelOf = (meaning: string, of: (match: Match) => string | null): ResultColumn =>
    textColumn('label', meaning, matches.map(of))
  const percent = (meaning: string, of: (match: Match) => number): ResultColumn => numberOf('percent', meaning, of)
  const yuan = ticks.unit('price')
  const time = taken(
    auctions.time,
    Int32Array.from(matches, ({ at }) => at),
  )
  return resultTable({
    tradedate: labelColumn('date', 'Trading day.', taken(auctions.tradedate, rows)),
    symbol: labelColumn('code', 'Security code, as in the file.', taken(auctions.symbol, rows)),
    status: labelOf('matched, no trade, incomplete, unsettled or no snapshot.', ({ status }) => status),
    time: labelColumn('clock', 'Time of the snapshot that holds the match.', time),
    price: numberOf(yuan, 'Price of the match.', ({ price }) => price),
    vol: numberOf(ticks.unit('vol'), 'Volume matched.', ({ vol }) => vol),
    amount: numberOf(ticks.unit('amount'), 'Turnover matched.', ({ amount }) => amount),
    unmatched: numberOf(
      ticks.unit('unmatched'),
      'Volume left over: above 0 of buyers, below 0 of sellers.',
      ({ unmatched }) => unmatched,
    ),
    imbalance: numberOf(undefined, 'unmatched / (vol + |unmatched|), from -1 to 1.', ({ imbalance }) => imbalance),
    prev_close: numberOf(yuan, 'Previous close, where it is known to the tick.', ({ prev }) => prev.close),
    prev_low: numberOf(yuan, 'Lowest that the previous close can be.', ({ prev }) => prev.low),
    prev_high: numberOf(yuan, 'Highest that the previous close can be.', ({ prev }) => prev.high),
    prev_source: labelOf('given, implied by prices and percentages, or conflict.', ({ prev }) => prev.source),
    prev_day: textColumn(
      'date',
      'Day of the close that was given.',
      matches.map(({ prev }) => prev.day),
    ),
    gap_pct: percent('Match against the previous close.', ({ gap }) => gap),
    price_0920: numberOf(yuan, 'Indicative price at 09:20.', ({ seen }) => seen),
    gap_0920_pct: percent('The same of price_0920.', ({ seenGap }) => seenGap),
    drift_pct: percent('Match against price_0920.', ({ drift }) => drift),
    low: numberOf(yuan, 'Lowest indicative price.', ({ low }) => low),
    high: numberOf(yuan, 'Highest indicative price.', ({ high }) => high),
    snapshots: integerColumn(
      'snapshot',
      'Snapshots from 09:15 to 09:30.',
      Int32Array.from(matches, (one) => one.snapshots),
    ),
    first_min: textColumn(
      'minute',
      'Minute of the first bar.',
      matches.map(({ first }) => first?.minute ?? null),
    ),
    first_price: numberOf(yuan, 'Its open, else close, else vwap.', ({ first }) => first?.price ?? Number.NaN),
    first_of: labelOf('open, close or vwap.', ({ first }) => first?.of ?? null),
    first_low: numberOf(yuan, 'Low of the first bar.', ({ first }) => first?.low ?? Number.NaN),
    first_high: numberOf(yuan, 'High of the first bar.', ({ first }) => first?.high ?? Number.NaN),
    first_diff_pct: percent('first_price against the match.', ({ firstDiff }) => firstDiff),
  })
}

export interface MatchOptions extends AuctionOptions {
  /** Closes with tradedate, code or symbol, and close; that of the last day before counts. Then pct_chg need not be there. */
  readonly closes?: Data | undefined
  /** Minute bars with tradedate, symbol or code, trademin, and open, close or vwap (etf_minute, convertible_minute, or your own). */
  readonly bars?: Data | undefined
  /** The price step in yuan. By the code where it is not given: 0.001 for funds and convertible bonds, 0.01 for shares. */
  readonly tick?: number | undefined
}

export type MatchStatus = 'matched' | 'no trade' | 'incomplete' | 'unsettled' | 'no snapshot'

/** One auction, as a row of the result. Numbers are NaN where missing. */
interface Match {
  /** The row of the ticks that holds its day and symbol. */
  readonly row: number
  readonly status: MatchStatus
  /** The row of the ticks that holds its match; -1 when there is none. */
  readonly at: number
  readonly price: number
  readonly vol: number
  readonly amount: number
  readonly unmatched: number
  readonly imbalance: number
  readonly seen: number
  readonly drift: number
  readonly low: number
  readonly high: number
  readonly snapshots: number
  readonly prev: PrevClose
  readonly gap: number
  readonly seenGap: number
  readonly first: FirstBar | undefined
  readonly firstDiff: number
}

interface Columns {
  readonly price: Float64Array
  readonly change: Float64Array | undefined
  readonly vol: Float64Array
  readonly amount: Float64Array
  readonly left: Float64Array
  /** Whether the file says that there is no price, by a number that is not above 0. */
  readonly raw: Float64Array
}

/** What came of an auction, from its last snapshot before continuous trading and the ones since 09:25. */
function statusOf(rows: Int32Array, { raw, price, vol }: Columns): MatchStatus {
  const last = rows[rows.length - 1]
  if (last === undefined) return 'no snapshot'
  const differs = rows.some((row) => !Object.is(raw[row], raw[last]) || !Object.is(vol[row], vol[last]))
  if (differs) return 'unsettled'
  const hasVolume = (vol[last] as number) > 0
  if (vol[last] === 0 || ((raw[last] as number) <= 0 && !hasVolume)) return 'no trade'
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

/** How many rows, in order of time, are before a second of the day, or at it too. */
function placesBefore(rows: Int32Array, seconds: Float64Array, limit: number, isIncluded = false): number {
  let count = 0
  for (const row of rows) {
    const at = seconds[row] as number
    if (at > limit || (at === limit && !isIncluded)) break
    count++
  }
  return count
}

/** Rows of an auction within 09:15 to 09:30, in order of time. */
function inside({ order, starts, seconds }: Auctions, auction: number): Int32Array {
  const rows = order.subarray(starts[auction] as number, starts[auction + 1] as number)
  return rows.subarray(placesBefore(rows, seconds, session.opens), placesBefore(rows, seconds, session.ends))
}

/** Change against the previous close: from the close where it is known, else as the file has it. */
function gapAt(columns: Columns, row: number, price: number, prev: PrevClose, perYuan: number): number {
  if (Number.isNaN(price) || prev.source === 'conflict') return Number.NaN
  if (!Number.isNaN(prev.close)) return percentOver(price, prev.close, perYuan)
  return columns.change ? at(columns.change, row) : Number.NaN
}

function matchOf(
  auctions: Auctions,
  auction: number,
  columns: Columns,
  beside: {
    readonly closes: Closes | undefined
    readonly bars: ((symbol: string, day: string) => FirstBar | undefined) | undefined
    readonly perYuan: (symbol: string) => number
  },
): Match {
  const { order, starts, tradedate, symbol: symbols, seconds } = auctions
  const row = order[starts[auction] as number] as number
  const [day, symbol] = [wordAt(tradedate, row), wordAt(symbols, row)]
  const rows = inside(auctions, auction)
  const late = rows.subarray(placesBefore(rows, seconds, session.match))
  const status = statusOf(late, columns)
  const last = late[late.length - 1] ?? -1
  const price = status === 'no trade' ? Number.NaN : at(columns.price, last)
  const perYuan = beside.perYuan(symbol)
  const { price: prices, change: changes } = columns
  const prev = prevCloseOf({ symbol, day, rows, prices, changes }, perYuan, beside.closes)
  const seenRow = rows[placesBefore(rows, seconds, session.firm, true) - 1] ?? -1
  const seen = at(columns.price, seenRow)
  const first = beside.bars?.(symbol, day)
  return {
    row,
    status,
    at: last,
    price,
    vol: at(columns.vol, last),
    amount: at(columns.amount, last),
    unmatched: at(columns.left, last),
    imbalance: imbalanceOf(at(columns.vol, last), at(columns.left, last)),
    seen,
    drift: percentOver(price, seen, perYuan),
    ...extremes(columns.price, rows),
    snapshots: rows.length,
    prev,
    gap: gapAt(columns, last, price, prev, perYuan),
    seenGap: gapAt(columns, seenRow, seen, prev, perYuan),
    first,
    firstDiff: percentOver(first?.price ?? Number.NaN, price, perYuan),
  }
}

/**
 * What came of each opening auction: a row for each day and symbol, by day, then symbol.
 *
 * Needs tradedate, symbol, time, price, vol, amount, unmatched and side, and pct_chg unless `closes` are given (see
 * `AuctionOptions` for their names: what the columns of tick files are is an assumption, for the specification names none).
 * Only snapshots from 09:15 to before 09:30 count; the match is the last of them from 09:25 on. `status`:
 *
 * - `matched`: it has a price and a volume.
 * - `no trade`: its volume is 0, or its price is 0, which means none; `price` is null.
 * - `incomplete`: its price or its volume is missing; the other is shown.
 * - `unsettled`: snapshots from 09:25 on have different prices or volumes; the last one is shown.
 * - `no snapshot`: nothing from 09:25 on; all that is of the match is null, and so is every number that needs it.
 *
 * `unmatched` is above 0 of buyers, below 0 of sellers; `imbalance` is unmatched / (vol + |unmatched|). `price_0920` is the
 * price of the last snapshot until 09:20:00, after which the exchanges take no withdrawals, and `drift_pct` the change of
 * price since. `low` and `high` are the extremes of the indicative price, `snapshots` says of how many.
 *
 * The previous close (`prev_source`): `given`, by `closes`, on `prev_day`; or `implied` by every price of the auction
 * and its published change, which is taken for (price / close - 1) x 100 rounded to the nearest. Where that leaves several
 * prices on the tick, `prev_low` and `prev_high` are its bounds and `prev_close` is null. `conflict`: the snapshots
 * contradict each other, or the close given is none that they allow (a day ex right or dividend, which a plain table of closes does not
 * know, a day that is missing from it, another adjustment): then `prev_close` and the gaps are null.
 *
 * `gap_pct` = (price / prev_close - 1) x 100, or the file's own percentage where the close is known between bounds only; `gap_0920_pct`
 * the same of price_0920. `first_price` is the open of the day's first bar in `bars`, or its close or vwap
 * (`first_of`), and `first_diff_pct` its change against the match. Formulas are conventions.
 * @throws QuotebookError MISSING_COLUMN naming the columns that are not there; INVALID_VALUE for two rows of one day, symbol
 * and time, for days, codes or times that can't be read, and for closes or first bars that stand there twice
 */
export function auctionMatch(ticks: Data, options: MatchOptions = {}): Table {
  const needed: AuctionColumn[] = ['tradedate', 'symbol', 'time', 'price', 'vol', 'amount', 'unmatched', 'side']
  if (!options.closes) needed.push('pct_chg')
  const read = tickColumns('auctionMatch', ticks, needed, options)
  const auctions = auctionsOf('auctionMatch', read)
  const columns: Columns = {
    price: read.prices('price'),
    raw: read.numbers('price'),
    change: read.has('pct_chg') ? read.numbers('pct_chg') : undefined,
    vol: read.volumes('vol'),
    amount: read.volumes('amount'),
    left: signedLeft('auctionMatch', read, options),
  }
  const beside = {
    closes: options.closes && closesOf(options.closes),
    bars: options.bars && firstBarsOf(options.bars),
    perYuan: perYuanOf(options.tick),
  }
  const matches: Match[] = []
  for (let auction = 0; auction < auctions.count; auction++) matches.push(matchOf(auctions, auction, columns, beside))
  return tableOfMatches(matches, auctions, read)
}
