import { basename, join, resolve } from 'node:path'
import root from '#root'
import { Archive, type ArchiveOptions } from './archive/archive.js'
import { CachedSource } from './archive/cache/cached-source.js'
import { asOfMoment } from './archive/revision/as-of.js'
import { QuotebookError } from './contract/error.js'
import { Market } from './market.js'
import { HttpSource, type HttpSourceOptions } from './source/http-source.js'
import type { Source } from './source/source.js'

/** Where the archive of a market is; without a directory, the synthetic sample that comes with the package. */
export interface ArchiveConnection {
  /** Directory of a local archive. */
  readonly archive?: string | undefined
  /** Bytes of decoded data kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
  /**
   * A moment, ISO 8601 (Beijing time without an offset) or a date, which means its end: the archive as it was known then. Rows
   * that had not been asked for yet are not there, and those that were mended later are as they were; what nobody said of
   * since when it is known (imports without `asked`) is left out, and answers say so. Auction ticks are left out.
   */
  readonly asOf?: string | undefined
}

/** A service over HTTP. */
export interface ServiceConnection extends HttpSourceOptions {
  /**
   * Directory, new or an earlier cache of the same service, that keeps what can no longer change: days before the latest
   * one. It is read instead of asking again; the latest day, and whatever has no settled days, is always asked for.
   */
  readonly cache?: string | undefined
  /** Bytes of decoded data of the cache kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
}

/** What `connect` opens: an archive in a directory, or a service over HTTP. */
export type ConnectOptions = ArchiveConnection | ServiceConnection

/** Folder of the sample archive that comes with the package. */
export const sampleDir: string = join(root, 'data', 'sample')

const archiveOptions = ['archive', 'cacheBytes', 'asOf']
const httpOptions = [
  'cache',
  'cacheBytes',
  'nodes',
  'apikey',
  'pace',
  'deadlines',
  'retry',
  'maxBytes',
  'onRequest',
  'onExtraColumn',
  'clock',
  'time',
]

function checkOptions(options: object): void {
  const isHttp = 'nodes' in options
  const known = isHttp ? httpOptions : archiveOptions
  const other = Object.keys(options).find((name) => !known.includes(name))
  if (other === undefined) return
  const wrong = `connect has no option '${other}' ${isHttp ? 'beside nodes' : 'without nodes'}`
  throw new QuotebookError('USAGE', `${wrong}; it takes ${known.join(', ')}`)
}

function checkCacheBytes(cacheBytes: number | undefined): void {
  if (cacheBytes === undefined || (Number.isSafeInteger(cacheBytes) && cacheBytes > 0)) return
  throw new QuotebookError('USAGE', `cacheBytes must be a whole number of bytes above 0, not ${cacheBytes}`)
}

function sourceOf({ cache, cacheBytes, ...options }: ServiceConnection): Source {
  const service = new HttpSource(options)
  return cache === undefined ? service : new CachedSource(service, resolve(cache), { cacheBytes })
}

/** The archive of a directory, or the sample, under the name that reports show: served, it has the same. */
export function archiveAt(dir: string | undefined, options: ArchiveOptions): Archive {
  return new Archive(dir ?? sampleDir, dir === undefined ? 'sample' : `archive ${basename(resolve(dir))}`, options)
}

/**
 * Opens a market: the embedded sample archive (no options), a local one (`archive`), or a service over HTTP (`nodes` and
 * `apikey`): the vendor's, or one's own. Nothing is sent before the first query.
 * @throws QuotebookError ARCHIVE when the directory holds no archive, USAGE for options that do not go together
 */
export async function connect(options: ConnectOptions = {}): Promise<Market> {
  checkOptions(options)
  checkCacheBytes(options.cacheBytes)
  if ('nodes' in options) return new Market(sourceOf(options))
  const { archive, cacheBytes, asOf } = options
  const moment = asOf === undefined ? undefined : asOfMoment(asOf)
  const source = archiveAt(archive, { ...(cacheBytes === undefined ? {} : { cacheBytes }), asOf: moment })
  await source.manifest()
  return new Market(source)
}
