import { isDate } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { bucketRows } from '../../table/group-rows.js'
import type { Text } from '../../table/values.js'
import type { TickColumns } from './tick-columns.js'

/** Seconds since midnight, Beijing, at which the parts of an opening auction begin, and the day's trading. */
export const session = {
  /** Orders come in, and may be withdrawn. */
  opens: 33_300,
  /** Orders come in, and can no longer be withdrawn. */
  firm: 33_600,
  /** The match. */
  match: 33_900,
  /** Continuous trading: a later snapshot is none of this auction. */
  ends: 34_200,
} as const

/** A text column as places in the order of its words; words that no row has are left out. */
export interface Ranked {
  readonly codes: Int32Array
  readonly words: readonly string[]
}

/** Rows as auctions: those of one day and symbol, in order of time. */
export interface Auctions {
  /** How many there are. */
  readonly count: number
  /** Rows, auction after auction: by day, then symbol, then time. */
  readonly order: Int32Array
  /** Where each begins in `order`; one more entry than auctions. */
  readonly starts: Int32Array
  /** By row. */
  readonly tradedate: Ranked
  readonly symbol: Ranked
  readonly time: Ranked
  /** Seconds since midnight, by row. */
  readonly seconds: Float64Array
}

/** Seconds since midnight of `HH:mm:ss`, with or without colons and decimals; NaN for anything else. */
function secondsIn(time: string): number {
  const [, hour, minute, second] = /^([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d(?:\.\d+)?)$/.exec(time) ?? []
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

/** Words by their order; -1 for a missing cell, and for one whose word has no order. */
export function rankedBy<K extends string | number>(
  { data, dictionary: words }: Text,
  keyOf: (word: string) => K | undefined,
): Ranked {
  const used = new Uint8Array(words.length)
  for (const code of data) if (code >= 0) used[code] = 1
  const keys = words.map((word, code) => (used[code] === 1 ? keyOf(word) : undefined))
  const codes = [...words.keys()].filter((code) => keys[code] !== undefined)
  const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)
  codes.sort((a, b) => compare(keys[a] as K, keys[b] as K) || compare(words[a] as string, words[b] as string))
  const rankOf = new Int32Array(words.length).fill(-1)
  codes.forEach((code, rank) => {
    rankOf[code] = rank
  })
  const ranks = new Int32Array(data.length)
  for (let row = 0; row < ranks.length; row++) ranks[row] = rankOf[data[row] as number] ?? -1
  return { codes: ranks, words: codes.map((code) => words[code] as string) }
}

/** @throws QuotebookError INVALID_VALUE for the first cell that is missing, or not what is due */
export function checkRanked(what: string, name: string, text: Text, ranked: Ranked, due: string): void {
  const row = ranked.codes.indexOf(-1)
  if (row < 0) return
  const word = text.dictionary[text.data[row] ?? -1]
  const has = word === undefined ? 'null' : `'${word.slice(0, 40)}'`
  throw new QuotebookError('INVALID_VALUE', `${what}, row ${row + 1}: ${name} is ${has}, not ${due}`)
}

/** A word of a row. */
export function wordAt({ codes, words }: Ranked, row: number): string {
  return words[codes[row] ?? -1] ?? ''
}

/** The rows of a ranked column in the order of a result; null for row -1. */
export function taken({ codes, words }: Ranked, rows: ArrayLike<number>): Ranked {
  const out = new Int32Array(rows.length)
  for (let i = 0; i < out.length; i++) out[i] = codes[rows[i] as number] ?? -1
  return { codes: out, words }
}

/**
 * The auctions of a tick table, whatever the order of its rows.
 * @throws QuotebookError INVALID_VALUE for a row without day, symbol or time, for a day that is not `YYYYMMDD` and a time
 * that is not `HH:mm:ss`, and for two rows of one day, symbol and time
 */
export function auctionsOf(what: string, ticks: TickColumns): Auctions {
  const [dates, symbols, times] = [ticks.text('tradedate'), ticks.text('symbol'), ticks.text('time')]
  const tradedate = rankedBy(dates, (word) => (isDate(word) ? word : undefined))
  checkRanked(what, ticks.name('tradedate'), dates, tradedate, 'a day as 20260729')
  const symbol = rankedBy(symbols, (word) => word || undefined)
  checkRanked(what, ticks.name('symbol'), symbols, symbol, 'a code')
  const clock = (word: string): number | undefined => {
    const at = secondsIn(word)
    return Number.isNaN(at) ? undefined : at
  }
  const time = rankedBy(times, clock)
  checkRanked(what, ticks.name('time'), times, time, 'a time of day as 09:25:00')
  const byWord = Float64Array.from(time.words, secondsIn)
  const seconds = new Float64Array(time.codes.length)
  for (let row = 0; row < seconds.length; row++) seconds[row] = byWord[time.codes[row] as number] as number
  let order = bucketRows(time.codes, time.words.length).rows
  order = bucketRows(symbol.codes, symbol.words.length, order).rows
  order = bucketRows(tradedate.codes, tradedate.words.length, order).rows
  const starts: number[] = []
  for (let i = 0; i < order.length; i++) {
    const [row, before] = [order[i] as number, order[i - 1] ?? -1]
    const isSame = tradedate.codes[row] === tradedate.codes[before] && symbol.codes[row] === symbol.codes[before]
    if (!isSame) starts.push(i)
    else if (seconds[row] === seconds[before]) {
      const key = [tradedate, symbol, time].map((column) => wordAt(column, row)).join(', ')
      const rows = [before, row].sort((a, b) => a - b).map((one) => one + 1)
      throw new QuotebookError('INVALID_VALUE', `${what}: rows ${rows.join(' and ')} are both of ${key}`)
    }
  }
  return {
    count: starts.length,
    order,
    starts: Int32Array.from([...starts, order.length]),
    tradedate,
    symbol,
    time,
    seconds,
  }
}
