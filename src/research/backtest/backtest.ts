import type { Table } from 'apache-arrow'
import { fact, sentence, type Words } from '../../contract/sentence.js'
import type { TradingRules } from '../../contract/trading-rules.js'
import { version } from '../../contract/version.js'
import { shownResult } from '../../frame/show/result-display.js'
import { dailyReturns, fewDays, runCurve } from './account-curve.js'
import { type BacktestOptions, normalOptions } from './backtest-options.js'
import { compareUnderNoise, type LookaheadCheck, recorded, watchedPanel } from './check-lookahead.js'
import { cursorOf } from './cursor.js'
import { tripsOf } from './lot-book.js'
import type { Panel } from './panel.js'
import type { PriceFinding } from './price-findings.js'
import { accountTable, eventsTable, fillsTable, positionsTable, rejectedTable, tripsTable } from './result-tables.js'
import { runAccount, type Simulation, type SimulationRules } from './run-account.js'
import { sha256Text, sourceOf } from './run-hash.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'

/** The result of a backtest. Money is in yuan. */
export interface BacktestResult {
  readonly days: readonly string[]
  /** Cash at the start, which stands at the first day. */
  readonly start: number
  /** Cash and holdings at the end of each day, exact to the fen. */
  readonly equity: Float64Array
  /** equity / equity of the day before - 1; the first day's against the start. */
  readonly returns: Float64Array
  /** Round trips, net of costs, in the way of `trips`. */
  readonly trades: readonly { readonly symbol: string; readonly pnl: number }[]
  /** Bought and sold by day. */
  readonly traded: Float64Array
  /** One-sided, per year of 252 days: traded / 2 / mean equity. */
  readonly turnover: number
  /** A row a day: equity, cash, exposure, traded, costs by kind. */
  readonly account: Table
  readonly fills: Table
  /** Every order that was not filled, or not wholly, and why. */
  readonly rejected: Table
  readonly positions: Table
  readonly trips: Table
  /** Ex-rights, redemptions, delistings, positions stopped at a gap. */
  readonly events: Table
  /** Undefined if it was not run. */
  readonly lookahead: LookaheadCheck | undefined
  /** What a reader must know: fewer than 20 days, a fill at the price that was decided by, data without history, stale values, prices in doubt. */
  readonly warnings: readonly Words[]
  /** Values of the prices that their own day contradicts; the account has used none of them. */
  readonly findings: readonly PriceFinding[]
  readonly options: BacktestOptions
  /** The commission of the trading rules of its panel, which it paid if its options give none. */
  readonly commissions: TradingRules['commission']
  /** sha256 of the prices, of the source of the strategy, and of both with options and version. Values that a function closes over are not in it. */
  readonly hashes: { readonly panel: string; readonly strategy: string; readonly run: string }
}

function warningsOf(
  panel: Panel,
  run: Simulation,
  rules: SimulationRules,
  { sameBar, lookahead }: { sameBar: boolean; lookahead: LookaheadCheck | undefined },
): Words[] {
  const warnings = [...panel.notes, ...fewDays(panel.days.length - panel.begin)]
  if (sameBar)
    warnings.push(
      fact(
        'FILLED_AT_CLOSE',
        'orders are filled at the close by which they were decided: nobody can trade at that price',
      ),
    )
  if (lookahead?.why !== undefined)
    warnings.push(fact('LOOK_AHEAD_CHECK', 'the look-ahead check: {why}', { why: lookahead.why }))
  else if (lookahead && !lookahead.ok) {
    const { time, symbol, cut } = lookahead.firstDifference as NonNullable<LookaheadCheck['firstDifference']>
    const which = symbol === undefined ? '' : sentence`, first in ${symbol}`
    warnings.push(
      fact(
        'LOOK_AHEAD',
        'the strategy looks ahead: its decision at {time} changes{which} when what came after {cut} does',
        { time, which, cut },
      ),
    )
  }
  if (rules.volumeShare !== undefined && !panel.has('vol'))
    warnings.push(sentence`no column vol: the share of the volume is not held`)
  const bound = run.rejected.filter(({ reason }) => reason === 'volume').length
  if (bound) {
    const orders = run.fillRows.length + run.rejected.filter(({ filled }) => filled === 0).length
    const share = ((100 * bound) / orders).toFixed(1)
    const words = '{count} of {orders} orders ({share} %) were cut or refused by the volume of their bar'
    warnings.push(fact('VOLUME_LIMIT', words, { count: bound, orders, share }))
  }
  if (!panel.has('pre_close'))
    warnings.push(sentence`no column pre_close: limits go by the last close, and ex-rights are not known`)
  if (run.stale)
    warnings.push(
      fact('STALE_VALUES', '{count} daily values of holdings are of an earlier close: suspended, or without a row', {
        count: run.stale,
      }),
    )
  const stopped = run.events.filter(({ event }) => event === 'stopped')
  for (const { time, symbol } of stopped) {
    const [code, at] = [panel.symbols[symbol], panel.timeText(time)]
    const why = sentence`without a previous close that explains it; it is kept at its last close: give pre_close or adj_factor`
    warnings.push(sentence`${code} jumped beyond its limits on ${at} ${why}`)
  }
  return warnings
}

/** Tables are made when they are asked for. */
function lazily(
  panel: Panel,
  run: Simulation,
  trips: ReturnType<typeof tripsOf>,
): Pick<BacktestResult, 'account' | 'fills' | 'rejected' | 'positions' | 'trips' | 'events'> {
  const makers = {
    account: accountTable,
    fills: fillsTable,
    rejected: rejectedTable,
    positions: positionsTable,
    trips: () => tripsTable(panel, trips),
    events: eventsTable,
  }
  const made = new Map<string, Table>()
  const out = {}
  for (const [name, make] of Object.entries(makers)) {
    const get = (): Table => {
      const table = made.get(name) ?? make(panel, run)
      made.set(name, table)
      return table
    }
    Object.defineProperty(out, name, { get, enumerable: true })
  }
  return out as ReturnType<typeof lazily>
}

/**
 * Runs a strategy over a panel with an exact account: whole lots, cash in fen, limits, suspensions, T+0 and T+1, costs
 * by the trading rules of each day.
 *
 * By default the strategy decides at the close, orders fill at the next open with one tick of slippage, at most a tenth
 * of a bar's volume, commission is 0.025 % and at least 5 yuan (bonds 0.02 %, 1 yuan), and ex-rights are paid as
 * shares. A decision lives for one bar: what cannot be filled then is in `rejected`. Equity is cash plus holdings at
 * the last close; for suspended instruments it is reported as stale.
 * @throws QuotebookError USAGE for options or strategies of another shape; MISSING_COLUMN; LOOK_AHEAD if the strategy
 * reads a column that becomes known only after the decision; STRATEGY for an error in the strategy's own code;
 * NO_DECISION if it decides nothing in the entire run; INVALID_VALUE for prices that are not raw; CONTRADICTED if a
 * fill, a mark or ex-rights of the account would use a value that its own day contradicts, or with `strict` if there is
 * any such value
 */
export function backtest<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<Settled<C>>,
  options: BacktestOptions,
): BacktestResult {
  const { exec, rules, lookahead: isChecked } = normalOptions(options, panel.findings)
  const { onProgress, anew, ...kept } = options
  const any = panel as unknown as Panel
  const watched = isChecked ? watchedPanel(panel) : undefined
  const decisive = decideOf(strategy, panel, cursorOf(panel, exec.decide), watched && { seen: watched.seen })
  const asked = watched && recorded(decisive.decide, watched.taken)
  const run = runAccount(any, { ...rules, onDay: onProgress }, asked?.decide ?? decisive.decide)
  const silences = decisive.tally.warnings()
  const lookahead =
    asked && compareUnderNoise(panel, strategy, { decideAt: exec.decide, cuts: 8, anew: anew as never }, asked.record)
  const start = options.cash
  const { equity, turnover } = runCurve(run, 252, panel.begin)
  const trips = tripsOf(run, rules.trips)
  let trades: BacktestResult['trades'] | undefined
  const sameBar = exec.decide === 'close' && exec.fill === 'sameClose'
  const result = {
    days: panel.days.slice(panel.begin),
    start,
    equity,
    returns: dailyReturns(start, equity),
    get trades() {
      trades ??= trips.objects().map(({ symbol, pnl }) => ({
        symbol: panel.symbols[symbol] as string,
        pnl: pnl / 100,
      }))
      return trades
    },
    traded: run.traded.subarray(panel.begin).map((fen) => fen / 100),
    turnover,
    lookahead,
    findings: any.findings,
    warnings: [...warningsOf(any, run, rules, { sameBar, lookahead }), ...silences],
    options: kept,
    commissions: panel.rules.commission,
    get hashes(): BacktestResult['hashes'] {
      const [data, source] = [panel.hash, sha256Text(sourceOf(strategy))]
      const run = sha256Text(JSON.stringify([data, source, sourceOf(kept), version]))
      return { panel: data, strategy: source, run }
    },
  }
  Object.defineProperties(result, Object.getOwnPropertyDescriptors(lazily(any, run, trips)))
  return shownResult('backtest', result as unknown as BacktestResult)
}
