import { dateIn } from '../../contract/date.js'
import { type ColumnData, cellOf } from '../../table/values.js'
import type { Attempted, RowCount, TimeFacts } from './file-facts.js'

export type CellValue = string | number

/** The distinct cells of a column, in the order in which they first appear. */
export class ValueIndex {
  readonly values: CellValue[] = []
  /** Rows that hold each value. */
  readonly #counts: number[] = []
  /** The first of them, from 1. */
  readonly #first: number[] = []
  readonly #places = new Map<CellValue, number>()

  /** The places in `values` of the cells of the next rows; -1 where missing. @param row number of the first of them */
  add(cells: ColumnData, row: number): Int32Array {
    const places = this.#placesOf(cells)
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      if (place < 0) continue
      this.#first[place] ??= row + at
      this.#counts[place] = (this.#counts[place] ?? 0) + 1
    }
    return places
  }

  /** Rows whose value is not as it should be; undefined where there are none. */
  rowsFailing(isRight: (value: CellValue) => boolean): RowCount | undefined {
    const wrong = this.values.flatMap((value, at) => (isRight(value) ? [] : [at]))
    if (wrong.length === 0) return undefined
    const firstOf = (at: number): number => this.#first[at] as number
    const earliest = wrong.reduce((a, b) => (firstOf(b) < firstOf(a) ? b : a))
    return {
      rows: wrong.reduce((sum, at) => sum + (this.#counts[at] as number), 0),
      first: `${JSON.stringify(this.values[earliest])} in row ${firstOf(earliest)}`,
    }
  }

  #placeOf(value: CellValue): number {
    const known = this.#places.get(value)
    if (known !== undefined) return known
    this.#places.set(value, this.values.length)
    return this.values.push(value) - 1
  }

  #placesOf(cells: ColumnData): Int32Array {
    if (cells.type !== 'dictionary')
      return Int32Array.from({ length: cells.data.length }, (_, at) => {
        const cell = cellOf(cells, at)
        if (cell === null) return -1
        return this.#placeOf(typeof cell === 'number' || typeof cell === 'string' ? cell : JSON.stringify(cell))
      })
    // Only those that are used, in the order of the rows.
    const known = new Int32Array(cells.dictionary.length).fill(-1)
    return cells.data.map((code) => {
      if (code < 0) return -1
      if (known[code] === -1) known[code] = this.#placeOf(cells.dictionary[code] as string)
      return known[code] as number
    })
  }
}

function compare(a: CellValue, b: CellValue): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** More symbols than a file can have. */
const mostSymbols = 2 ** 26

/** The keys (tradedate, symbol, time) of a file's rows, in their order, as places in the index of each column. */
export class TickRowKeys {
  readonly #symbols: ValueIndex
  readonly #times: ValueIndex
  readonly #date: Int32Array
  readonly #symbol: Int32Array
  readonly #time: Int32Array
  /** A number for the symbol and date of each row; -1 where either is missing. */
  readonly #series: Int32Array
  readonly #seriesNumbers = new Map<number, number>()
  #length = 0
  #symbolBefore = -1
  #timeBefore = -1
  /** First row, from 1, that is not in the order of (symbol, time). */
  unsorted: number | undefined
  /** All rows are in the order of (time, symbol). */
  byTime = true

  /** @param rows of the file at most */
  constructor(rows: number, symbols: ValueIndex, times: ValueIndex) {
    this.#symbols = symbols
    this.#times = times
    this.#date = new Int32Array(rows).fill(-1)
    this.#symbol = new Int32Array(rows)
    this.#time = new Int32Array(rows)
    this.#series = new Int32Array(rows)
  }

  add(dates: Int32Array | undefined, symbols: Int32Array, times: Int32Array): void {
    for (let at = 0; at < symbols.length; at++) {
      const [date, symbol, time] = [dates ? (dates[at] as number) : 0, symbols[at] as number, times[at] as number]
      this.#checkOrder(symbol, time)
      const row = this.#length++
      if (dates) this.#date[row] = date
      this.#symbol[row] = symbol
      this.#time[row] = time
      this.#series[row] = date < 0 || symbol < 0 ? -1 : this.#seriesOf(date * mostSymbols + symbol)
    }
  }

  /** Places of date, symbol and time of a row, from 1; -1 where missing. */
  placesOf(row: number): readonly number[] {
    return [this.#date, this.#symbol, this.#time].map((places) => places[row - 1] ?? -1)
  }

  /** A number for the key of each row, equal for equal keys; NaN where a part of it is missing. */
  numbers(): Float64Array {
    const count = this.#times.values.length
    return Float64Array.from({ length: this.#length }, (_, row) => {
      const [series, time] = [this.#series[row] as number, this.#time[row] as number]
      return series < 0 || time < 0 ? Number.NaN : series * count + time
    })
  }

  #seriesOf(pair: number): number {
    const known = this.#seriesNumbers.get(pair)
    if (known !== undefined) return known
    this.#seriesNumbers.set(pair, this.#seriesNumbers.size)
    return this.#seriesNumbers.size - 1
  }

  #checkOrder(symbol: number, time: number): void {
    if (symbol < 0 || time < 0) return
    if (this.#symbolBefore >= 0) {
      const [symbols, times] = [this.#symbols.values, this.#times.values]
      const bySymbol = compare(symbols[this.#symbolBefore] as CellValue, symbols[symbol] as CellValue)
      const byTime = compare(times[this.#timeBefore] as CellValue, times[time] as CellValue)
      if (bySymbol > 0 || (bySymbol === 0 && byTime > 0)) this.unsorted ??= this.#length + 1
      if (byTime > 0 || (byTime === 0 && bySymbol > 0)) this.byTime = false
    }
    this.#symbolBefore = symbol
    this.#timeBefore = time
  }
}

/** The numbers that stand more than once. */
export function repeatedNumbers(numbers: Float64Array): ReadonlySet<number> {
  const sorted = numbers.slice().sort()
  return new Set(sorted.filter((number, at) => at > 0 && number === sorted[at - 1]))
}

interface Time {
  readonly form: string
  /** Where the time says it. */
  readonly day?: string | undefined
}

const clock = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?$/
const digits = /^([01]\d|2[0-3])[0-5]\d([0-5]\d(\d{3})?)?$/
const moment = /^(\d{4}-\d{2}-\d{2}|\d{8})[T ](.+?)(Z|[+-]\d{2}(:?\d{2})?)?$/

function timeIn(text: string): Time | undefined {
  if (clock.test(text)) return { form: 'HH:MM:SS' }
  if (digits.test(text)) return { form: { 4: 'HHMM', 6: 'HHMMSS', 9: 'HHMMSSmmm' }[text.length] as string }
  const [, date = '', time = ''] = moment.exec(text) ?? []
  const day = dateIn(date)
  return day !== undefined && clock.test(time) ? { form: 'date and time', day } : undefined
}

/** 91503 is 09:15:03, 91503000 the same with milliseconds. */
function timeOfNumber(value: number): Time | undefined {
  if (!Number.isInteger(value) || value < 0) return undefined
  return timeIn(String(value).padStart(value < 1_000_000 ? 6 : 9, '0'))
}

function parseTime(value: CellValue): Time | undefined {
  return typeof value === 'number' ? timeOfNumber(value) : timeIn(value)
}

/** Whether the cells of `time` are times, and of the day where they say one. */
export function checkTimes(index: ValueIndex, day: string): Attempted<TimeFacts> {
  const { values } = index
  const times = values.map(parseTime)
  const forms = [...new Set(times.flatMap((time) => time?.form ?? []))].sort()
  if (values.length > 0 && values.every((value) => typeof value === 'number')) {
    const right = times.filter((time) => time !== undefined).length
    if (right * 2 < values.length)
      return { notMade: `time holds numbers that are neither HHMMSS nor HHMMSSmmm, such as ${values[0]}` }
  }
  const isTime = (value: CellValue): boolean => parseTime(value) !== undefined
  const isHere = (value: CellValue): boolean => (parseTime(value)?.day ?? day) === day
  return { forms, wrong: index.rowsFailing(isTime), elsewhere: index.rowsFailing(isHere) }
}

/** 53 bits of a text: equal texts have equal ones, and others all but never. */
function fingerprint(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** Tells rows with the key of an earlier one apart: equal to it in all columns, or not. */
export class DuplicateRows {
  readonly #keyText: (row: number) => string
  readonly #seen = new Map<number, { readonly row: number; readonly print: number }>()
  readonly facts: { repeated: RowCount | undefined; differing: RowCount | undefined } = {
    repeated: undefined,
    differing: undefined,
  }

  constructor(keyText: (row: number) => string) {
    this.#keyText = keyText
  }

  /** @param row from 1 @param text all cells of the row */
  add(key: number, row: number, text: string): void {
    const print = fingerprint(text)
    const before = this.#seen.get(key)
    if (!before) {
      this.#seen.set(key, { row, print })
      return
    }
    const kind = before.print === print ? 'repeated' : 'differing'
    const { rows, first } = this.facts[kind] ?? {
      rows: 0,
      first: `${this.#keyText(row)} in rows ${before.row} and ${row}`,
    }
    this.facts[kind] = { rows: rows + 1, first }
  }
}
