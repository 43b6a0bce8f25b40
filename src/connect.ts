import { basename, join, resolve } from 'node:path'
import root from '#root'
import { QuotebookError } from './contract/error.js'
import { checkOptions } from './contract/options.js'
import { sentence } from './contract/sentence.js'
import { Archive, type ArchiveOptions } from './data/archive/archive.js'
import { CachedSource } from './data/archive/coverage/cached-source.js'
import { asOfMoment } from './data/archive/revision/as-of.js'
import { type ArchivePlace, storeOf } from './data/archive/store/store-of.js'
import type { ClickHouseAddress } from './data/clickhouse/clickhouse-address.js'
import { HttpSource, type HttpSourceOptions, serviceOptions } from './data/source/http-source.js'
import type { Source } from './data/source/source.js'
import { Market } from './market.js'

/** The place of a local archive; without a directory, the synthetic sample of the package. */
export interface ArchiveConnection {
  /** Directory of a local archive, or the address of one in ClickHouse: `clickhouse://user@host:8123/database`. */
  readonly archive?: string | undefined
  /**
   * A database of ClickHouse that holds an archive, in the place of a directory. A query sees the state of at most a second
   * ago.
   */
  readonly clickhouse?: ClickHouseAddress | undefined
  /** Bytes of decoded data kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
  /**
   * A moment, ISO 8601 (Beijing time without an offset) or a date, which means its end: the archive as it was known then. Rows
   * that had not been asked for yet are not there, and those that were mended later are as they were; what nobody said of
   * since when it is known (imports without `asked`) is left out, and answers say so. Auction ticks are left out.
   */
  readonly asOf?: string | undefined
}

/** The addresses, the key and the options of a service over HTTP. */
export interface ServiceConnection extends HttpSourceOptions {
  /**
   * Directory, new or an earlier cache of the same service, that keeps what can no longer change: days before the latest
   * one. It is read instead of asking again; the latest day, and whatever has no settled days, is always asked for.
   */
  readonly cache?: string | undefined
  /** Bytes of decoded data of the cache kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
}

/** Options of `connect`: an archive in a directory or in ClickHouse, or a service over HTTP. */
export type ConnectOptions = ArchiveConnection | ServiceConnection

/** Folder of the sample archive that comes with the package. */
export const sampleDir: string = join(root, 'data', 'sample')

const archiveOptions = { archive: 'any', clickhouse: 'any', cacheBytes: 'any', asOf: 'any' } as const
const cacheOptions = { cache: 'text', cacheBytes: 'any' } as const

function checkCacheBytes(cacheBytes: number | undefined): void {
  if (cacheBytes === undefined || (Number.isSafeInteger(cacheBytes) && cacheBytes > 0)) return
  throw new QuotebookError('USAGE', sentence`cacheBytes must be a whole number of bytes above 0, not ${cacheBytes}`)
}

function sourceOf({ cache, cacheBytes, ...options }: ServiceConnection): Source {
  const service = new HttpSource(options)
  return cache === undefined ? service : new CachedSource(service, resolve(cache), { cacheBytes })
}

/** The archive of a place, or the sample, under the name that reports show: served, or copied elsewhere, it has the same. */
export function archiveAt(place: ArchivePlace | undefined, options: ArchiveOptions): Archive {
  if (place === undefined) return new Archive(sampleDir, sentence`sample`, options)
  const store = storeOf(place)
  const { dir, name } = store
  return new Archive(store, sentence`archive ${basename(dir === undefined ? name : resolve(dir))}`, options)
}

/**
 * Opens a market: the built-in sample (no options), a local archive (`archive`), an archive in ClickHouse
 * (`clickhouse`), or a service over HTTP (`nodes` and `apikey`), the vendor's or your own. No request is sent before
 * the first query.
 * @throws QuotebookError ARCHIVE if the place has no archive, USAGE for options that do not go together
 */
export async function connect(options: ConnectOptions = {}): Promise<Market> {
  if (options && 'nodes' in options) {
    checkOptions(options, { ...serviceOptions, ...cacheOptions }, sentence`connect to nodes`)
    checkCacheBytes(options.cacheBytes)
    return new Market(sourceOf(options))
  }
  const { archive, clickhouse, cacheBytes, asOf } = checkOptions(
    options,
    archiveOptions,
    sentence`connect without nodes`,
  )
  checkCacheBytes(cacheBytes)
  if (archive !== undefined && clickhouse !== undefined)
    throw new QuotebookError('USAGE', sentence`connect takes archive or clickhouse, not both`)
  const moment = asOf === undefined ? undefined : asOfMoment(asOf)
  const source = archiveAt(clickhouse ?? archive, { ...(cacheBytes === undefined ? {} : { cacheBytes }), asOf: moment })
  await source.manifest()
  return new Market(source)
}
