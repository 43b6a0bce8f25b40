import { datasetNames } from '../contract/catalogue.js'
import type { Manifest, TickEntry } from './manifest.js'

/** What a writer puts below a folder of the archive; other files there are somebody's own. */
export const isWritten = /(^\d{8}_aucde|\.[0-9a-f]{12})\.parquet$|\.part$/
/** The day of a tick file by its plain name, `YYYYMMDD_aucde.parquet`; it need not be a real date. */
export function dayOfFile(name: string): string | undefined {
  return /^(\d{8})_aucde\.parquet$/.exec(name)?.[1]
}

/** The name of a day's file; with a mark beside that of other bytes, which somebody may be reading. */
export function tickFile(day: string, mark: string, before: TickEntry | undefined): string {
  return `ticks/${day}_aucde${before ? `.${mark}` : ''}.parquet`
}

/** What an archive holds, or a writer that was killed before its first manifest left behind. */
export function isOurs(name: string): boolean {
  return (
    /^\.|\.part$/.test(name) ||
    name === 'manifest.json' ||
    name === 'README.md' ||
    name === 'ticks' ||
    (datasetNames as readonly string[]).includes(name)
  )
}

/** Files that a manifest names. */
export function filesOf(manifest: Manifest): ReadonlySet<string> {
  const parts = Object.values(manifest.datasets).flatMap(({ parts }) => parts.map((part) => part.file))
  return new Set([...parts, ...manifest.ticks.map((tick) => tick.file)])
}
