import type { Table } from 'apache-arrow'
import { inCalendar, isTradingDay, tradingDays } from '../../../contract/calendar.js'
import { isDate } from '../../../contract/date.js'
import { type Board, boardOf } from '../../../contract/trading-rules.js'
import { dictionary, has, numbers, strings } from '../../../frame/read-columns.js'
import { add, divide, type Interval, multiply, point, rounded, subtract } from '../exact/interval.js'
import { cellPlaces, usualPlaces } from '../exact/precision.js'
import { type ParsedRule, parseRule } from './anomaly-rules.js'

/** Whether a short name bears the mark of an ST stock, ST or *ST, with whatever other marks stand beside it. */
export function isMarked(name: string | null): boolean {
  return name?.includes('ST') === true
}

/** Whether a text is a date of a year that the trading calendar knows. */
export function isKnown(date: string): boolean {
  return isDate(date) && inCalendar(date)
}

/** First number of days that the calendar does not know, and how far they are kept apart: further than any window. */
const [unknown, apart] = [1_000_000, 1000]

/**
 * Numbers of days: of trading days counted from some day before the first of the dates; of dates outside the calendar's
 * years numbers that no other day is near; NaN for a date on which nobody trades.
 */
function dayNumbers(dates: readonly (string | null)[]): (date: string) => number {
  const distinct = [...new Set(dates)].filter((date) => date !== null).sort()
  const inside = distinct.filter(isKnown)
  const [first = '', end = ''] = [inside[0], inside.at(-1)]
  const numbers = new Map(first === '' ? [] : tradingDays(first, end).map((day, number) => [day, number]))
  const outside = distinct.filter((date) => isDate(date) && !isKnown(date))
  outside.forEach((date, i) => {
    numbers.set(date, unknown + i * apart)
  })
  const before = (date: string): number =>
    first !== '' && isKnown(date) && date < first && isTradingDay(date)
      ? 1 - tradingDays(date, first).length
      : Number.NaN
  return (date) => numbers.get(date) ?? before(date)
}

/**
 * The latest day that is over: as given, else the latest trading day that any row has a change of. A day of rows without
 * change right behind a day with changes is the forecast, even if a few rows bear a later date by mistake. '' when
 * there is none.
 */
function completedDay(
  dates: readonly (string | null)[],
  change: Float64Array,
  dayOf: (date: string) => number,
  given: string | undefined,
): string {
  if (given !== undefined) return given
  const quoted = new Map<string, number>()
  const silent = new Map<string, number>()
  dates.forEach((date, row) => {
    if (date === null) return
    const side = Number.isNaN(change[row]) ? silent : quoted
    side.set(date, (side.get(date) ?? 0) + 1)
  })
  const known = [...quoted.keys()].filter((date) => !isKnown(date) || !Number.isNaN(dayOf(date))).sort()
  const latest = known.at(-1) ?? ''
  for (const [date, rows] of silent) {
    if (quoted.has(date) || date > latest) continue
    const before = known.filter((one) => one < date)
    const later = known.slice(before.length).reduce((sum, one) => sum + (quoted.get(one) ?? 0), 0)
    const last = before.at(-1)
    if (last !== undefined && dayOf(last) === dayOf(date) - 1 && later <= rows) return last
  }
  return latest
}

/** A row as what its published decimals can stand for. Percentages are fractions here. */
export interface Candidate {
  readonly row: number
  readonly tradedate: string
  readonly symbol: string
  readonly board: Board | undefined
  readonly name: string | null
  readonly ruleText: string
  readonly rule: ParsedRule | undefined
  /** The threshold as a fraction; NaN without a rule. */
  readonly threshold: number
  readonly elapsed: number
  readonly deviationPct: number
  readonly requiredPct: number
  /** Published change of the day, percent; NaN for null. */
  readonly pctChg: number
  readonly deviation: Interval
  readonly required: Interval
  readonly change: Interval | undefined
  readonly price: number
  readonly status: string
  /**
   * `completed`: the day is over and the deviation includes it. `forecast`: a later day without a quote; the deviation
   * ends with the last completed day. `live`: a later day with a quote; which of the two it is cannot be told.
   */
  readonly basis: 'completed' | 'forecast' | 'live'
  /** The day that a later row was computed from; undefined for one of a completed day. */
  readonly computedOn: string | undefined
  /** Number of the trading day, see dayNumbers; NaN for a date on which nobody trades. */
  readonly day: number
  /**
   * Number of the day whose close is the last in the deviation: `day` of a completed row, the day before of a forecast.
   */
  readonly last: number
  /**
   * Number of the day whose close the interval is counted from, if the stock was never suspended in it; NaN where
   * elapsed_days is none that the rule's window has.
   */
  readonly base: number
}

export interface Candidates {
  readonly rows: readonly Candidate[]
  /** Decimals that most of required_pct_chg is published with. */
  readonly places: number
}

/** What a published percentage can stand for, as a fraction. */
function percent(x: number, usual: number): Interval {
  return divide(rounded(x, cellPlaces(x, usual)), point(100))
}

/** Rows of anomaly_forecast, read once. `completed` is the latest completed day where the rows do not say. */
export function readCandidates(table: Table, completed?: string): Candidates {
  const [dates, symbols, names] = [strings(table, 'tradedate'), strings(table, 'symbol'), strings(table, 'name')]
  const [status, rule] = [strings(table, 'status'), dictionary(table, 'rule')]
  const parsed = rule.words.map(parseRule)
  const [pctChg, elapsed] = [numbers(table, 'pct_chg'), numbers(table, 'elapsed_days')]
  const [deviation, required] = [numbers(table, 'deviation_pct'), numbers(table, 'required_pct_chg')]
  const price = numbers(table, 'trigger_price')
  const computedOn = has(table, 'computed_on') ? strings(table, 'computed_on') : undefined
  const dayOf = dayNumbers(dates)
  const last = completedDay(dates, pctChg, dayOf, completed)
  const isGiven = completed !== undefined || computedOn !== undefined
  const places = { pctChg: usualPlaces(pctChg), deviation: usualPlaces(deviation), required: usualPlaces(required) }
  const rows = dates.map((date, row): Candidate => {
    const tradedate = date ?? ''
    const from = computedOn?.[row] ?? last
    const later = tradedate > from
    const quoted = !Number.isNaN(pctChg[row])
    const ownRule = parsed[rule.codes[row] ?? -1]
    const at = (column: Float64Array): number => column[row] ?? Number.NaN
    const day = dayOf(tradedate)
    const lastDay = !later ? day : isGiven ? dayOf(from) : day - 1
    return {
      row,
      tradedate,
      symbol: symbols[row] ?? '',
      board: boardOf(symbols[row] ?? ''),
      name: names[row] ?? null,
      ruleText: rule.words[rule.codes[row] ?? -1] ?? '',
      rule: ownRule,
      threshold: (ownRule?.threshold ?? Number.NaN) / 100,
      elapsed: at(elapsed),
      deviationPct: at(deviation),
      requiredPct: at(required),
      pctChg: at(pctChg),
      deviation: percent(at(deviation), places.deviation),
      required: percent(at(required), places.required),
      change: quoted ? percent(at(pctChg), places.pctChg) : undefined,
      price: at(price),
      status: status[row] ?? '',
      basis: later ? (quoted ? 'live' : 'forecast') : 'completed',
      computedOn: later ? from : undefined,
      day,
      last: lastDay,
      base: at(elapsed) >= 1 && at(elapsed) <= (ownRule?.days ?? 0) ? lastDay - at(elapsed) : Number.NaN,
    }
  })
  return { rows, places: places.required }
}

/** Whether every number that the contract requires is there. */
export function isWhole(one: Candidate): boolean {
  return [one.elapsed, one.deviationPct, one.requiredPct, one.price].every(Number.isFinite)
}

/** An interval of percentages seen in the direction of a row's threshold: as it is for rises, mirrored for falls. */
export function towardsThreshold({ threshold }: Candidate, { lo, hi }: Interval): Interval {
  return threshold > 0 ? { lo, hi } : { lo: -hi, hi: -lo }
}

/**
 * 1 + required, seen from the end of the deviation's interval: the required change itself in a forecast; in a completed
 * day, whose deviation already includes the day's change y, (1 + required) / (1 + y). Undefined where that is not
 * known.
 */
function stepFactor(one: Candidate): Interval | undefined {
  const factor = add(point(1), one.required)
  if (one.basis === 'forecast') return factor
  return one.basis === 'completed' && one.change ? divide(factor, add(point(1), one.change)) : undefined
}

/**
 * Growth factor B of the benchmark since the interval began, from deviation d, threshold T and step factor s alone:
 * the stock's growth is d + B, and s (d + B) = T + B gives B = (T - d) / (s - 1) - d.
 */
export function indexGrowth(one: Candidate): Interval | undefined {
  const step = stepFactor(one)
  if (!step || !one.rule || !isWhole(one)) return undefined
  const gap = subtract(point(one.threshold), one.deviation)
  return subtract(divide(gap, subtract(step, point(1))), one.deviation)
}

/** The close that the trigger price was taken from: price / (1 + required), within one tick of the price either way. */
export function lastClose(one: Candidate): Interval {
  const tick = { lo: one.price - 0.01, hi: one.price + 0.01 }
  return divide(tick, add(point(1), one.required))
}

/** The required change that a benchmark growth asks for; the inverse of indexGrowth. */
export function requiredFor(one: Candidate, growth: Interval): Interval | undefined {
  if (one.basis === 'live' || (one.basis === 'completed' && !one.change)) return undefined
  const ends = [growth.lo, growth.hi].map((b) =>
    divide(add(point(one.threshold), point(b)), add(one.deviation, point(b))),
  )
  const step = { lo: Math.min(...ends.map(({ lo }) => lo)), hi: Math.max(...ends.map(({ hi }) => hi)) }
  const day = one.basis === 'completed' && one.change ? add(point(1), one.change) : point(1)
  const { lo, hi } = subtract(multiply(step, day), point(1))
  return { lo: lo * 100, hi: hi * 100 }
}
