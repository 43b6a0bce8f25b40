import { isDate } from '../../../contract/date.js'
import { invalid } from '../../../contract/error.js'
import { allOf, sentence, type Words } from '../../../contract/sentence.js'
import { fillArray } from '../../../frame/table/fresh-array.js'
import { sortRows } from '../../../frame/table/sort-rows.js'
import { cellOf, type Text } from '../../../frame/table/values.js'
import type { TickColumns } from './tick-columns.js'

/** Seconds since midnight, Beijing, at which the parts of an opening auction begin, and the day's trading. */
export const auctionTimes = {
  /** Orders come in, and may be withdrawn. */
  opens: 33_300,
  /** Orders come in, and can no longer be withdrawn. */
  firm: 33_600,
  /** The match. */
  match: 33_900,
  /** Continuous trading: a later snapshot is none of this auction. */
  ends: 34_200,
} as const

/** Seconds since midnight of `HH:mm:ss`, with or without colons and decimals; NaN for anything else. */
function secondsIn(time: string): number {
  const [, hour, minute, second] = /^([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d(?:\.\d+)?)$/.exec(time) ?? []
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

/** @throws QuotebookError INVALID_VALUE for the first cell that is missing, or not what is due */
export function checkWords(
  what: string,
  name: string,
  { data, dictionary }: Text,
  isRight: (word: string) => boolean,
  due: Words,
): void {
  const right = dictionary.map(isRight)
  const row = data.findIndex((code) => !right[code])
  if (row < 0) return
  const word = dictionary[data[row] as number]
  const has = word === undefined ? 'null' : `'${word.slice(0, 40)}'`
  throw invalid(sentence`${what}, row ${row + 1}: ${name} is ${has}, not ${due}`)
}

/**
 * The auctions of a tick table, whatever the order of its rows.
 * @throws QuotebookError INVALID_VALUE for a row without day, symbol or time, for a day that is not `YYYYMMDD` and a time
 * that is not `HH:mm:ss`, and for two rows of one day, symbol and time
 */
export function auctionsOf(caller: string, ticks: TickColumns) {
  const [tradedate, symbol, time] = [ticks.text('tradedate'), ticks.text('symbol'), ticks.text('time')]
  const ofWord = Float64Array.from(time.dictionary, secondsIn)
  checkWords(caller, ticks.name('tradedate'), tradedate, isDate, sentence`a day as 20260729`)
  checkWords(caller, ticks.name('symbol'), symbol, (word) => word !== '', sentence`a code`)
  const isTime = (word: string): boolean => !Number.isNaN(secondsIn(word))
  checkWords(caller, ticks.name('time'), time, isTime, sentence`a time of day as 09:25:00`)
  const seconds = fillArray(new Float64Array(time.data.length), (row) => ofWord[time.data[row] as number] as number)
  const keys = [tradedate, symbol, { type: 'float', data: seconds, valid: null } as const]
  const ascending = keys.map((values) => ({ name: '', values, descending: false }))
  const order = sortRows(ascending, seconds.length)
  const starts: number[] = []
  for (let i = 0; i < order.length; i++) {
    const [row, before] = [order[i] as number, order[i - 1] ?? -1]
    const isSame = tradedate.data[row] === tradedate.data[before] && symbol.data[row] === symbol.data[before]
    if (!isSame) starts.push(i)
    else if (seconds[row] === seconds[before]) {
      const rows = [before, row].sort((a, b) => a - b).map((one) => one + 1)
      const spelled = [before, row].map((one) => cellOf(time, one)).sort()
      const key = [cellOf(tradedate, row), cellOf(symbol, row), spelled[1]].join(', ')
      throw invalid(sentence`${caller}: rows ${allOf(rows)} are both of ${key}`)
    }
  }
  return {
    count: starts.length,
    /** Rows, auction after auction: by day, then symbol, then time. */
    order,
    /** Where each begins in `order`; one more entry than auctions. */
    starts: Int32Array.from([...starts, order.length]),
    tradedate,
    symbol,
    time,
    /** Since midnight, by row. */
    seconds,
  }
}

export type Auctions = ReturnType<typeof auctionsOf>
