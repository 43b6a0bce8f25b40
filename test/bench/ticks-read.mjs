import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import { interleave } from './interleave.mjs'
import { daysOf, symbol, tickArchive } from './ticks-files.mjs'

export const question =
  'auction ticks, days of 1,000,000 rows × 8 columns, against parquet-wasm → IPC → apache-arrow at its defaults, and DuckDB'

const { readParquet } = createRequire(import.meta.url)('parquet-wasm/node')

const aggregate = 'select symbol, sum(auc_amt) / sum(auc_vol) as vwap, max(m_price) as high from'

async function duckdb(threads) {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) })
  return instance.connect()
}

/** A process that reads a day whole and sums a column up. */
function fresh(code) {
  const { status } = spawnSync(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('a process failed')
  return true
}

export async function measure({ load, dist, connect, numbers }) {
  const days = daysOf(20)
  const [day] = days
  const dir = await tickArchive(load, 20)
  const path = (one) => join(dir, 'ticks', `${one}_aucde.parquet`)
  const market = await connect({ archive: dir })
  const plain = (one) => tableFromIPC(readParquet(new Uint8Array(readFileSync(path(one)))).intoIPCStream())
  const columns = ['symbol', 'm_price', 'auc_vol']
  const whole = await interleave({
    plain: () => plain(day),
    ours: () => market.ticks.read(day),
    part: () => market.ticks.read({ days: day, columns }),
  })
  const code = (read) => `(async () => { ${read} })().catch((error) => { console.error(error); process.exit(1) })`
  const start = await interleave(
    {
      plain: () =>
        fresh(
          code(`const { tableFromIPC } = require('apache-arrow'); const { readParquet } = require('parquet-wasm/node')
            const table = tableFromIPC(readParquet(new Uint8Array(require('fs').readFileSync('${path(day)}'))).intoIPCStream())
            let sum = 0; for (const { values } of table.getChild('m_price').data) for (const value of values) sum += value
            if (!(sum > 0)) throw new Error('no sum')`),
        ),
      ours: () =>
        fresh(
          code(`const { connect, numbers } = await import('${join(dist, '../esm/index.js')}')
            const market = await connect({ archive: '${dir}' })
            let sum = 0; for (const value of numbers(await market.ticks.read('${day}'), 'm_price')) sum += value
            if (!(sum > 0)) throw new Error('no sum')`),
        ),
    },
    { rounds: 9, warmUp: 1 },
  )
  const direct = await duckdb(1)
  const rowsOf = async (connection, text) => (await connection.runAndReadAll(text)).getColumns()
  const one = await interleave(
    {
      direct: () => rowsOf(direct, `select * from read_parquet('${path(day)}') where symbol = '${symbol}'`),
      ours: () => market.ticks.read({ days: day, symbols: symbol }),
    },
    { rounds: 31 },
  )
  const list = days.map((each) => `'${path(each)}'`).join(', ')
  const grouped = await interleave({
    direct: () => rowsOf(direct, `${aggregate} read_parquet([${list}]) group by symbol`),
    ours: () => market.sql(`${aggregate} ticks group by symbol`),
  })
  const year = await interleave(
    {
      plain: () => {
        let rows = 0
        for (const each of days) rows += plain(each).numRows
        return rows
      },
      ours: async () => {
        let rows = 0
        for await (const { table } of market.ticks.stream({ days })) rows += numbers(table, 'm_price').length
        return rows
      },
      held: async () => (await market.ticks.read({ days })).numRows,
    },
    { rounds: 7, warmUp: 1 },
  )
  await market.close()
  return [
    { what: 'a whole day, warm', time: whole.ours, against: whole.plain, goal: 0.65 },
    { what: 'a whole day, a fresh process', time: start.ours, against: start.plain, goal: 0.7 },
    { what: '3 of 8 columns', time: whole.part, against: whole.plain, goal: 0.3 },
    { what: 'one symbol of a day, against DuckDB', time: one.ours, against: one.direct, goal: 3 },
    { what: '20 days by symbol in SQL, against DuckDB', time: grouped.ours, against: grouped.direct, goal: 1.2 },
    { what: '20 whole days into tables, threads', time: year.ours, against: year.plain, goal: 0.4 },
    { what: '20 whole days into one table, threads', time: year.held, against: year.plain, goal: 0.55 },
  ]
}
