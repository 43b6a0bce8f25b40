import type { CellValue, ValueIndex } from './interner.js'

/** Places of the cells of a row in the interners of the key's columns. */
export interface KeyBatch {
  readonly date: Int32Array | undefined
  readonly symbol: Int32Array
  readonly time: Int32Array
}

export interface RowKeys {
  take(batch: KeyBatch): void
  /** A number for the key of each row, equal for equal keys; NaN where a part of it is missing. */
  numbers(): Float64Array
  /** Places of date, symbol and time of a row, from 1; -1 where missing. */
  placesOf(row: number): readonly [number, number, number]
  /** First row, from 1, that is out of order. */
  readonly unsorted: number | undefined
  readonly byTime: boolean
}

function compare(a: CellValue, b: CellValue): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const most = 2 ** 26

/** Gathers the keys of a file's rows, in their order. @param rows of the file at most */
export function rowKeys(rows: number, symbols: ValueIndex, times: ValueIndex): RowKeys {
  const [dates, codes, moments, series] = [0, 1, 2, 3].map(() => new Int32Array(rows)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const places = new Map<number, number>()
  let length = 0
  let [symbolBefore, timeBefore] = [-1, -1]
  let unsorted: number | undefined
  let byTime = true
  /** A symbol of a date. */
  const seriesOf = (date: number, symbol: number): number => {
    const pair = date * most + symbol
    const known = places.get(pair)
    if (known !== undefined) return known
    places.set(pair, places.size)
    return places.size - 1
  }
  const order = (symbol: number, time: number): void => {
    if (symbol < 0 || time < 0) return
    if (symbolBefore >= 0) {
      const bySymbol = compare(symbols.words[symbolBefore] as CellValue, symbols.words[symbol] as CellValue)
      const byMoment = compare(times.words[timeBefore] as CellValue, times.words[time] as CellValue)
      if (bySymbol > 0 || (bySymbol === 0 && byMoment > 0)) unsorted ??= length + 1
      if (byMoment > 0 || (byMoment === 0 && bySymbol > 0)) byTime = false
    }
    symbolBefore = symbol
    timeBefore = time
  }
  return {
    take({ date, symbol, time }) {
      for (let at = 0; at < symbol.length; at++) {
        const [day, code, moment] = [date ? (date[at] as number) : 0, symbol[at] as number, time[at] as number]
        order(code, moment)
        dates[length] = date ? day : -1
        codes[length] = code
        series[length] = day < 0 || code < 0 ? -1 : seriesOf(day, code)
        moments[length++] = moment
      }
    },
    placesOf: (row) => [dates[row - 1] ?? -1, codes[row - 1] ?? -1, moments[row - 1] ?? -1],
    numbers() {
      return Float64Array.from({ length }, (_, row) => {
        const [one, moment] = [series[row] as number, moments[row] as number]
        return one < 0 || moment < 0 ? Number.NaN : one * times.words.length + moment
      })
    },
    get unsorted() {
      return unsorted
    },
    get byTime() {
      return byTime
    },
  }
}

/** The numbers that stand more than once. */
export function repeatedNumbers(numbers: Float64Array): ReadonlySet<number> {
  const sorted = numbers.slice().sort()
  const found = new Set<number>()
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) found.add(sorted[at] as number)
  return found
}
