import type { TickEntry } from '../../archive/manifest.js'
import { isDate } from '../../contract/date.js'
import type { Window } from './window.js'

/** Only files of the folder of ticks; nothing that a damaged manifest names elsewhere. */
const inside = /^ticks\/[A-Za-z0-9_][A-Za-z0-9_.-]*$/

/** The name under which a file is shared. */
export function nameOf({ day }: TickEntry): string {
  return `${day}_aucde.parquet`
}

/** The tick files of some days, by date as the manifest has them. */
export function published(ticks: readonly TickEntry[], { from, to }: Window): readonly TickEntry[] {
  return ticks.filter(({ day, file }) => isDate(day) && day >= from && day <= to && inside.test(file))
}
