import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, sampleDir } from '../../../src/connect.js'
import { columnNames, rowsOf } from '../../../src/frame/read-columns.js'
import { tempDir, tempFile, treeOf } from '../../helper/temp.js'

function copy(): string {
  const dir = join(tempDir(), 'archive')
  cpSync(sampleDir, dir, { recursive: true })
  return dir
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'no error',
    (error) => `${error.code}: ${error.message}`,
  )

test('the names of directories are no columns', async () => {
  const dir = join(tempDir(), 'year=2026', 'symbol=x', 'close=1')
  cpSync(sampleDir, dir, { recursive: true })
  const [market, plain] = [await connect({ archive: dir }), await connect()]
  for (const name of ['ticks', 'convertible_daily']) {
    const query = `from ${name} order by all limit 100`
    const [found, wanted] = [await market.sql(query), await plain.sql(query)]
    expect(columnNames(found)).toEqual(columnNames(wanted))
    expect(rowsOf(found)).toEqual(rowsOf(wanted))
  }
})

test('a query reads the files of its datasets and no others, and writes none', async () => {
  const dir = copy()
  const market = await connect({ archive: dir })
  const before = treeOf(dir)
  const file = join(dir, 'st', String(readdirSync(join(dir, 'st'))[0]))
  expect(await codeOf(market.sql(`select count(*) from read_parquet('${file}')`))).toBe('no error')
  const other = tempFile('other.parquet', readFileSync(file))
  expect(await codeOf(market.sql(`select count(*) from st, read_parquet('${other}')`))).toMatch(
    /^SQL: Permission Error/,
  )
  for (const text of [
    `copy (select 1 as x from st) to '${file}' (format parquet)`,
    `copy (select 1 as x from st) to '${file}' (format parquet, use_tmp_file false)`,
    `copy (select 1 as x from st) to '${file}.csv'`,
    `explain analyze copy (select 1 as x from st) to '${file}' (format parquet, use_tmp_file false)`,
    `explain copy (select 1 as x from st) to '${file}' (format parquet, use_tmp_file false)`,
    `prepare p as copy (select 1 as x from st) to '${file}' (format parquet, use_tmp_file false); execute p`,
    `with x as (copy (select 1 as x from st) to '${file}') select * from x`,
    `create table y as copy (select 1 as x from st) to '${file}'`,
    `select * from query('copy (select 1 as x from st) to ''${file}''')`,
    `select * from enable_logging('QueryLog', storage = 'file', storage_path = '${file}')`,
    `select * from enable_profiling(save_location = '${file}')`,
    `pragma profiling_output = '${file}'`,
    `set profiling_output = '${file}'`,
    `attach '${file}' as x`,
    `export database '${dir}/st'`,
  ])
    expect(await codeOf(market.sql(`${text}; select 1 as one`)), text).toMatch(/^SQL: /)
  expect(treeOf(dir)).toEqual(before)
})
