import { type SevereRule, severeRules } from '../checks/anomaly/anomaly-rules.js'
import { quotientHalfUp } from '../checks/exact/decimal.js'
import { bigCeil, bigFloor, percentChange } from './exact-quotient.js'
import { fork, level } from './random.js'
import type { Day } from './sample-days.js'
import type { Sample } from './sample-plan.js'
import { sheetOf, type WholeRow } from './sample-sheet.js'
import { closeOf, dayPriceLimits, limitPercent, nameOn, type SampleStock, tradedBefore } from './sample-stock.js'

type Row = WholeRow<'anomaly_forecast'>

/** Close of a stock (cents) and of its board's index (hundredths of a point) on one day. */
interface Close {
  readonly stock: number
  readonly index: number
}

/** The interval whose deviation is most extreme: its days, and the closes before its first. */
interface Interval {
  readonly days: number
  readonly base: Close
}

/** Hidden benchmark index of a board on day t, in hundredths of a point. */
export function indexOf(seed: number, board: string, t: number): number {
  return level(fork(fork(seed, 'benchmark'), board), t, 320_000, 0.25)
}

/** Finds the closes of a stock's trading days t, before t, ... `count` of them, latest first; each is made once. */
function closesOf(sample: Sample, stock: SampleStock): (t: number, count: number) => Close[] {
  const known = new Map<number, Close>()
  const closeOn = (t: number): Close => {
    const found = known.get(t)
    if (found) return found
    const made = { stock: closeOf(stock, t), index: indexOf(sample.seed, stock.board, t) }
    known.set(t, made)
    return made
  }
  return (t, count) => {
    const closes: Close[] = []
    for (let at = t; closes.length < count; at = tradedBefore(stock, at)) closes.push(closeOn(at))
    return closes
  }
}

/** stock/base - index/base as a fraction of whole numbers, each below 2^53. */
interface Fraction {
  readonly over: number
  readonly under: number
}

function deviation(last: Close, base: Close): Fraction {
  return { over: last.stock * base.index - last.index * base.stock, under: base.stock * base.index }
}

/** Sign of a - b: by doubles where they are far apart, exactly where they are near. */
function order(a: Fraction, b: Fraction): number {
  const gap = a.over / a.under - b.over / b.under
  if (Math.abs(gap) > 1e-9) return gap
  return Number(BigInt(a.over) * BigInt(b.under) - BigInt(b.over) * BigInt(a.under))
}

/**
 * The interval of 1 to `most` trading days up to the last close with the greatest (up) or least (down) deviation;
 * of equal ones the shorter.
 */
function extreme(closes: readonly Close[], most: number, rule: SevereRule): Interval {
  const last = closes[0] as Close
  let best = { days: 1, base: closes[1] as Close }
  let found = deviation(last, best.base)
  for (let days = 2; days <= most; days++) {
    const base = closes[days] as Close
    const here = deviation(last, base)
    const gap = order(here, found)
    if (rule.direction === 'up' ? gap <= 0 : gap >= 0) continue
    best = { days, base }
    found = here
  }
  return best
}

/**
 * What it takes: x = (T + B) / A - 1 with A the stock's growth from the base to the close before the day that the row
 * speaks of, and B the index's growth from the base. The price is the exact one rounded outwards to a cent.
 */
function required(rule: SevereRule, base: Close, before: number, index: number) {
  const [c0, i0, a, i] = [BigInt(base.stock), BigInt(base.index), BigInt(before), BigInt(index)]
  const over = (BigInt(rule.threshold) * i0 + 100n * i) * c0
  const under = 100n * i0
  const change = quotientHalfUp((over - under * a) * 1_000_000n, under * a)
  const price = rule.direction === 'up' ? bigCeil(over, under) : bigFloor(over, under)
  return { change: Number(change) / 10_000, price: Number(price) }
}

/**
 * Rows of one stock for one day. `closes` run up to the last close known: the day itself once it is completed, the
 * day before in a forecast. A forecast interval leaves a day of the window for the day that is forecast, takes the
 * index as unchanged, and counts the days so far.
 */
function* rowsOf(stock: SampleStock, day: Day, closes: readonly Close[], computedOn: string): Iterable<Row> {
  const forecast = computedOn !== day.date
  const last = closes[0] as Close
  const before = (forecast ? last : (closes[1] as Close)).stock
  const limits = dayPriceLimits(stock, before, day)
  const percent = limitPercent(stock, day)
  for (const rule of severeRules(stock.board, day.date)) {
    const { days, base } = extreme(closes, forecast ? rule.days - 1 : rule.days, rule)
    const found = deviation(last, base)
    const [over, under] = [BigInt(found.over), BigInt(found.under)]
    const reached = over * 100n - BigInt(rule.threshold) * under
    const triggered = rule.direction === 'up' ? reached >= 0n : reached <= 0n
    const { change, price } = required(rule, base, before, last.index)
    const within =
      rule.direction === 'up' ? change <= percent && price <= limits.up : change >= -percent && price >= limits.down
    if (!triggered && !within) continue
    yield {
      tradedate: day.date,
      symbol: stock.code,
      name: nameOn(stock, day),
      pct_chg: forecast ? null : percentChange(last.stock, before),
      rule: rule.text,
      elapsed_days: days,
      deviation_pct: Number(quotientHalfUp(over * 1_000_000n, under)) / 10_000,
      required_pct_chg: change,
      trigger_price: price / 100,
      status: triggered ? 'triggered' : 'reachable',
      computed_on: computedOn,
    }
  }
}

function* stockRows(sample: Sample, stock: SampleStock, days: readonly Day[]): Iterable<Row> {
  const closes = closesOf(sample, stock)
  for (const day of days) {
    const known = day.t > sample.latest.t ? sample.latest : day
    yield* rowsOf(stock, day, closes(known.t, 31), known.date)
  }
}

/**
 * Candidates for severe abnormal movement, of every day and of the one after the latest.
 *
 * Deviation = stock return minus benchmark return since the close before the extreme interval; its days are those on
 * which the stock traded. Simplification: a severe day does not restart the measure, so a row stays `triggered` for as
 * long as the window holds the move. `reachable` asks that both the change and the trigger price lie within the limit.
 * Percentages are exact quotients of whole numbers, ROUND_HALF_UP to 4 decimals. Only runners are looked at: no other
 * path moves far enough (see path.ts, maxWave). No rows before 2023-04-10, from when the thresholds are known.
 */
export const anomalyForecastSheet = sheetOf(
  'anomaly_forecast',
  (sample) => [...sample.days, sample.next].filter((day) => severeRules('STAR', day.date).length > 0),
  (sample, days) => sample.stocks.flatMap((stock) => (stock.run ? [...stockRows(sample, stock, days)] : [])),
)
