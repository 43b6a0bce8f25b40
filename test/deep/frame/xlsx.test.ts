import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkVwap } from '../../src/checks/vwap/check-vwap.js'
import { connect } from '../../src/connect.js'
import { datasets } from '../../src/contract/catalogue.js'
import { columnTitle } from '../../src/contract/column-titles.js'
import type { Dataset } from '../../src/contract/dataset.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { toCsv, toXlsx } from '../../src/frame/write-data.js'
import { fromRows } from '../../src/table/from-rows.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { hasPythonPackage, python } from '../helper/python-package.js'
import { tempFile } from '../helper/temp.js'

const hasOpenpyxl = hasPythonPackage('openpyxl')

interface Told {
  readonly names: string[]
  readonly frozen: string | null
  readonly times: number[][]
  readonly core: string
  readonly cells: [value: unknown, type: string, format: string][][]
}

/** What Python's openpyxl finds in a file. */
function openpyxl(bytes: Uint8Array): Told {
  const program = `
import json, sys, zipfile, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book.worksheets[0]
files = zipfile.ZipFile(sys.argv[1])
print(json.dumps(dict(names=book.sheetnames, frozen=sheet.freeze_panes, times=[i.date_time for i in files.infolist()],
  core=files.read('docProps/core.xml').decode(),
  cells=[[(c.value, c.data_type, c.number_format) for c in row] for row in sheet.iter_rows()])))`
  const ran = spawnSync(python, ['-c', program, tempFile('rows.xlsx', bytes)], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout)
}

const market = await connect()

test.skipIf(!hasOpenpyxl)(
  'openpyxl: codes and days are text, numbers numbers, missing cells empty, the head frozen',
  async () => {
    const table = await market.table.convertibleDaily({ startdate: '20260729' })
    const { names, frozen, times, core, cells } = openpyxl(await toXlsx(table))
    expect([names, frozen]).toEqual([['convertible_daily', 'columns'], 'A2'])
    expect(cells[0]?.map(([value]) => value).slice(0, 5)).toEqual([
      '交易日\ntradedate',
      '代码\nsymbol',
      '名称\nname',
      '代码\ncode',
      '前收盘（元）\npre_close',
    ])
    const rows = objectsOf(table).map((row) => Object.values(row))
    expect(cells.slice(1).map((row) => row.map(([value]) => value))).toEqual(rows)
    for (const [day, symbol] of cells.slice(1))
      expect([day?.slice(1), symbol?.slice(1)]).toEqual([
        ['s', '@'],
        ['s', '@'],
      ])
    expect(rows.flat().includes(null)).toBe(true)
    expect(new Set(times.map(String))).toEqual(new Set(['1980,1,1,0,0,0']))
    expect(core).toContain('1970-01-01T00:00:00Z')
  },
)

test.skipIf(!hasOpenpyxl)('openpyxl: hostile texts come through as texts, and none is a formula', async () => {
  const own = await connect({ archive: await hostileArchive() })
  const table = await own.table.news({ limit: 500 })
  const { cells } = openpyxl(await toXlsx(table))
  const given = objectsOf(table)
  const title = Object.keys(given[0] ?? {}).indexOf('title')
  expect(cells.slice(1).map((row) => row[title]?.[0])).toEqual(given.map((row) => row.title))
  expect(given.some((row) => String(row.title).startsWith('=cmd'))).toBe(true)
  expect(cells.flat().filter(([, type]) => type === 'f')).toEqual([])
  const odd = {
    '=1+1': '=1+1',
    '+1': '+1',
    '-1': '-1',
    '@x': '@x',
    _x0041_: '_x0041_',
    'a\nb': 'a\nb',
    ' blank ': ' blank ',
    'x\uFFFEy': 'x_xFFFE_y',
    'tab\t': 'tab\t',
    '📈': '📈',
    '0001': '0001',
  }
  const back = openpyxl(
    await toXlsx(
      fromRows(
        Object.keys(odd).map((text) => [text]),
        { columns: ['text'] },
      ),
    ),
  )
  expect(back.cells.slice(1).map(([cell]) => cell?.[0])).toEqual(Object.values(odd))
  expect(back.cells.flat().filter(([, type]) => type !== 's')).toEqual([])
  await own.close()
})

test('equal tables give equal bytes, in every time zone and at any time', async () => {
  const table = checkVwap(await market.table.etfMinute({ symbols: '510300.SH', period: '15m' })).table
  const zone = process.env.TZ
  const sums: string[] = []
  for (const name of ['Asia/Shanghai', 'America/Los_Angeles']) {
    process.env.TZ = name
    sums.push(
      createHash('sha256')
        .update(await toXlsx(table))
        .digest('hex'),
    )
    await new Promise((resolve) => setTimeout(resolve, 2100))
  }
  process.env.TZ = zone
  expect(new Set(sums).size).toBe(1)
})

test('every column of the contract has a Chinese name', () => {
  for (const { columns, stored } of datasets as readonly Dataset[])
    for (const name of Object.keys({ ...columns, ...stored }))
      expect(columnTitle(name), name).toMatch(/[\u4e00-\u9fff]/)
  expect(columnTitle('constructor')).toBe(undefined)
})

test('what Excel can not hold is refused with its place', async () => {
  const long = fromRows([['a'], ['x'.repeat(32_768)]], { columns: ['text'] })
  await expect(toXlsx(long)).rejects.toThrow(/column 'text', row 2: the text has 32768 characters/)
  const infinite = fromRows([[1], [Number.POSITIVE_INFINITY]], { columns: ['n'], kinds: { n: 'number' } })
  await expect(toXlsx(infinite)).rejects.toThrow(/column 'n', row 2/)
  await expect(toXlsx(fromRows([[1]], { columns: ['n'] }), { sheet: 'a/b' })).rejects.toThrow(/is no name of a sheet/)
})

test('a CSV with a byte-order mark is the CSV behind the mark', async () => {
  const table = await market.table.st({ startdate: '20260729' })
  expect(toCsv(table, { bom: true })).toBe(`\ufeff${toCsv(table)}`)
})
