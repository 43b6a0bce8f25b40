import type { Table } from 'apache-arrow'
import { bucketCloses } from '../../contract/session.js'
import { has } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { type RankedText, type RowSeries, rowAt, textAt } from './bar-series.js'

/** Schema metadata key under which a table says what a bar that is not there means: `no trade`. */
export const missingKey = 'quotebook.missing'

export type Period = keyof typeof bucketCloses

/** So many bars at the first closes of 30 minutes are no remainder of bars of 15 minutes. */
const telling = 3
/** Bars at the quarters between, of all of a symbol, from which its bars are of 15 minutes: a whole day has 8 of 17. */
const quarters = 0.2

/** The bucket closes that each series of bars of a table should have. */
export interface Grids {
  /** The period of a series whose bars close on buckets; undefined for other bars. */
  readonly periodOf: (s: number) => Period | undefined
  /** Which bucket of the period the bar at a place of the order closes; -1 for none. */
  readonly bucketAt: (period: Period, place: number) => number
}

/** Where the grid of a day breaks first: a bar that is not there, or one that closes at another minute. */
export interface GridBreak {
  readonly why: string
  /** The place in the order from which that can matter. */
  readonly at: number
}

/** The period that a table was asked with, where its dataset, as said or by its provenance, tells. */
export function askedPeriod(table: Table, dataset?: string): string | undefined {
  const about = provenance(table)
  if ((dataset ?? about?.dataset) === 'convertible_minute') return '30m'
  const period = about?.request.params['period']
  return typeof period === 'string' ? period : undefined
}

/** Whether a table is said to be of bars of 15 or 30 minutes, by its dataset or by a column. */
export function isBucketed(table: Table, dataset?: string): boolean {
  const name = dataset ?? provenance(table)?.dataset
  return name === 'etf_minute' || name === 'convertible_minute' || has(table, 'period')
}

/** What is said of a bar that closes at a minute which its period does not have. */
export function offGrid(minute: string, period: string): string {
  return `${minute} is not the close of a bar of ${period}`
}

function bucketsOfWords(words: readonly string[], period: Period): Int32Array {
  return Int32Array.from(words, (minute) => bucketCloses[period].indexOf(minute))
}

/** Whether each symbol, by its rank, has bars of 15 minutes, by the share of its bars that close between the halves of an hour. */
function fineSymbols(
  symbol: RankedText,
  minute: RankedText,
  quarter: Int32Array,
  half: Int32Array,
): (row: number) => boolean {
  const [between, all] = [new Int32Array(symbol.words.length), new Int32Array(symbol.words.length)]
  const rankAt = (row: number): number => symbol.ranks[symbol.codes[row] as number] as number
  minute.codes.forEach((code, row) => {
    const rank = rankAt(row)
    all[rank] = (all[rank] as number) + 1
    if ((quarter[code] as number) >= 0 && (half[code] as number) < 0) between[rank] = (between[rank] as number) + 1
  })
  return (row) => (between[rankAt(row)] as number) >= quarters * (all[rankAt(row)] as number)
}

/**
 * Reads the period of each series off its column `period`, the question that the table answers, or else its minutes.
 * Then a symbol of which a fifth of the bars or more close on a quarter of an hour and on no half has bars of 15 minutes, and closes
 * that both periods share are taken for 30 minutes only if they are the first three or more of a day without a gap; else
 * a bar of 15 minutes may be missing between any two of them.
 *
 * A few bars at other minutes do not take the grid from the rest: a series has one if most of its bars close on buckets, and
 * most of the table's.
 * @param doubtful the period to read such closes as: 15 minutes, unless the least that is missing is asked for
 */
export function gridsOf(table: Table, series: RowSeries, dataset?: string, doubtful: Period = '15m'): Grids {
  const { trademin: minute, symbol, period: own } = series.columns
  if (!minute || !symbol) return { periodOf: () => undefined, bucketAt: () => -1 }
  const buckets = { '15m': bucketsOfWords(minute.words, '15m'), '30m': bucketsOfWords(minute.words, '30m') }
  const asked = askedPeriod(table, dataset)
  const isFine = fineSymbols(symbol, minute, buckets['15m'], buckets['30m'])
  const codeAt = (place: number): number => minute.codes[rowAt(series, place)] as number
  const told = (start: number): Period | undefined => {
    const period = own ? textAt(series, 'period', start) : asked
    return period === '15m' || period === '30m' ? period : undefined
  }
  const onGrid = minute.codes.reduce((sum, code) => sum + ((buckets['15m'][code] as number) < 0 ? 0 : 1), 0)
  const periodOf = (s: number): Period | undefined => {
    const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
    let leading = true
    let [bars, odd] = [0, 0]
    let before = -1
    for (let i = start; i < end; i++) {
      const code = codeAt(i)
      const quarter = buckets['15m'][code] as number
      if (quarter < 0) odd++
      else if (quarter !== before) {
        before = quarter
        if (buckets['30m'][code] !== bars) leading = false
        bars++
      }
    }
    if (odd >= bars || onGrid * 2 <= minute.codes.length) return undefined
    const period = told(start)
    if (period !== undefined) return period
    if (isFine(rowAt(series, start))) return '15m'
    return leading && bars >= telling ? '30m' : doubtful
  }
  return { periodOf, bucketAt: (period, place) => buckets[period][codeAt(place)] as number }
}

/**
 * The first bar that a series of one day lacks, or that closes at a minute its period does not have, and the place from which
 * that can matter: a bar that is not there may have had trades, and every later cumulative value would contain them. Bars
 * of 15 and 30 minutes are held against the bucket closes of the day; of other bars only the opening can be told, which
 * is 0930 or 0931.
 * @returns undefined where the grid is whole up to the last bar
 */
export function firstBreak(series: RowSeries, grids: Grids, s: number): GridBreak | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const period = grids.periodOf(s)
  const missing = (minute: string, at: number): GridBreak => ({ why: `the bar of ${minute} is missing`, at })
  if (!period) return textAt(series, 'trademin', start) > '0931' ? missing('0930', start) : undefined
  let due = 0
  for (let i = start; i < end; i++) {
    const bucket = grids.bucketAt(period, i)
    if (bucket < 0) return { why: offGrid(textAt(series, 'trademin', i), period), at: i }
    if (bucket === due - 1) continue
    if (bucket !== due) return missing(bucketCloses[period][due] ?? '', i)
    due++
  }
  return undefined
}
