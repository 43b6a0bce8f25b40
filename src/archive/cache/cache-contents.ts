import { datasetOf } from '../../contract/catalogue.js'
import { daysBetween } from '../../contract/day-list.js'
import { QuotebookError } from '../../contract/error.js'
import { readManifest } from '../manifest.js'
import type { Covered, DatasetEntry, Manifest } from '../manifest-entries.js'
import { ArchiveWriter } from '../writer.js'
import { cacheError } from './cache-error.js'
import { cachedOrigin, isCache } from './coverage.js'
import { type DayRanges, joinRanges } from './day-ranges.js'

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

function bytesOf({ parts, kept }: DatasetEntry, rows: number): number {
  const own = parts.filter(({ origin }) => origin.includes(cachedOrigin))
  const all = Object.values(kept?.rows ?? {}).reduce((sum, count) => sum + count, 0)
  const bytes = own.reduce((sum, part) => sum + part.bytes, 0)
  return all === 0 ? 0 : Math.round((bytes * rows) / all)
}

function ofScope(dataset: string, entry: DatasetEntry, scope: string, parts: readonly Covered[]): CachedDays[] {
  const spans: DayRanges = joinRanges(parts.flatMap(({ days }) => days))
  const [from, to] = [spans[0]?.[0], spans.at(-1)?.[1]]
  if (from === undefined || to === undefined) return []
  const codes = new Set(parts.flatMap(({ symbols }) => (symbols === 'all' ? [] : symbols)))
  const rows = entry.kept?.rows[scope] ?? 0
  return [
    {
      dataset,
      scope,
      symbols: parts.some(({ symbols }) => symbols === 'all') ? 'all' : codes.size,
      from,
      to,
      days: spans.reduce((sum, span) => sum + daysBetween(...span).length, 0),
      rows,
      bytes: bytesOf(entry, rows),
    },
  ]
}

function listed({ datasets }: Manifest): CachedDays[] {
  return Object.entries(datasets).flatMap(([name, entry]) => {
    // An archive may say what it covers without keeping anything of a service.
    const covered = entry.kept ? (entry.covered ?? []) : []
    const scopes = [...new Set(covered.map(({ scope }) => scope))].sort()
    return scopes.flatMap((scope) =>
      ofScope(
        name,
        entry,
        scope,
        covered.filter((part) => part.scope === scope),
      ),
    )
  })
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

/** What is going to be dropped, as far as it can be told. */
async function readable(dir: string): Promise<CachedDays[]> {
  try {
    return await cacheContents(dir)
  } catch {
    return []
  }
}

async function checkCache(dir: string): Promise<void> {
  const found = await readManifest(dir)
  if (found && isCache(found.manifest)) return
  const what = found ? 'an archive that keeps no answers of a service' : 'no cache'
  throw new QuotebookError('USAGE', `${dir} is ${what}; nothing was dropped`)
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
  const only = options.dataset === undefined ? undefined : datasetOf(options.dataset).name
  await checkCache(dir)
  const writer = await ArchiveWriter.open(dir)
  let dropped: CachedDays[] = []
  try {
    const { datasets } = (await readManifest(dir))?.manifest ?? { datasets: {} }
    const names = Object.keys(datasets).filter((name) => only === undefined || name === only)
    dropped = (await readable(dir)).filter(({ dataset }) => names.includes(dataset))
    for (const name of names) writer.uncover(name)
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
  return dropped
}
