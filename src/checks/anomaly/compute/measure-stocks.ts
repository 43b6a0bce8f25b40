import { dayNumber } from '../../../contract/date.js'
import { type AnomalyRules, type Board, type CountRule, daysCounted, daysWithoutLimit } from '../anomaly-rules.js'
import { isMarked } from '../candidates.js'
import type { AnomalyChoice, DaysBySymbol } from './anomaly-options.js'
import { findRow, isBeyondLimit, type Moment, mayHaveRow, type RuleFinding } from './deviations.js'
import {
  type BenchmarkCloses,
  type CalendarDays,
  isPrice,
  type PricedStock,
  type Prices,
  placeIn,
  refusePrices,
} from './price-table.js'
import { type Force, forces, longestWindow } from './rules-in-force.js'
import { type IndexPath, indexPathOf, type Path, stockPathOf, type Windows } from './stock-path.js'

/** A row of the result; days are places in the calendar. */
export interface AnomalyRow extends RuleFinding {
  readonly symbol: string
  readonly board: Board
  readonly isST: boolean
  readonly force: Force
  /** Day that the row speaks of. */
  readonly day: number
  readonly computedOn: number
  /** First day of the interval, or the first abnormal movement counted. */
  readonly since: number
  /** Days of the stock from then to `computedOn`. */
  readonly elapsed: number
  /** Row of the prices that has the name. */
  readonly priceRow: number
}

/** Why a stock has no rows, and the day on which that first shows. */
interface Fault {
  readonly date: string
  readonly why: string
}

/** A stock that was left out. */
export interface Refused extends Fault {
  readonly symbol: string
}

/** What all stocks are measured with. */
interface Market {
  readonly prices: Prices
  readonly closesOf: BenchmarkCloses
  readonly days: CalendarDays
  readonly choice: AnomalyChoice
  readonly rules: AnomalyRules
  readonly windows: Windows
  readonly forceOf: ReturnType<typeof forces>
  readonly isNameMarked: (row: number) => boolean
  /** The day whose rows of the table of marks say who is ST in a forecast: the day after the last, if it has any. */
  readonly markedNext: number
}

/** A stock of a known board: its days and what holds on them. */
interface Stock {
  readonly symbol: string
  readonly board: Board
  readonly path: Path
  readonly isFree: (place: number) => boolean
  readonly isST: (at: number, forecast: boolean) => boolean
  /** What holds on a day of the path, or on the day after it. */
  readonly forceOn: (at: number, forecast: boolean) => Force
}

/** First days of one stock, by place in its path, that intervals may begin on, and counted movements may lie on. */
interface Floors {
  /** Intervals of the first day have no close before them. */
  abnormal: number
  /** Of a movement that is counted: those that overlap are one. */
  apart: number
  counted: number
  /** Of all severe measures: after days without limit, given restarts and halts. */
  severe: number
  /** After a severe rule's own event, by days of its window. */
  readonly ownSevere: Map<number, number>
}

/** Where one direction's abnormal movements happened, by place in the path. */
interface Movements {
  readonly up: number[]
  readonly down: number[]
}

/** First day of the window of a rule. */
function windowStart({ end, forecast }: Moment, days: number): number {
  return end - days + (forecast ? 2 : 1)
}

/** The severe row that a day's abnormal row makes together with those before it; the day itself is not in `movements`. */
function countRow(
  rule: CountRule,
  abnormal: readonly RuleFinding[],
  movements: Movements,
  moment: Moment,
  floor: number,
): RuleFinding[] {
  const own = abnormal.filter((row) => row.rule.direction === rule.direction)
  const basis = own.find(({ triggered }) => triggered) ?? own[0]
  if (!basis || (basis.triggered && moment.forecast)) return []
  const first = Math.max(floor, windowStart(moment, rule.days))
  const counted = movements[rule.direction].filter((at) => at >= first)
  if (counted.length + 1 < rule.times) return []
  return [{ ...basis, measure: 'severe by count', rule, start: counted[0] ?? moment.end }]
}

/** Rows of one day in the order of the result, and abnormal rows of intervals after the last movement counted. */
function findRows(moment: Moment, floors: Floors, movements: Movements) {
  const rowsOf = (measure: 'abnormal' | 'severe', floorOf: (days: number) => number): RuleFinding[] => {
    if (!mayHaveRow(moment, measure)) return []
    return moment.force[measure].flatMap((rule) => {
      const to = Math.max(floorOf(rule.days), windowStart(moment, rule.days))
      return findRow(moment, measure, rule, to) ?? []
    })
  }
  const abnormal = rowsOf('abnormal', () => floors.abnormal)
  const apart = floors.apart <= floors.abnormal ? abnormal : rowsOf('abnormal', () => floors.apart)
  const severe = rowsOf('severe', (days) => Math.max(floors.severe, floors.ownSevere.get(days) ?? 0))
  const counts = moment.force.counts.flatMap((rule) => countRow(rule, apart, movements, moment, floors.counted))
  return { rows: [...abnormal, ...severe, ...counts], apart }
}

function checkIndex(
  { days }: Market,
  { path }: Stock,
  index: IndexPath,
  force: Force,
  end: number,
  floor: number,
): void {
  const missing = index.missing[end] as number
  if (missing < Math.max(floor - 1, end - force.longest) || floor > end) return
  const close = `${index.code} on ${days.dates[path.day[missing] as number]} (${force.benchmark?.name})`
  refusePrices(`benchmarks have no close of ${close}, which a stock of its board needs`)
}

/** Looks at the days of one stock one after the other, and remembers what happened on those before. */
function dayMeasurer(market: Market, stock: Stock, rows: AnomalyRow[], floors: Floors) {
  const { prices, closesOf, windows, choice } = market
  const { symbol, board, path } = stock
  const movements: Movements = { up: [], down: [] }
  let index: IndexPath | undefined
  const add = (finding: RuleFinding, { force, end, forecast }: Moment): void => {
    const computedOn = path.day[end] as number
    rows.push({
      ...finding,
      symbol,
      board,
      isST: stock.isST(end, forecast),
      force,
      day: forecast ? computedOn + 1 : computedOn,
      computedOn,
      since: path.day[finding.start] as number,
      elapsed: end - finding.start + 1,
      priceRow: path.row[end] as number,
    })
  }
  /** Movements of a completed day end their measures: each rule its own, for rises and falls together. */
  const remember = (found: readonly RuleFinding[], apart: readonly RuleFinding[], end: number): void => {
    for (const { rule } of apart.filter(({ triggered }) => triggered)) {
      const own = movements[rule.direction]
      if (own.at(-1) !== end) own.push(end)
      floors.apart = end + 1
    }
    if (!choice.isReset) return
    for (const { measure, rule } of found.filter(({ triggered }) => triggered)) {
      if (measure === 'abnormal') floors.abnormal = end + 1
      else if (measure === 'severe') floors.ownSevere.set(rule.days, end + 1)
      else floors.counted = end + 1
    }
  }
  return (end: number, forecast: boolean): void => {
    const force = stock.forceOn(end, forecast)
    const code = force.benchmark?.code
    if (code === undefined) return
    if (index?.code !== code) index = indexPathOf(code, closesOf, path, windows)
    checkIndex(market, stock, index, force, end, Math.min(floors.abnormal, floors.severe))
    const moment = { prices, path, index, force, end, forecast, isNearest: choice.isNearest }
    if (!mayHaveRow(moment, 'abnormal') && !mayHaveRow(moment, 'severe')) return
    const { rows: found, apart } = findRows(moment, floors, movements)
    for (const finding of found) add(finding, moment)
    if (!forecast) remember(found, apart, end)
  }
}

/** Takes the days before another off the beginning of a list; whether there were any. */
function takeBefore(days: number[], day: number): boolean {
  let count = 0
  while ((days[count] ?? day) < day) count++
  if (count > 0) days.splice(0, count)
  return count > 0
}

/**
 * Adds the rows of one stock. Intervals begin on a day after the last restart of their rule, after the last day without
 * limit, and not on the first day, which has no close before it. Restarts that are given take effect with the day after
 * them; halts with the next close, and on everything.
 */
function measureDays(market: Market, stock: Stock, rows: AnomalyRow[]): void {
  const { prices, choice, days } = market
  const { symbol, path, isFree } = stock
  const floors: Floors = { abnormal: 1, apart: 1, counted: 0, severe: 1, ownSevere: new Map() }
  const measure = dayMeasurer(market, stock, rows, floors)
  const daysOf = (own: DaysBySymbol): number[] => [...(own.get(symbol) ?? [])]
  const [abnormal, severe, halts] = [daysOf(choice.abnormalResets), daysOf(choice.severeResets), daysOf(choice.halts)]
  const restart = (day: number, at: number, isTraded: boolean): void => {
    const isResumed = isTraded && takeBefore(halts, day)
    const first = Math.max(at, 1)
    if (takeBefore(abnormal, day) || isResumed) {
      floors.abnormal = first
      floors.apart = first
    }
    if (takeBefore(severe, day) || isResumed) {
      floors.severe = first
      floors.counted = first
    }
  }
  for (let at = 0; at < path.length; at++) {
    const [day, isTraded] = [path.day[at] as number, path.row[at] !== -1]
    restart(day, at, isTraded)
    if (isFree(day)) {
      floors.abnormal = at + 1
      floors.apart = at + 1
      floors.severe = at + 1
    } else if (at > 0 && isTraded) measure(at, false)
  }
  const [last, next] = [path.length - 1, prices.last + 1]
  if (path.day[last] !== prices.last || days.dates[next] === undefined || isFree(next)) return
  if (choice.halts.get(symbol)?.includes(next)) return
  restart(next, path.length, false)
  measure(last, true)
}

/** What is wrong with the numbers of a row; undefined for nothing. @param first of its stock */
function faultOfRow({ close, pre, factor }: Prices, row: number, first: boolean): string | undefined {
  const price = close[row] as number
  if (!isPrice(price)) {
    return `close is ${price}: prices are above 0, and only additive adjustment makes them otherwise`
  }
  if (pre) {
    const before = pre[row] as number
    if (Number.isNaN(before)) return first ? undefined : 'pre_close is null'
    if (!isPrice(before)) return `pre_close is ${before}: prices are above 0`
  }
  if (factor) {
    const by = factor[row] as number
    if (Number.isNaN(by)) return 'adj_factor is null'
    if (!isPrice(by)) return `adj_factor is ${by}: factors are above 0`
  }
  return undefined
}

const [least, most] = [1e-100, 1e100]

/** The first day of a stock whose close cannot be, and why; undefined for none. */
function faultOfCloses({ prices, days }: Market, { path, isFree, forceOn }: Stock): Fault | undefined {
  const faultOn = (at: number): string | undefined => {
    const level = path.level[at] as number
    if (!(level > least && level < most)) return 'prices and factors are too large or small to be computed with'
    if (at === 0 || path.row[at] === -1 || isFree(path.day[at] as number)) return undefined
    const close = prices.close[path.row[at] as number] as number
    const reference = path.reference[at] as number
    const force = forceOn(at, false)
    if (close <= reference * (1 + force.limit) && close >= reference * (1 - force.limit)) return undefined
    if (!isBeyondLimit({ prices, path, force, end: at, forecast: false })) return undefined
    const change = ((close / reference - 1) * 100).toFixed(2)
    return `close ${close} is ${change} % from ${reference.toFixed(2)}, beyond the limit of ${force.limitPercent} %: additive adjustment, an ex-right day without its factor, or a day without limit (option unlimited)`
  }
  for (let at = 0; at < path.length; at++) {
    const why = faultOn(at)
    if (why !== undefined) return { date: days.dates[path.day[at] as number] as string, why }
  }
  return undefined
}

/** A stock listed so shortly before the calendar begins that its days without limit can't be told. */
const nearDays = 21

/** The days after a stock's listing that have no price limit, by place in the calendar. */
interface Listing {
  readonly date: string | undefined
  /** The first of them, and the day after the last; -1 where they lie before the calendar. */
  readonly from: number
  readonly until: number
  /** Days of the calendar's beginning of which nothing can be told. */
  readonly unknown: number
}

function listingOf({ prices, days, rules }: Market, rows: Int32Array, board: Board): Listing {
  const { listed } = prices
  const row = rows.find((one) => (listed?.codes[one] ?? -1) >= 0) ?? -1
  const date = listed?.words[listed.codes[row] ?? -1]
  const none = { date, from: -1, until: -1, unknown: 0 }
  if (date === undefined) return none
  const count = daysWithoutLimit(board, date, rules)
  const first = days.dates[0] ?? ''
  if (date < first) {
    const isNear = dayNumber(first) - dayNumber(date) < nearDays
    return isNear && count > 1 ? { ...none, unknown: count } : none
  }
  const from = Math.ceil(placeIn(days, date))
  return { date, from, until: from + count, unknown: 0 }
}

/** The days of a stock up to the first that cannot stand; what is wrong with that one, if any. */
function readDays({ prices, days, choice, rules, windows }: Market, rows: Int32Array, board: Board, listing: Listing) {
  const isMarket = (choice.days ?? daysCounted(board, rules)) === 'market'
  const [day, row]: [number[], number[]] = [[], []]
  let before = -1
  let fault: Fault | undefined
  const faultOn = (place: number, own: number): string | undefined => {
    if (place === before) return 'the day stands there twice'
    if (place < listing.from) return `a close before the day of listing, ${listing.date}`
    if (place < listing.unknown)
      return `listed on ${listing.date}, shortly before the calendar begins: which days have no limit is not known; a calendar from that day on tells`
    return faultOfRow(prices, own, before === -1)
  }
  for (const own of rows) {
    const place = prices.day[own] as number
    const why = faultOn(place, own)
    if (why !== undefined) {
      fault = { date: days.dates[place] as string, why }
      break
    }
    for (let between = before + 1; isMarket && before !== -1 && between < place; between++) {
      day.push(between)
      row.push(-1)
    }
    day.push(place)
    row.push(own)
    before = place
  }
  return { path: stockPathOf(prices, Int32Array.from(day), Int32Array.from(row), windows), fault }
}

function readStock(market: Market, { symbol, rows }: PricedStock, board: Board) {
  const { choice, forceOf, isNameMarked, markedNext } = market
  const listing = listingOf(market, rows, board)
  const { path, fault } = readDays(market, rows, board, listing)
  const unlimited = new Set(choice.unlimited.get(symbol))
  const markedDays = new Set(choice.st.get(symbol))
  const isFree = (place: number): boolean => (place >= listing.from && place < listing.until) || unlimited.has(place)
  const isST = (at: number, forecast: boolean): boolean =>
    isNameMarked(path.row[at] as number) || markedDays.has(forecast ? markedNext : (path.day[at] as number))
  const [plain, marked] = [forceOf(board, false), forceOf(board, true)]
  const forceOn = (at: number, forecast: boolean): Force =>
    (isST(at, forecast) ? marked : plain)((path.day[at] as number) + (forecast ? 1 : 0))
  const stock: Stock = { symbol, board, path, isFree, isST, forceOn }
  return { stock, fault }
}

/** The first of some faults, of one day the first given. */
function earliest(faults: readonly (Fault | undefined)[]): Fault | undefined {
  return faults.reduce((first, one) => (one && !(first && first.date <= one.date) ? one : first), undefined)
}

/** Adds the rows of one stock, or says why it has none. */
function measureStock(market: Market, priced: PricedStock, rows: AnomalyRow[]): Fault | undefined {
  const { prices, days, choice } = market
  const { symbol, board, outside } = priced
  const faultOn = (row: number | undefined, why: string): Fault | undefined =>
    row === undefined ? undefined : { date: days.dates[prices.day[row] as number] as string, why }
  const halted = choice.halts.get(symbol) ?? []
  const faults = [
    outside === undefined ? undefined : { date: outside, why: 'the day is none of the calendar' },
    faultOn(
      halted.length === 0 ? undefined : priced.rows.find((row) => halted.includes(prices.day[row] as number)),
      'a close on a day that option halts has as one without trading: a halt begins the day after its announcement',
    ),
  ]
  if (!board || priced.rows.length === 0) {
    const why = `${symbol} is not the code of a stock of a board whose rules are known`
    return earliest([board ? undefined : faultOn(priced.rows[0], why), ...faults])
  }
  const { stock, fault } = readStock(market, priced, board)
  const first = earliest([faultOfCloses(market, stock), fault, ...faults])
  if (!first) measureDays(market, stock, rows)
  return first
}

/** Measures stock after stock. */
export function measureStocks(
  prices: Prices,
  closesOf: BenchmarkCloses,
  days: CalendarDays,
  choice: AnomalyChoice,
  rules: AnomalyRules,
): { readonly rows: readonly AnomalyRow[]; readonly refused: readonly Refused[] } {
  const { name, last } = prices
  const markedNames = name?.words.map(isMarked)
  const hasNext = [...choice.st.values()].some((places) => places.includes(last + 1))
  const market: Market = {
    prices,
    closesOf,
    days,
    choice,
    rules,
    windows: { abnormal: longestWindow(rules.abnormal), severe: longestWindow(rules.severe) },
    forceOf: forces(rules, days.dates),
    isNameMarked: (row) => markedNames?.[name?.codes[row] ?? -1] ?? false,
    markedNext: hasNext ? last + 1 : last,
  }
  const rows: AnomalyRow[] = []
  const refused = prices.stocks.flatMap((stock) => {
    const fault = measureStock(market, stock, rows)
    return fault ? [{ symbol: stock.symbol, ...fault }] : []
  })
  return { rows, refused }
}
