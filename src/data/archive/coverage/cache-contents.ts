import { datasetOf } from '../../../contract/catalogue.js'
import { daysBetween } from '../../../contract/day-list.js'
import { QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { readManifest } from '../manifest.js'
import type { DatasetEntry, Manifest } from '../manifest-entries.js'
import { ArchiveWriter } from '../writer.js'
import { cacheError } from './cache-error.js'
import { cachedOrigin, daysOfScope, isCache } from './coverage.js'
import { union } from './day-ranges.js'

/** What a cache holds of a dataset. */
export interface CachedDays {
  readonly dataset: string
  /** Bar period of etf_minute, list of hotstock; '' elsewhere. */
  readonly scope: string
  /** Codes that were asked for; `all` when days were kept whole. */
  readonly symbols: number | 'all'
  /** First and last day, `YYYYMMDD`. */
  readonly from: string
  readonly to: string
  /** Trading days, of any code. */
  readonly days: number
  readonly rows: number
  /** Of the files; where scopes share them, by their rows. */
  readonly bytes: number
}

function cachedDays(dataset: string, { parts, covered = [], kept }: DatasetEntry): CachedDays[] {
  // An archive may say what it covers without keeping anything of a service.
  if (!kept) return []
  const own = parts.filter(({ origin }) => origin.includes(cachedOrigin))
  const bytes = own.reduce((sum, part) => sum + part.bytes, 0)
  const allRows = Object.values(kept.rows).reduce((sum, count) => sum + count, 0)
  return [...new Set(covered.map(({ scope }) => scope))].sort().flatMap((scope) => {
    const { all, codes } = daysOfScope(covered, scope)
    const spans = [...codes.values()].reduce(union, all)
    const [from, to] = [spans[0]?.[0], spans.at(-1)?.[1]]
    if (from === undefined || to === undefined) return []
    const symbols = all.length > 0 ? ('all' as const) : codes.size
    const days = spans.reduce((sum, span) => sum + daysBetween(...span).length, 0)
    const rows = kept.rows[scope] ?? 0
    return [{ dataset, scope, symbols, from, to, days, rows, bytes: allRows && Math.round((bytes * rows) / allRows) }]
  })
}

function listed({ datasets }: Manifest): CachedDays[] {
  return Object.entries(datasets).flatMap(([name, entry]) => cachedDays(name, entry))
}

/**
 * What a cache holds, by dataset and scope; nothing for a directory that is none.
 * @throws QuotebookError ARCHIVE when its manifest is damaged
 */
export async function cacheContents(dir: string): Promise<CachedDays[]> {
  try {
    const found = await readManifest(dir)
    return found ? listed(found.manifest) : []
  } catch (error) {
    throw cacheError(dir, error)
  }
}

/**
 * Drops what a cache holds, of one dataset or of all, in one step; the next query asks the service again. Rows that were
 * imported into the directory stay.
 * @returns what was dropped
 * @throws QuotebookError USAGE for a directory that is no cache, ARCHIVE_BUSY while another process writes
 */
export async function dropCache(
  dir: string,
  options: { readonly dataset?: string | undefined } = {},
): Promise<CachedDays[]> {
  const { dataset } = checkOptions(options, { dataset: 'text' }, 'dropCache')
  const only = dataset === undefined ? undefined : datasetOf(dataset).name
  const found = await readManifest(dir)
  if (!found || !isCache(found.manifest)) {
    const what = found ? sentence`an archive that keeps no answers of a service` : sentence`no cache`
    throw new QuotebookError('USAGE', sentence`${dir} is ${what}; nothing was dropped`)
  }
  const writer = await ArchiveWriter.open(dir)
  const names = Object.keys(writer.manifest.datasets).filter((name) => only === undefined || name === only)
  const dropped = listed(writer.manifest).filter(({ dataset }) => names.includes(dataset))
  for (const name of names) writer.uncover(name)
  await writer.commit()
  return dropped
}
