import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { numbers } from '../../../frame/read-columns.js'
import { allowedCells } from '../allowed-cells.js'
import {
  type Check,
  type CheckResult,
  type Concluded,
  conclude,
  fails,
  leavesOpen,
  passes,
  type Severities,
} from '../check.js'
import {
  type CheckColumn,
  type CheckColumns,
  integerColumn,
  LabelBuilder,
  labelColumn,
  nanColumn,
  nullableIntegerColumn,
  numberColumn,
  textColumn,
} from '../check-columns.js'
import { bounded, middle } from '../exact/interval.js'
import { reasonsOf } from '../findings.js'
import { ReasonBuilder } from '../reasons.js'
import { eachTable, givenColumns } from '../row-check.js'
import { type Candidates, lastClose, readCandidates, requiredFor } from './candidates.js'
import { type AnomalyQuotes, compareWithPrices, type Priced } from './compare-prices.js'
import type { AnomalyHalt } from './compute/compute-anomalies.js'
import { anomalyKinds } from './compute/price-table.js'
import { type CandidateFinding, cachedInForce, checkRow, type Note } from './row-checks.js'
import { type Comparisons, checkSeries } from './series-checks.js'
import { checkStockDays } from './stock-day-checks.js'

/** Columns of both results that say which row it is. */
function rowColumns(table: Table): CheckColumns {
  return givenColumns(table, 'anomaly_forecast', 'tradedate', 'symbol', 'name', 'rule')
}

/** What other rows imply of each row, in columns. */
function impliedColumns(table: Table, { rows, places }: Candidates, { peers, own, growth }: Comparisons) {
  const round = (x: number, digits: number): number => Number(x.toFixed(digits))
  const column = (): Float64Array => nanColumn(rows.length)
  const [recomputed, difference, low, high, index, close] = [column(), column(), column(), column(), column(), column()]
  const compared = new Int32Array(rows.length)
  for (const one of rows) {
    const { row } = one
    const group = peers.get(one)
    const others = group?.rows.filter(({ symbol }) => symbol !== one.symbol).length ?? 0
    compared[row] = others + (own.get(one) ?? 0)
    const benchmark = growth.get(one)
    if (benchmark) index[row] = round((middle(benchmark) - 1) * 100, places)
    const last = lastClose(one)
    if (bounded(last)) close[row] = round(middle(last), 3)
    const required = group?.common && group.rows.length > 1 ? requiredFor(one, group.common) : undefined
    if (!required || !bounded(required)) continue
    const best = round(middle(required), places)
    recomputed[row] = best
    difference[row] = round(one.requiredPct - best, 6)
    low[row] = required.lo
    high[row] = required.hi
  }
  const percent = (meaning: string, data: Float64Array): CheckColumn => numberColumn('percent', meaning, data)
  const columns: CheckColumns = {
    ...rowColumns(table),
    elapsed_days: nullableIntegerColumn(
      'trading day',
      'Days of the stock in the interval; null where it is null or no whole number.',
      numbers(table, 'elapsed_days'),
    ),
    given: percent('required_pct_chg as published.', numbers(table, 'required_pct_chg')),
    recomputed: percent(
      "required_pct_chg from the row's deviation and the index return that the board's rows imply: middle of low and high; null without other rows.",
      recomputed,
    ),
    difference: percent('given - recomputed.', difference),
    low: percent('Least required_pct_chg that fits, given the rounding of all numbers.', low),
    high: percent('Greatest required_pct_chg that fits.', high),
    index_return: percent(
      'Return of the benchmark since the interval began that the row alone implies; null where its numbers do not tell.',
      index,
    ),
    last_close: numberColumn('yuan', 'trigger_price / (1 + required_pct_chg).', close),
    peers: integerColumn(
      'row',
      'Other rows that the row was compared with: of its stock, of its board and interval; 0 when it stands alone.',
      compared,
    ),
  }
  return { difference, columns }
}

/** Verdicts without prices. */
export type AnomalyVerdict = 'pass' | 'warn' | 'unverifiable' | 'inconsistent' | 'invalid'
/** Verdicts with prices. */
export type PricedAnomalyVerdict = AnomalyVerdict | 'equal' | 'mismatch' | 'unexpected'

const anomaly: Concluded<PricedAnomalyVerdict> = {
  name: 'anomaly',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Nothing in the row, or in the rows that it was compared with, contradicts it.`),
    warn: leavesOpen(sentence`Does not fit the rows beside it: a wrong number, or something that the data does not tell, such as a suspension, an ex-right day or a new name.`),
    unverifiable: leavesOpen(sentence`The rule is not understood, or its board or threshold is not known; the rest was checked.`),
    inconsistent: fails(sentence`Rows contradict each other.`),
    invalid: fails(sentence`The row contradicts itself, the rules or the trading calendar.`),
    equal: passes(sentence`Recomputed from prices to the same numbers.`),
    mismatch: fails(sentence`Recomputed from prices to other numbers.`),
    unexpected: fails(sentence`By the prices the stock is no candidate by this rule on this day.`),
  },
}

const { equal: _equal, mismatch: _mismatch, unexpected: _unexpected, ...unpricedVerdicts } = anomaly.verdicts
const unpriced: Concluded<AnomalyVerdict> = { ...anomaly, verdicts: unpricedVerdicts }

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

/** Options of `checkAnomalies` with prices: its results are compared with computed ones. */
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

function isPriced(options: AnomalyOptions | PricedAnomalyOptions): options is PricedAnomalyOptions {
  const { prices, benchmarks }: Partial<PricedAnomalyOptions> = options
  if (prices !== undefined && benchmarks !== undefined) return true
  if (prices === undefined && benchmarks === undefined) return false
  throw new QuotebookError('INVALID_VALUE', sentence`prices and benchmarks are given together: a deviation needs both`)
}

/** The findings of every row, and what rows imply of each other. */
function checkForm(options: AnomalyOptions | PricedAnomalyOptions): void {
  const own = { completed: 'text', halts: 'an array' } as const
  const quotes = { prices: 'any', benchmarks: 'any', calendar: 'an array', rules: 'an object' } as const
  if (isPriced(options)) checkOptions(options, { ...anomalyKinds, ...own, ...quotes }, 'checkAnomalies')
  else checkOptions(options, own, sentence`checkAnomalies without prices`)
}

function checkCandidates({ rows }: Candidates, { halts }: AnomalyOptions) {
  const inForce = cachedInForce()
  const findings = rows.map((one) => checkRow(one, inForce))
  const note: Note = (about, verdict, rule, why) => {
    for (const { row } of about) findings[row]?.push({ verdict, rule, why })
  }
  checkStockDays(rows, note)
  return { findings, comparisons: checkSeries(rows.filter(inForce), note, halts) }
}

/** Verdict, reasons and broken rules of every row, by its findings. */
function readFindings(findings: readonly (readonly CandidateFinding[])[]) {
  const { length } = findings
  const [verdict, broken] = [new LabelBuilder(length), new LabelBuilder(length)]
  const whys: (readonly Words[])[] = []
  findings.forEach((own, row) => {
    const worst = own.reduce<CandidateFinding | undefined>(
      (a, b) => (a && severities[a.verdict] >= severities[b.verdict] ? a : b),
      undefined,
    )
    verdict.set(row, worst?.verdict ?? 'pass')
    whys.push(own.map((one) => sentence`${one.rule}: ${one.why}`))
    if (worst) broken.set(row, [...new Set(own.map(({ rule }) => rule))].join(', '))
  })
  const column = labelColumn('label', 'Rules that the row breaks, in order; null when none.', broken)
  return { verdict, whys, broken: column }
}

/** Findings that no computation answers: which stock, name and day a row is of. */
const identityRules = new Set(['cell', 'key', 'name', 'symbol', 'day', 'null', 'pct_chg'])

function concludePriced(
  table: Table,
  findings: readonly (readonly CandidateFinding[])[],
  { judged, table: made, absent, refused, reasons, resets }: Priced,
): PricedAnomalyCheck {
  const counted = findings.map((own, row) =>
    judged[row]?.verdict === 'unverifiable' ? own : own.filter(({ rule }) => identityRules.has(rule)),
  )
  const { verdict, whys, broken } = readFindings(counted)
  const why = new ReasonBuilder(table.numRows)
  judged.forEach((one, row) => {
    const word = verdict.at(row) as AnomalyVerdict
    if (pricedSeverities[one.verdict] >= severities[word]) verdict.set(row, one.verdict)
    why.set(row, [...one.why, ...(whys[row] ?? [])])
  })
  const differs = judged.map(({ differs }) => differs.join(', ') || null)
  const computed = (name: string): Float64Array => {
    const all = numbers(made, name)
    return Float64Array.from(judged, ({ computed: row }) => all[row] ?? Number.NaN)
  }
  const [given, recomputed] = [numbers(table, 'deviation_pct'), computed('deviation_pct')]
  const difference = given.map((x, row) => Math.round((x - (recomputed[row] as number)) * 1e6) / 1e6)
  const published = 'As published.'
  const columns: CheckColumns = {
    ...rowColumns(table),
    elapsed_days: nullableIntegerColumn('trading day', published, numbers(table, 'elapsed_days')),
    elapsed_computed: nullableIntegerColumn(
      'trading day',
      'As computed; null where nothing is.',
      computed('elapsed_days'),
    ),
    given: numberColumn('percent', 'deviation_pct as published.', given),
    recomputed: numberColumn('percent', 'deviation_pct as computed.', recomputed),
    difference: numberColumn('percent', 'given - recomputed.', difference),
    required_pct_chg: numberColumn('percent', published, numbers(table, 'required_pct_chg')),
    required_computed: numberColumn('percent', 'As computed.', computed('required_pct_chg')),
    trigger_price: numberColumn('yuan', published, numbers(table, 'trigger_price')),
    trigger_computed: numberColumn('yuan', 'As computed.', computed('trigger_price')),
    differs: textColumn('label', 'Columns that differ; null when none.', differs),
    broken,
  }
  const result = conclude(anomaly, verdict, why, difference, columns, pricedSeverities)
  return Object.assign(result, { absent, refused, resets, reasons: new Map([...result.reasons, ...reasons]) })
}

/**
 * Checks candidates of abnormal movement (dataset `anomaly_forecast`): without prices against themselves, each other
 * and the rules; with prices against their recomputation by `computeAnomalies`.
 *
 * **Without prices** the deviation itself is not recomputed, as the service gives neither the stock's nor the index's
 * closes. With A and B the growth of stock and benchmark since the interval began, the deviation is A - B. Numbers are
 * taken as all values that their published decimals can stand for: as many as most of the column has, 2 to 6, or more
 * if the number itself has more; so a finding is a contradiction and never a matter of rounding.
 *
 * - In a row, `invalid`: `window` elapsed_days a whole number within 1 and the rule's days; `direction` of the
 *   deviation, but of what a day of three took back; `status` one of the two, and right against the threshold, equality
 *   counts; `change` on a completed day, triggered if and only if pct_chg reached required_pct_chg; `sign` of the
 *   required change in a forecast; `price` above 0; `tick` of 0.01; `growth` an implied index above 0; `quote` pct_chg
 *   null only in the forecast of one day; `day` a trading day, of a forecast the next; `null` anything else missing;
 *   `cell` what the contract forbids a cell. `warn`: `limit`, a reachable change, or the day's own, beyond its price
 *   limit.
 * - Between rows of a stock, `inconsistent`: `key` (day, symbol, rule) unique; one `pct_chg` and one `name` for a day;
 *   one `deviation` for an interval; `close`: one reference price and one close for a day, in whole cents, from
 *   trigger_price, required_pct_chg and pct_chg; `base`: one close before the interval for rows of one start, (r (1 +
 *   x) - c) / (T - d) with reference price r and close c, and the close of that day if rows give it.
 * - `warn`, since facts outside the data can explain it: `cents` and `whole`, no whole-cent prices fit a row, or its
 *   base close is not one (an ex-right day); `chain`, the close of a day is not the reference price of the next (an
 *   ex-right day); `extreme`, another interval would have been more extreme (a measure begun anew); `name`, `symbol`,
 *   `day`: a stock keeps its name, a name its stock, and no row lies far from all others.
 * - `unverifiable`: an unknown rule, an unknown board, or a threshold missing from the table of rules; the row itself
 *   is still checked.
 *
 * If two rows contradict each other and no third decides, both are named. The column `peers` counts the other rows that
 * a row was compared with: of its stock's run of days, and of its board over the same interval. A row without peers was
 * checked by itself only, and a wrong number in it may go unnoticed. Rows of the current session (later than the
 * completed one, with a quote) are compared with the rules only.
 *
 * **With prices** (`prices` and `benchmarks`, closes that reach back over the windows): rows are matched by day,
 * symbol, window and threshold, every number compared at its published decimals. `equal`; `mismatch`, with the columns
 * in `differs`; `unexpected`, published and not computed; `unverifiable`, if the prices are rejected, lack the stock,
 * or begin within the window (then the findings above count as well). `absent` has rows that were computed and not
 * published, of days that have published rows. Published candidates stay triggered while the window holds the move, so
 * `resets` is `none` by default, unless `computed` explains more rows.
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
  checkForm(options)
  const table = asTable(candidates)
  const read = readCandidates(table, options.completed)
  const { findings, comparisons } = checkCandidates(read, options)
  for (const cell of allowedCells(table, 'anomaly_forecast').forbidden) {
    const own = findings[cell.row] ?? []
    if (own.some(({ verdict }) => verdict === 'invalid')) continue
    for (const why of reasonsOf([cell])) own.push({ verdict: 'invalid', rule: 'cell', why })
  }
  if (isPriced(options)) {
    const { completed: _, ...quotes } = options
    return concludePriced(table, findings, compareWithPrices(read.rows, quotes))
  }
  const { verdict, whys, broken } = readFindings(findings)
  const why = new ReasonBuilder(table.numRows)
  for (const [row, reasons] of whys.entries()) why.set(row, reasons)
  const { difference, columns } = impliedColumns(table, read, comparisons)
  return conclude(unpriced, verdict, why, difference, { ...columns, broken })
}

/** Candidates of abnormal movement against themselves, each other and the rules; see checkAnomalies. */
export const anomalyCheck: Check = {
  ...anomaly,
  summary: 'candidates against the rules, against each other, and against prices where there are any',
  dataset: 'anomaly_forecast',
  rule: 'Deviation, required change, trigger price and status of each candidate are compared with each other and the rules; candidates of a stock against those of the days before and after: closes in whole cents that follow from each other, one close before an interval, the most extreme interval of each window. The closes of stock and index are not in the data, so the deviation itself is not recomputed.',
  confirmedAs: 'without contradiction',
  partial: true,
  runs: eachTable('anomaly_forecast', (table) => checkAnomalies(table)),
}
