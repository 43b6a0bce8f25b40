import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { daysBetween } from '../../../contract/day-list.js'
import { QuotebookError } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { Archive } from '../archive.js'
import { manifestFile, readManifest } from '../manifest.js'
import type { Manifest } from '../manifest-entries.js'
import { rowsOfPart, rowsOfParts } from '../part-days.js'
import type { Snapshot } from '../snapshot.js'
import { ArchiveWriter } from '../writer.js'
import { cacheError } from './cache-error.js'
import { cachedOrigin, isCache } from './coverage.js'
import { includes, union } from './day-ranges.js'
import { daysOfScope, isShownWhole } from './ledger.js'

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

async function cachedDays(snapshot: Snapshot, dataset: Dataset): Promise<CachedDays[]> {
  const { parts = [], ledger = [], kept } = snapshot.entry(dataset.name) ?? {}
  // An archive may say what it covers without keeping anything of a service.
  if (!kept) return []
  const own = parts.filter(({ origin }) => origin.includes(cachedOrigin))
  const bytes = own.reduce((sum, part) => sum + part.bytes, 0)
  const rowsOf = await rowsOfParts(own, (part) => rowsOfPart(part, snapshot, dataset))
  const found = [...new Set(ledger.filter(isShownWhole).map(({ scope }) => scope))].flatMap((scope) => {
    const { all, codes } = daysOfScope(ledger, scope)
    const spans = [...codes.values()].reduce(union, all)
    const [from, to] = [spans[0]?.[0], spans.at(-1)?.[1]]
    if (from === undefined || to === undefined) return []
    const symbols = all.length > 0 ? ('all' as const) : codes.size
    const days = spans.reduce((sum, span) => sum + daysBetween(...span).length, 0)
    const there = [...(rowsOf.get(scope) ?? [])].filter(([day]) => includes(spans, day))
    return [{ dataset: dataset.name, scope, symbols, from, to, days, rows: there.reduce((sum, [, n]) => sum + n, 0) }]
  })
  const allRows = found.reduce((sum, { rows }) => sum + rows, 0)
  return found.map((one) => ({ ...one, bytes: allRows && Math.round((bytes * one.rows) / allRows) }))
}

async function listed(snapshot: Snapshot, { datasets }: Manifest): Promise<CachedDays[]> {
  const all = await Promise.all(Object.keys(datasets).map((name) => cachedDays(snapshot, datasetOf(name))))
  return all.flat()
}

/**
 * What a cache holds, by dataset and scope; nothing for a directory that is none.
 * @throws QuotebookError ARCHIVE when its manifest is damaged
 */
export async function cacheContents(dir: string): Promise<CachedDays[]> {
  try {
    return existsSync(join(dir, manifestFile)) ? await new Archive(dir, dir).read(listed) : []
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
  const dropped = (await cacheContents(dir)).filter((one) => only === undefined || one.dataset === only)
  const writer = await ArchiveWriter.open(dir)
  const names = Object.keys(writer.manifest.datasets).filter((name) => only === undefined || name === only)
  for (const name of names) writer.uncover(name)
  await writer.commit()
  return dropped
}
