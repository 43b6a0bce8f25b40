import { randomBytes } from 'node:crypto'
import { textCells } from '../../frame/table/values.js'
import { type ClickHouseClient, textLiteral } from './clickhouse-client.js'

/** A name for the database of one query: `archive_q` and sixteen digits. */
export function queryDatabase(database: string): string {
  return `${database}_q${randomBytes(8).toString('hex')}`
}

/** Drops databases of queries whose process was killed: the tables handed over lie in the server's memory. @param age in seconds */
export async function dropLostQueries(client: ClickHouseClient, age: number): Promise<void> {
  const found = await client.columns(
    `select database from system.tables where match(database, ${textLiteral(`^${client.database}_q[0-9a-f]{16}$`)})
      group by database having now() - max(metadata_modification_time) > ${age}`,
  )
  if (!found) return
  await client.atServer(async (server) => {
    for (const name of textCells(found, 'database')) await server.command(`drop database if exists ${name}`)
  })
}
