import { codeMatcher } from '../../../contract/symbol.js'
import { numbers, words } from '../../../frame/column.js'
import type { Data } from '../../../frame/data.js'
import { type Bounds, bound, emptyBounds } from './bounds.js'
import type { Days } from './days.js'
import type { Windows } from './path.js'
import { datesIn, refuse, usedWords } from './prices.js'

/** Closes of the benchmarks by day of the calendar, NaN where missing. */
export interface Indices {
  /** The closes of a code. One that the table does not have at all is missing on every day. */
  closesOf(code: string): Float64Array
  readonly dates: readonly string[]
}

/** @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a close that is not above 0, and for a code and day twice */
export function readIndices(data: Data): { readonly dates: readonly string[]; at: (days: Days) => Indices } {
  const dates = datesIn(data, 'benchmarks')
  const codes = words(data, 'code')
  const closes = numbers(data, 'close')
  const used = usedWords(dates)
  return {
    dates: dates.words.filter((_, code) => used[code] === 1),
    at: (days) => {
      const known = new Map<string, Float64Array>()
      return {
        dates: days.dates,
        closesOf(wanted) {
          const found = known.get(wanted)
          if (found) return found
          const isWanted = codeMatcher([wanted])
          const matching = codes.words.map(isWanted)
          const made = new Float64Array(days.dates.length).fill(Number.NaN)
          for (let row = 0; row < closes.length; row++) {
            if (!matching[codes.codes[row] ?? -1]) continue
            const close = closes[row] as number
            const date = dates.words[dates.codes[row] ?? -1]
            const place = days.placeOf.get(date ?? '')
            if (Number.isNaN(close) || place === undefined) continue
            if (!(close > 0 && close < Number.POSITIVE_INFINITY))
              refuse(`the close of ${wanted} on ${date} is ${close}`)
            if (!Number.isNaN(made[place])) refuse(`benchmarks have ${wanted} on ${date} twice`)
            made[place] = close
          }
          known.set(wanted, made)
          return made
        },
      }
    },
  }
}

/** A benchmark over the days of one stock. */
export interface IndexPath {
  readonly code: string
  readonly close: Float64Array
  readonly inverse: Float64Array
  /** Latest day up to each that has no close; -1 for none. */
  readonly missing: Int32Array
  greatestInverse: number
  /** Inverses that intervals of each measure may begin with. */
  readonly abnormal: Bounds
  readonly severe: Bounds
}

export function emptyIndexPath(code: string, size: number): IndexPath {
  return {
    code,
    close: new Float64Array(size),
    inverse: new Float64Array(size),
    missing: new Int32Array(size),
    greatestInverse: 0,
    abnormal: emptyBounds(size),
    severe: emptyBounds(size),
  }
}

/** Lays a benchmark's closes along a stock's days. */
export function follow(path: IndexPath, closes: Float64Array, day: Int32Array, length: number, windows: Windows): void {
  let [missing, greatest] = [-1, 0]
  for (let i = 0; i < length; i++) {
    const close = closes[day[i] as number] as number
    const inverse = 1 / close
    if (Number.isNaN(close)) missing = i
    else if (inverse > greatest) greatest = inverse
    path.close[i] = close
    path.inverse[i] = inverse
    path.missing[i] = missing
  }
  path.greatestInverse = greatest
  bound(path.inverse, length, windows.abnormal, path.abnormal)
  bound(path.inverse, length, windows.severe, path.severe)
}
