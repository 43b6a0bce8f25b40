import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { interleave } from './interleave.mjs'
import { barsFile } from './memory.mjs'

export const question = `files: import of 612,000 rows into a new archive, against DuckDB's copy of the file into Parquet with zstd; Parquet of a
  table, against DuckDB's of one in memory; DuckDB with one thread; an Excel file of 100,000 rows, against JSON.stringify of them`

export async function measure({ importFiles, datasetOf, toParquet, fromParquet, toXlsx, toObjects }) {
  const dir = mkdtempSync(join(tmpdir(), 'quotebook-bench-'))
  const path = (name) => join(dir, name)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const db = await instance.connect()
  const copy = async (from, to) => {
    await db.run(`copy (from ${from}) to '${path(to)}' (format parquet, compression zstd)`)
    return true
  }
  const dataset = datasetOf('etf_minute')
  let count = 0
  const brought = async (file) => {
    const { rows } = await importFiles(path(`own${count++}`), dataset, [path(file)])
    if (rows !== 612_000) throw new Error(`${rows} rows came`)
    return rows
  }
  try {
    await barsFile(path('bars.csv'))
    const csv = `read_csv('${path('bars.csv')}', types = {'tradedate': 'varchar', 'trademin': 'varchar', 'time': 'varchar'})`
    await db.run(`create table bars as from ${csv}`)
    await copy('bars', 'bars.parquet')
    const table = await fromParquet(readFileSync(path('bars.parquet')))
    const some = table.slice(0, 100_000)
    const objects = toObjects(some)
    const times = await interleave(
      {
        csv: () => brought('bars.csv'),
        parquet: () => brought('bars.parquet'),
        copy: () => copy(csv, 'of-csv.parquet'),
        again: () => copy(`'${path('bars.parquet')}'`, 'of-parquet.parquet'),
        write: async () => writeFileSync(path('own.parquet'), await toParquet(table)) ?? true,
        written: () => copy('bars', 'table.parquet'),
        sheet: () => toXlsx(some),
        stringify: () => JSON.stringify(objects),
      },
      { rounds: 7, warmUp: 1 },
    )
    return [
      { what: 'import of CSV', time: times.csv, against: times.copy, goal: 3.5 },
      { what: 'import of Parquet', time: times.parquet, against: times.again, goal: 6 },
      { what: 'Parquet of a table', time: times.write, against: times.written, goal: 3 },
      { what: 'Excel file', time: times.sheet, against: times.stringify, goal: 15 },
    ]
  } finally {
    db.closeSync()
    instance.closeSync()
    rmSync(dir, { recursive: true, force: true })
  }
}
