import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect, sampleDir } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import type { Archive } from '../../../src/data/archive/archive.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { archiveSql } from '../../../src/data/sql/sql.js'
import { columnNames, columnsOf, rowsOf } from '../../../src/frame/read-columns.js'
import { gatherCells } from '../../../src/frame/table/gather-cells.js'
import { provenance } from '../../../src/frame/table/provenance.js'
import type { Market } from '../../../src/market.js'
import { editManifest } from '../../helper/manifest.js'
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

test('the result names the state; a cut dataset is not whole', async () => {
  const market = await connect()
  const about = provenance(await market.sql('select count(*) as n from st'))
  expect(about).toMatchObject({
    dataset: 'sql',
    source: 'sample',
    complete: true,
    state: await market.archive?.state(),
  })
  const dir = copy()
  editManifest(dir, ({ datasets }) => Object.assign(datasets.st ?? {}, { partial: true }))
  const cut = provenance(await (await connect({ archive: dir })).sql('select count(*) as n from st'))
  expect(cut).toMatchObject({ complete: false, note: 'some rows of st were imported from replies that had been cut' })
})

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

/** Takes rows of convertible_daily off and on again, so that its files are replaced all the time. */
async function rewrite(market: Market, dir: string, times: number): Promise<void> {
  const dataset = datasetOf('convertible_daily')
  const columns = columnsOf(await market.query(dataset.name, { tradedate: '20260729' }))
  const close = columns.columns.get('close')
  if (close?.type !== 'float') throw new TypeError('close is a number')
  for (let i = 1; i <= times; i++) {
    const changed = {
      ...(gatherCells(
        close,
        Array.from(close.data, (_, row) => row),
      ) as typeof close),
      data: close.data.map(() => i),
      valid: null,
    }
    const writer = await ArchiveWriter.open(dir)
    await writer.put(
      dataset,
      { length: columns.length, columns: new Map([...columns.columns, ['close', changed]]) },
      `round ${i}`,
    )
    await writer.commit()
  }
}

test('while another writes, a query sees one state', async () => {
  const dir = copy()
  const market = await connect({ archive: dir })
  let writing = true
  const writer = rewrite(market, dir, 12).finally(() => {
    writing = false
  })
  const seen = new Set<unknown>()
  while (writing) {
    const [row] = rowsOf(
      await archiveSql(
        market.archive as Archive,
        "select count(distinct close), min(close), max(close) from convertible_daily where tradedate = '20260729'",
      ),
    )
    const [distinct, low, high] = row as number[]
    if (distinct === 1) expect(low).toBe(high)
    else expect(seen.size).toBeLessThanOrEqual(1)
    seen.add(low)
  }
  await writer
  expect(
    rowsOf(await market.sql("select max(close) as m from convertible_daily where tradedate = '20260729'")),
  ).toEqual([[12]])
})
