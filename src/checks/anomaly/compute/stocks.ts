import type { Data } from '../../../frame/data.js'
import { type AnomalyRules, type Board, daysCounted } from '../rules.js'
import type { Days } from './days.js'
import { faultOfPath } from './faults.js'
import type { Restarts } from './floors.js'
import { type Force, forces } from './in-force.js'
import { emptyIndexPath, follow, type IndexPath, type Indices } from './index-levels.js'
import { type Freedom, freedomOf, lay } from './lay.js'
import { type Marks, readMarks } from './marks.js'
import { type Row, walk } from './measure.js'
import type { Chosen } from './options.js'
import { emptyPath, type Path, type Windows } from './path.js'
import type { Fault, Prices, Stock } from './prices.js'
import type { Found, Refused } from './result.js'

function sizeOf({ stocks }: Prices, isMarket: (board: Board) => boolean, { dates }: Days): number {
  const lengths = stocks.map(({ board, from, to }) => (board && isMarket(board) ? dates.length : to - from))
  return lengths.reduce((most, length) => Math.max(most, length), 0)
}

function restartsOf({ resets }: Chosen, symbol: string): Restarts {
  if (typeof resets === 'string') return resets
  return { abnormal: resets.abnormal.get(symbol) ?? [], severe: resets.severe.get(symbol) ?? [] }
}

/** Lays benchmarks along the stock at hand, each code once. */
function indexPaths(indices: Indices, size: number, windows: Windows) {
  const made = new Map<string, { readonly path: IndexPath; laid: number }>()
  return (code: string, stock: number, day: Int32Array, length: number): IndexPath => {
    const found = made.get(code) ?? { path: emptyIndexPath(code, size), laid: -1 }
    made.set(code, found)
    if (found.laid !== stock) {
      follow(found.path, indices.closesOf(code), day, length, windows)
      found.laid = stock
    }
    return found.path
  }
}

function earliest(a: Fault | undefined, b: Fault | undefined): Fault | undefined {
  return a && b ? (b.date < a.date ? b : a) : (a ?? b)
}

function outsideFault({ outside }: Stock): Fault | undefined {
  return outside === undefined ? undefined : { date: outside, why: 'the day is none of the calendar' }
}

function boardFault(prices: Prices, { symbol, board, from, to }: Stock, { dates }: Days): Fault | undefined {
  if (board || from === to) return undefined
  const date = dates[prices.day[prices.rows[from] as number] as number] as string
  return { date, why: `${symbol} is not the code of a stock of a board whose rules are known` }
}

function haltFault(prices: Prices, { symbol, from, to }: Stock, { halts }: Chosen, { dates }: Days): Fault | undefined {
  const halted = new Set(halts.get(symbol))
  if (halted.size === 0) return undefined
  const row = prices.rows.subarray(from, to).find((one) => halted.has(prices.day[one] as number))
  if (row === undefined) return undefined
  const why =
    'a close on a day that option halts has as one without trading: a halt begins the day after its announcement'
  return { date: dates[prices.day[row] as number] as string, why }
}

/** What all stocks are measured with. `path` is written anew for each. */
interface Bench {
  readonly prices: Prices
  readonly days: Days
  readonly choice: Chosen
  readonly rules: AnomalyRules
  readonly marks: Marks
  readonly forceOf: ReturnType<typeof forces>
  readonly path: Path
  readonly windows: Windows
  /** Whether all days of the market count for a board. */
  readonly isMarket: (board: Board) => boolean
  readonly indexPath: ReturnType<typeof indexPaths>
}

/** A stock of a known board whose path is laid. */
interface Laid {
  readonly stock: Stock
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

function measure(bench: Bench, laid: Laid, forceOn: (at: number) => Force, found: Found[]): void {
  const { prices, path, marks, days, choice } = bench
  const { board, place, stock } = laid
  const { symbol } = stock
  let [before, known]: [Force | undefined, IndexPath | undefined] = [undefined, undefined]
  const indexOf = (force: Force): IndexPath | undefined => {
    if (force === before) return known
    before = force
    const code = force.benchmark?.code
    known = code === undefined ? undefined : bench.indexPath(code, place, path.day, path.length)
    return known
  }
  const next = nextForce(bench, laid)
  const dateOf = (at: number): string => days.dates[path.day[at] as number] as string
  const take = (row: Row): void => {
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
  }
  const [restarts, halts] = [restartsOf(choice, symbol), choice.halts.get(symbol) ?? []]
  walk({ prices, path, forceOn, indexOf, restarts, halts, isNearest: choice.isNearest, next, dateOf }, take)
}

/** Adds the rows of one stock, or says why it has none. */
function measureStock(bench: Bench, stock: Stock, place: number, found: Found[]): Fault | undefined {
  const { prices, days, choice, rules, path } = bench
  const outside = earliest(outsideFault(stock), haltFault(prices, stock, choice, days))
  const { board } = stock
  if (!board || stock.from === stock.to) return earliest(boardFault(prices, stock, days), outside)
  const freedom = freedomOf(prices, stock, choice, days, rules)
  const wrong = earliest(lay(path, prices, stock, freedom, bench.isMarket(board), days.dates, bench.windows), outside)
  const laid: Laid = { stock, place, board, freedom }
  const forceOn = forceOnDays(bench, laid)
  const beyond = faultOfPath(prices, path, forceOn)
  const early = beyond && { date: days.dates[path.day[beyond.at] as number] as string, why: beyond.why }
  const fault = earliest(early, wrong)
  if (fault) return fault
  measure(bench, laid, forceOn, found)
  return undefined
}

/** Measures stock after stock. */
export function measureAll(
  prices: Prices,
  indices: Indices,
  days: Days,
  choice: Chosen,
  rules: AnomalyRules,
  st: Data | undefined,
): { readonly found: readonly Found[]; readonly refused: readonly Refused[] } {
  const isMarket = (board: Board): boolean => (choice.days ?? daysCounted(board, rules)) === 'market'
  const size = sizeOf(prices, isMarket, days)
  const longest = (rows: readonly { readonly days: number }[]): number =>
    rows.reduce((most, row) => Math.max(most, row.days), 1)
  const windows = { abnormal: longest(rules.abnormal), severe: longest(rules.severe) }
  const bench: Bench = {
    prices,
    days,
    choice,
    rules,
    marks: readMarks(prices, st, days),
    forceOf: forces(rules, days.dates),
    path: emptyPath(size),
    windows,
    isMarket,
    indexPath: indexPaths(indices, size, windows),
  }
  const found: Found[] = []
  const refused: Refused[] = []
  prices.stocks.forEach((stock, place) => {
    const fault = measureStock(bench, stock, place, found)
    if (fault) refused.push({ symbol: stock.symbol, ...fault })
  })
  return { found, refused }
}
