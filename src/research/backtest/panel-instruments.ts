import { noticedCalendar } from '../../contract/calendar.js'
import { isDate } from '../../contract/date.js'
import { invalid, misuse } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import type { TradingRules } from '../../contract/trading-rules.js'
import { firstFrom } from './join-columns.js'
import { millsOf } from './money.js'
import type { Delisting, PanelInstrument } from './panel.js'

/** Where instruments have rows: cells by day, bar and code. */
interface Shape {
  readonly days: readonly string[]
  readonly symbols: readonly string[]
  /** Bars of a day. */
  readonly perDay: number
  readonly present: Uint8Array
}

/** What is told of instruments beside their prices. */
interface Told {
  readonly listed?: Readonly<Record<string, string>> | undefined
  readonly classes?: Readonly<Record<string, string>> | undefined
  readonly delistings?: readonly Delisting[] | undefined
  /** By place, the first day of a delisting period. */
  readonly leaving: ReadonlyMap<number, number>
}

/**
 * Trading days without a row after which a first row is a listing: since the end of 2018 suspensions last 25 trading days at most, two months for reports that
 * are late (SSE and SZSE guidelines on suspension and resumption); before, some lasted for years.
 */
const listingNeeds = { days: 60, from: '20190101' }

/** What a convertible bond is issued at, yuan. */
const issuePrice = 100

/** The first cell of each instrument that has a row; -1 where none has. */
export function firstCells({ symbols, present }: Pick<Shape, 'symbols' | 'present'>): Int32Array {
  const width = symbols.length
  const first = new Int32Array(width).fill(-1)
  let missing = width
  for (let cell = 0; missing > 0 && cell < present.length; cell++) {
    if (!present[cell] || first[cell % width] !== -1) continue
    first[cell % width] = cell
    missing--
  }
  return first
}

/** Index of the first day that is not before a date, counted on by the calendar after the last; negative where the date is before all days. */
function dayIndex(days: readonly string[], date: string): number {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  if (date <= last) return date < first ? -1 : firstFrom(days, date)
  return days.length + noticedCalendar.between(last, date).filter((day) => day > last && day < date).length
}

/** Days of listing, and delistings, as they must be written. */
function checkGiven({ listed = {}, delistings = [] }: Told): void {
  for (const [symbol, day] of [...Object.entries(listed), ...delistings.map((one) => [one.symbol, one.day] as const)])
    if (!isDate(day)) throw misuse(sentence`panel: the day of ${symbol} is a date YYYYMMDD, not '${day}'`)
  for (const delisting of delistings) {
    const kinds = { symbol: 'any', day: 'any', price: 'any' } as const
    const { symbol, price = 0 } = checkOptions(delisting, kinds, sentence`a delisting of panel`)
    if (price === 0 || millsOf(price) > 0) continue
    throw misuse(
      sentence`panel: the end of ${symbol} pays yuan a share or bond, from 0 and in whole thousandths, not ${price}`,
    )
  }
}

/** Day of the first row of a delisting period: by name, or counted back from the end. */
function leavesOn(
  shape: Shape,
  rules: TradingRules,
  kind: string,
  place: number,
  end: number | undefined,
  told: Told,
): number | undefined {
  const { days, symbols, perDay, present } = shape
  const named = told.leaving.get(place)
  const [rule] = (rules.delisting ?? []).filter(
    ({ boards, from }) => boards.includes(kind) && (days.at(-1) as string) >= from,
  )
  if (!rule || (named === undefined && (end === undefined || end > days.length))) return undefined
  let day = named ?? (end as number)
  for (let left = named === undefined ? rule.days : 0; left > 0 && day > 0; ) {
    day--
    const cell = (day * perDay + perDay - 1) * symbols.length + place
    if (present[cell]) left--
  }
  return (days[day] as string) >= rule.from ? day : undefined
}

/** What is known of each instrument, and a note of how many have first rows of which nothing says whether they are listings. */
export function instrumentsOf(shape: Shape, preClose: Float64Array | undefined, rules: TradingRules, told: Told) {
  checkGiven(told)
  const { days, symbols, perDay } = shape
  const first = firstCells(shape)
  const instruments = symbols.map((symbol, place): PanelInstrument => {
    const kind = told.classes?.[symbol] ?? rules.classOf(symbol)
    if (kind === undefined)
      throw invalid(
        sentence`panel: the rules of ${rules.name} do not know what ${symbol} is; say it as classes: { '${symbol}': 'ETF' }`,
      )
    const given = told.listed?.[symbol]
    const cell = first[place] as number
    const begin = Math.floor(cell / (symbols.length * perDay))
    const listed = given === undefined ? begin || -1 : dayIndex(days, given)
    const isKnown =
      given !== undefined ||
      (begin >= listingNeeds.days && (days[0] as string) >= listingNeeds.from) ||
      (kind === 'convertible bond' && preClose?.[cell] === issuePrice)
    const ends = told.delistings?.find((one) => one.symbol === symbol)
    const end = ends && { day: dayIndex(days, ends.day), price: ends.price }
    const leaves = leavesOn(shape, rules, kind, place, end?.day, told)
    const isAssumed = listed > 0 && !isKnown && { isAssumed: true }
    return { symbol, kind, listed, end, ...isAssumed, ...(leaves !== undefined && { leaves }) }
  })
  checkLives(shape, instruments)
  const assumed = instruments.filter(({ isAssumed }) => isAssumed)
  const [one] = assumed
  const note =
    one &&
    sentence`${assumed.length} of ${symbols.length} instruments have their first row after the first day (${one.symbol} ${days[one.listed]} …), and nothing tells whether that is their listing: rules of first days are not applied; give listed: { '${one.symbol}': 'YYYYMMDD' }`
  return { instruments, note }
}

/** A row on a day on which the instrument is not listed. */
function checkLives({ days, present, perDay: bars }: Shape, instruments: readonly PanelInstrument[]): void {
  const width = instruments.length
  const perDay = width * bars
  instruments.forEach(({ symbol, listed, end }, place) => {
    if (listed <= 0 && !end) return
    for (let cell = place; cell < present.length; cell += width) {
      const day = Math.floor(cell / perDay)
      if (!present[cell] || (day >= listed && (!end || day < end.day))) continue
      const when = day < listed ? sentence`before it is listed` : sentence`after its end`
      throw invalid(sentence`panel: ${symbol} has a row on ${days[day]}, ${when}`)
    }
  })
}
