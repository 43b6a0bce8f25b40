// Deep: replicated ClickHouse servers and their keeper.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, sampleDir } from '../../../../src/connect.js'
import type { TickEntry } from '../../../../src/data/archive/manifest-entries.js'
import { ClickHouseStore } from '../../../../src/data/archive/store/clickhouse-store.js'
import { DirectoryStore } from '../../../../src/data/archive/store/directory-store.js'
import { clickHouseAddress } from '../../../../src/data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../../../src/data/clickhouse/clickhouse-client.js'
import { clusterStatements, spreadTicks } from '../../../../src/data/clickhouse/distribute-ticks.js'
import { dropTicks, insertTicks, readTickRows } from '../../../../src/data/clickhouse/tick-rows.js'
import type { TickCluster } from '../../../../src/data/clickhouse/tick-tables.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { type ColumnData, cellOf } from '../../../../src/frame/table/values.js'
import type { Market } from '../../../../src/market.js'
import { startClickHouse } from '../../../helper/clickhouse-server.js'
import { has, pause } from '../../../helper/server-process.js'
import { hasZookeeper, startZookeeper, type Zookeeper } from '../../../helper/zookeeper.js'

const isHere = hasZookeeper() && has('clickhouse-server')
const bytesOf = ({ file }: TickEntry): Uint8Array => readFileSync(join(sampleDir, file))
const vwap = `select tradedate, sum(m_price * auc_vol) / sum(auc_vol) as vwap, count(*) as n from ticks
  where auc_vol > 0 group by tradedate order by tradedate`

describe.skipIf(!isHere)('ticks over two shards of two replicas', () => {
  let keeper: Zookeeper
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let store: ClickHouseStore
  let client: ClickHouseClient
  let cluster: TickCluster
  let ticks: readonly TickEntry[]
  let directory: Market
  let stored: Market
  const node = (at: number) => servers.nodes[at] as (typeof servers.nodes)[0]
  const host = (at: number): string => new URL(node(at).url).host

  async function on<T>(at: number, use: (own: ClickHouseClient) => Promise<T>): Promise<T> {
    const own = client.withServer(node(at).url)
    return use(own).finally(() => own.close())
  }
  async function number(sql: string, at: number): Promise<number> {
    const rows = await on(at, (own) => own.columns(sql))
    return Number(rows && cellOf([...rows.columns.values()][0] as ColumnData, 0))
  }
  /** Rows of all parts of a name, on each node. */
  async function rowsOf(part: string): Promise<number[]> {
    const sql = `select toFloat64(sum(rows)) as n from system.parts where active and match(table, '^ticks_.*_local$')
      and position(partition, '${part}') > 0`
    return Promise.all([0, 1, 2, 3].map((at) => number(sql, at)))
  }
  async function until(what: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await what().catch(() => false)); tries++) {
      if (tries === 600) throw new Error('it does not come about')
      await pause(100)
    }
  }
  const say = (at: number, what: string): Promise<void> => on(at, (own) => own.command(`system ${what}`))
  /** Starts servers that were killed, when the keeper has forgotten them: else they try again only after ten seconds. */
  async function back(...places: readonly number[]): Promise<void> {
    await pause(1600)
    await Promise.all(places.map((at) => node(at).restart()))
  }
  /** Puts days into the archive. */
  async function put(...entries: readonly TickEntry[]): Promise<void> {
    const session = await store.begin()
    for (const entry of entries) {
      await session.write(entry.file, bytesOf(entry)).catch(async (error: unknown) => {
        await session.abort()
        throw error
      })
    }
    await session.commit({ ...session.manifest, ticks: [...session.manifest.ticks, ...entries] })
    await stored?.close()
    stored = await connect({ archive: node(0).address('archive') })
  }
  /** Which nodes have to have what is put. */
  async function wait(nodes: readonly string[]): Promise<void> {
    await client.command('drop table tick_cluster')
    await client.command(`create view tick_cluster as select '${JSON.stringify({ ...cluster, nodes })}' as about`)
  }
  async function read(market: Market, days: readonly TickEntry[]): Promise<unknown[]> {
    const looks = [{}, { symbols: ['300750', '600000'], columns: ['symbol', 'm_price'] }, { symbols: ['000001'] }]
    const tables = days.flatMap(({ day }) => looks.map((look) => market.ticks.read({ days: day, ...look })))
    const found = (await Promise.all(tables)).map((table) => toObjects(table))
    const few = days.map(({ day }) => `'${day}'`).join(', ')
    const sums = toObjects(await market.sql(vwap.replace('where', `where tradedate in (${few}) and`)))
    return [...found, sums.map((row) => ({ ...row, vwap: Number(row.vwap).toPrecision(10) }))]
  }
  async function expectSame(days: readonly TickEntry[], times = 1): Promise<void> {
    const right = await read(directory, days)
    expect(right.flat().length).toBeGreaterThan(days.length)
    for (let time = 0; time < times; time++) expect(await read(stored, days)).toEqual(right)
  }

  beforeAll(async () => {
    keeper = await startZookeeper()
    const clusters = {
      quotes: [
        [0, 1],
        [2, 3],
      ],
      crossed: [
        [0, 2],
        [1, 3],
      ],
    }
    servers = await startClickHouse({ nodes: 4, clusters, keeper: keeper.port })
    store = new ClickHouseStore(clickHouseAddress(node(0).address('archive')), { freshFor: 0 })
    client = store.client
    cluster = { name: 'quotes', nodes: servers.nodes.map(({ url }) => url), replicated: true }
    ticks = (await new DirectoryStore(sampleDir).read())?.manifest.ticks ?? []
    directory = await connect()
  })
  afterAll(async () => {
    await stored?.close()
    await directory?.close()
    await servers?.stop()
    await keeper?.stop()
  })

  test('servers that are configured otherwise are refused, and tables of the other kind', async () => {
    const [a, b, c] = cluster.nodes as [string, string, string]
    for (const [wrong, why] of [
      [{ replicated: false }, /shards of several replicas; add --replicated/],
      [{ nodes: [a, b, c, c] }, /has the macros of another server: shard 2, replica node2/],
      [{ name: 'crossed' }, /has the macro shard 2, and another replica of its shard 1/],
    ] as const) {
      const refused = clusterStatements(client, { ...cluster, ...wrong })
      await expect(refused).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(why) })
    }
    const single = new ClickHouseClient(clickHouseAddress(node(0).address('default')))
    await insertTicks(single, 'alone 1', bytesOf(ticks[0] as TickEntry))
    await expect(clusterStatements(single, cluster)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('is not replicated and does not become so'),
    })
    await single.close()
  })

  test('what is put is on all replicas, once, and is read as from a directory', async () => {
    await spreadTicks(client, cluster, await clusterStatements(client, cluster))
    await put(...ticks.slice(0, 2))
    const [a, b, c, d] = await rowsOf('ticks/')
    expect([a, c]).toEqual([b, d])
    expect((a as number) + (c as number)).toBe((ticks[0]?.rows ?? 0) + (ticks[1]?.rows ?? 0))
    await expectSame(ticks.slice(0, 2), 4)
  })

  test('the same rows count under another name, and not twice under one', async () => {
    const [first] = ticks as [TickEntry]
    for (const part of ['twice 1', 'twice 2', 'twice 2']) await insertTicks(client, part, bytesOf(first))
    for (const part of ['twice 1', 'twice 2']) {
      expect((await readTickRows(client, part, {}))?.columns.length).toBe(first.rows)
      await dropTicks(client, part)
    }
    expect(await rowsOf('twice')).toEqual([0, 0, 0, 0])
    await insertTicks(client, 'twice 1', bytesOf(first))
    await dropTicks(client, 'twice 1')
  })

  test('a replica that lags is waited for, and is asked by nobody while another one does not', async () => {
    const [, , third] = ticks as [TickEntry, TickEntry, TickEntry]
    for (const at of [2, 3]) await say(at, 'stop fetches')
    const late = insertTicks(client, 'late 1', bytesOf(third), { deadline: 500 })
    const named = expect.stringMatching(`(${host(2)}|${host(3)}): late 1 has 0 rows`)
    await expect(late).rejects.toMatchObject({ code: 'ARCHIVE', message: named })
    await dropTicks(client, 'late 1')
    for (const at of [2, 3]) await say(at, 'start fetches')
    expect(await rowsOf('late')).toEqual([0, 0, 0, 0])
    // One that was taken out comes back.
    await wait(cluster.nodes.slice(0, 3))
    await node(3).kill()
    await put(third)
    await say(2, 'stop replicated sends')
    await back(3)
    await until(async () => (await number('select max(absolute_delay) as n from system.replicas', 3)) > 1)
    await expectSame([third], 4)
    await node(2).kill()
    for (const look of [
      () => stored.ticks.read(third.day),
      () => stored.ticks.read({ days: third.day, symbols: '300750' }),
      () => stored.sql(vwap),
    ]) {
      await expect(look()).rejects.toMatchObject({ code: 'ARCHIVE' })
    }
    await back(2)
    await wait(cluster.nodes)
    await expectSame(ticks.slice(0, 3))
  })

  test('of two replicas one may be lost, also while rows are put; of both the error names them', async () => {
    const [, , third, fourth] = ticks as [TickEntry, TickEntry, TickEntry, TickEntry]
    const putting = put(fourth).then(
      () => true,
      () => false,
    )
    await Promise.all([node(1).kill(), node(3).kill()])
    const isPut = await putting
    await expectSame(ticks.slice(0, isPut ? 4 : 3), 2)
    const away = expect.stringContaining(host(1))
    if (!isPut) await expect(put(fourth)).rejects.toMatchObject({ code: 'UNREACHABLE', message: away })
    const found = await client.columns(
      "select name from system.tables where database = 'archive' and engine = 'Distributed'",
    )
    const table = found && cellOf(found.columns.get('name') as ColumnData, 0)
    let blocks = 0
    const scan = async (): Promise<void> => {
      const rows = client.blocks(many, { forms: new Map([['wide', 'string']]), settings: { max_block_size: 20 } })
      for await (const _ of rows) if (++blocks === 1) await node(2).kill()
    }
    const many = `select symbol, arrayStringConcat(arrayMap(x -> toString(rand(x + k)), range(200))) as wide
      from ${table} array join range(80) as k`
    await expect(scan()).rejects.toMatchObject({ message: expect.stringContaining(node(2).tcp) })
    expect(blocks).toBeGreaterThan(0)
    for (const look of [() => stored.ticks.read(third.day), () => stored.sql(vwap)]) {
      await expect(look()).rejects.toMatchObject({
        code: 'UNREACHABLE',
        message: expect.stringMatching(`${node(2).tcp}.*${node(3).tcp}|${node(3).tcp}.*${node(2).tcp}`),
      })
    }
    await back(1, 2, 3)
    if (!isPut) await put(fourth)
    await until(async () => (await rowsOf(third.file)).every((rows, at, all) => rows > 0 && rows === all[at ^ 1]))
    await expectSame(ticks.slice(0, 4))
  })

  test('without its keeper it is read, and nothing is put until the keeper is back', async () => {
    const [, , , , fifth] = ticks as [TickEntry, TickEntry, TickEntry, TickEntry, TickEntry]
    await keeper.kill()
    await until(async () => (await number('select max(is_readonly) as n from system.replicas', 2)) === 1)
    await expect(put(fifth)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('its keeper does not answer'),
    })
    await expectSame(ticks.slice(0, 4))
    await keeper.restart()
    // By themselves they find it within ten seconds.
    await back(0, 1, 2, 3)
    await put(fifth)
    await expectSame(ticks.slice(0, 5))
  })
})
