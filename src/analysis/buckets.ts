import type { Table } from 'apache-arrow'
import { bucketCloses } from '../contract/session.js'
import { provenance } from '../frame/provenance.js'

/** Schema metadata key under which a table says what a bar that is not there means: `no trade`. */
export const missingKey = 'quotebook.missing'

const sets = {
  '15m': new Set(bucketCloses['15m']),
  '30m': new Set(bucketCloses['30m']),
}

/** The bucket closes a series should have, read off its period or else its minutes; undefined for other bars. */
function gridOf(minutes: readonly string[], period: string | undefined): readonly string[] | undefined {
  const fits = (name: '15m' | '30m'): boolean => minutes.every((minute) => sets[name].has(minute))
  if (period === '15m' && fits('15m')) return bucketCloses['15m']
  if (fits('30m')) return bucketCloses['30m']
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

/** The period that a table was asked with, where its provenance tells. */
export function askedPeriod(table: Table): string | undefined {
  const about = provenance(table)
  if (about?.dataset === 'convertible_minute') return '30m'
  const period = about?.request.params['period']
  return typeof period === 'string' ? period : undefined
}
