import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Archive } from '../../src/archive/archive.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { connect, sampleDir } from '../../src/connect.js'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { columnsOf, namesOf, objectsOf, rowsOf } from '../../src/frame/read-columns.js'
import { toDataFrame } from '../../src/frame/to-data-frame.js'
import type { Market } from '../../src/market.js'
import { archiveSql } from '../../src/sql/sql.js'
import { gatherCells } from '../../src/table/gather-cells.js'
import { provenance } from '../../src/table/provenance.js'
import { editManifest } from '../helper/manifest.js'
import { tempDir, tempFile, treeOf } from '../helper/temp.js'

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

/** Datasets that a query gives whole when it asks for every day. */
const plain: readonly [name: string, params: Record<string, unknown>, order: string][] = [
  ['st', { startdate: '20000101' }, 'tradedate, symbol'],
  ['theme_daily', { type: 'tj', startdate: '20000101' }, 'tradedate, symbol'],
  ['convertible_daily', { startdate: '20000101' }, 'tradedate, code'],
  ['transfer_financing', { startdate: '20000101' }, 'tradedate'],
  ['southbound_top10', { startdate: '20000101' }, 'trade_date, market_type, rank, code'],
]

test.each(plain)('%s is what a query of all its days gives', async (name, params, order) => {
  const market = await connect()
  const wanted = await market.query(name, params)
  const columns = namesOf(wanted)
    .map((column) => `"${column}"`)
    .join(', ')
  const found = await market.sql(
    `select ${columns} from ${name} ${name === 'theme_daily' ? "where type = 'tj'" : ''} order by ${order}`,
  )
  expect(wanted.numRows).toBeGreaterThan(10)
  expect(objectsOf(found)).toEqual(objectsOf(wanted))
})

test('each of the fifteen is a table with all stored rows and columns', async () => {
  const market = await connect()
  const { datasets } = await (market.archive as Archive).manifest()
  for (const name of datasetNames) {
    const dataset = datasetOf(name)
    const found = await market.sql(`from ${name}`)
    expect(namesOf(found), name).toEqual(Object.keys({ ...dataset.columns, ...dataset.stored }))
    const stored = datasets[name]?.parts.reduce((sum, { rows }) => sum + rows, 0)
    if (name === 'file_download')
      expect(objectsOf(found)).toEqual(objectsOf(await market.query(name, { data_type: 'auction_tick', year: 2026 })))
    else expect(found.numRows, name).toBe(stored)
  }
})

test('minutes, versions and ticks keep every row and their types', async () => {
  const market = await connect()
  const day = await market.query('etf_minute', { symbols: '510300.SH', period: '15m', tradedate: '20260701' })
  const same = await market.sql(
    "select * exclude (period) from etf_minute where symbol = '510300.SH' and period = '15m' and tradedate = $1 order by trademin",
    { params: ['20260701'] },
  )
  expect(objectsOf(same)).toEqual(objectsOf(day))
  const newest = await market.sql(
    'select * from finance_announcement qualify row_number() over (partition by record_id order by version_no desc) = 1',
  )
  expect(newest.numRows).toBe((await market.query('finance_announcement', {})).numRows)
  const [first] = await market.ticks.days()
  const ticks = await market.ticks.read(String(first))
  const found = await market.sql('from ticks where tradedate = $day', { params: { day: String(first) } })
  expect(rowsOf(found)).toEqual(rowsOf(ticks))
})

test('tables of the caller join datasets, and hide one of the same name', async () => {
  const market = await connect()
  const mine = await market.table.convertibleDaily({ tradedate: '20260729' }, { fields: ['code', 'close'] })
  const joined = await market.sql(
    'select m.code, m.close - d.close as gap from mine m join convertible_daily d on d.code = m.code and d.tradedate = $1 order by m.code',
    { tables: { mine: toDataFrame(mine) }, params: ['20260729'] },
  )
  expect(rowsOf(joined)).toEqual(
    rowsOf(mine)
      .map(([code, close]) => [code, close === null ? null : 0])
      .sort(),
  )
  const hidden = await market.sql('select count(*) as n from convertible_daily', {
    tables: { CONVERTIBLE_DAILY: mine },
  })
  expect(rowsOf(hidden)).toEqual([[mine.numRows]])
})

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

test('a damaged or missing file is refused before DuckDB reads it, and others do not mind', async () => {
  const dir = copy()
  const market = await connect({ archive: dir })
  const [file = ''] = readdirSync(join(dir, 'convertible_daily'))
  const path = join(dir, 'convertible_daily', file)
  const bytes = readFileSync(path)
  bytes.writeUInt8((bytes.readUInt8(100) + 1) % 256, 100)
  writeFileSync(path, bytes)
  expect(await codeOf(market.sql('select count(*) from convertible_daily'))).toMatch(/^ARCHIVE: .*is damaged/)
  rmSync(path)
  expect(await codeOf(market.sql('select count(*) from convertible_daily'))).toMatch(/^ARCHIVE: .*is missing/)
  expect((await market.sql('select * from st limit 1')).numRows).toBe(1)
})

test('the names of directories are no columns', async () => {
  const dir = join(tempDir(), 'year=2026', 'symbol=x', 'close=1')
  cpSync(sampleDir, dir, { recursive: true })
  const [market, plain] = [await connect({ archive: dir }), await connect()]
  for (const name of ['ticks', 'convertible_daily']) {
    const query = `from ${name} order by all limit 100`
    const [found, wanted] = [await market.sql(query), await plain.sql(query)]
    expect(namesOf(found)).toEqual(namesOf(wanted))
    expect(rowsOf(found)).toEqual(rowsOf(wanted))
  }
})

test('a dataset that the archive does not have is an empty table; mistakes name the nearest', async () => {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  await writer.commit()
  const market = await connect({ archive: dir })
  for (const name of datasetNames) {
    const dataset = datasetOf(name)
    const none = await market.sql(`from ${name}`)
    expect([none.numRows, namesOf(none)], name).toEqual([0, Object.keys({ ...dataset.columns, ...dataset.stored })])
  }
  expect(await codeOf(market.sql('from ticks'))).toMatch(/^FILE: .* has no auction ticks/)
  expect(await codeOf(market.sql('from southbound_top1O'))).toBe(
    "SQL: unknown table 'southbound_top1O'; did you mean 'southbound_top10'?",
  )
  rmSync(dir, { recursive: true })
  expect(await codeOf(market.sql('from st'))).toMatch(/^ARCHIVE: /)
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
