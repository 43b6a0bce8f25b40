import type { Table } from 'apache-arrow'
import { bucketCloses } from '../../contract/session.js'
import { provenance } from '../../frame/provenance.js'
import { rowAt, type Series, wordAt } from './series.js'

/** Schema metadata key under which a table says what a bar that is not there means: `no trade`. */
export const missingKey = 'quotebook.missing'

export type Period = keyof typeof bucketCloses

/** So many bars at the first closes of 30 minutes are no remainder of bars of 15 minutes. */
const telling = 3

/** The bucket closes that each series of bars of a table should have. */
export interface Grids {
  /** The period of a series whose bars close on buckets; undefined for other bars. */
  readonly periodOf: (s: number) => Period | undefined
  /** Which bucket of the period the bar at a place of the order closes; -1 for none. */
  readonly bucketAt: (period: Period, place: number) => number
}

/** A bar that is not there. */
export interface MissingBar {
  readonly minute: string
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

function bucketsOfWords(words: readonly string[], period: Period): Int32Array {
  return Int32Array.from(words, (minute) => bucketCloses[period].indexOf(minute))
}

/**
 * Reads the period of each series off its column `period`, the question that the table answers, or else its minutes.
 * Then a symbol that has a bar which closes on a quarter of an hour and on no half has bars of 15 minutes, and closes
 * that both periods share are taken for 30 minutes only if they are the first three or more of a day without a gap; else
 * a bar of 15 minutes may be missing between any two of them.
 * @param doubtful the period to read such closes as: 15 minutes, unless the least that is missing is asked for
 */
export function gridsOf(table: Table, series: Series, dataset?: string, doubtful: Period = '15m'): Grids {
  const { trademin: minute, symbol, period: own } = series.columns
  if (!minute || !symbol) return { periodOf: () => undefined, bucketAt: () => -1 }
  const buckets = { '15m': bucketsOfWords(minute.words, '15m'), '30m': bucketsOfWords(minute.words, '30m') }
  const asked = askedPeriod(table, dataset)
  const fine = new Uint8Array(symbol.words.length)
  if (asked === undefined && !own) {
    minute.codes.forEach((code, row) => {
      if ((buckets['15m'][code] as number) >= 0 && (buckets['30m'][code] as number) < 0)
        fine[symbol.ranks[symbol.codes[row] as number] as number] = 1
    })
  }
  const codeAt = (place: number): number => minute.codes[rowAt(series, place)] as number
  const told = (start: number): string | undefined => {
    if (own) return wordAt(series, 'period', start)
    return fine[symbol.ranks[symbol.codes[rowAt(series, start)] as number] as number] === 1 ? '15m' : asked
  }
  const periodOf = (s: number): Period | undefined => {
    const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
    const period = told(start)
    let halves = true
    let leading = true
    let bars = 0
    let before = -1
    for (let i = start; i < end; i++) {
      const code = codeAt(i)
      const quarter = buckets['15m'][code] as number
      if (quarter < 0) return undefined
      if (quarter === before) continue
      before = quarter
      const half = buckets['30m'][code] as number
      if (half < 0) halves = false
      if (half !== bars) leading = false
      bars++
    }
    if (!halves || period === '15m') return '15m'
    return period === '30m' || (leading && bars >= telling) ? '30m' : doubtful
  }
  return { periodOf, bucketAt: (period, place) => buckets[period][codeAt(place)] as number }
}

/**
 * The first bar that a series of one day lacks, and the place from which that can matter: a bar that is not there may
 * have had trades, and every later cumulative value would contain them. Bars of 15 and 30 minutes are held against the
 * bucket closes of the day; of other bars only the opening can be told, which is 0930 or 0931.
 * @returns undefined when none is missing
 */
export function firstMissing(series: Series, grids: Grids, s: number): MissingBar | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const period = grids.periodOf(s)
  if (!period) return wordAt(series, 'trademin', start) > '0931' ? { minute: '0930', at: start } : undefined
  let due = 0
  for (let i = start; i < end; i++) {
    const bucket = grids.bucketAt(period, i)
    if (bucket === due - 1) continue
    if (bucket !== due) return { minute: bucketCloses[period][due] ?? '', at: i }
    due++
  }
  return undefined
}
