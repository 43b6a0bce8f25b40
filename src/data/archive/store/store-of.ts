import { type ClickHouseAddress, clickHouseAddress, isClickHouseAddress } from '../../clickhouse/clickhouse-address.js'
import type { ArchiveStore } from './archive-store.js'
import { ClickHouseStore } from './clickhouse-store.js'
import { DirectoryStore } from './directory-store.js'

/**
 * Where an archive is: a directory; a database of ClickHouse as `clickhouse://user@host:8123/database` (`clickhouses://` with
 * TLS) or in parts; or its store.
 */
export type ArchivePlace = string | ClickHouseAddress | ArchiveStore

/**
 * The store of a place; the same for one that is a store already.
 * @param password of ClickHouse, where the address has none
 * @throws QuotebookError USAGE for an address that is none; nothing is asked yet
 */
export function storeOf(place: ArchivePlace, password?: string): ArchiveStore {
  if (typeof place === 'object' && 'begin' in place) return place
  if (typeof place === 'string' && !isClickHouseAddress(place)) return new DirectoryStore(place)
  return new ClickHouseStore(clickHouseAddress(place, password))
}
