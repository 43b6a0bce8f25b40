/* Deep: openpyxl reads the files, in a process of its own. */
import { spawnSync } from 'node:child_process'
import { connect, fromRows, toObjects, toXlsx } from 'quotebook'
import { expect, test } from 'vitest'
import { hostileArchive } from '../../helper/hostile-archive.js'
import { hasPythonPackage, python } from '../../helper/python-package.js'
import { tempFile } from '../../helper/temp.js'

const hasOpenpyxl = hasPythonPackage('openpyxl')

interface Told {
  readonly names: string[]
  readonly frozen: string | null
  readonly filter: string | null
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
print(json.dumps(dict(names=book.sheetnames, frozen=sheet.freeze_panes, filter=sheet.auto_filter.ref, times=[i.date_time for i in files.infolist()],
  core=files.read('docProps/core.xml').decode(),
  cells=[[(c.value.strftime('%Y%m%d') if c.is_date else c.value, c.data_type, c.number_format) for c in row] for row in sheet.iter_rows()])))`
  const ran = spawnSync(python, ['-c', program, tempFile('rows.xlsx', bytes)], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout)
}

const market = await connect()

test.skipIf(!hasOpenpyxl)(
  'openpyxl: codes are text, days dates, numbers shown by their unit, missing cells empty, the head frozen with a filter',
  async () => {
    const table = await market.table.convertibleDaily({ startdate: '20260729' })
    const { names, frozen, filter, times, core, cells } = openpyxl(await toXlsx(table))
    expect([names, frozen]).toEqual([['convertible_daily', 'columns'], 'A2'])
    expect(filter).toBe(`A1:Q${table.numRows + 1}`)
    expect(cells[1]?.map(([, , format]) => format).slice(4, 14)).toEqual([
      ...Array(6).fill('#,##0.000'),
      '0.0000"%"',
      '#,##0',
      '#,##0.00',
      '#,##0.0000',
    ])
    expect(cells[0]?.map(([value]) => value).slice(0, 5)).toEqual([
      '交易日\ntradedate',
      '代码\nsymbol',
      '名称\nname',
      '代码\ncode',
      '前收盘（元）\npre_close',
    ])
    const rows = toObjects(table).map((row) => Object.values(row))
    expect(cells.slice(1).map((row) => row.map(([value]) => value))).toEqual(rows)
    for (const [day, symbol] of cells.slice(1))
      expect([day?.slice(1), symbol?.slice(1)]).toEqual([
        ['d', 'yyyy-mm-dd'],
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
  const given = toObjects(table)
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
    '#N/A': '#N/A',
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
