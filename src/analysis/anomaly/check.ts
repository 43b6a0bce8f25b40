import type { Table } from 'apache-arrow'
import { asTable } from '../../frame/as-table.js'
import { numbers, words } from '../../frame/column.js'
import type { DataFrame } from '../../frame/danfo/types.js'
import { type Check, conclude, type Severities } from '../check.js'
import { countColumn, type MadeColumns, numberColumn, Words, wholeColumn, wordColumn } from '../columns.js'
import { difference, roundHalfUp } from '../exact/decimal.js'
import { bounded, middle } from '../exact/interval.js'
import { findBetween, findLateForecasts, heldWithin, type Peers, peersOf } from './between.js'
import { chained, findChain } from './chain.js'
import { type Finding, findInside } from './inside.js'
import { type Candidate, indexGrowth, lastClose, readCandidates, requiredFor } from './row.js'

export type AnomalyVerdict = 'sound' | 'suspect' | 'unverifiable' | 'inconsistent' | 'broken'

const severities: Severities<AnomalyVerdict> = { sound: 0, suspect: 1, unverifiable: 1, inconsistent: 2, broken: 3 }

export interface AnomalyOptions {
  /**
   * The latest completed day. Rows of a later day are forecasts. Without it, and without a column `computed_on`, it is
   * the latest day that any row has a `pct_chg` of; during a session that would be the running day, so say it then.
   */
  readonly completed?: string
}

function worstOf(findings: readonly Finding[]): AnomalyVerdict {
  return findings.reduce<AnomalyVerdict>(
    (worst, { verdict }) => (severities[verdict] > severities[worst] || worst === 'sound' ? verdict : worst),
    'sound',
  )
}

/** Numbers of a row that others imply. */
interface Implied {
  readonly recomputed: Float64Array
  readonly off: Float64Array
  readonly low: Float64Array
  readonly high: Float64Array
  readonly index: Float64Array
  readonly close: Float64Array
  /** Other rows that a row was held against. */
  readonly peers: Int32Array
}

function imply(rows: readonly Candidate[], peers: ReadonlyMap<Candidate, Peers>, places: number): Implied {
  const column = (): Float64Array => new Float64Array(rows.length).fill(Number.NaN)
  const peerRows = new Int32Array(rows.length)
  const made = { recomputed: column(), off: column(), low: column(), high: column(), index: column(), close: column() }
  const [within, across] = [heldWithin(rows, peers), chained(rows)]
  for (const one of rows) {
    const { row } = one
    peerRows[row] = (within.get(one) ?? 0) + (across.get(one)?.length ?? 0)
    const growth = indexGrowth(one)
    if (growth && bounded(growth)) made.index[row] = roundHalfUp((middle(growth) - 1) * 100, places)
    const close = lastClose(one)
    if (bounded(close)) made.close[row] = roundHalfUp(middle(close), 3)
    const group = peers.get(one)
    const wanted = group?.common && group.rows > 1 ? requiredFor(one, group.common) : undefined
    if (!wanted || !bounded(wanted)) continue
    made.low[row] = wanted.lo
    made.high[row] = wanted.hi
    made.recomputed[row] = roundHalfUp(middle(wanted), places)
    made.off[row] = difference(one.requiredPct, made.recomputed[row] as number)
  }
  return { ...made, peers: peerRows }
}

function columnsOf(table: Table, implied: Implied, broken: Words): MadeColumns {
  return {
    tradedate: wordColumn('date', 'Day that the row speaks of.', words(table, 'tradedate')),
    symbol: wordColumn('code', 'Stock code.', words(table, 'symbol')),
    name: wordColumn('label', 'Short name of the stock.', words(table, 'name')),
    rule: wordColumn('label', 'The rule in words.', words(table, 'rule')),
    elapsed_days: wholeColumn(
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
    peers: countColumn(
      'row',
      'Other rows that the row was held against: of its stock, of its board and interval; 0 when it stands alone.',
      implied.peers,
    ),
    broken: wordColumn('label', 'Rules that the row breaks, in order; null when none.', broken),
  }
}

/**
 * Holds candidates of abnormal movement against what must be true of them without any quote. The service gives neither
 * the stock's nor the index's closes, so nothing here is a recomputation of the deviation itself.
 *
 * With A and B the growth factors of stock and benchmark since the interval began, the deviation is A - B. Numbers are
 * taken as all values that their published decimals can stand for: as many as most of the column has, 2 to 6, or more if
 * the number itself has more; so a finding is a contradiction and never a matter of rounding.
 *
 * In a row, `broken`: `window` elapsed_days a whole number within 1 and the rule's days; `direction` of the deviation;
 * `status` one of the two, and right against the threshold, equality counts; `change` on a completed day, triggered if and only if pct_chg reached
 * required_pct_chg; `sign` of the required change in a forecast; `price` above 0; `tick` of 0.01; `growth` an implied index above 0; `quote` pct_chg null only in the forecast of one day; `null` anything else missing.
 *
 * Between rows, `inconsistent`: `key` (day, symbol, rule) unique; one `pct_chg` and one `name` for a stock and day; one
 * `deviation` for a stock and elapsed_days; `close`: trigger_price / (1 + required) within one tick of one last close;
 * `index`: a stock's rules over the same days imply one index return B - 1, where
 * - a forecast's deviation ends with the last completed day, and (1 + x)(d + B) = T + B;
 * - a completed day's deviation d includes the day and its change y, and required x is the change that would have
 *   reached the threshold with the index as it came: (1 + x)(d + B) = (1 + y)(T + B).
 * Rows of a running day (later than the completed one, with a quote) may be either: none of these two is asked of them.
 *
 * `suspect`: stocks of one board with equal elapsed_days should imply one index return too. They need not if a stock
 * did not trade on some day, as its interval then began earlier; a row that agrees with a longer interval is let pass.
 * And `limit`: a reachable change within the board's price limit of the day, ST by name, up to the half tick by which
 * limit prices are rounded. That `reachable` means within one day is an assumption; the service says "not yet triggered".
 * And `chain`: the close that a completed day's rows imply, trigger_price / (1 + required) x (1 + pct_chg), is the last
 * close that the stock's rows of the next trading day imply; an ex-right day between them explains a difference.
 * `unverifiable`: a rule not understood, no known board, or a threshold that is not in the table of rules; whatever
 * can be is still checked.
 * The column `peers` counts the other rows that a row was held against; one that stands alone was checked by itself only.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkAnomaly(candidates: Table | DataFrame, options: AnomalyOptions = {}): Check<AnomalyVerdict> {
  const table = asTable(candidates)
  const { rows, places } = readCandidates(table, options.completed)
  const findings: Finding[][] = rows.map(findInside)
  const note = (row: number, finding: Finding): void => {
    findings[row]?.push(finding)
  }
  const peers = peersOf(rows)
  findLateForecasts(rows, note)
  findBetween(rows, peers, note)
  findChain(rows, note)
  const [verdict, why, broken] = [new Words(rows.length), new Words(rows.length), new Words(rows.length)]
  findings.forEach((found, row) => {
    verdict.set(row, worstOf(found))
    if (found.length === 0) return
    broken.set(row, [...new Set(found.map(({ rule }) => rule))].join(', '))
    why.set(row, found.map((one) => `${one.rule}: ${one.why}`).join('; '))
  })
  const implied = imply(rows, peers, places)
  return conclude('anomaly', severities, verdict, why, implied.off, columnsOf(table, implied, broken))
}
