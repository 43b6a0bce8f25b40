import { misuse } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { described, namedIn } from '../../frame/table/shape.js'
import type { DecideAt } from './cursor.js'
import type { CommissionOption } from './day-rules.js'
import type { Slippage } from './execute.js'
import { type TripWay, tripWays } from './lot-book.js'
import { mostAtStart, rateOf } from './money.js'
import { type PriceFinding, refuseFindings } from './price-findings.js'
import type { ExRights, FillAt, SimulationRules, SizeAt } from './run-account.js'

/** When it is decided and when it is filled: two words. */
export interface Execute {
  readonly decide: DecideAt
  readonly fill: FillAt
}

/** Options of an account; every default is the cautious one. */
export interface BacktestOptions {
  /** Yuan at the start. */
  readonly cash: number
  /**
   * Default: `{ decide: 'close', fill: 'nextOpen' }`, the open of the next bar that is not the opening auction (0930 of bars), which `nextAuction` asks
   * for. A decision made while another waits takes its place. `sameClose` fills at the price that the decision has just seen; it has
   * to be asked for, and the result says so. With `decide: 'open'` a strategy sees opens, what was known before, and
   * what it held before the fills of that bar.
   */
  readonly exec?: Execute
  /** Slippage of a fill, in ticks (default: 1, without `slippageBps`). */
  readonly slippageTicks?: number
  /** The same in basis points, rounded to the tick against the trader. */
  readonly slippageBps?: number
  /** Share of a bar's volume that the account may trade (default: 0.1; null: without a limit). Needs the column `vol`. */
  readonly maxVolumeShare?: number | null
  /** The broker's commission (default: that of the trading rules). */
  readonly commission?: CommissionOption
  /** Default: `shares`. */
  readonly exRights?: ExRights
  /**
   * Prices by which a portfolio becomes orders. `decision`, the default: those of the decision, as every broker's order is so many shares; the price of
   * the fill then changes the cash, and never the number. `fill`: those of the fill.
   */
  readonly sizeAt?: SizeAt
  /**
   * A target that is held and whose value differs from its holding by less than that of so many lots (steps of its class), at the prices by which orders are
   * sized, is left alone (default: 0). With 1 nothing is sold because costs have made the account a little smaller. What is no target is sold whole.
   */
  readonly minTradeLots?: number
  /**
   * What a round trip is: `flat`, from the first purchase until the last share went; or `fifo`, a purchase as far as a sale is of it, first in first out, which counts
   * the closed trades of a grid that never sells all. Default: `flat`.
   */
  readonly trips?: TripWay
  /** Whether any value that its own day contradicts refuses the run, also one that the account does not use (default: false). */
  readonly strict?: boolean
  /**
   * What the strategy was made with, for the hash of the run: the strategy has it already, so nothing is read here and no name is
   * refused. `sweep`, `walkForward` and the command, which make strategies, refuse a param that none reads.
   */
  readonly params?: Readonly<Record<string, string | number | boolean>>
  /** Whether `checkLookahead` is run (default: true). */
  readonly lookahead?: boolean
  /** Makes the strategy anew for each cut of `checkLookahead`, so that nothing is left of what another panel had in it: `() => make(params)`. */
  readonly anew?: () => object
  /** Called after each day. */
  readonly onProgress?: (done: number, of: number) => void
}

const fills: readonly FillAt[] = ['nextOpen', 'nextClose', 'nextVwap', 'nextAuction', 'sameClose']
/** The options of a backtest, by name. */
export const backtestKinds: OptionKinds<BacktestOptions> = {
  cash: 'any',
  exec: 'any',
  slippageTicks: 'any',
  slippageBps: 'a number',
  maxVolumeShare: 'any',
  commission: 'any',
  exRights: 'any',
  minTradeLots: 'any',
  sizeAt: 'any',
  trips: tripWays,
  lookahead: 'true or false',
  strict: 'true or false',
  params: 'an object',
  anew: 'a function',
  onProgress: 'a function',
}

function wrong(what: Words): never {
  throw misuse(sentence`backtest: ${what}`)
}

function slippageOf({ slippageTicks, slippageBps }: BacktestOptions): Slippage {
  if (slippageTicks !== undefined && slippageBps !== undefined) wrong(sentence`slippageTicks or slippageBps, not both`)
  if (slippageBps !== undefined) {
    if (!(slippageBps >= 0 && slippageBps < 10_000)) wrong(sentence`slippageBps is from 0 to 10000, not ${slippageBps}`)
    return { bps: slippageBps }
  }
  const ticks = slippageTicks ?? 1
  if (!Number.isInteger(ticks) || ticks < 0) wrong(sentence`slippageTicks is a whole number from 0, not ${ticks}`)
  return { ticks }
}

function checkCommission(commission: CommissionOption): void {
  const kinds = { rate: 'any', min: 'any' } as const
  checkOptions(commission, { ...kinds, byClass: 'any' }, 'commission')
  const { byClass = {} } = commission
  namedIn(byClass, sentence`byClass of the commission`, sentence`an object, such as { ETF: { rate: 0.0001, min: 1 } }`)
  for (const [kind, own] of Object.entries(byClass)) checkOptions(own, kinds, sentence`commission of '${kind}'`)
  for (const { rate = 0, min = 0 } of [commission, ...Object.values(commission.byClass ?? {})]) {
    if (!(rate >= 0 && rate < 1))
      wrong(sentence`a commission rate is a share of the amount such as 0.00025, not ${rate}`)
    if (!(min >= 0)) wrong(sentence`the least commission is in yuan, from 0, not ${min}`)
  }
}

/**
 * The options of a backtest, checked, and with what was not given.
 * @param findings of the panel that it is run over
 * @throws QuotebookError USAGE; CONTRADICTED with `strict` where there are findings
 */
export function normalOptions(given: BacktestOptions, findings: readonly PriceFinding[]) {
  const options = checkOptions(given, backtestKinds, 'backtest')
  if (options.strict) refuseFindings(findings)
  const cash = Math.round(options.cash * 100)
  if (!(cash > 0) || cash / 100 !== options.cash)
    wrong(sentence`cash is yuan at the start, above 0 and in whole fen, not ${described(options.cash)}`)
  if (cash > mostAtStart) wrong(sentence`an account of more than a trillion yuan can not be kept to the fen`)
  const exec = options.exec ?? { decide: 'close', fill: 'nextOpen' }
  checkOptions(exec, { decide: 'any', fill: 'any' }, 'exec')
  if (exec.decide !== 'close' && exec.decide !== 'open')
    wrong(sentence`exec: { decide } is 'close' or 'open', not ${described(exec.decide)}`)
  if (!fills.includes(exec.fill))
    wrong(sentence`exec: { fill } is one of ${fills.join(', ')}; not ${described(exec.fill)}`)
  const share = options.maxVolumeShare === undefined ? 0.1 : options.maxVolumeShare
  if (share !== null && !(share > 0 && share <= 1))
    wrong(sentence`maxVolumeShare is above 0 and at most 1, or null; not ${described(share)}`)
  const { commission = {}, exRights = 'shares', minTradeLots = 0, sizeAt = 'decision' } = options
  checkCommission(commission)
  if (!['shares', 'cash', 'none'].includes(exRights))
    wrong(sentence`exRights is 'shares', 'cash' or 'none', not ${described(exRights)}`)
  if (sizeAt !== 'decision' && sizeAt !== 'fill')
    wrong(sentence`sizeAt is 'decision' or 'fill', not ${described(sizeAt)}`)
  if (!Number.isInteger(minTradeLots) || minTradeLots < 0)
    wrong(sentence`minTradeLots is a whole number of lots, from 0, not ${described(minTradeLots)}`)
  const slippage = slippageOf(options)
  const rules: SimulationRules = {
    cash,
    ...exec,
    commission,
    exRights,
    minTradeLots,
    sizeAt,
    keepsRecords: true,
    slippage,
    trips: options.trips,
    volumeShare: share === null ? undefined : rateOf(share),
  }
  return { exec, rules, lookahead: options.lookahead ?? true }
}
