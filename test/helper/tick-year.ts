import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tradingDays } from '../../src/contract/calendar.js'
import { toTable } from '../../src/frame/table/arrow.js'
import { toParquet } from '../../src/frame/write-data.js'
import { auctionTickColumns, auctionTicks } from '../../src/research/sample/auction-tick-sheet.js'
import { planSample } from '../../src/research/sample/sample-plan.js'
import { tempDir } from './temp.js'

/** Trading days of the year that tests fetch: 243, of which one has no file. */
export const year = 2025
export const absentDay = '20250603'
export const tickDays: readonly string[] = tradingDays('20250101', '20251231').filter((day) => day !== absentDay)

export const nameOf = (day: string): string => `${day}_aucde.parquet`

/** Tick files of the sample by day. The same options give the same bytes. */
export async function tickFiles(
  days: readonly string[] = tickDays,
  options: { readonly seed?: number; readonly symbols?: number } = {},
): Promise<Map<string, Uint8Array>> {
  const all = tradingDays('20250101', '20251231')
  const sample = planSample({ symbols: 10, ...options, start: all[0] as string, days: all.length })
  const files = new Map<string, Uint8Array>()
  for (const day of sample.days) {
    if (!days.includes(day.date)) continue
    files.set(day.date, await toParquet(toTable(auctionTicks(sample, day), auctionTickColumns)))
  }
  return files
}

/** A folder with tick files, as a web server would serve it. */
export function folderOf(files: ReadonlyMap<string, Uint8Array>): string {
  const dir = join(tempDir(), 'served')
  mkdirSync(dir)
  for (const [day, bytes] of files) writeFileSync(join(dir, nameOf(day)), bytes)
  return dir
}
