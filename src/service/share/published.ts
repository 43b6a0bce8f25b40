import type { TickEntry } from '../../archive/manifest.js'
import type { Window } from './window.js'

/** The name under which a file is shared. */
export function nameOf({ day }: TickEntry): string {
  return `${day}_aucde.parquet`
}

/** The tick files of some days, by date as the manifest has them. */
export function published(ticks: readonly TickEntry[], { from, to }: Window): readonly TickEntry[] {
  return ticks.filter(({ day }) => day >= from && day <= to)
}
