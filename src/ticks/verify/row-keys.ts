import { dateIn } from '../../contract/date.js'
import { type ColumnData, cellOf } from '../../table/values.js'
import type { Attempted, KeyFacts, RowCount, TimeFacts } from './file-facts.js'

export type CellValue = string | number

/** The distinct cells of a column, in the order in which they first appear. */
export interface ValueIndex {
  readonly words: readonly CellValue[]
  /** Rows that hold each word. */
  readonly counts: readonly number[]
  /** The first of them, from 1. */
  readonly first: readonly number[]
  /** Rows without a cell. */
  readonly nulls: number
  /** The places in `words` of the cells of the next rows; -1 where missing. `row` is that of the first of them. */
  take(values: ColumnData, row: number): Int32Array
}

function wordOf(cell: ReturnType<typeof cellOf>): CellValue | null {
  if (cell === null || typeof cell === 'number' || typeof cell === 'string') return cell
  return JSON.stringify(cell)
}

export function valueIndex(): ValueIndex {
  const words: CellValue[] = []
  const counts: number[] = []
  const first: number[] = []
  const places = new Map<CellValue, number>()
  let nulls = 0
  const placeOf = (word: CellValue): number => {
    const known = places.get(word)
    if (known !== undefined) return known
    places.set(word, words.length)
    counts.push(0)
    first.push(0)
    return words.push(word) - 1
  }
  const placesIn = (values: ColumnData): Int32Array => {
    if (values.type !== 'dictionary')
      return Int32Array.from({ length: values.data.length }, (_, at) => {
        const word = wordOf(cellOf(values, at))
        return word === null ? -1 : placeOf(word)
      })
    const known = new Int32Array(values.dictionary.length).fill(-1)
    return values.data.map((code) => {
      if (code < 0) return -1
      if (known[code] === -1) known[code] = placeOf(values.dictionary[code] as string)
      return known[code] as number
    })
  }
  return {
    words,
    counts,
    first,
    get nulls() {
      return nulls
    },
    take(values, row) {
      const found = placesIn(values)
      for (let at = 0; at < found.length; at++) {
        const place = found[at] as number
        if (place < 0) nulls++
        else {
          if (counts[place] === 0) first[place] = row + at
          counts[place] = (counts[place] ?? 0) + 1
        }
      }
      return found
    },
  }
}

/** Places of the cells of a row in the interners of the key's columns. */
interface KeyBatch {
  readonly date: Int32Array | undefined
  readonly symbol: Int32Array
  readonly time: Int32Array
}

interface RowKeys {
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

function parseTime(word: CellValue): Time | undefined {
  return typeof word === 'number' ? timeOfNumber(word) : timeIn(word)
}

interface Tally {
  rows: number
  first: number
  word: CellValue
}

function count(tally: Tally | undefined, { words, counts, first }: ValueIndex, at: number): Tally {
  const [rows, row] = [counts[at] as number, first[at] as number]
  if (!tally) return { rows, first: row, word: words[at] as CellValue }
  tally.rows += rows
  if (row < tally.first) Object.assign(tally, { first: row, word: words[at] })
  return tally
}

function rowCount(tally: Tally | undefined): RowCount | undefined {
  return tally && { rows: tally.rows, first: `${JSON.stringify(tally.word)} in row ${tally.first}` }
}

/** Rows whose word is not as wanted. */
export function rowsFailing(interned: ValueIndex, isRight: (word: CellValue) => boolean): RowCount | undefined {
  let tally: Tally | undefined
  interned.words.forEach((word, at) => {
    if (!isRight(word)) tally = count(tally, interned, at)
  })
  return rowCount(tally)
}

/** Whether the cells of `time` are times, and of the day where they say one. */
export function checkTimes(interned: ValueIndex, day: string): Attempted<TimeFacts> {
  const { words } = interned
  const times = words.map(parseTime)
  const forms = [...new Set(times.flatMap((time) => time?.form ?? []))].sort()
  if (words.length > 0 && words.every((word) => typeof word === 'number')) {
    const right = times.filter((time) => time !== undefined).length
    if (right * 2 < words.length)
      return { notMade: `time holds numbers that are neither HHMMSS nor HHMMSSmmm, such as ${words[0]}` }
  }
  const isTime = (word: CellValue): boolean => parseTime(word) !== undefined
  const isHere = (word: CellValue): boolean => (parseTime(word)?.day ?? day) === day
  return { forms, wrong: rowsFailing(interned, isTime), elsewhere: rowsFailing(interned, isHere) }
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

interface Found {
  rows: number
  first: string
}

/** Tells rows with the key of an earlier one apart: equal to it in all columns, or not. */
export function duplicateRows(keyText: (row: number) => string): {
  /** @param row from 1 */
  take(key: number, row: number, text: string): void
  facts(): Pick<KeyFacts, 'repeated' | 'differing'>
} {
  const seen = new Map<number, { readonly row: number; readonly print: number }>()
  const found: { repeated: Found | undefined; differing: Found | undefined } = {
    repeated: undefined,
    differing: undefined,
  }
  return {
    take(key, row, text) {
      const print = fingerprint(text)
      const before = seen.get(key)
      if (!before) {
        seen.set(key, { row, print })
        return
      }
      const kind = before.print === print ? 'repeated' : 'differing'
      found[kind] ??= { rows: 0, first: `${keyText(row)} in rows ${before.row} and ${row}` }
      found[kind].rows++
    },
    facts: () => found as { repeated: RowCount | undefined; differing: RowCount | undefined },
  }
}
