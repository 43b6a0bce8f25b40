import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { interleave } from './interleave.mjs'
import { testServer } from './test-server.mjs'
import { daysOf, rows, tickArchive } from './ticks-files.mjs'

export const question =
  'ClickHouse on this machine, a million tick rows × 8 columns, against JSONEachRow of @clickhouse/client'

/** Objects of a million rows weigh on every collection of garbage: they are here as long as they are inserted. */
async function insertTimes({ client, rival, columns, types, insertTicks, bytes, cellOf }) {
  const names = [...columns.columns.keys()]
  const objects = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(names.map((name) => [name, cellOf(columns.columns.get(name), row)])),
  )
  const declared = declarationOf(types)
  const empty = async () => {
    await client.command('drop table if exists into')
    await client.command(`create table into ${declared}`)
  }
  let part = 0
  return interleave(
    {
      json: async () => {
        await empty()
        return rival.insert({ table: 'into', values: objects, format: 'JSONEachRow' })
      },
      ours: async () => {
        await empty()
        await client.insert('into', columns, { types })
        return true
      },
      file: async () => {
        await insertTicks(client, `part ${part++}`, bytes)
        return true
      },
    },
    { rounds: 7, warmUp: 1 },
  )
}

const declarationOf = (types) => {
  const declared = [...types].map(([name, type]) => `${name} ${type}`).join(', ')
  return `(${declared}) engine = MergeTree partition by tuple() order by (symbol, time)`
}

export async function measure({ load, toTable }) {
  const { ClickHouseClient } = await load('data/clickhouse/clickhouse-client.js')
  const ticks = await load('data/clickhouse/tick-rows.js')
  const { cellOf } = await load('frame/table/values.js')
  const { typesOf } = await load('data/clickhouse/column-types.js')
  const { nodes, stop } = await (await testServer('clickhouse-server')).startClickHouse()
  const [{ url }] = nodes
  const client = new ClickHouseClient({ url, database: 'default' })
  const rival = createClient({ url })
  try {
    const dir = await tickArchive(load, 1)
    const bytes = readFileSync(join(dir, 'ticks', `${daysOf(1)[0]}_aucde.parquet`))
    await ticks.insertTicks(client, 'first', bytes)
    const { columns } = await ticks.readTickRows(client, 'first', {})
    const types = typesOf(columns)
    await client.command(`create table t ${declarationOf(types)}`)
    await client.insert('t', columns, { types })
    const insert = await insertTimes({ client, rival, columns, types, bytes, cellOf, ...ticks })
    const read = await interleave(
      {
        json: async () => (await rival.query({ query: 'select * from t', format: 'JSONEachRow' })).json(),
        ours: async () => toTable(await client.columns('select * from t'), {}),
        file: async () => toTable((await ticks.readTickRows(client, 'first', {})).columns, {}),
      },
      { rounds: 7, warmUp: 1 },
    )
    return [
      { what: 'a million rows into a table', time: insert.ours, against: insert.json, goal: 0.25 },
      { what: 'a file of a million rows decoded, put, counted', time: insert.file, against: insert.json, goal: 0.5 },
      { what: 'a million rows into Arrow', time: read.ours, against: read.json, goal: 0.25 },
      { what: 'a day of ticks, in its order, into Arrow', time: read.file, against: read.json, goal: 0.35 },
    ]
  } finally {
    await rival.close()
    await client.close()
    await stop()
  }
}
