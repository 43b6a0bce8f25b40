/*
 * An archive of days of 1,000,000 rows × 8 columns, 5,000 symbols with 200 ticks each: prices walk on a grid of 0.01, and
 * volumes are drawn. Written by DuckDB as such files usually are: ZSTD, dictionaries, row groups of 122,880. The same seed
 * gives the same rows.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

export const rows = 1_000_000
export const symbol = '600650.SH'

export function daysOf(count) {
  return Array.from(
    { length: count },
    (_, i) => `2026${String(1 + Math.floor(i / 28)).padStart(2, '0')}${String(1 + (i % 28)).padStart(2, '0')}`,
  )
}

/** The table of a day, as SQL. */
const ticks = (day) => `
  select '${day}' as tradedate, symbol, time,
    round(10 + sum(step) over (partition by symbol order by time) / 100, 2) as m_price,
    vol as auc_vol, amount as auc_amt, um as um_vol, pct as auc_pct_chg
  from (select printf('%06d', 600000 + i // 200) || '.SH' as symbol,
      printf('09:%02d:%02d', 15 + ((i % 200) * 3) // 60, ((i % 200) * 3) % 60) as time, floor(random() * 5) - 2 as step,
      floor(random() * 10000) as vol, floor(random() * 100000000) / 100 as amount, floor(random() * 1000) as um,
      (floor(random() * 2000) - 1000) / 100 as pct
    from range(${rows}) r(i))
  order by symbol, time`

/** The archive, made once for so many days. @param parts of the build: `ArchiveWriter` by its file */
export async function tickArchive(load, count, name = `${count}`) {
  const dir = join(tmpdir(), 'quotebook-bench-ticks', name)
  if (existsSync(join(dir, 'manifest.json'))) return dir
  mkdirSync(dir, { recursive: true })
  const { ArchiveWriter } = await load('data/archive/writer.js')
  const writer = await ArchiveWriter.open(dir)
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  await connection.run('select setseed(0.42)')
  await connection.run(`create table t as ${ticks('20260101')}`)
  for (const day of daysOf(count)) {
    const path = join(dir, `${day}.part`)
    await connection.run(
      `copy (select * replace ('${day}' as tradedate) from t) to '${path}' (format parquet, compression zstd)`,
    )
    await writer.putTicks(day, readFileSync(path), rows)
  }
  await writer.commit()
  return dir
}
