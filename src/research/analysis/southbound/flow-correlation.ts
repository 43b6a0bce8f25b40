import type { Table } from 'apache-arrow'
import { sampleCorrelation, sampleRankCorrelation } from '#statistics'
import { invalid } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { numbers } from '../../../frame/read-columns.js'
import { presentNumbers } from '../../../frame/table/quantiles.js'
import { rank } from '../../../frame/verb/rank.js'
import { resultTable } from '../../checks/check-columns.js'
import { recordColumns } from '../../checks/record-columns.js'
import { normalQuantile } from '../normal-distribution.js'
import { autocorrelations, effectiveDays, lagsFor, z95 } from './flow-inference.js'
import {
  channelDays,
  checkChannel,
  checkLag,
  type IndexOptions,
  type JoinedFlows,
  joinIndexDays,
  type Purpose,
  purposeOf,
  readIndex,
} from './index-join.js'
import { mainlandDays } from './mainland-days.js'
import type { Flows } from './southbound-flows.js'

/** A correlation and how well it is known. */
export interface Estimate {
  /** -1 to 1; null below three days, or where one of the two does not vary. */
  readonly value: number | null
  /** Ends of the 95 % interval; null where there are not more than three independent days, or the value is 1 or -1. */
  readonly low: number | null
  readonly high: number | null
  /** Independent days that say as much as these do; null where there is no value. */
  readonly effective: number | null
}

/** How flows and an index go together, with 95 % intervals. */
export interface FlowCorrelation {
  /** Of the ranks of net buys and of the change of the index, which a few extreme days can not decide: look at this first. */
  readonly spearman: Estimate
  /** Of the numbers themselves; its interval is for numbers without heavy tails. */
  readonly pearson: Estimate
  /** Days that have both numbers. */
  readonly days: number
  readonly purpose: Purpose
  readonly lag: number
}

/** Two numbers a day, NaN for both where one is missing. */
export interface Both {
  readonly net: Float64Array
  readonly change: Float64Array
  readonly days: number
}

/** Net buys and index changes of a joined table. */
function bothOf({ table }: JoinedFlows): Both {
  const [net, change] = [numbers(table, 'net'), numbers(table, 'index_pct_chg')]
  let days = 0
  for (let row = 0; row < net.length; row++)
    if (Number.isFinite(net[row]) && Number.isFinite(change[row])) days++
    else net[row] = change[row] = Number.NaN
  return { net, change, days }
}

const there = (x: Float64Array): number[] => Array.from(presentNumbers(x))

function varies(x: readonly number[]): boolean {
  return x.some((value) => value !== x[0])
}

const unknown: Estimate = { value: null, low: null, high: null, effective: null }

/**
 * @param spread what the variance of Fisher's z is more than 1 / (days - 3)
 * @param z standard deviations on both sides
 */
function estimate(net: Float64Array, change: Float64Array, value: number, spread: number, z: number): Estimate {
  const r = Math.max(-1, Math.min(1, value))
  const days = there(net).length
  const most = lagsFor(days)
  const own = autocorrelations(net, most)
  const other = autocorrelations(change, most)
  const products = own.map((one, lag) => one * (other[lag] as number))
  const effective = effectiveDays(days, products)
  if (effective <= 3 || Math.abs(r) === 1) return { value: r, low: null, high: null, effective }
  const [centre, half] = [Math.atanh(r), z * Math.sqrt(spread / (effective - 3))]
  return { value: r, low: Math.tanh(centre - half), high: Math.tanh(centre + half), effective }
}

/** Both correlations; at another level of confidence by `z`. */
export function correlate({ net, change, days }: Both, z = z95): Pick<FlowCorrelation, 'spearman' | 'pearson'> {
  const [x, y] = [there(net), there(change)]
  if (days < 3 || !varies(x) || !varies(y)) return { pearson: unknown, spearman: unknown }
  const ranked = sampleRankCorrelation(x, y)
  return {
    spearman: estimate(rank(net), rank(change), ranked, 1 + ranked ** 2 / 2, z),
    pearson: estimate(net, change, sampleCorrelation(x, y), 1, z),
  }
}

/**
 * Computes how net buys and the change of the index are correlated: Spearman's and Pearson's correlation over the days
 * of the join that have both numbers, with 95 % intervals.
 *
 * Days that resemble the days before carry less information than as many independent ones, so an interval that treats
 * them as independent is too narrow: of two unrelated series that keep 0.8 of a day's deviation to the next, it misses
 * the truth in more than a third of the cases. These intervals are Fisher's, of the equivalent number of independent
 * days (`effective`; Bartlett 1935, Quenouille 1947, the less of the two); for ranks with the variance (1 + r² / 2) /
 * (n - 3) of Bonett and Wright (2000). In simulations of normal series with such a memory they contain the true value
 * in 94 to 96 of 100 cases, for 60 days and more; if a faint memory lasts for months, in about 90. Flows and returns
 * have heavy tails, and are large on the same days: with news of Student's distribution with three degrees of freedom
 * and one size for both, the interval of the ranks contains it in 92 to 95, that of Pearson's correlation in 66 to 82
 * of 100. So use Spearman's, and Pearson's interval only for numbers without such tails.
 *
 * `purpose` records what the joined table may be used for. If the interval contains 0, the correlation is not
 * significant; if it does not, the two moved together, which does not mean that one moves the other.
 */
export function flowCorrelation(joined: JoinedFlows): FlowCorrelation {
  const both = bothOf(joined)
  return { ...correlate(both), days: both.days, purpose: joined.purpose, lag: joined.lag }
}

/** How often the index moved in the direction of the flow. */
export interface HitRate {
  /** Days on which more was bought and the index rose, or more was sold and it fell. */
  readonly hits: number
  /** Days counted: both numbers are there, and neither is 0. */
  readonly days: number
  /** Days with both numbers of which one is 0; not counted. */
  readonly ties: number
  /** hits / days; null without days. */
  readonly share: number | null
  /** Ends of the 95 % interval of the share (Wilson 1927), of the effective days; null for less than one of them. */
  readonly low: number | null
  readonly high: number | null
  /** Independent days that say as much. */
  readonly effective: number | null
  /** What one hits who always says the same, the more frequent direction of the index: the rate to beat. */
  readonly base: number | null
  /** What signs hit that have nothing to do with each other, as frequent as these are. */
  readonly chance: number | null
  /** The whole interval lies above `base`. */
  readonly beats: boolean | null
  readonly purpose: Purpose
  readonly lag: number
}

/** Wilson's interval of a share of n days, which need not be whole. */
function wilson(share: number, n: number): readonly [low: number, high: number] {
  const square = z95 * z95
  const centre = (share + square / (2 * n)) / (1 + square / n)
  const half = (z95 / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))
  return [Math.max(0, centre - half), Math.min(1, centre + half)]
}

/**
 * Computes how often the index moved in the direction of the flow: the share of days on which net buys and the change
 * of the index have the same sign, with a 95 % interval and its caveats.
 *
 * If the index rises on 60 of 100 days, a share of 60 % means nothing: `base` is the share that a constant prediction
 * hits, and `beats` is true only if the entire interval lies above it. Days resemble the days before, so the interval
 * is Wilson's of fewer, `effective` days: the least that the memory of the hits, and of the two signs, leaves (as in
 * flowCorrelation). It contains the true value in about 95 of 100 cases if one of the two has little memory, as changes
 * of an index do, and in fewer if both keep their sign for weeks. Days on which a number is 0 or null are not counted.
 */
export function hitRate(joined: JoinedFlows): HitRate {
  const { net, change, days: both } = bothOf(joined)
  const { purpose, lag } = joined
  /** 1 above 0, 0 below; NaN where one of the two is missing or 0. */
  const signs = (own: Float64Array, other: Float64Array): Float64Array =>
    own.map((x, row) => (Number.isNaN(x) || x === 0 || other[row] === 0 ? Number.NaN : Number(x > 0)))
  const [bought, rose] = [signs(net, change), signs(change, net)]
  const hit = bought.map((one, row) => (Number.isNaN(one) ? one : Number(one === rose[row])))
  const days = presentNumbers(hit).length
  const count = (flags: Float64Array): number => flags.filter((one) => one === 1).length
  const [hits, buying, rising, ties] = [count(hit), count(bought), count(rose), both - days]
  if (days === 0) {
    const nothing = { share: null, low: null, high: null, effective: null, base: null, chance: null, beats: null }
    return { hits, days, ties, ...nothing, purpose, lag }
  }
  const most = lagsFor(days)
  const [own, one, other] = [autocorrelations(hit, most), autocorrelations(bought, most), autocorrelations(rose, most)]
  const ofSigns = one.map((value, at) => value * (other[at] as number))
  const effective = Math.min(effectiveDays(days, own), effectiveDays(days, ofSigns))
  const share = hits / days
  const [low, high] = effective >= 1 ? wilson(share, effective) : [null, null]
  const base = Math.max(rising, days - rising) / days
  const chance = (buying * rising + (days - buying) * (days - rising)) / days ** 2
  const beats = low !== null && low > base
  return { hits, days, ties, share, low, high, effective, base, chance, beats, purpose, lag }
}

/** Options of `leadLag`. */
export interface LeadLagOptions extends IndexOptions {
  /** Trading days from the flow to the index. Default -5 to 5. */
  readonly lags?: readonly number[]
}

const usual = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]

/**
 * Computes the correlation of net buys with the change of the index `lag` trading days later, or, below 0, earlier. The
 * result has one row a lag, in the order given.
 *
 * | column                                           | meaning                                                         |
 * |--------------------------------------------------|-----------------------------------------------------------------|
 * | `lag`, `purpose`                                 | trading days from flow to index; `prediction` from 1 on          |
 * | `days`, `effective`                              | days that have both; equivalent number of independent days      |
 * | `spearman`, `spearman_low`, `spearman_high`      | Spearman's correlation, of the ranks, with its 95 % interval    |
 * | `spearman_all_low`, `spearman_all_high`          | ends that hold for all lags together with 95 % (Bonferroni)      |
 * | `pearson`, `low`, `high`, `all_low`, `all_high`  | the same of the numbers: only for those without heavy tails     |
 *
 * Flows are joined as by joinIndex, and intervals are those of flowCorrelation. Of eleven 95 % intervals, one misses by
 * chance almost every second time: if you pick the best lag, use the ends for all lags. Values are null below three
 * days and if one of the two does not vary.
 * @param quotes a table of theme_daily
 * @throws QuotebookError INVALID_VALUE for no lags and a lag given twice, and as joinIndex; MISSING_COLUMN
 */
export function leadLag(flows: Flows, quotes: Table | DataFrame, options: LeadLagOptions): Table {
  const kinds = { on: 'text', channel: 'any', lags: 'an array' } as const
  const { on, channel = 'both', lags = usual } = checkOptions(options, kinds, 'leadLag')
  checkChannel(channel)
  lags.forEach(checkLag)
  if (lags.length === 0 || new Set(lags).size < lags.length)
    throw invalid(sentence`lags must hold at least one lag, and each once`)
  const own = channelDays(flows, channel)
  const index = readIndex(quotes, on)
  const mainland = mainlandDays(index.traded)
  const together = normalQuantile(1 - 0.025 / lags.length)
  const rows = lags.map((lag) => {
    const both = bothOf(joinIndexDays(flows, own, index, mainland, channel, lag))
    return { lag, days: both.days, ...correlate(both), all: correlate(both, together) }
  })
  const { text, number, count } = recordColumns(rows)
  const ends = { low: 'Lower end', high: 'Upper end' }
  const end = (of: 'spearman' | 'pearson', which: 'low' | 'high') =>
    number(undefined, `${ends[which]} of its 95 % interval.`, (row) => row[of][which])
  const allEnd = (of: 'spearman' | 'pearson', which: 'low' | 'high') =>
    number(undefined, `${ends[which]} that holds for all lags together with 95 %.`, (row) => row.all[of][which])
  const ranks = "Spearman's correlation, of the ranks; -1 to 1."
  const numbers = "Pearson's correlation of net buys and the change of the index; -1 to 1."
  return resultTable({
    lag: count('trading day', 'From the day of the flow to that of the index.', ({ lag }) => lag),
    purpose: text('label', 'prediction: the flow was known before the day of the index.', ({ lag }) => purposeOf(lag)),
    days: count('day', 'Days that have both numbers.', ({ days }) => days),
    effective: number('day', 'Independent days that say as much.', ({ pearson }) => pearson.effective),
    spearman: number(undefined, ranks, ({ spearman }) => spearman.value),
    spearman_low: end('spearman', 'low'),
    spearman_high: end('spearman', 'high'),
    spearman_all_low: allEnd('spearman', 'low'),
    spearman_all_high: allEnd('spearman', 'high'),
    pearson: number(undefined, numbers, ({ pearson }) => pearson.value),
    low: end('pearson', 'low'),
    high: end('pearson', 'high'),
    all_low: allEnd('pearson', 'low'),
    all_high: allEnd('pearson', 'high'),
  })
}
