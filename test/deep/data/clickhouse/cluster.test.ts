// Deep: clusters of ClickHouse servers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleDir } from '../../../../src/connect.js'
import { ClickHouseStore } from '../../../../src/data/archive/store/clickhouse-store.js'
import { clickHouseAddress } from '../../../../src/data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../../../src/data/clickhouse/clickhouse-client.js'
import { clusterStatements, spreadTicks } from '../../../../src/data/clickhouse/distribute-ticks.js'
import { dropTicks, insertTicks, readTickRows } from '../../../../src/data/clickhouse/tick-rows.js'
import type { TickCluster } from '../../../../src/data/clickhouse/tick-tables.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../../src/frame/table/values.js'
import { startClickHouse } from '../../../helper/clickhouse-server.js'
import { has } from '../../../helper/server-process.js'

const folder = join(sampleDir, 'ticks')
const [first = '', second = '', third = ''] = readdirSync(folder).sort()
const bytesOf = (file: string): Uint8Array => readFileSync(join(folder, file))

function plain({ length, columns }: RecordColumns): unknown {
  return [...columns].map(([name, values]) => [name, Array.from({ length }, (_, row) => cellOf(values, row))])
}

describe.skipIf(!has('clickhouse-server'))('ticks over a cluster of two servers', () => {
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let client: ClickHouseClient
  let cluster: TickCluster
  const node = (at: number) => servers.nodes[at] as (typeof servers.nodes)[0]
  const one = async (sql: string, of = client): Promise<unknown> => {
    const rows = await of.columns(sql)
    return rows && cellOf([...rows.columns.values()][0] as ColumnData, 0)
  }
  const localRows = async (at: number): Promise<number> => {
    const own = client.withServer(node(at).url)
    const sql = `select toFloat64(sum(rows)) as n from system.parts where active and match(table, '^ticks_.*_local$')`
    const rows = Number(await one(sql, own))
    await own.close()
    return rows
  }
  beforeAll(async () => {
    servers = await startClickHouse({ nodes: 3, clusters: { both: [[0], [1]] } })
    client = new ClickHouseClient(clickHouseAddress(node(0).address('archive')))
    cluster = { name: 'both', nodes: [node(0).url, node(1).url], replicated: false }
    await client.withDatabase('system').command('create database archive')
  })
  afterAll(async () => {
    await client?.close()
    await servers?.stop()
  })

  test('a cluster that the server does not know, or knows otherwise, is refused', async () => {
    await expect(clusterStatements(client, { ...cluster, name: 'nope' })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(clusterStatements(client, { ...cluster, nodes: [node(0).url] })).rejects.toMatchObject({
      code: 'USAGE',
    })
  })

  test('what lay on one server stays, and what comes is spread by code', async () => {
    await insertTicks(client, 'first 1', bytesOf(first))
    const alone = await readTickRows(client, 'first 1', {})
    const statements = await clusterStatements(client, cluster)
    expect(statements.map(({ sql }) => sql.split(' ').slice(0, 2).join(' '))).toContain('rename table')
    // One that was cut off when it had renamed what was there, and then run again.
    const renamed = statements.findIndex(({ sql }) => sql.startsWith('rename table'))
    await spreadTicks(client, cluster, statements.slice(0, renamed + 1))
    await spreadTicks(client, cluster, await clusterStatements(client, cluster))
    const other = new ClickHouseClient(clickHouseAddress(node(0).address('archive')))
    expect(plain((await readTickRows(other, 'first 1', {}))?.columns as RecordColumns)).toStrictEqual(
      plain(alone?.columns as RecordColumns),
    )
    await insertTicks(other, 'second 1', bytesOf(second))
    const [here, there] = [await localRows(0), await localRows(1)]
    const spread = await readTickRows(other, 'second 1', {})
    expect(there).toBeGreaterThan(0)
    expect(here + there).toBe((alone?.total ?? 0) + (spread?.total ?? 0))
    const single = new ClickHouseClient(clickHouseAddress(node(2).address('default')))
    await insertTicks(single, 'second 1', bytesOf(second))
    const asOne = await readTickRows(single, 'second 1', {})
    expect(plain(spread?.columns as RecordColumns)).toStrictEqual(plain(asOne?.columns as RecordColumns))
    const codes = { columns: ['m_price', 'symbol'], ranges: [['300750', '300750/']] as const }
    expect(plain((await readTickRows(other, 'second 1', codes))?.columns as RecordColumns)).toStrictEqual(
      plain((await readTickRows(single, 'second 1', codes))?.columns as RecordColumns),
    )
    await single.close()
    await other.close()
  })

  test('a database that has ticks of another archive becomes no archive, and one that is an archive takes none', async () => {
    const guest = new ClickHouseStore(clickHouseAddress(node(1).address('archive')))
    await expect(guest.begin()).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringContaining("has ticks of an archive on another server; give that server's address"),
    })
    await expect(
      clusterStatements(guest.client, { ...cluster, nodes: [node(1).url, node(0).url] }),
    ).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+: database archive is that of another archive; give its address first/,
      ),
    })
    await guest.close()
  })

  test('a lost shard is an error that names it, and never fewer rows', async () => {
    await node(1).kill()
    for (const ask of [
      () => readTickRows(client, 'second 1', {}),
      () => readTickRows(client, 'second 1', { columns: ['m_price'], ranges: [['300750', '300750/']] }),
      () => insertTicks(client, 'third 1', bytesOf(third)),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining(node(1).tcp) })
    }
    await node(1).restart()
    expect((await readTickRows(client, 'second 1', {}))?.columns.length).toBeGreaterThan(0)
  })

  test('a third server takes its share of what comes, and a dropped file leaves all', async () => {
    const three = { both: [[0], [1], [2]] }
    for (const at of [0, 1, 2]) await node(at).restart(three)
    const larger = { ...cluster, nodes: [node(0).url, node(1).url, node(2).url] }
    const again = new ClickHouseClient(clickHouseAddress(node(0).address('archive')))
    await spreadTicks(again, larger, await clusterStatements(again, larger))
    const before = await localRows(2)
    await insertTicks(again, 'third 2', bytesOf(third))
    expect(await localRows(2)).toBeGreaterThan(before)
    expect((await readTickRows(again, 'second 1', {}))?.columns.length).toBeGreaterThan(0)
    const total = async (): Promise<number> => (await localRows(0)) + (await localRows(1)) + (await localRows(2))
    const [all, rows] = [await total(), (await readTickRows(again, 'third 2', {}))?.total ?? 0]
    await dropTicks(again, 'third 2')
    expect(await total()).toBe(all - rows)
    await again.close()
  })
})
