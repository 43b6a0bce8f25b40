import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { numbers, words } from '../../frame/read-columns.js'
import { type Check, type CheckResult, conclude, fails, leavesOpen, passes, type Severities } from '../check.js'
import {
  type CheckColumns,
  integerColumn,
  LabelBuilder,
  labelColumn,
  nullableIntegerColumn,
  numberColumn,
} from '../check-columns.js'
import { bounded, middle } from '../exact/interval.js'
import { allowedCells, eachTable } from '../row-findings.js'
import { type Candidates, lastClose, readCandidates, requiredFor } from './candidates.js'
import { type AnomalyQuotes, holdAgainst, type Judged, type Priced } from './compare-prices.js'
import type { AnomalyHalt } from './compute/compute-anomalies.js'
import { type CandidateFinding, findInside, inForceOnce } from './row-checks.js'
import { type Between, findAcross } from './series-checks.js'
import { findBetween, findIdentity, findLateForecasts } from './stock-day-checks.js'

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

/** The middle of what is possible, to as many decimals as are worth showing. */
function shown(x: number, places: number): number {
  return Number(x.toFixed(places))
}

function imply({ rows, places }: Candidates, found: Between): Implied {
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

function columnsOf(table: Table, implied: Implied): CheckColumns {
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

/** Verdicts without prices. */
export type AnomalyVerdict = 'pass' | 'warn' | 'unverifiable' | 'inconsistent' | 'invalid'
/** Verdicts with prices. */
export type PricedAnomalyVerdict = AnomalyVerdict | 'equal' | 'mismatch' | 'unexpected'

const severities: Severities<AnomalyVerdict> = { pass: 0, warn: 1, unverifiable: 1, inconsistent: 2, invalid: 3 }
const pricedSeverities: Severities<PricedAnomalyVerdict> = { equal: 0, ...severities, mismatch: 2, unexpected: 2 }

/** Options of `checkAnomalies` without prices. */
export interface AnomalyOptions {
  /**
   * The latest completed day. Rows of a later day are forecasts. Without it, and without a column `computed_on`, it is
   * the latest day that any row has a `pct_chg` of; during a session that would be the running day, so say it then.
   */
  readonly completed?: string
  /** Verification halts, as computeAnomalies takes them: they too make a measure begin anew. */
  readonly halts?: readonly AnomalyHalt[]
}

export interface PricedAnomalyOptions extends AnomalyOptions, AnomalyQuotes {}

/** A check against prices, and what it was made with. */
export interface PricedAnomalyCheck extends CheckResult<PricedAnomalyVerdict> {
  /** Rows that were computed for the days of the published ones and are not among them; columns of computeAnomalies. */
  readonly absent: Table
  /** Stocks whose prices are refused, and why. */
  readonly refused: Table
  /** What the computation took for resets: as said, or which of the two explains more rows. */
  readonly resets: 'computed' | 'none' | 'given'
}

function worstOf(findings: readonly CandidateFinding[]): AnomalyVerdict {
  return findings.reduce<AnomalyVerdict>(
    (worst, { verdict }) => (severities[verdict] > severities[worst] || worst === 'pass' ? verdict : worst),
    'pass',
  )
}

function isPriced(options: AnomalyOptions | PricedAnomalyOptions): options is PricedAnomalyOptions {
  const { prices, benchmarks }: Partial<PricedAnomalyOptions> = options
  if (prices !== undefined && benchmarks !== undefined) return true
  if (prices === undefined && benchmarks === undefined) return false
  throw new QuotebookError('INVALID_VALUE', 'prices and benchmarks are given together: a deviation needs both')
}

/** Findings that no computation answers: which stock, name and day a row is of. */
const identity = new Set(['cell', 'key', 'name', 'symbol', 'day', 'null', 'pct_chg'])

/** The findings of every row, and what rows imply of each other. */
function look(read: Candidates, { halts }: AnomalyOptions) {
  const { rows } = read
  const inForce = inForceOnce()
  const findings: CandidateFinding[][] = rows.map((one) => findInside(one, inForce))
  const note = (row: number, finding: CandidateFinding): void => {
    findings[row]?.push(finding)
  }
  findIdentity(rows, note)
  findLateForecasts(rows, note)
  findBetween(rows, note)
  return { findings, implied: imply(read, findAcross(rows.filter(inForce), note, halts)) }
}

/** Verdict, reason and broken rules of every row, by its findings. */
function wordsOf(findings: readonly (readonly CandidateFinding[])[]): {
  verdict: LabelBuilder
  why: LabelBuilder
  broken: LabelBuilder
} {
  const { length } = findings
  const [verdict, why, broken] = [new LabelBuilder(length), new LabelBuilder(length), new LabelBuilder(length)]
  findings.forEach((found, row) => {
    verdict.set(row, worstOf(found))
    if (found.length === 0) return
    broken.set(row, [...new Set(found.map(({ rule }) => rule))].join(', '))
    why.set(row, found.map((one) => `${one.rule}: ${one.why}`).join('; '))
  })
  return { verdict, why, broken }
}

const brokenColumn = (broken: LabelBuilder) =>
  labelColumn('label', 'Rules that the row breaks, in order; null when none.', broken)

/** The findings that count beside a row's comparison with its computation. */
function beside(findings: readonly CandidateFinding[], judged: Judged | undefined): readonly CandidateFinding[] {
  return judged?.verdict === 'unverifiable' ? findings : findings.filter(({ rule }) => identity.has(rule))
}

function concludePriced(
  table: Table,
  findings: readonly (readonly CandidateFinding[])[],
  priced: Priced,
): PricedAnomalyCheck {
  const { judged } = priced
  const kept = findings.map((found, row) => beside(found, judged[row]))
  const { verdict, why, broken } = wordsOf(kept)
  const differs = new LabelBuilder(judged.length)
  judged.forEach((one, row) => {
    const word = verdict.at(row) as AnomalyVerdict
    if (pricedSeverities[one.verdict] >= severities[word]) verdict.set(row, one.verdict)
    const reasons = [one.why, why.at(row)].filter((reason) => reason !== null)
    why.set(row, reasons.length > 0 ? reasons.join('; ') : null)
    if (one.differs.length > 0) differs.set(row, one.differs.join(', '))
  })
  const computed = (name: string): Float64Array => {
    const all = numbers(priced.table, name)
    return Float64Array.from(judged, ({ computed }) => (computed < 0 ? Number.NaN : (all[computed] as number)))
  }
  const off = (name: string): Float64Array => {
    const [given, made] = [numbers(table, name), computed(name)]
    return given.map((x, row) => Math.round((x - (made[row] as number)) * 1e6) / 1e6)
  }
  const size = off('deviation_pct')
  const made = conclude('anomaly', pricedSeverities, verdict, why, size, {
    tradedate: labelColumn('date', 'Day that the row speaks of.', words(table, 'tradedate')),
    symbol: labelColumn('code', 'Stock code.', words(table, 'symbol')),
    name: labelColumn('label', 'Short name of the stock.', words(table, 'name')),
    rule: labelColumn('label', 'The rule in words.', words(table, 'rule')),
    elapsed_days: nullableIntegerColumn('trading day', 'As published.', numbers(table, 'elapsed_days')),
    elapsed_computed: nullableIntegerColumn(
      'trading day',
      'As computed; null where nothing is.',
      computed('elapsed_days'),
    ),
    given: numberColumn('percent', 'deviation_pct as published.', numbers(table, 'deviation_pct')),
    recomputed: numberColumn('percent', 'deviation_pct as computed.', computed('deviation_pct')),
    difference: numberColumn('percent', 'given - recomputed.', size),
    required_pct_chg: numberColumn('percent', 'As published.', numbers(table, 'required_pct_chg')),
    required_computed: numberColumn('percent', 'As computed.', computed('required_pct_chg')),
    trigger_price: numberColumn('yuan', 'As published.', numbers(table, 'trigger_price')),
    trigger_computed: numberColumn('yuan', 'As computed.', computed('trigger_price')),
    differs: labelColumn('label', 'Columns that differ; null when none.', differs),
    broken: brokenColumn(broken),
  })
  const { absent, refused, resets } = priced
  return Object.assign(made, { absent, refused, resets })
}

/**
 * Holds candidates of abnormal movement (dataset `anomaly_forecast`) against what must be true of them: without prices
 * against themselves, each other and the rules; with prices against their recomputation by `computeAnomalies`.
 *
 * **Without prices** the deviation itself is not recomputed, as the service gives neither the stock's nor the index's
 * closes. With A and B the growth of stock and benchmark since the interval began, the deviation is A - B. Numbers are
 * taken as all values that their published decimals can stand for: as many as most of the column has, 2 to 6, or more
 * if the number itself has more; so a finding is a contradiction and never a matter of rounding.
 *
 * - In a row, `invalid`: `window` elapsed_days a whole number within 1 and the rule's days; `direction` of the
 *   deviation, but of what a day of three took back; `status` one of the two, and right against the threshold, equality counts; `change` on a completed day,
 *   triggered if and only if pct_chg reached required_pct_chg; `sign` of the required change in a forecast; `price`
 *   above 0; `tick` of 0.01; `growth` an implied index above 0; `quote` pct_chg null only in the forecast of one day;
 *   `day` a trading day, of a forecast the next; `null` anything else missing; `cell` what the contract forbids a cell. `warn`: `limit`, a reachable
 *   change, or the day's own, beyond its price limit.
 * - Between rows of a stock, `inconsistent`: `key` (day, symbol, rule) unique; one `pct_chg` and one `name` for a day;
 *   one `deviation` for an interval; `close`: one reference price and one close for a day, in whole cents, from
 *   trigger_price, required_pct_chg and pct_chg; `base`: one close before the interval for rows of one start, (r (1 +
 *   x) - c) / (T - d) with reference price r and close c, and the close of that day where rows tell it.
 * - `warn`, as something that the data does not tell can explain it: `cents` and `whole`, no whole-cent prices fit a
 *   row, or its base close is none (an ex-right day); `chain`, the close of a day is not the reference price of the
 *   next (an ex-right day); `path`, closes of near days beyond the price limit; `extreme`, another interval would have
 *   been more extreme (a measure begun anew); `index`, the rows of a board imply one path of the index, over equal
 *   intervals and over intervals that add up (a suspension: `elapsed_days` counts the days of the stock; a row that
 *   agrees with a longer interval is let pass); `name`, `symbol`, `day`: a stock keeps its name, a name its stock, and
 *   no row lies far from all others.
 * - `unverifiable`: a rule not understood, no known board, or a threshold that is not in the table of rules; what
 *   the row says by itself is still checked.
 *
 * Where two rows contradict each other and no third decides, both are named. The column `peers` counts the other rows
 * that a row was held against: of its stock's run of days, and of its board over the same interval. One that stands
 * alone was checked by itself only, and a wrong number in it need not show. Rows of a running day (later than the
 * completed one, with a quote) are held against the rules only. How much is found hangs on how many rows there are:
 * from one row a board and day on, a changed digit of any column in 95 of 100 cases and more; with half a row, as in
 * the sample, of a deviation in 87, of a required change in 93, of any other column in 93 to 100.
 *
 * **With prices** (`prices` and `benchmarks`, closes that reach back over the windows): rows are matched by day,
 * symbol, window and threshold, every number compared at its published decimals. `equal`; `mismatch`, with the columns
 * in `differs`; `unexpected`, published and not computed; `unverifiable`, where the prices are refused, lack the stock,
 * or begin within the window (then the findings above count as well). `absent` has rows that were computed and not
 * published, of days that have published rows. Published candidates stay triggered while the window holds the move, so
 * resets are `none` unless `computed` explains more rows, or you say.
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for prices without benchmarks, and as computeAnomalies does
 */
export function checkAnomalies(candidates: Table | DataFrame, options: PricedAnomalyOptions): PricedAnomalyCheck
export function checkAnomalies(candidates: Table | DataFrame, options?: AnomalyOptions): CheckResult<AnomalyVerdict>
export function checkAnomalies(
  candidates: Table | DataFrame,
  options?: AnomalyOptions | PricedAnomalyOptions,
): CheckResult<AnomalyVerdict> | PricedAnomalyCheck
export function checkAnomalies(
  candidates: Table | DataFrame,
  options: AnomalyOptions | PricedAnomalyOptions = {},
): CheckResult<AnomalyVerdict> | PricedAnomalyCheck {
  const table = asTable(candidates)
  const read = readCandidates(table, options.completed)
  const { findings, implied } = look(read, options)
  for (const { row, why } of allowedCells(table, 'anomaly_forecast').forbidden) {
    const found = findings[row] ?? []
    if (!found.some(({ verdict }) => verdict === 'invalid')) found.push({ verdict: 'invalid', rule: 'cell', why })
  }
  if (isPriced(options)) return concludePriced(table, findings, holdAgainst(read.rows, options))
  const { verdict, why, broken } = wordsOf(findings)
  const columns = { ...columnsOf(table, implied), broken: brokenColumn(broken) }
  return conclude('anomaly', severities, verdict, why, implied.off, columns)
}

/** Candidates of abnormal movement against themselves, each other and the rules; see checkAnomalies. */
export const anomalyCheck: Check = {
  name: 'anomaly',
  summary: 'candidates against the rules, against each other, and against prices where there are any',
  dataset: 'anomaly_forecast',
  rule: 'Deviation, required change, trigger price and status of each candidate are held against each other and the rules; candidates against those of the days before and after and of the same board: closes in whole cents that follow from each other, one close before an interval, one path of the benchmark, the most extreme interval of each window. The closes of stock and index are not in the data, so the deviation itself is not recomputed.',
  verdicts: {
    pass: { ...passes('Nothing in the row, or in the rows that it was held against, contradicts it.'), label: 'sound' },
    warn: leavesOpen(
      'Does not fit the rows beside it: a wrong number, or something that the data does not tell, such as a suspension, an ex-right day or a new name.',
    ),
    unverifiable: leavesOpen(
      'The rule is not understood, or its board or threshold is not known; the rest was checked.',
    ),
    inconsistent: fails('Rows contradict each other.'),
    invalid: { ...fails('The row contradicts itself, the rules or the trading calendar.'), label: 'broken' },
    equal: passes('Recomputed from prices to the same numbers.'),
    mismatch: fails('Recomputed from prices to other numbers.'),
    unexpected: fails('By the prices the stock is no candidate by this rule on this day.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  runs: eachTable('anomaly_forecast', (table) => checkAnomalies(table)),
}
