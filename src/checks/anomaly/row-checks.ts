import { isDate } from '../../contract/date.js'
import { publishedPlaces } from '../exact/precision.js'
import { abnormalRules, priceLimit, severeRules } from './anomaly-rules.js'
import { type Candidate, indexGrowth, isMarked, isWhole } from './candidates.js'

/** One rule that a row breaks. */
export interface CandidateFinding {
  /** `invalid`: by itself. `inconsistent`: with other rows. `warn`, `unverifiable`: see checkAnomalies. */
  readonly verdict: 'invalid' | 'inconsistent' | 'warn' | 'unverifiable'
  readonly rule: string
  readonly why: string
}

/** Writes a finding about a row. */
export type Note = (row: number, finding: CandidateFinding) => void

type Inside = (one: Candidate) => string | false | undefined

const isUp = (one: Candidate): boolean => one.threshold > 0

/** The deviation is past the threshold for sure, short of it for sure, or too near to tell. */
function reached(one: Candidate): boolean | undefined {
  const { lo, hi } = one.deviation
  if (isUp(one) ? lo >= one.threshold : hi <= one.threshold) return true
  if (isUp(one) ? hi < one.threshold : lo > one.threshold) return false
  return undefined
}

function window(one: Candidate): string | false {
  const days = one.rule?.days ?? Number.POSITIVE_INFINITY
  if (!Number.isInteger(one.elapsed)) return `elapsed_days is ${one.elapsed}, not a whole number`
  if (one.elapsed >= 1 && one.elapsed <= days) return false
  return `elapsed_days is ${one.elapsed}, the window has ${days} days`
}

/**
 * What is not reached on a completed day may have gone the other way: 20 up in two days, 25 down on the third, and no
 * interval of the three is up. Windows of more than three days ask for more than a day can take back.
 */
function direction(one: Candidate): string | false {
  if (one.basis === 'completed' && one.status === 'reachable' && (one.rule?.days ?? 0) <= 3) return false
  const against = isUp(one) ? one.deviation.hi <= 0 : one.deviation.lo >= 0
  return against && `deviation_pct ${one.deviationPct} goes against a threshold of ${one.rule?.threshold}`
}

function status(one: Candidate): string | false {
  const is = reached(one)
  if (is === undefined || is === (one.status === 'triggered')) return false
  const relation = is ? 'reaches' : 'does not reach'
  return `${one.status}, and deviation_pct ${one.deviationPct} ${relation} ${one.rule?.threshold}`
}

/** On a completed day the threshold is reached if and only if the day's change reached the required one. */
function change(one: Candidate): string | false {
  if (one.basis !== 'completed' || !one.change) return false
  const { change: y, required: x } = one
  const past = isUp(one) ? y.lo > x.hi : y.hi < x.lo
  const short = isUp(one) ? y.hi < x.lo : y.lo > x.hi
  if (one.status === 'triggered' ? !short : !past) return false
  return `${one.status}, and pct_chg ${one.pctChg} stands against required_pct_chg ${one.requiredPct}`
}

/** In a forecast the index stands still, so what is not reached yet needs a change in the threshold's direction. */
function sign(one: Candidate): string | false {
  if (one.required.hi <= -1) return `required_pct_chg ${one.requiredPct} is a loss of everything`
  if (one.basis !== 'forecast') return false
  const toGo = isUp(one) ? one.required.hi > 0 : one.required.lo < 0
  const beyond = isUp(one) ? one.required.lo > 0 : one.required.hi < 0
  const wrong = one.status === 'triggered' ? beyond : !toGo
  return wrong && `${one.status} in a forecast, and required_pct_chg is ${one.requiredPct}`
}

function price(one: Candidate): string | false {
  return !(one.price > 0) && `trigger_price ${one.price} is not above 0`
}

function tick(one: Candidate): string | false {
  return publishedPlaces(one.price) > 2 && `trigger_price ${one.price} is not on the tick of 0.01`
}

/** First days of a listing have no price limit; such names begin with N or C and a Chinese character. */
function isNew(name: string | null): boolean {
  return name !== null && /^[NC][\p{Script=Han}]/u.test(name)
}

/**
 * The limit of the day as a fraction, NaN where there is none. A limit price is rounded half up to the tick: up to half a
 * tick more than the percentage, at the lowest close that the row allows.
 */
function limitOf(one: Candidate): number {
  if (!one.board || !isDate(one.tradedate) || isNew(one.name)) return Number.NaN
  const close = (one.price - 0.01) / (1 + one.required.hi)
  const tick = close > 0 ? 0.005 / close : Number.POSITIVE_INFINITY
  return priceLimit(one.board, isMarked(one.name), one.tradedate) / 100 + tick
}

/**
 * `reachable` says no more than "not yet triggered". That such a change can come within one day is an assumption, so a
 * row beyond the price limit is suspect only.
 */
function limit(one: Candidate): string | false {
  if (one.status !== 'reachable') return false
  const needed = isUp(one) ? one.required.lo : -one.required.hi
  return needed > limitOf(one) && `required_pct_chg ${one.requiredPct} is beyond the price limit of the day`
}

/** The change of the day itself; a day without limit, after a long suspension say, is not told. */
function quote(one: Candidate): string | false | undefined {
  const size = one.change && Math.max(one.change.lo, -one.change.hi)
  return size !== undefined && size > limitOf(one) && `pct_chg ${one.pctChg} is beyond the price limit of the day`
}

/** Growth factors are above 0: a price that fell by everything has no next day. */
function growth(one: Candidate): string | false {
  const index = indexGrowth(one)
  if (!index || (index.hi > 0 && index.hi + one.threshold > 0)) return false
  return 'deviation, required change and threshold together imply an index at or below 0'
}

const checks: readonly (readonly [string, Inside])[] = [
  ['window', window],
  ['direction', direction],
  ['status', status],
  ['change', change],
  ['sign', sign],
  ['price', price],
  ['tick', tick],
  ['limit', limit],
  ['limit', quote],
  ['growth', growth],
]

/** Checks that need no rule. */
const plain = new Set(['price', 'tick'])
/** Checks that mean nothing without a status. */
const byStatus = new Set(['status', 'change', 'sign', 'limit'])
/** Checks that rest on an assumption. */
const assumed = new Set(['limit'])
const statuses: readonly string[] = ['triggered', 'reachable']

/** Whether a rule is in force for a board on a day; asked once for rows that are alike. */
type InForce = (one: Candidate) => boolean

export function inForceOnce(): InForce {
  const known = new Map<string, boolean>()
  return ({ board, tradedate, name, rule }) => {
    if (!board || !rule) return false
    const isST = isMarked(name)
    const { days, threshold } = rule
    const key = `${board} ${tradedate} ${isST} ${days} ${threshold}`
    const before = known.get(key)
    if (before !== undefined) return before
    const rules = [...severeRules(board, tradedate, isST), ...abnormalRules(board, tradedate, isST)]
    const found = rules.some((one) => one.days === days && one.threshold === threshold)
    known.set(key, found)
    return found
  }
}

function known(one: Candidate, inForce: InForce): CandidateFinding[] {
  const say = (why: string): CandidateFinding[] => [{ verdict: 'unverifiable', rule: 'rule', why }]
  if (!one.rule) return say(`the rule is not understood: ${one.ruleText}`)
  if (!one.board) return say(`${one.symbol} is of no board known`)
  if (inForce(one)) return []
  const { days, threshold } = one.rule
  return say(`${one.board} has no rule of ${days} days and ${threshold}% known on ${one.tradedate}`)
}

/** What a row breaks by itself. */
export function findInside(one: Candidate, inForce: InForce): CandidateFinding[] {
  if (!isWhole(one)) return [{ verdict: 'invalid', rule: 'null', why: 'a number that every row must have is null' }]
  const found = known(one, inForce)
  if (one.basis === 'completed' && !one.change) {
    found.push({ verdict: 'invalid', rule: 'quote', why: 'pct_chg is null on a completed day' })
  }
  const hasStatus = statuses.includes(one.status)
  if (!hasStatus) {
    const why = `status is ${one.status || 'null'}, not ${statuses.join(' or ')}`
    found.push({ verdict: 'invalid', rule: 'status', why })
  }
  for (const [rule, inside] of checks) {
    if (!hasStatus && byStatus.has(rule)) continue
    const why = one.rule || plain.has(rule) ? inside(one) : undefined
    if (why) found.push({ verdict: assumed.has(rule) ? 'warn' : 'invalid', rule, why })
  }
  return found
}
