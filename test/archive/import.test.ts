import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { importFiles } from '../../src/archive/import/import-files.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { ImportError } from '../../src/contract/error.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { toCsv, toParquet } from '../../src/frame/write-data.js'

import { tempDir, tempFile, treeOf } from '../helper/temp.js'

const bond = datasetOf('convertible_daily')
const fields = Object.keys(bond.columns)
const row = (tradedate: string, symbol: string, close: number | null) => [
  tradedate,
  symbol,
  '示例转债',
  `${symbol}.SZ`,
  100,
  100.5,
  102,
  99,
  close,
  close === null ? null : 1.2,
  1.2,
  1234,
  1234567.89,
  95.5,
  6,
  90.1,
  null,
]
const reply = (...rows: unknown[][]) => JSON.stringify({ code: 200, message: 'success', data: { fields, items: rows } })
const rowsIn = async (
  dir: string,
  params: Record<string, unknown> = { startdate: '20260101' },
  name = 'convertible_daily',
) => objectsOf(await new Archive(dir, 'test').query(datasetOf(name), params, { whole: true }))

async function started(): Promise<string> {
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, bond, [
    tempFile('a.json', reply(row('20260701', '123001', 101.2), row('20260701', '000001', null))),
  ])
  return dir
}

test('a saved reply arrives, nulls and leading zeros in place; twice changes nothing', async () => {
  const dir = await started()
  const rows = await rowsIn(dir)
  expect(rows.map(({ symbol, close }) => [symbol, close])).toEqual([
    ['000001', null],
    ['123001', 101.2],
  ])
  const before = treeOf(dir)
  const again = await importFiles(dir, bond, [
    tempFile('b.json', reply(row('20260701', '123001', 101.2), row('20260701', '000001', null))),
  ])
  expect(again).toMatchObject({ rows: 2, changed: 0 })
  expect(treeOf(dir)).toEqual(before)
})

test('a key that is there is replaced; others stay; columns that the file lacks keep what was stored', async () => {
  const dir = await started()
  await importFiles(dir, bond, [
    tempFile(
      'new.csv',
      'tradedate,symbol,code,close\n20260701,123001,123001.SZ,103.5\n20260702,123001,123001.SZ,104\n',
    ),
  ])
  expect(
    (await rowsIn(dir)).map(({ tradedate, symbol, close, name, amount }) => [tradedate, symbol, close, name, amount]),
  ).toEqual([
    ['20260701', '000001', null, '示例转债', 1234567.89],
    ['20260701', '123001', 103.5, '示例转债', 1234567.89],
    ['20260702', '123001', 104, null, null],
  ])
})

const damaged: [string, string, () => Promise<string | Uint8Array>, RegExp, Partial<ImportError>][] = [
  [
    'truncated Parquet',
    'x.parquet',
    async () => (await parquet()).subarray(0, 900),
    /x\.parquet: is not a whole Parquet file/,
    {},
  ],
  ['Parquet without its head', 'x.parquet', async () => (await parquet()).subarray(9), /not a whole Parquet file/, {}],
  [
    'ragged CSV',
    'x.csv',
    async () => 'tradedate,symbol,code\n20260701,123001,123001.SZ\n20260701,123002\n',
    /x\.csv:3: /,
    { line: 3 },
  ],
  ['open quote', 'x.csv', async () => 'tradedate,symbol,code\n20260701,"123001,123001.SZ\n', /x\.csv:\d+: /, {}],
  [
    'wrong type in CSV',
    'x.csv',
    async () => 'tradedate,symbol,code,close\n20260701,123001,123001.SZ,1\n20260701,123002,123002.SZ,12a\n',
    /x\.csv:3: .*close must be number, not "12a"/,
    { line: 3, field: 'close' },
  ],
  [
    'wrong type in JSON',
    'x.json',
    async () => reply(row('20260701', '123001', 1), row('20260701', '123002', 1).with(8, '1.5')),
    /row 2: close must be number, not "1.5"/,
    { field: 'close' },
  ],
  [
    'a number for a code',
    'x.json',
    async () => reply(row('20260701', '123001', 1).with(1, 123001)),
    /row 1: symbol must be code, not 123001/,
    { field: 'symbol' },
  ],
  [
    'a date that is none',
    'x.csv',
    async () => 'tradedate,symbol,code\n20260731,123001,123001.SZ\n20260732,123001,123001.SZ\n',
    /x\.csv:3: .*tradedate must be a date/,
    { line: 3, field: 'tradedate' },
  ],
  [
    'null where none may be',
    'x.csv',
    async () => 'tradedate,symbol,code\n20260701,,123001.SZ\n',
    /x\.csv:2: .*symbol is null/,
    { line: 2, field: 'symbol' },
  ],
  [
    'duplicate key',
    'x.csv',
    async () =>
      'tradedate,symbol,code\n20260701,123001,123001.SZ\n20260701,123002,123002.SZ\n20260701,123001,123001.SZ\n',
    /x\.csv:4: rows 1 and 3 share the key/,
    { line: 4 },
  ],
  ['missing column', 'x.csv', async () => 'tradedate,close\n20260701,1\n', /lacks symbol, code/, {}],
  ['ragged reply', 'x.json', async () => reply([1, 2]), /row 1 has 2 cells where fields names 17/, {}],
  ['cut-off JSON', 'x.json', async () => reply(row('20260701', '123001', 1)).slice(0, -9), /x\.json: is not JSON/, {}],
  [
    'an error of the service',
    'x.json',
    async () => '{"code":403,"message":"no permission","data":null}',
    /403 no permission/,
    {},
  ],
  ['an HTML page', 'x.json', async () => '<html>502</html>', /x\.json: lacks/, {}],
  ['an empty file', 'x.csv', async () => '', /x\.csv: is empty/, {}],
  ['not UTF-8', 'x.csv', async () => new Uint8Array([0x61, 0xff, 0xfe, 0x0a]), /is not UTF-8/, {}],
]
const parquet = async () => toParquet(await new Archive(await started(), 'test').query(bond, { startdate: '20260101' }))

test.each(damaged)(
  '%s is refused with file, line and field, and the archive stays as it was',
  async (_, name, content, message, where) => {
    const dir = await started()
    const before = treeOf(dir)
    const good = tempFile('good.json', reply(row('20260703', '123009', 9)))
    const bad = tempFile(name, await content())
    const error = await importFiles(dir, bond, [good, bad]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ImportError)
    expect((error as Error).message).toMatch(message)
    expect(error).toMatchObject({ code: 'IMPORT', file: expect.stringContaining(name), ...where })
    expect(treeOf(dir)).toEqual(before)
  },
)

test('an import that fails in a new directory leaves no archive', async () => {
  const dir = join(tempDir(), 'fresh')
  await expect(importFiles(dir, bond, [tempFile('x.csv', 'a\n1\n')])).rejects.toThrow('lacks')
  expect(treeOf(dir)).toEqual({})
})

test('a directory that holds something else is refused', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'thesis.txt'), 'mine')
  await expect(importFiles(dir, bond, [])).rejects.toThrow('is not empty and not an archive')
  mkdirSync(join(dir, 'sub'))
  expect(Object.keys(treeOf(dir))).toEqual(['thesis.txt'])
})

test('one writer at a time', async () => {
  const dir = await started()
  const writer = await ArchiveWriter.open(dir)
  await expect(importFiles(dir, bond, [], { waitMs: 0 })).rejects.toMatchObject({ code: 'ARCHIVE_BUSY' })
  await writer.abort()
  await expect(importFiles(dir, bond, [])).resolves.toMatchObject({ rows: 0 })
})

test('CSV, JSON rows and Parquet of an archive give back the same archive', async () => {
  const dir = await started()
  const table = await new Archive(dir, 'test').query(bond, { startdate: '20260101' })
  const copies = [
    tempFile('copy.csv', toCsv(table)),
    tempFile('copy.json', JSON.stringify(objectsOf(table))),
    tempFile('copy.parquet', await toParquet(table)),
  ]
  for (const copy of copies) {
    const other = join(tempDir(), 'archive')
    await importFiles(other, bond, [copy])
    expect(await rowsIn(other)).toEqual(await rowsIn(dir))
  }
})

test('a Parquet file that another program wrote is read, integers and plain strings as they are', async () => {
  const file = join(tempDir(), 'duck.parquet')
  const db = await (await DuckDBInstance.create()).connect()
  await db.run(
    `copy (select '20260701' tradedate, '000001' symbol, '000001.SZ' code, 101.25::double "close", 12::bigint vol, null::double amount) to '${file}' (format parquet, compression snappy)`,
  )
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, bond, [file])
  expect(await rowsIn(dir)).toMatchObject([{ symbol: '000001', close: 101.25, vol: 12, amount: null }])
})

test('what the wire does not carry is filled in, told, or asked for', async () => {
  const dir = join(tempDir(), 'archive')
  const etf = datasetOf('etf_minute')
  const bar = (minute: string) => `20260701,510300.SH,${minute},${minute.slice(0, 2)}:${minute.slice(2)}:00`
  const bars = (...minutes: string[]) =>
    tempFile('bars.csv', `tradedate,symbol,trademin,time\n${minutes.map(bar).join('\n')}\n`)
  await importFiles(dir, etf, [bars('0930', '0945', '1000')])
  await importFiles(dir, etf, [bars('0930', '1000')])
  await expect(importFiles(dir, etf, [bars('1030')])).rejects.toThrow('--set period=15m')
  await importFiles(dir, etf, [bars('1030')], { set: { period: '30m' } })
  const minutes = async (period: string) =>
    (await rowsIn(dir, { symbols: '510300', period }, 'etf_minute')).map(({ trademin }) => trademin)
  expect(await minutes('15m')).toEqual(['0930', '0945', '1000'])
  expect(await minutes('30m')).toEqual(['0930', '1000', '1030'])

  const hot = JSON.stringify({
    code: 200,
    message: 'success',
    data: {
      fields: ['s', 'n', 'pc'],
      items: [
        ['600519', '示例', 1.5],
        ['000001', null, null],
      ],
    },
  })
  await expect(importFiles(dir, datasetOf('hotstock'), [tempFile('hot.json', hot)])).rejects.toThrow(
    'lacks tradedate, type',
  )
  await importFiles(dir, datasetOf('hotstock'), [tempFile('hot.json', hot)], {
    set: { type: 'ths&normal', tradedate: '20260701' },
  })
  expect(await rowsIn(dir, { type: 'ths&normal' }, 'hotstock')).toEqual([
    { s: '600519', n: '示例', pc: 1.5 },
    { s: '000001', n: null, pc: null },
  ])
  const history = 's,rank,tradedate,type\n600519,1,20260701,ths&normal\n'
  await importFiles(dir, datasetOf('hotstock'), [tempFile('history.csv', history)])
  expect((await rowsIn(dir, { type: 'ths&normal' }, 'hotstock'))[0]).toEqual({ s: '600519', n: '示例', pc: 1.5 })

  const members = 'theme_symbol,symbols\n801001,"[""000001"",""600519""]"\n'
  await expect(importFiles(dir, datasetOf('thememembers_jx'), [tempFile('m.csv', members)])).rejects.toThrow(
    '--set level=',
  )
  await importFiles(dir, datasetOf('thememembers_jx'), [tempFile('m.csv', members)], {
    set: { level: 'child', snapshot_date: '20260701' },
  })
  expect(await rowsIn(dir, { level: 'child', symbols: '600519.SH' }, 'thememembers_jx')).toEqual([
    { theme_symbol: '801001', symbols: ['000001', '600519'] },
  ])

  const announcements =
    'symbol,event_date,title,announcement_type\n600519,20260701,年报,financial_report\n600519,2026-07-02 18:30:00,公告,other\n'
  await importFiles(dir, datasetOf('finance_announcement'), [tempFile('ann.csv', announcements)])
  const titles = async (as_of: string) =>
    (await rowsIn(dir, { as_of }, 'finance_announcement')).map(({ title }) => title)
  expect(await titles('2026-07-01T12:00:00')).toEqual([])
  expect(await titles('20260701')).toEqual(['年报'])
  expect(await titles('2026-07-02T10:30:00Z')).toEqual(['公告', '年报'])
})

test('names of other publishers and names given are taken for those of the contract', async () => {
  const dir = join(tempDir(), 'archive')
  const file = tempFile('ts.csv', 'trade_date,ts_code,market_type,turnover\n20260701,00700.HK,2,5\n')
  await importFiles(dir, datasetOf('southbound_top10'), [file], { rename: { turnover: 'amount' } })
  expect(await rowsIn(dir, {}, 'southbound_top10')).toMatchObject([{ code: '00700.HK', amount: 5, market_type: '2' }])
})

test('texts that look like formulas, quotes and newlines come back from CSV as they were', async () => {
  const dir = join(tempDir(), 'archive')
  const qa = datasetOf('interactive_qa')
  const questions = ['=1+1', "'=1+1", '+86', '-5', '@x', "'plain", 'a "b", c\nd', '<script>', ' ', '']
  const items = questions.map((question, i) => [
    '000001',
    '20260701',
    `12345678901234567${10 + i}`,
    '2026-07-01 10:00:00',
    question,
    '2026-07-01 11:00:00',
    'ok',
    1,
    false,
  ])
  const data = { fields: Object.keys(qa.columns), items, total: 10, limit: 100, offset: 0 }
  await importFiles(dir, qa, [tempFile('qa.json', JSON.stringify({ code: 200, message: 'success', data }))])
  const table = await new Archive(dir, 'test').query(qa)
  const csv = toCsv(table)
  expect(csv).toContain(",'=1+1,")
  const other = join(tempDir(), 'archive')
  await importFiles(other, qa, [tempFile('qa.csv', csv)])
  expect(await rowsIn(other, {}, 'interactive_qa')).toEqual(objectsOf(table))
  expect(
    objectsOf(table)
      .map(({ question }) => question)
      .sort(),
  ).toEqual([...questions].sort())
})
