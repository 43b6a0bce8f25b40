import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { has } from '../../../frame/read-columns.js'
import { provenance } from '../../../frame/table/provenance.js'
import { type RowSeries, type TextCodes, textAt } from './bar-series.js'

/** Schema metadata key under which a table says what a bar that is not there means: `no trade`. */
const missingKey = 'quotebook.missing'

/** Schema metadata of bars of which one that is not there had no trade. */
export const noTradeMetadata: ReadonlyMap<string, string> = new Map([[missingKey, 'no trade']])

/** Whether a bar that is not there means that nothing was traded: by the option, else by the table. */
/** What option `missing` takes. */
export const missingWords = ['unknown', 'no trade'] as const

export function missingIsNoTrade(table: Table, option: 'unknown' | 'no trade' | undefined): boolean {
  return (option ?? table.schema.metadata.get(missingKey)) === 'no trade'
}

export type Period = keyof typeof bucketCloses

/** So many bars at the first closes of 30 minutes are no remainder of bars of 15 minutes. */
const enoughBars = 3
/** Bars at the quarters between, of all of a symbol, from which its bars are of 15 minutes: a whole day has 8 of 17. */
const quarterShare = 0.2

/** The bucket closes that each series of bars of a table should have. */
export interface Grids {
  /** The period of a series whose bars close on buckets; undefined for other bars. */
  readonly periodOf: (s: number) => Period | undefined
  /** Which bucket of a period the bar at each place of the order closes; -1 for none. */
  readonly buckets: Readonly<Record<Period, Int8Array>>
}

/** From which place in the order on something is unknown in a series, and why. */
export interface SeriesBreak {
  readonly why: readonly Words[]
  readonly at: number
}

/** Which close of a period each minute of a column is; -1 for none. */
export function closesOf({ words }: TextCodes, period: Period): Int8Array {
  return Int8Array.from(words, (minute) => bucketCloses[period].indexOf(minute))
}

/** The period that a table was asked with, where its dataset, as said or by its provenance, tells. */
export function requestedPeriod(table: Table, dataset?: string): string | undefined {
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
export function offGrid(minute: string, period: Words): Words {
  return sentence`${minute} is not the close of a bar of ${period}`
}

/**
 * Reads the period of each series off its column `period`, the question that the table answers, or else its minutes.
 * Then a symbol of which a fifth of the bars or more close on a quarter of an hour and on no half has bars of 15 minutes, and closes
 * that both periods share are taken for 30 minutes only if they are the first three or more of a day without a gap; else
 * a bar of 15 minutes may be missing between any two of them.
 *
 * A few bars at other minutes do not take the grid from the rest: a series has one if most of its bars close on buckets, and
 * most of the table's.
 * @param unclear the period to read such closes as: 15 minutes, unless the least that is missing is asked for
 */
export function gridsOf(table: Table, series: RowSeries, dataset?: string, unclear: Period = '15m'): Grids {
  const { trademin, symbol } = series.columns
  const { order, starts } = series
  const buckets = { '15m': new Int8Array(order.length).fill(-1), '30m': new Int8Array(order.length).fill(-1) }
  if (!trademin || !symbol) return { periodOf: () => undefined, buckets }
  const [inQuarters, inHalves] = [closesOf(trademin, '15m'), closesOf(trademin, '30m')]
  const [short, long] = [buckets['15m'], buckets['30m']]
  let onGrid = 0
  const [quarters, bars] = [new Int32Array(symbol.words.length), new Int32Array(symbol.words.length)]
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const [code, own] = [trademin.codes[row] as number, symbol.codes[row] as number]
    const [quarter, half] = [inQuarters[code] as number, inHalves[code] as number]
    short[i] = quarter
    long[i] = half
    bars[own] = (bars[own] as number) + 1
    if (quarter >= 0) onGrid++
    if (quarter >= 0 && half < 0) quarters[own] = (quarters[own] as number) + 1
  }
  const requested = requestedPeriod(table, dataset)
  const periodOf = (s: number): Period | undefined => {
    const [start, end] = [starts[s] as number, starts[s + 1] as number]
    let [closes, odd, before, isLeading] = [0, 0, -1, true]
    for (let i = start; i < end; i++) {
      const bucket = short[i] as number
      if (bucket < 0) odd++
      else if (bucket !== before) {
        before = bucket
        if (long[i] !== closes) isLeading = false
        closes++
      }
    }
    if (odd >= closes || onGrid * 2 <= order.length) return undefined
    const period = series.columns['period'] ? textAt(series, 'period', start) : requested
    if (period === '15m' || period === '30m') return period
    const own = symbol.codes[order[start] as number] as number
    if ((quarters[own] as number) >= quarterShare * (bars[own] as number)) return '15m'
    return isLeading && closes >= enoughBars ? '30m' : unclear
  }
  return { periodOf, buckets }
}

/**
 * The first bar that a series of one day lacks, or that closes at a minute its period does not have, and the place from which
 * that can matter: a bar that is not there may have had trades, and every later cumulative value would contain them. Bars
 * of 15 and 30 minutes are compared with the bucket closes of the day; of other bars only the opening can be told, which
 * is 0930 or 0931.
 * @returns undefined where the grid is whole up to the last bar
 */
export function firstBreak(series: RowSeries, grids: Grids, s: number): SeriesBreak | undefined {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const period = grids.periodOf(s)
  if (!period)
    return textAt(series, 'trademin', start) > '0931'
      ? { why: [sentence`the bar of ${'0930'} is missing`], at: start }
      : undefined
  let next = 0
  for (let at = start; at < end; at++) {
    const bucket = grids.buckets[period][at] as number
    if (bucket < 0) return { why: [offGrid(textAt(series, 'trademin', at), period)], at }
    if (bucket > next) return { why: [sentence`the bar of ${bucketCloses[period][next]} is missing`], at }
    next = bucket + 1
  }
  return undefined
}
