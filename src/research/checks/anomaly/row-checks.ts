import { isDate } from '../../../contract/date.js'
import { anyOf, sentence, type Words } from '../../../contract/sentence.js'
import { publishedPlaces } from '../exact/precision.js'
import { abnormalRules, priceLimit, severeRules } from './anomaly-rules.js'
import { type Candidate, indexGrowth, isMarked, isWhole, towardsThreshold } from './candidates.js'

/** One rule that a row breaks. */
export interface CandidateFinding {
  /** `invalid`: by itself. `inconsistent`: with other rows. `warn`, `unverifiable`: see checkAnomalies. */
  readonly verdict: 'invalid' | 'inconsistent' | 'warn' | 'unverifiable'
  readonly rule: string
  readonly why: Words
}

/** Writes one finding about each of some rows. */
export type Note = (rows: readonly Candidate[], verdict: CandidateFinding['verdict'], rule: string, why: Words) => void

/** What is wrong with a row; false where nothing is. */
type WhyWrong = (one: Candidate) => Words | false

const statuses: readonly string[] = ['triggered', 'reachable']

const quoteMissing: WhyWrong = ({ basis, change }) =>
  basis === 'completed' && !change && sentence`pct_chg is null on a completed day`

const statusWord: WhyWrong = ({ status }) =>
  !statuses.includes(status) && sentence`status is ${status || 'null'}, not ${anyOf(statuses)}`

const window: WhyWrong = ({ elapsed, rule }) => {
  const days = rule?.days ?? Number.POSITIVE_INFINITY
  if (!Number.isInteger(elapsed)) return sentence`elapsed_days is ${elapsed}, not a whole number`
  return !(elapsed >= 1 && elapsed <= days) && sentence`elapsed_days is ${elapsed}, the window has ${days} days`
}

/**
 * What is not reached on a completed day may have gone the other way: 20 up in two days, 25 down on the third, and no
 * interval of the three is up. Windows of more than three days ask for more than a day can take back.
 */
const direction: WhyWrong = (one) => {
  if (one.basis === 'completed' && one.status === 'reachable' && (one.rule?.days ?? 0) <= 3) return false
  const against = towardsThreshold(one, one.deviation).hi <= 0
  return against && sentence`deviation_pct ${one.deviationPct} goes against a threshold of ${one.rule?.threshold}`
}

/** The deviation is at the threshold for sure, short of it for sure, or too near to tell. */
const status: WhyWrong = (one) => {
  const { lo, hi } = towardsThreshold(one, one.deviation)
  const size = Math.abs(one.threshold)
  const wrong = one.status === 'triggered' ? hi < size : lo >= size
  if (!wrong) return false
  const [own, threshold] = [one.deviationPct, one.rule?.threshold]
  return lo >= size
    ? sentence`${one.status}, and deviation_pct ${own} reaches ${threshold}`
    : sentence`${one.status}, and deviation_pct ${own} does not reach ${threshold}`
}

/** On a completed day the threshold is reached if and only if the day's change reached the required one. */
const change: WhyWrong = (one) => {
  if (one.basis !== 'completed' || !one.change) return false
  const [day, required] = [towardsThreshold(one, one.change), towardsThreshold(one, one.required)]
  const wrong = one.status === 'triggered' ? day.hi < required.lo : day.lo > required.hi
  return wrong && sentence`${one.status}, and pct_chg ${one.pctChg} stands against required_pct_chg ${one.requiredPct}`
}

/** In a forecast the index stands still, so what is not reached yet needs a change in the threshold's direction. */
const sign: WhyWrong = (one) => {
  if (one.required.hi <= -1) return sentence`required_pct_chg ${one.requiredPct} is a loss of everything`
  if (one.basis !== 'forecast') return false
  const { lo, hi } = towardsThreshold(one, one.required)
  const wrong = one.status === 'triggered' ? lo > 0 : hi <= 0
  return wrong && sentence`${one.status} in a forecast, and required_pct_chg is ${one.requiredPct}`
}

const price: WhyWrong = (one) => !(one.price > 0) && sentence`trigger_price ${one.price} is not above 0`

const tick: WhyWrong = (one) =>
  publishedPlaces(one.price) > 2 && sentence`trigger_price ${one.price} is not on the tick of ${'0.01'}`

/**
 * The limit of the day as a fraction, NaN where there is none: on the first days of a listing, whose names begin with N
 * or C and a Chinese character. A limit price is rounded half up to the tick: up to half a tick more than the
 * percentage, at the lowest close that the row allows.
 */
function limitOf({ board, tradedate, name, price, required }: Candidate): number {
  if (!board || !isDate(tradedate) || (name !== null && /^[NC][\p{Script=Han}]/u.test(name))) return Number.NaN
  const close = (price - 0.01) / (1 + required.hi)
  const halfTick = close > 0 ? 0.005 / close : Number.POSITIVE_INFINITY
  return priceLimit(board, isMarked(name), tradedate) / 100 + halfTick
}

/**
 * `reachable` says no more than "not yet triggered". That such a change can come within one day is an assumption, so a
 * row beyond the price limit is suspect only.
 */
const requiredLimit: WhyWrong = (one) =>
  one.status === 'reachable' &&
  towardsThreshold(one, one.required).lo > limitOf(one) &&
  sentence`${'required_pct_chg'} ${one.requiredPct} is beyond the price limit of the day`

/** The change of the day itself; the data does not name days without a limit, as after a long suspension. */
const changeLimit: WhyWrong = (one) =>
  one.change !== undefined &&
  Math.max(one.change.lo, -one.change.hi) > limitOf(one) &&
  sentence`${'pct_chg'} ${one.pctChg} is beyond the price limit of the day`

/** Growth factors are above 0: a price that fell by everything has no next day. */
const growth: WhyWrong = (one) => {
  const index = indexGrowth(one)
  const wrong = index !== undefined && !(index.hi > 0 && index.hi + one.threshold > 0)
  return wrong && sentence`deviation, required change and threshold together imply an index at or below 0`
}

interface RowCheck {
  readonly rule: string
  readonly verdict: 'invalid' | 'warn'
  /** What the row must have for the check: nothing, a rule that is understood, or a rule and a status. */
  readonly needs: 'nothing' | 'rule' | 'status'
  readonly why: WhyWrong
}

const rowChecks: readonly RowCheck[] = [
  { rule: 'quote', verdict: 'invalid', needs: 'nothing', why: quoteMissing },
  { rule: 'status', verdict: 'invalid', needs: 'nothing', why: statusWord },
  { rule: 'window', verdict: 'invalid', needs: 'rule', why: window },
  { rule: 'direction', verdict: 'invalid', needs: 'rule', why: direction },
  { rule: 'status', verdict: 'invalid', needs: 'status', why: status },
  { rule: 'change', verdict: 'invalid', needs: 'status', why: change },
  { rule: 'sign', verdict: 'invalid', needs: 'status', why: sign },
  { rule: 'price', verdict: 'invalid', needs: 'nothing', why: price },
  { rule: 'tick', verdict: 'invalid', needs: 'nothing', why: tick },
  { rule: 'limit', verdict: 'warn', needs: 'status', why: requiredLimit },
  { rule: 'limit', verdict: 'warn', needs: 'status', why: changeLimit },
  { rule: 'growth', verdict: 'invalid', needs: 'rule', why: growth },
]

/** Whether a row's rule is in force for its board on its day. */
type InForce = (one: Candidate) => boolean

/** Rules in force, looked up once for rows that are alike. */
export function cachedInForce(): InForce {
  const known = new Map<string, boolean>()
  return ({ board, tradedate, name, rule }) => {
    if (!board || !rule) return false
    const isST = isMarked(name)
    const { days, threshold } = rule
    const key = `${board} ${tradedate} ${isST} ${days} ${threshold}`
    let holds = known.get(key)
    if (holds === undefined) {
      const rules = [...severeRules(board, tradedate, isST), ...abnormalRules(board, tradedate, isST)]
      holds = rules.some((one) => one.days === days && one.threshold === threshold)
      known.set(key, holds)
    }
    return holds
  }
}

function whyUnknown({ rule, ruleText, board, symbol, tradedate }: Candidate): Words {
  if (!rule) return sentence`the rule is not understood: ${ruleText}`
  if (!board) return sentence`${symbol} is of no board known`
  return sentence`${board} has no rule of ${rule.days} days and ${`${rule.threshold}%`} known on ${tradedate}`
}

/** What a row breaks by itself. */
export function checkRow(one: Candidate, inForce: InForce): CandidateFinding[] {
  if (!isWhole(one))
    return [{ verdict: 'invalid', rule: 'null', why: sentence`a number that every row must have is null` }]
  const findings: CandidateFinding[] = []
  if (!inForce(one)) findings.push({ verdict: 'unverifiable', rule: 'rule', why: whyUnknown(one) })
  const hasStatus = statuses.includes(one.status)
  for (const { rule, verdict, needs, why: whyWrong } of rowChecks) {
    if ((needs !== 'nothing' && !one.rule) || (needs === 'status' && !hasStatus)) continue
    const why = whyWrong(one)
    if (why) findings.push({ verdict, rule, why })
  }
  return findings
}
