import type { Table } from 'apache-arrow'
import { isDate } from '../../../contract/date.js'
import { parseCode } from '../../../contract/symbol.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { texts } from '../../../frame/read-columns.js'
import { type CalendarDays, dateWords, placeIn, refusePrices } from './price-table.js'

/** A day on which a measure of a stock ended, so that it begins anew with the stock's next day. */
export interface AnomalyReset {
  readonly symbol: string
  readonly tradedate: string
  readonly measure: 'abnormal' | 'severe'
}

/** A stock and a day of a verification halt, on which it did not trade. */
export interface AnomalyHalt {
  readonly symbol: string
  readonly tradedate: string
}

/** Options of `computeAnomalies`. */
export interface ComputeAnomaliesOptions {
  /**
   * Which days a window counts; absent, as the rules have it for the board. `stock`: days on which the stock has a close.
   * `market`: all days of the calendar from the stock's first to its last; one that it was suspended on carries the close
   * on.
   */
  readonly days?: 'stock' | 'market'
  /**
   * Where intervals may not run across. `computed`: a movement ends the measure of its own rule (3, 10 or 30 days, or the
   * count), as after an exchange's announcement, and no other: the seven severe movements that were published of 688585
   * within 20 days (from 7.78 to 110.48 yuan) could not have happened if each had ended them all. Its 5 severe ones up to
   * 2025-07-28 come out only with a close below 66.94 on that day, and 603099 announced one of ten days on 2024-01-10 and
   * another on 01-17, 33.9 % higher: no reading that is known gives all that was published.
   * `none`: nothing ends a measure, a row stays triggered as long as the window holds the move. A list: those days only;
   * `severe` ends all severe measures. Either way movements whose intervals share a day count as one.
   */
  readonly resets?: 'computed' | 'none' | readonly AnomalyReset[]
  /**
   * Verification halts (停牌核查): a stock, and a day of the halt on which it did not trade; the first is enough. All
   * measures of the stock begin anew with its next close, which is counted from the last one before the halt. So an older
   * rule text says of halts for abnormal movement (异常波动指标自复牌之日起重新计算, as portals quote it), and so the
   * counts come out that 605255 published of its three blocks in 2025. An ordinary suspension restarts nothing, as no
   * text known says so; it does not belong here.
   */
  readonly halts?: readonly AnomalyHalt[]
  /**
   * Which interval a row is of. `extreme`, as the service says: the one of the most extreme deviation. Another may need
   * less: stock 0.80 and index 0.70 deviate by 10 % and need 12.5 % more for 20; 1.20 and 1.105 deviate by 9.5 % and
   * need 8.75 %. `nearest`: the interval whose threshold the least change of the day reaches; all numbers of the row are
   * of it. What is triggered is the same either way; `extreme` leaves out some that are reachable. On random paths
   * with 130,000 rows, 0.5 % of them had a nearer interval, and 55 more rows were reachable.
   */
  readonly interval?: 'extreme' | 'nearest'
  /** Days without price limit, but for those after listing: they lie outside every interval and have no rows. */
  readonly unlimited?: readonly { readonly symbol: string; readonly tradedate: string }[]
  /** Rows of dataset `st`: a stock is ST on the days that it has a row on. Names that hold "ST" count without it. */
  readonly st?: Table | DataFrame
  /** How closes are adjusted for ex-rights. Additive adjustment falsifies returns and is refused. */
  readonly adjustment?: 'multiplicative' | 'additive'
}

/** Days of the calendar by stock, ascending. One that the calendar does not have stands between its neighbours. */
export type DaysBySymbol = ReadonlyMap<string, readonly number[]>

function daysBySymbol(
  list: readonly { readonly symbol: string; readonly tradedate: string }[],
  days: CalendarDays,
  option: string,
): DaysBySymbol {
  const places = new Map<string, number[]>()
  for (const { symbol, tradedate } of list) {
    if (!isDate(tradedate)) refusePrices(`option ${option} has the day '${tradedate}'; a day is written as 20260729`)
    const { bare } = parseCode(symbol)
    const own = places.get(bare)
    if (own) own.push(placeIn(days, tradedate))
    else places.set(bare, [placeIn(days, tradedate)])
  }
  for (const own of places.values()) own.sort((a, b) => a - b)
  return places
}

function readMarks(st: Table | DataFrame, days: CalendarDays): DaysBySymbol {
  const table = asTable(st)
  const { codes, words } = dateWords(table, 'st')
  const rows = texts(table, 'symbol').flatMap((symbol, row) => {
    const tradedate = words[codes[row] ?? -1]
    return symbol === null || tradedate === undefined ? [] : [{ symbol, tradedate }]
  })
  return daysBySymbol(rows, days, 'st')
}

/** The options with their defaults, and their days as places in the calendar. */
export interface AnomalyChoice {
  /** As said for all boards. */
  readonly days: 'stock' | 'market' | undefined
  readonly isNearest: boolean
  /** Whether a movement ends the measure of its own rule. */
  readonly isReset: boolean
  /** Days given that end a measure. */
  readonly abnormalResets: DaysBySymbol
  readonly severeResets: DaysBySymbol
  readonly unlimited: DaysBySymbol
  readonly halts: DaysBySymbol
  readonly st: DaysBySymbol
}

/** @throws QuotebookError INVALID_VALUE for an option that is none */
export function readOptions(options: ComputeAnomaliesOptions, calendar: CalendarDays): AnomalyChoice {
  const { days, resets = 'computed', interval = 'extreme', unlimited = [], halts = [], st } = options
  const { adjustment = 'multiplicative' } = options
  if (adjustment !== 'multiplicative') {
    const why = 'prices shifted by an amount have other returns than the stock had'
    refusePrices(`option adjustment is '${adjustment}'; only multiplicative adjustment can be computed with: ${why}`)
  }
  if (days !== undefined && days !== 'stock' && days !== 'market')
    refusePrices(`option days is '${days}'; it takes 'stock' or 'market'`)
  if (interval !== 'extreme' && interval !== 'nearest') {
    refusePrices(`option interval is '${interval}'; it takes 'extreme' or 'nearest'`)
  }
  if (typeof resets === 'string' && resets !== 'computed' && resets !== 'none') {
    refusePrices(`option resets is '${resets}'; it takes 'computed', 'none' or a list`)
  }
  const list = typeof resets === 'string' ? [] : resets
  for (const { measure } of list) {
    if (measure !== 'abnormal' && measure !== 'severe') refusePrices(`option resets has the measure '${measure}'`)
  }
  const resetsOf = (name: AnomalyReset['measure']): DaysBySymbol => {
    const own = list.filter(({ measure }) => measure === name)
    return daysBySymbol(own, calendar, 'resets')
  }
  return {
    days,
    isNearest: interval === 'nearest',
    isReset: resets === 'computed',
    abnormalResets: resetsOf('abnormal'),
    severeResets: resetsOf('severe'),
    unlimited: daysBySymbol(unlimited, calendar, 'unlimited'),
    halts: daysBySymbol(halts, calendar, 'halts'),
    st: st ? readMarks(st, calendar) : new Map(),
  }
}
