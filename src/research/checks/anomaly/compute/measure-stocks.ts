import { dayNumber } from '../../../../contract/date.js'
import { sentence, type Words } from '../../../../contract/sentence.js'
import type { Board } from '../../../../contract/trading-rules.js'
import type { Data } from '../../../../frame/data.js'
import { type AnomalyRules, type CountRule, daysCounted, daysWithoutLimit } from '../anomaly-rules.js'
import { dayChange, isBeyondLimit, judge, type Moment, type RuleFinding, sessionDay } from './deviations.js'
import {
  type CalendarDays,
  type Chosen,
  type Fault,
  type Marks,
  type PricedStock,
  type Prices,
  readMarks,
  refusePrices,
} from './price-table.js'
import { type Force, forces, type Threshold } from './rules-in-force.js'
import {
  addLevels,
  emptyIndexPath,
  emptyPath,
  follow,
  type IndexPath,
  type Indices,
  type Path,
  referenceOf,
} from './stock-path.js'

/** A row and what its stock says of it; dates are places in the calendar. */
export interface Found {
  readonly row: MeasuredRow
  readonly symbol: string
  readonly board: Board
  readonly isMarked: boolean
  readonly tradedate: number
  readonly computedOn: number
  readonly since: number
  /** Row of the prices that has the name. */
  readonly priceRow: number
}

/** A stock that was left out. */
export interface Refused extends Fault {
  readonly symbol: string
}

type Measure = 'abnormal' | 'severe' | 'severe by count'

/** Places in the calendar, ascending, of what begins measures of one stock anew; taken out as they take effect. */
interface Restarts {
  /** Each movement ends the measure of its own rule. */
  readonly isComputed: boolean
  /** Days after which a measure begins anew. */
  readonly abnormal: number[]
  readonly severe: number[]
  /** Days of verification halts, after which everything does. */
  readonly halts: number[]
}

function restartsOf({ resets, halts }: Chosen, symbol: string): Restarts {
  const given = typeof resets === 'string' ? undefined : resets
  return {
    isComputed: resets === 'computed',
    abnormal: [...(given?.abnormal.get(symbol) ?? [])],
    severe: [...(given?.severe.get(symbol) ?? [])],
    halts: [...(halts.get(symbol) ?? [])],
  }
}

/** Takes out the days before a day of the calendar; whether there were any. */
function passed(days: number[], before: number): boolean {
  const { length } = days
  while (days.length > 0 && (days[0] as number) < before) days.shift()
  return days.length < length
}

/** First days of one stock, by place in its path, that intervals may begin on, and counted movements may lie on. */
class Floors {
  /** Intervals of the first day have no close before them. */
  abnormal = 1
  /** Of a movement that is counted: those that overlap are one. */
  apart = 1
  counted = 0
  /** Of all severe measures: after days without limit, given restarts and halts. */
  common = 1
  /** After a rule's own event, by days of its window. */
  private readonly severe = new Map<number, number>()

  constructor(private readonly restarts: Restarts) {}

  of({ measure, days }: Threshold): number {
    return measure === 'abnormal' ? this.abnormal : Math.max(this.common, this.severe.get(days) ?? 0)
  }

  /** Days without limit lie outside every interval. */
  afterFree(floor: number): void {
    this.abnormal = floor
    this.apart = floor
    this.common = floor
  }

  /** Each rule ends with its own event: one for a rise and one for a fall of the same window end together. */
  afterEvent(measure: Measure, days: number, floor: number): void {
    if (!this.restarts.isComputed) return
    if (measure === 'abnormal') this.abnormal = floor
    else if (measure === 'severe') this.severe.set(days, floor)
    else this.counted = floor
  }

  /** What lies before a day of the calendar takes effect on a day of the path; a halt ends with a close. */
  restart(before: number, floor: number, hasClose: boolean): void {
    const { abnormal, severe, halts } = this.restarts
    if (abnormal.length + severe.length + halts.length === 0) return
    const resumes = hasClose && passed(halts, before)
    if (passed(abnormal, before) || resumes) {
      this.abnormal = Math.max(this.abnormal, floor)
      this.apart = Math.max(this.apart, floor)
    }
    if (passed(severe, before) || resumes) {
      this.common = Math.max(this.common, floor)
      this.counted = Math.max(this.counted, floor)
    }
  }
}

/** One row of the result, before it has words. */
interface MeasuredRow {
  readonly measure: Measure
  /** Its rule: of a count, the counting one. */
  readonly rule: Threshold | CountRule
  readonly finding: RuleFinding
  readonly force: Force
  /** Last completed day of the stock, by place in its path; the day itself but in a forecast. */
  readonly end: number
  readonly forecast: boolean
  /** First day of the interval, or the first abnormal movement counted. */
  readonly since: number
  /** Days of the stock from then to `end`. */
  readonly elapsed: number
  readonly triggered: boolean
  /** Change of the day in units of 0.0001 percent; NaN in a forecast. */
  readonly change: number
}

/** Where one direction's abnormal movements happened, by place in the path. */
interface Movements {
  readonly up: number[]
  readonly down: number[]
}

/** The severe row that a day's abnormal row makes together with those before it; the day itself is not in `movements`. */
function countRow(
  rule: CountRule,
  abnormal: readonly MeasuredRow[],
  movements: Movements,
  moment: Moment,
  floor: number,
): MeasuredRow[] {
  const own = abnormal.filter(({ finding }) => finding.rule.direction === rule.direction)
  const basis = own.find(({ triggered }) => triggered) ?? own[0]
  if (!basis || (basis.triggered && moment.forecast)) return []
  const first = Math.max(floor, moment.end - rule.days + (moment.forecast ? 2 : 1))
  const counted = movements[rule.direction].filter((at) => at >= first)
  if (counted.length + 1 < rule.times) return []
  const since = counted[0] ?? moment.end
  return [{ ...basis, measure: 'severe by count', rule, since, elapsed: moment.end - since + 1 }]
}

function checkIndex({ path, days }: Bench, index: IndexPath, force: Force, end: number, floor: number): void {
  const missing = index.missing[end] as number
  if (missing < Math.max(floor - 1, end - force.longest) || floor > end) return
  const wanted = sentence`${index.code} on ${days.dates[path.day[missing] as number]} (${force.benchmark?.name})`
  refusePrices(sentence`benchmarks have no close of ${wanted}, which a stock of its board needs`)
}

/** What one day has: rows in the order of the result, and abnormal rows of intervals after the last movement counted. */
interface Day {
  readonly rows: MeasuredRow[]
  readonly apart: readonly MeasuredRow[]
}

/** @param floorOf first day on which an interval of a rule may begin */
function rowsOf(moment: Moment, rules: readonly Threshold[], floorOf: (rule: Threshold) => number): MeasuredRow[] {
  const { force, end, forecast } = moment
  const found: RuleFinding[] = []
  for (const rule of rules) {
    const finding = judge(moment, rule, Math.max(floorOf(rule), end - rule.days + (forecast ? 2 : 1)))
    if (finding) found.push(finding)
  }
  const change = forecast || found.length === 0 ? Number.NaN : dayChange(moment)
  return found.map((finding) => {
    const { rule, start, triggered } = finding
    const elapsed = end - start + 1
    return { measure: rule.measure, rule, finding, force, end, forecast, since: start, elapsed, triggered, change }
  })
}

function rowsOfDay(moment: Moment, floors: Floors, movements: Movements): Day {
  const { rules } = moment.force
  const rows = rowsOf(moment, rules, (rule) => floors.of(rule))
  const isAbnormal = ({ measure }: { readonly measure: Measure }): boolean => measure === 'abnormal'
  const isOne = floors.apart <= floors.abnormal
  if (rows.length === 0 && isOne) return { rows, apart: rows }
  const apart = isOne ? rows.filter(isAbnormal) : rowsOf(moment, rules.filter(isAbnormal), () => floors.apart)
  const counts = moment.force.counts.flatMap((rule) => countRow(rule, apart, movements, moment, floors.counted))
  return { rows: [...rows, ...counts], apart }
}

/**
 * Walks over the days of one stock and hands over its rows. Intervals begin on a day after the last restart of their
 * rule, after the last day without limit, and not on the first day, which has no close before it.
 */
function walk(bench: Bench, laid: Laid, forceOn: (at: number) => Force, take: (row: MeasuredRow) => void): void {
  const { path, prices, choice } = bench
  const floors = new Floors(restartsOf(choice, laid.stock.symbol))
  const movements: Movements = { up: [], down: [] }
  const indexOf = indexOfForce(bench, laid.place)
  const look = (force: Force, end: number, forecast: boolean): void => {
    const index = indexOf(force)
    if (!index) return
    checkIndex(bench, index, force, end, Math.min(floors.abnormal, floors.common))
    const day = sessionDay({ prices, path, force, end, forecast })
    const moment: Moment = { prices, path, force, end, forecast, index, day }
    const { rows, apart } = rowsOfDay(moment, floors, movements)
    for (const row of rows) take(row)
    if (forecast) return
    for (const { triggered, finding } of apart) {
      const own = movements[finding.rule.direction]
      if (triggered && own.at(-1) !== end) own.push(end)
      if (triggered) floors.apart = end + 1
    }
    for (const { triggered, measure, rule } of rows) if (triggered) floors.afterEvent(measure, rule.days, end + 1)
  }
  for (let at = 0; at < path.length; at++) {
    const isTraded = path.row[at] !== -1
    floors.restart(path.day[at] as number, at, isTraded)
    if (path.free[at] === 1) floors.afterFree(at + 1)
    else if (at > 0 && isTraded) look(forceOn(at), at, false)
  }
  const next = nextForce(bench, laid)
  if (!next) return
  const last = path.length - 1
  floors.restart((path.day[last] as number) + 1, path.length, false)
  look(next, last, true)
}

function isPrice(x: number): boolean {
  return x > 0 && x < Number.POSITIVE_INFINITY
}

/** What is wrong with the numbers of a row; undefined for nothing. @param first of its stock */
function faultOfRow({ close, pre, factor }: Prices, row: number, first: boolean): Words | undefined {
  const price = close[row] as number
  if (!isPrice(price)) {
    return sentence`close is ${price}: prices are above 0, and only additive adjustment makes them otherwise`
  }
  if (pre) {
    const before = pre[row] as number
    if (Number.isNaN(before)) return first ? undefined : sentence`${'pre_close'} is null`
    if (!isPrice(before)) return sentence`pre_close is ${before}: prices are above 0`
  }
  if (factor) {
    const by = factor[row] as number
    if (Number.isNaN(by)) return sentence`${'adj_factor'} is null`
    if (!isPrice(by)) return sentence`adj_factor is ${by}: factors are above 0`
  }
  return undefined
}

const [least, most] = [1e-100, 1e100]

/** The first day of a path whose close cannot be, and why; undefined for none. */
function faultOfPath({ prices, path, days }: Bench, forceOn: (at: number) => Force): Fault | undefined {
  const dateOf = (at: number): string => days.dates[path.day[at] as number] as string
  for (let at = 0; at < path.length; at++) {
    const level = path.level[at] as number
    if (!(level > least && level < most))
      return { date: dateOf(at), why: sentence`prices and factors are too large or small to be computed with` }
    if (at === 0 || path.row[at] === -1 || path.free[at] === 1) continue
    const close = prices.close[path.row[at] as number] as number
    const reference = path.reference[at] as number
    const force = forceOn(at)
    if (close <= reference * (1 + force.limit) && close >= reference * (1 - force.limit)) continue
    if (!isBeyondLimit({ prices, path, force, end: at, forecast: false })) continue
    const change = ((close / reference - 1) * 100).toFixed(2)
    const [from, limit] = [reference.toFixed(2), force.limitPercent]
    return {
      date: dateOf(at),
      why: sentence`close ${close} is ${change} % from ${from}, beyond the limit of ${limit} %: additive adjustment, an ex-right day without its factor, or a day without limit (option unlimited)`,
    }
  }
  return undefined
}

/** A stock listed so shortly before the calendar begins that its days without limit can't be told. */
const nearDays = 21

/** Which days of a stock have no price limit, by place in the calendar. */
interface Freedom {
  isFree(place: number): boolean
  /** Place of the first day that the stock was listed on; -1 where that lies before the calendar. */
  readonly listed: number
  /** Days of the calendar's beginning of which nothing can be told. */
  readonly unknown: number
  readonly listDate: string | undefined
}

function listDateOf({ listed, rows }: Prices, { from, to }: PricedStock): string | undefined {
  if (!listed) return undefined
  for (let i = from; i < to; i++) {
    const word = listed.words[listed.codes[rows[i] as number] as number]
    if (word !== undefined) return word
  }
  return undefined
}

function freedomOf({ prices, choice, days, rules }: Bench, stock: PricedStock, board: Board): Freedom {
  const named = new Set(choice.unlimited.get(stock.symbol))
  const listDate = listDateOf(prices, stock)
  const [first = ''] = days.dates
  const free = listDate === undefined ? 0 : daysWithoutLimit(board, listDate, rules)
  if (listDate === undefined || listDate < first) {
    const isNear = listDate !== undefined && dayNumber(first) - dayNumber(listDate) < nearDays
    return { isFree: (place) => named.has(place), listed: -1, unknown: isNear && free > 1 ? free : 0, listDate }
  }
  const after = days.dates.findIndex((date) => date >= listDate)
  const listed = after < 0 ? days.dates.length : after
  const isNew = (place: number): boolean => place >= listed && place < listed + free
  return { isFree: (place) => isNew(place) || named.has(place), listed, unknown: 0, listDate }
}

/** Writes the days of a stock into a path, up to the first that cannot stand; what is wrong with that one, if any. */
function lay(bench: Bench, { stock, freedom, board }: Laid): Fault | undefined {
  const { path, prices, days } = bench
  const isMarket = bench.isMarket(board)
  let [length, before, held] = [0, -1, -1]
  let fault: Fault | undefined
  const add = (place: number, row: number): void => {
    path.day[length] = place
    path.row[length] = row
    path.held[length] = row === -1 ? held : row
    path.reference[length] = row === -1 ? Number.NaN : referenceOf(prices, held, row)
    path.free[length] = freedom.isFree(place) ? 1 : 0
    length++
  }
  for (let i = stock.from; i < stock.to; i++) {
    const row = prices.rows[i] as number
    const place = prices.day[row] as number
    const why =
      place === before
        ? sentence`the day is a duplicate`
        : place < freedom.listed
          ? sentence`a close before the day of listing, ${freedom.listDate}`
          : place < freedom.unknown
            ? sentence`listed on ${freedom.listDate}, shortly before the calendar begins: which days have no limit is not known; a calendar from that day on tells`
            : faultOfRow(prices, row, held === -1)
    if (why !== undefined) {
      fault = { date: days.dates[place] as string, why }
      break
    }
    if (isMarket && held !== -1) for (let between = before + 1; between < place; between++) add(between, -1)
    add(place, row)
    before = place
    held = row
  }
  path.length = length
  addLevels(path, prices)
  return fault
}

function sizeOf({ stocks }: Prices, isMarket: (board: Board) => boolean, { dates }: CalendarDays): number {
  const lengths = stocks.map(({ board, from, to }) => (board && isMarket(board) ? dates.length : to - from))
  return lengths.reduce((most, length) => Math.max(most, length), 0)
}

/** Lays benchmarks along the stock at hand, each code once. */
function indexPaths(indices: Indices, size: number) {
  const made = new Map<string, { readonly path: IndexPath; laid: number }>()
  return (code: string, stock: number, day: Int32Array, length: number): IndexPath => {
    const found = made.get(code) ?? { path: emptyIndexPath(code, size), laid: -1 }
    made.set(code, found)
    if (found.laid !== stock) {
      follow(found.path, indices.closesOf(code), day, length)
      found.laid = stock
    }
    return found.path
  }
}

/** The first of some faults; of one day the one that comes first. */
function earliest(faults: readonly (Fault | undefined)[]): Fault | undefined {
  return faults.reduce((a, b) => (a && b ? (b.date < a.date ? b : a) : (a ?? b)), undefined)
}

/** What is wrong with a stock whatever its prices are. */
function faultOfStock(
  { prices, days, choice }: Bench,
  { symbol, board, from, to, outside }: PricedStock,
): Fault | undefined {
  const rows = prices.rows.subarray(from, to)
  const halted = new Set(choice.halts.get(symbol))
  const faultAt = (row: number | undefined, why: Words): Fault | undefined =>
    row === undefined ? undefined : { date: days.dates[prices.day[row] as number] as string, why }
  return earliest([
    board
      ? undefined
      : faultAt(rows[0], sentence`${symbol} is not the code of a stock of a board whose rules are known`),
    outside === undefined ? undefined : { date: outside, why: sentence`the day is none of the calendar` },
    faultAt(
      halted.size === 0 ? undefined : rows.find((row) => halted.has(prices.day[row] as number)),
      sentence`a close on a day that option halts has as one without trading: a halt begins the day after its announcement`,
    ),
  ])
}

/** What all stocks are measured with. `path` is written anew for each. */
interface Bench {
  readonly prices: Prices
  readonly days: CalendarDays
  readonly choice: Chosen
  readonly rules: AnomalyRules
  readonly marks: Marks
  readonly forceOf: ReturnType<typeof forces>
  readonly path: Path
  /** Whether all days of the market count for a board. */
  readonly isMarket: (board: Board) => boolean
  readonly indexPath: ReturnType<typeof indexPaths>
}

/** A stock of a known board whose path is laid. */
interface Laid {
  readonly stock: PricedStock
  readonly place: number
  readonly board: Board
  readonly freedom: Freedom
}

/** Rules of each of the stock's days, by its place in the path. */
function forceOnDays({ path, marks, forceOf }: Bench, { stock, board }: Laid): (at: number) => Force {
  const [plain, marked] = [forceOf(board, false), forceOf(board, true)]
  return (at) => (marks.isMarked(stock.symbol, path.row[at] as number) ? marked : plain)(path.day[at] as number)
}

/** Rules of the day after the last, if the stock has a close on the last, and a limit and no halt on the next. */
function nextForce(bench: Bench, { stock, board, freedom }: Laid): Force | undefined {
  const { path, marks, forceOf, prices, days, choice } = bench
  const [last, next] = [path.length - 1, prices.last + 1]
  if (choice.halts.get(stock.symbol)?.includes(next)) return undefined
  if (path.day[last] !== prices.last || days.dates[next] === undefined || freedom.isFree(next)) return undefined
  return forceOf(board, marks.isMarkedNext(stock.symbol, path.row[last] as number))(next)
}

/** The benchmark of each day's rules along the stock at hand. */
function indexOfForce({ indexPath, path }: Bench, place: number): (force: Force) => IndexPath | undefined {
  let [before, known]: [Force | undefined, IndexPath | undefined] = [undefined, undefined]
  return (force) => {
    if (force === before) return known
    before = force
    const code = force.benchmark?.code
    known = code === undefined ? undefined : indexPath(code, place, path.day, path.length)
    return known
  }
}

function measure(bench: Bench, laid: Laid, forceOn: (at: number) => Force, found: Found[]): void {
  const { path, marks } = bench
  const { board, stock } = laid
  const { symbol } = stock
  walk(bench, laid, forceOn, (row) => {
    const priceRow = path.row[row.end] as number
    const day = path.day[row.end] as number
    found.push({
      row,
      symbol,
      board,
      isMarked: row.forecast ? marks.isMarkedNext(symbol, priceRow) : marks.isMarked(symbol, priceRow),
      tradedate: row.forecast ? day + 1 : day,
      computedOn: day,
      since: path.day[row.since] as number,
      priceRow,
    })
  })
}

/** Adds the rows of one stock, or says why it has none. */
function measureStock(bench: Bench, stock: PricedStock, place: number, found: Found[]): Fault | undefined {
  const { board } = stock
  const own = faultOfStock(bench, stock)
  if (!board || stock.from === stock.to) return own
  const laid: Laid = { stock, place, board, freedom: freedomOf(bench, stock, board) }
  const wrong = lay(bench, laid)
  const forceOn = forceOnDays(bench, laid)
  const fault = earliest([faultOfPath(bench, forceOn), wrong, own])
  if (fault) return fault
  measure(bench, laid, forceOn, found)
  return undefined
}

/** Measures stock after stock. */
export function measureAll(
  prices: Prices,
  indices: Indices,
  days: CalendarDays,
  choice: Chosen,
  rules: AnomalyRules,
  st: Data | undefined,
): { readonly found: readonly Found[]; readonly refused: readonly Refused[] } {
  const isMarket = (board: Board): boolean => (choice.days ?? daysCounted(board, rules)) === 'market'
  const size = sizeOf(prices, isMarket, days)
  const bench: Bench = {
    prices,
    days,
    choice,
    rules,
    marks: readMarks(prices, st, days),
    forceOf: forces(rules, days.dates),
    path: emptyPath(size),
    isMarket,
    indexPath: indexPaths(indices, size),
  }
  const found: Found[] = []
  const refused: Refused[] = []
  prices.stocks.forEach((stock, place) => {
    const fault = measureStock(bench, stock, place, found)
    if (fault) refused.push({ symbol: stock.symbol, ...fault })
  })
  return { found, refused }
}
