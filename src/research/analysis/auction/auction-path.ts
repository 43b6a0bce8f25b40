import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { asTable } from '../../../frame/as-table.js'
import type { Data } from '../../../frame/data.js'
import { fillArray } from '../../../frame/table/fresh-array.js'
import { gatherCells, gatherFloats } from '../../../frame/table/gather-cells.js'
import type { Text } from '../../../frame/table/values.js'
import { labelColumn, numberColumn, resultTable } from '../../checks/check-columns.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { auctionsOf, auctionTimes } from './auctions.js'
import {
  type AuctionColumn,
  type AuctionOptions,
  auctionKinds,
  imbalance,
  signedUnmatched,
  TickColumns,
} from './tick-columns.js'

const needed: readonly AuctionColumn[] = ['tradedate', 'symbol', 'time', 'price', 'pct_chg', 'vol', 'unmatched', 'side']

const phases = ['may withdraw', 'firm', 'match'] as const

/** Place among the phases; -1 outside the opening auction. */
function phaseAt(seconds: number): number {
  if (seconds < auctionTimes.opens || seconds >= auctionTimes.ends) return -1
  return seconds < auctionTimes.firm ? 0 : seconds < auctionTimes.match ? 1 : 2
}

/** a - b of decimals: at once where both have at most three places, as prices and volumes do. */
function step(a: number, b: number): number {
  const [x, y] = [Math.round(a * 1000), Math.round(b * 1000)]
  const isPlain = x / 1000 === a && y / 1000 === b && Math.abs(x) < 1e15 && Math.abs(y) < 1e15
  return isPlain ? (x - y) / 1000 : exactDifference(a, b)
}

/**
 * Computes the indicative price path of the opening auction: a row for each snapshot, by day, symbol and time.
 *
 * Needs tradedate, symbol, time, price, pct_chg, vol, unmatched and side (see `AuctionOptions` for their names, which
 * are assumed: the specification does not name the columns of tick files). Columns:
 *
 * - `phase`: `may withdraw` from 09:15, `firm` from 09:20, when the exchanges accept no withdrawals, `match` from
 *   09:25; null outside 09:15 to 09:30.
 * - `price`, `pct_chg` (against the previous close, as the file has it) and `vol`, matched at that price. A price that
 *   is not above 0 becomes null, and so does its change.
 * - `unmatched`: above 0 of buyers, below 0 of sellers; null if the side is unknown and the volume is not 0.
 * - `imbalance`, from -1 to 1: unmatched / (vol + |unmatched|), a convention; null if a volume is missing or both are
 *   0.
 * - `price_step`, `vol_step`: change since the snapshot before, exact; null at the first, if one of the two is missing,
 *   and outside the auction. A matched volume may fall if orders are withdrawn or the price moves.
 *
 * Units are those of the file. Missing stays missing and is never 0.
 * @throws QuotebookError MISSING_COLUMN naming the missing columns; INVALID_VALUE for two rows of one day, symbol and
 * time, and for a row with a missing or unreadable day, symbol or time
 */
export function auctionPath(ticks: Data, options: AuctionOptions = {}): Table {
  checkOptions(options, auctionKinds, 'auctionPath')
  const columns = new TickColumns('auctionPath', asTable(ticks), needed, options)
  const { order, starts, count, tradedate, symbol, time, seconds } = auctionsOf('auctionPath', columns)
  const inOrder = (cells: Float64Array): Float64Array => gatherFloats(cells, order, false)
  const wordsInOrder = (text: Text) => {
    const { data: codes, dictionary: words } = gatherCells(text, order) as Text
    return { codes, words }
  }
  const price = inOrder(columns.prices('price'))
  const vol = inOrder(columns.volumes('vol'))
  const change = inOrder(columns.numbers('pct_chg')).map((own, i) => ((price[i] as number) > 0 ? own : Number.NaN))
  const unmatched = inOrder(signedUnmatched('auctionPath', columns, options))
  const phase = fillArray(new Int32Array(order.length), (at) => phaseAt(seconds[order[at] as number] as number))
  const steps = (cells: Float64Array): Float64Array => {
    const out = new Float64Array(order.length).fill(Number.NaN)
    for (let auction = 0; auction < count; auction++)
      for (let i = (starts[auction] as number) + 1; i < (starts[auction + 1] as number); i++) {
        if ((phase[i] as number) < 0 || (phase[i - 1] as number) < 0) continue
        out[i] = step(cells[i] as number, cells[i - 1] as number)
      }
    return out
  }
  const [yuan, lot] = [columns.unit('price'), columns.unit('vol')]
  const imbalances = vol.map((matched, i) => imbalance(matched, unmatched[i] as number))
  const phaseMeaning = 'may withdraw, firm (from 09:20) or match (from 09:25).'
  const leftMeaning = 'Volume left over: above 0 of buyers, below 0 of sellers.'
  return resultTable({
    tradedate: labelColumn('date', 'Trading day.', wordsInOrder(tradedate)),
    symbol: labelColumn('code', 'Security code, as in the file.', wordsInOrder(symbol)),
    time: labelColumn('clock', 'Time of the snapshot.', wordsInOrder(time)),
    phase: labelColumn('label', phaseMeaning, { codes: phase, words: phases }),
    price: numberColumn(yuan, 'Price at which the auction would match, or did.', price),
    pct_chg: numberColumn('percent', 'Its change against the previous close, as in the file.', change),
    vol: numberColumn(lot, 'Volume matched at that price.', vol),
    unmatched: numberColumn(columns.unit('unmatched'), leftMeaning, unmatched),
    imbalance: numberColumn(undefined, 'unmatched / (vol + |unmatched|), from -1 to 1.', imbalances),
    price_step: numberColumn(yuan, 'Change of price since the snapshot before.', steps(price)),
    vol_step: numberColumn(lot, 'Change of vol since the snapshot before.', steps(vol)),
  })
}
