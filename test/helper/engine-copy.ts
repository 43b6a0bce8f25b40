import { copyArchive } from '../../src/data/archive/copy-archive.js'
import { ClickHouseStore } from '../../src/data/archive/store/clickhouse-store.js'
import { startClickHouse } from './clickhouse-server.js'
import { has } from './server-process.js'

/** Whether ClickHouse is here; in CI it has to be. */
export const hasEngine = has('clickhouse-server')

/** An archive of a directory in a server of its own. */
export interface EngineCopy {
  readonly url: string
  readonly database: string
  store(): ClickHouseStore
  stop(): Promise<void>
}

/** Starts a server and copies an archive into it. */
export async function engineCopy(dir: string, database = 'sample'): Promise<EngineCopy> {
  const { nodes, stop } = await startClickHouse()
  const url = nodes[0]?.url as string
  const store = (): ClickHouseStore => new ClickHouseStore({ url, database }, { freshFor: 0 })
  await copyArchive(dir, store())
  return { url, database, store, stop }
}
