import { dayNumber } from '../../../contract/date.js'
import { type AnomalyRules, daysWithoutLimit } from '../rules.js'
import type { Days } from './days.js'
import { faultOfRow } from './faults.js'
import type { Chosen } from './options.js'
import { addLevels, type Path, referenceOf, type Windows } from './path.js'
import type { Fault, Prices, Stock } from './prices.js'

/** A stock listed so shortly before the calendar begins that its days without limit can't be told. */
const nearDays = 21

/** Which days of a stock have no price limit, by place in the calendar. */
export interface Freedom {
  isFree(place: number): boolean
  /** Place of the first day that the stock was listed on; -1 where that lies before the calendar. */
  readonly listed: number
  /** Days of the calendar's beginning of which nothing can be told. */
  readonly unknown: number
  readonly listDate: string | undefined
}

function listDateOf({ listed, rows }: Prices, { from, to }: Stock): string | undefined {
  if (!listed) return undefined
  for (let i = from; i < to; i++) {
    const word = listed.words[listed.codes[rows[i] as number] as number]
    if (word !== undefined) return word
  }
  return undefined
}

export function freedomOf(
  prices: Prices,
  stock: Stock,
  chosen: Chosen,
  { dates, placeOf }: Days,
  rules: AnomalyRules,
): Freedom {
  const named = new Set(chosen.unlimited.get(stock.symbol) ?? [])
  const listDate = listDateOf(prices, stock)
  const first = dates[0] ?? ''
  if (listDate === undefined || !stock.board || listDate < first) {
    const free = listDate !== undefined && stock.board ? daysWithoutLimit(stock.board, listDate, rules) : 0
    const isNear = listDate !== undefined && dayNumber(first) - dayNumber(listDate) < nearDays
    return { isFree: (place) => named.has(place), listed: -1, unknown: isNear && free > 1 ? free : 0, listDate }
  }
  const listed = placeOf.get(listDate) ?? dates.findIndex((date) => date >= listDate)
  const until = listed < 0 ? -1 : listed + daysWithoutLimit(stock.board, listDate, rules)
  const begins = listed < 0 ? dates.length : listed
  return {
    isFree: (place) => (place >= begins && place < until) || named.has(place),
    listed: begins,
    unknown: 0,
    listDate,
  }
}

/** Writes the days of a stock into a path, up to the first that cannot stand; what is wrong with that one, if any. */
export function lay(
  path: Path,
  prices: Prices,
  stock: Stock,
  freedom: Freedom,
  isMarket: boolean,
  dates: readonly string[],
  windows: Windows,
): Fault | undefined {
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
        ? 'the day stands there twice'
        : place < freedom.listed
          ? `a close before the day of listing, ${freedom.listDate}`
          : place < freedom.unknown
            ? `listed on ${freedom.listDate}, shortly before the calendar begins: which days have no limit is not known; a calendar from that day on tells`
            : faultOfRow(prices, row, held === -1)
    if (why !== undefined) {
      fault = { date: dates[place] as string, why }
      break
    }
    if (isMarket && held !== -1) for (let between = before + 1; between < place; between++) add(between, -1)
    add(place, row)
    before = place
    held = row
  }
  path.length = length
  addLevels(path, prices, windows)
  return fault
}
