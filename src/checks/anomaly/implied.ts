import type { Table } from 'apache-arrow'
import { numbers, words } from '../../frame/column.js'
import { integerColumn, labelColumn, nullableIntegerColumn, numberColumn, type ResultColumns } from '../columns.js'
import { bounded, middle } from '../exact/interval.js'
import type { Between } from './across.js'
import { type Candidates, lastClose, requiredFor } from './row.js'

/** Numbers of a row that others imply. */
export interface Implied {
  readonly recomputed: Float64Array
  readonly off: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
  readonly index: Float64Array
  readonly close: Float64Array
  /** Other rows that a row was held against. */
  readonly peers: Int32Array
}

/** The middle of what is possible, to as many decimals as are worth showing. */
function shown(x: number, places: number): number {
  return Number(x.toFixed(places))
}

export function imply({ rows, places }: Candidates, found: Between): Implied {
  const column = (): Float64Array => new Float64Array(rows.length).fill(Number.NaN)
  const made = { recomputed: column(), off: column(), low: column(), high: column(), index: column(), close: column() }
  const peerRows = new Int32Array(rows.length)
  for (const one of rows) {
    const { row } = one
    const group = found.peers.get(one)
    const strangers = group?.rows.filter(({ symbol }) => symbol !== one.symbol).length ?? 0
    peerRows[row] = strangers + (found.own.get(one) ?? 0)
    const growth = found.growth.get(one)
    if (growth) made.index[row] = shown((middle(growth) - 1) * 100, places)
    const close = lastClose(one)
    if (bounded(close)) made.close[row] = shown(middle(close), 3)
    const wanted = group?.common && group.rows.length > 1 ? requiredFor(one, group.common) : undefined
    if (!wanted || !bounded(wanted)) continue
    made.low[row] = wanted.lo
    made.high[row] = wanted.hi
    made.recomputed[row] = shown(middle(wanted), places)
    made.off[row] = shown(one.requiredPct - (made.recomputed[row] as number), 6)
  }
  return { ...made, peers: peerRows }
}

export function columnsOf(table: Table, implied: Implied): ResultColumns {
  return {
    tradedate: labelColumn('date', 'Day that the row speaks of.', words(table, 'tradedate')),
    symbol: labelColumn('code', 'Stock code.', words(table, 'symbol')),
    name: labelColumn('label', 'Short name of the stock.', words(table, 'name')),
    rule: labelColumn('label', 'The rule in words.', words(table, 'rule')),
    elapsed_days: nullableIntegerColumn(
      'trading day',
      'Days of the stock in the interval; null where it is null or no whole number.',
      numbers(table, 'elapsed_days'),
    ),
    given: numberColumn('percent', 'required_pct_chg as published.', numbers(table, 'required_pct_chg')),
    recomputed: numberColumn(
      'percent',
      "required_pct_chg from the row's deviation and the index return that the board's rows imply: middle of low and high; null without other rows.",
      implied.recomputed,
    ),
    difference: numberColumn('percent', 'given - recomputed.', implied.off),
    low: numberColumn('percent', 'Least required_pct_chg that fits, given the rounding of all numbers.', implied.low),
    high: numberColumn('percent', 'Greatest required_pct_chg that fits.', implied.high),
    index_return: numberColumn(
      'percent',
      'Return of the benchmark since the interval began that the row alone implies; null where its numbers do not tell.',
      implied.index,
    ),
    last_close: numberColumn('yuan', 'trigger_price / (1 + required_pct_chg).', implied.close),
    peers: integerColumn(
      'row',
      'Other rows that the row was held against: of its stock, of its board and interval; 0 when it stands alone.',
      implied.peers,
    ),
  }
}
