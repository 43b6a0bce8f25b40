import type { Manifest } from '../data/archive/manifest-entries.js'
import { say } from './chosen-language.js'

/** `1 row`, `2 rows`. */
export function numbered(n: number, what: 'row' | 'file' | 'fault' | 'note' | 'other reason'): string {
  return n === 1 ? say(`one ${what}`) : say(`n ${what}s`, { n })
}

/** What an archive holds: rows of its datasets, and rows of ticks beside them. */
export function heldWords({ datasets, ticks }: Pick<Manifest, 'datasets' | 'ticks'>): string {
  const sum = (all: readonly { readonly rows: number }[]): number => all.reduce((rows, one) => rows + one.rows, 0)
  const rows = sum(Object.values(datasets).flatMap(({ parts }) => parts))
  const count = Object.keys(datasets).length
  return say(ticks.length > 0 ? 'held with ticks' : 'held', { rows, count, ticks: sum(ticks), days: ticks.length })
}
