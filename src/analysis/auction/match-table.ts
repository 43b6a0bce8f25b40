import type { Table } from 'apache-arrow'
import { countColumn, type Made, numberColumn, tableOf, textColumn, wordColumn } from '../../checks/columns.js'
import type { TickColumns } from './columns.js'
import type { Match } from './match.js'
import { type Auctions, taken } from './rows.js'

/** The result of auctionMatch. */
export function tableOfMatches(matches: readonly Match[], auctions: Auctions, ticks: TickColumns): Table {
  const rows = Int32Array.from(matches, ({ row }) => row)
  const numberOf = (unit: string | undefined, meaning: string, of: (match: Match) => number): Made =>
    numberColumn(unit, meaning, Float64Array.from(matches, of))
  const labelOf = (meaning: string, of: (match: Match) => string | null): Made =>
    textColumn('label', meaning, matches.map(of))
  const percent = (meaning: string, of: (match: Match) => number): Made => numberOf('percent', meaning, of)
  const yuan = ticks.unit('price')
  const time = taken(
    auctions.time,
    Int32Array.from(matches, ({ at }) => at),
  )
  return tableOf({
    tradedate: wordColumn('date', 'Trading day.', taken(auctions.tradedate, rows)),
    symbol: wordColumn('code', 'Security code, as in the file.', taken(auctions.symbol, rows)),
    status: labelOf('matched, no trade, incomplete, unsettled or no snapshot.', ({ status }) => status),
    time: wordColumn('clock', 'Time of the snapshot that holds the match.', time),
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
    snapshots: countColumn(
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
