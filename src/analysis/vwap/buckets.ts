import type { Table } from 'apache-arrow'
import { bucketCloses } from '../../contract/session.js'
import { words } from '../../frame/column.js'
import { provenance } from '../../frame/provenance.js'

/** Schema metadata key under which a table says what a bar that is not there means: `no trade`. */
export const missingKey = 'quotebook.missing'

const sets = {
  '15m': new Set(bucketCloses['15m']),
  '30m': new Set(bucketCloses['30m']),
}

/** So many bars at the first closes of 30 minutes are no remainder of bars of 15 minutes. */
const telling = 3

/** Whether closes of 30 minutes, all in their places from the opening on, are enough to tell the period. */
function tells30m(minutes: readonly string[]): boolean {
  return minutes.length >= telling && minutes.every((minute, i) => minute === bucketCloses['30m'][i])
}

/**
 * The bucket closes a series should have, read off its period or else its minutes; undefined for other bars. Without a
 * period, closes that bars of 15 and of 30 minutes share are taken for 30 minutes only if they are the first three or
 * more of a day without a gap; else a bar of 15 minutes may be missing between any two of them.
 */
function gridOf(minutes: readonly string[], period: string | undefined): readonly string[] | undefined {
  const fits = (name: '15m' | '30m'): boolean => minutes.every((minute) => sets[name].has(minute))
  if (period === '15m' && fits('15m')) return bucketCloses['15m']
  if (fits('30m') && (period === '30m' || tells30m(minutes))) return bucketCloses['30m']
  return fits('15m') ? bucketCloses['15m'] : undefined
}

/**
 * The first bar that a series of one day lacks, and the place in the series from which that can matter: a bar that is
 * not there may have had trades, and every later cumulative value would contain them. Bars of 15 and 30 minutes are
 * held against the bucket closes of the day; of other bars only the opening can be told, which is 0930 or 0931.
 * @returns undefined when none is missing
 */
export function firstMissing(
  minutes: readonly string[],
  period: string | undefined,
): { readonly minute: string; readonly at: number } | undefined {
  const grid = gridOf(minutes, period)
  if (!grid) return (minutes[0] ?? '') > '0931' ? { minute: '0930', at: 0 } : undefined
  const at = minutes.findIndex((minute, i) => minute !== grid[i])
  return at < 0 ? undefined : { minute: grid[at] ?? '', at }
}

/** Symbols of a table that have a bar which closes on a quarter of an hour and on no half: theirs are of 15 minutes. */
export function fifteenMinuteSymbols(table: Table): ReadonlySet<string> {
  const [minute, symbol] = [words(table, 'trademin'), words(table, 'symbol')]
  const quarter = minute.words.map((word) => sets['15m'].has(word) && !sets['30m'].has(word))
  const found = new Set<string>()
  minute.codes.forEach((code, row) => {
    if (quarter[code]) found.add(symbol.words[symbol.codes[row] ?? -1] ?? '')
  })
  return found
}

/** The period that a table was asked with, where its dataset, as said or by its provenance, tells. */
export function askedPeriod(table: Table, dataset?: string): string | undefined {
  const about = provenance(table)
  if ((dataset ?? about?.dataset) === 'convertible_minute') return '30m'
  const period = about?.request.params['period']
  return typeof period === 'string' ? period : undefined
}
