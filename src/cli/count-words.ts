import type { Manifest } from '../data/archive/manifest-entries.js'
import { say } from './chosen-language.js'

/** Things that are counted: one, several. */
const counted = {
  row: ['{n} row', '{n} rows'],
  file: ['{n} file', '{n} files'],
  fault: ['{n} fault', '{n} faults'],
  note: ['{n} note', '{n} notes'],
  'other reason': ['{n} other reason', '{n} other reasons'],
} as const

/** `1 row`, `2 rows`. */
export function numbered(n: number, what: keyof typeof counted): string {
  const [one, several] = counted[what]
  return say(n === 1 ? one : several, { n })
}

/** `a=1 b=2`. */
export const pairsText = (pairs: Readonly<Record<string, unknown>>): string =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join(' ')

/** What an archive holds: rows of its datasets, and rows of ticks beside them. */
export function heldWords({ datasets, ticks }: Pick<Manifest, 'datasets' | 'ticks'>): string {
  const sum = (all: readonly { readonly rows: number }[]): number => all.reduce((rows, one) => rows + one.rows, 0)
  const rows = sum(Object.values(datasets).flatMap(({ parts }) => parts))
  const count = Object.keys(datasets).length
  return say(
    ticks.length > 0
      ? '{rows} rows of {count} datasets and {ticks} auction ticks of {days} days'
      : '{rows} rows of {count} datasets',
    { rows, count, ticks: sum(ticks), days: ticks.length },
  )
}
