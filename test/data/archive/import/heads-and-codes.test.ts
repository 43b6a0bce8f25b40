import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typedCell } from '../../../../src/data/archive/import/file-readers.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import {
  connect,
  type DatasetName,
  datasetOf,
  defineDataset,
  type FileNote,
  fromRows,
  type ImportOptions,
  importFiles,
  toParquet,
} from '../../../../src/index.js'
import { tempDir, tempFile } from '../../../helper/temp.js'
import { handRow, handWorkbook } from '../../../helper/workbook-bytes.js'

const params: Record<string, object> = {
  st: { startdate: '20260701' },
  etf_minute: { symbols: ['510300', '159915'], period: '15m' },
}

type Cells = readonly (number | string)[]

async function importing(name: string, path: string, options: ImportOptions = {}) {
  const archive = join(tempDir(), 'own')
  const notes: FileNote[] = []
  await importFiles(archive, datasetOf(name), [path], { ...options, onFile: (note) => notes.push(note) })
  const market = await connect({ archive })
  const table = await market.query(name as DatasetName, params[name] ?? {}).finally(() => market.close())
  return { rows: toObjects(table), notes }
}

const workbook = (...rows: readonly Cells[]): string =>
  tempFile('rows.xlsx', handWorkbook(Buffer.from(rows.map((row, at) => handRow(row, at + 1)).join(''))))

const marks = ['tradedate', 'symbol', 'name', 'type', 'type_name']
const mark = (symbol: number): Cells => ['20260701', symbol, 'ST甲', 'ST', 'x']

const codes = (name: string, spelling: 'full' | 'bare' | undefined, more: object = {}) => {
  const code = { kind: 'code', meaning: 'c', ...(spelling && { spelling }) } as const
  const columns = { day: { kind: 'date', meaning: 'd' }, code } as const
  const knownAt = { day: 'day', at: '15:00:00', note: 'close' }
  defineDataset({ name, title: 't', columns, key: ['day', 'code'], day: 'day', knownAt, ...more } as never)
  params[name] = { startdate: '20260701' }
  return name
}
const full = codes('own_full', 'full', { instruments: 'stock' })
const bare = codes('own_bare', 'bare', { instruments: 'stock' })
const index = codes('own_index', 'full', { instruments: 'index' })
const any = codes('own_any', undefined)
const rowsOf = (...given: string[]) =>
  tempFile('a.csv', `day,code\n${given.map((code) => `20260701,${code}\n`).join('')}`)
const codesOf = async (name: string, path: string, options: ImportOptions = {}) => {
  const { rows, notes } = await importing(name, path, options)
  return { read: rows.map(({ code }) => code), remarks: notes[0]?.remarks?.filter(({ about }) => about === 'codes') }
}

/** A code a spelling, so that one file has them all. */
const spellings = [
  ...['600000.SH', 'sh.600001', 'SH600002', '600003.XSHG', '600004.SS', '600005.SSE', 'SHSE.600006', "'600007"],
  ...['SH#600008', '600009.sh', ' 600010.SH\t', '600011', '="600012"'],
]

test('in any spelling a code has its exchange in a column of full codes and none in one of bare ones, from any file', async () => {
  const rows = spellings.map((code) => ({ day: '20260701', code }))
  const files = [
    rowsOf(...spellings.map((code) => (code.startsWith('=') ? `"${code.replaceAll('"', '""')}"` : code))),
    tempFile('a.json', JSON.stringify(rows)),
    tempFile('a.parquet', await toParquet(fromRows(rows, { kinds: { code: 'text' } }))),
    workbook(['day', 'code'], ...spellings.map((code) => ['20260701', code.trim()])),
  ]
  for (const file of files)
    for (const name of [full, bare]) {
      const wanted = spellings.map((code) => `${/\d{6}/.exec(code)}${name === full ? '.SH' : ''}`)
      const { read, remarks = [] } = await codesOf(name, file)
      expect(read).toEqual(wanted)
      // Readers of CSV take ="600012" for its text, those of Excel take blanks from the ends.
      const seen = (code: string): string =>
        file.endsWith('csv') ? code.replace(/^="(.*)"$/, '$1') : file.endsWith('xlsx') ? code.trim() : code
      const [to] = wanted.filter((code, at) => seen(spellings[at] as string) !== code)
      expect(remarks).toMatchObject([{ column: 'code', to }])
    }
})

test('what tells no exchange is refused by row, and codes of other markets stay', async () => {
  for (const wrong of ['浦发银行', 'AAPL', '600000.XX', '019547', '1.600000', '880001', '00700'])
    await expect(codesOf(full, rowsOf('600001.SH', wrong)), wrong).rejects.toMatchObject({
      code: 'IMPORT',
      line: 3,
      field: 'code',
      message: expect.stringContaining(
        `row 2: code "${wrong}" is no code that is known, or does not tell its exchange`,
      ),
    })
  const others = ['000001.OF', '00700.HK', '000300.CSI', '920001.BJ', 'AAPL.US', 'IF2409.CFE']
  expect((await codesOf(full, rowsOf(...others))).read).toEqual([...others].sort())
  expect((await codesOf(full, rowsOf('0700.HK', 'HK.00005'))).read).toEqual(['00005.HK', '00700.HK'])
  // The same number is a share of Shenzhen and an index of Shanghai.
  expect((await codesOf(full, rowsOf('000001'))).read).toEqual(['000001.SZ'])
  expect((await codesOf(index, rowsOf('000001', '399006'))).read).toEqual(['000001.SH', '399006.SZ'])
  await expect(codesOf(bare, rowsOf('000001.SH'))).rejects.toThrow('row 1: code "000001.SH" is no code that is known')
  const set = { set: { code: 'sz000001' } }
  expect((await codesOf(full, tempFile('a.csv', 'day\n20260701\n'), set)).read).toEqual(['000001.SZ'])
})

test('one instrument never stands under two spellings, in a file and in an archive', async () => {
  await expect(codesOf(full, rowsOf('600000.SH', 'sh600000'))).rejects.toThrow('rows 1 and 2 share the key')
  await expect(codesOf(any, rowsOf('600000', 'sh600000'))).rejects.toThrow(
    'row 2: code spells one code 600000 and 600000.SH; declare its `spelling`',
  )
  expect((await codesOf(any, rowsOf('000002', '000001.SH', 'theme'))).read).toEqual(['000001.SH', '000002', 'theme'])
  const archive = join(tempDir(), 'own')
  await importFiles(archive, datasetOf(any), [rowsOf('600000', '600001')])
  await expect(importFiles(archive, datasetOf(any), [rowsOf('SH600002')])).rejects.toThrow(
    'the archive spells code like 600000, and the file like 600002.SH',
  )
})

test('numbers in a column of codes are codes of six digits, and it is said', async () => {
  const { rows, notes } = await importing('st', workbook(marks, mark(1), mark(600000), mark(300_750)))
  expect(rows.map(({ symbol }) => symbol)).toEqual(['000001', '300750', '600000'])
  expect(notes[0]?.remarks).toContainEqual({ about: 'codes', column: 'symbol', from: '1', to: '000001' })
  for (const symbol of [0, -1, 1.5, 1_000_000])
    await expect(importing('st', workbook(marks, mark(symbol)))).rejects.toMatchObject({
      code: 'IMPORT',
      field: 'symbol',
    })
})

test('with the suffix of their market where the column has it, and refused where they do not tell', async () => {
  const market = await connect()
  const [etf, south] = ['etf_minute', 'southbound_top10'].map(datasetOf)
  expect([etf?.columns.symbol?.spelling, south?.columns.code?.spelling]).toEqual(['full', 'full'])
  const table = await market.query('etf_minute', { symbols: ['510300', '159915'], period: '15m' })
  await market.close()
  const given = toObjects(table).slice(0, 2)
  const names = Object.keys(given[0] as object)
  const cells = given.map((row, at) =>
    names.map((name) => (name === 'symbol' ? [510300, 159915][at] : row[name]) as number | string),
  )
  const set = names.includes('period') ? {} : { period: '15m' }
  const { rows, notes } = await importing('etf_minute', workbook(names, ...cells), { set })
  expect(rows.map(({ symbol }) => symbol).sort()).toEqual(['159915.SZ', '510300.SH'])
  expect(notes[0]?.remarks).toContainEqual({ about: 'codes', column: 'symbol', from: '510300', to: '510300.SH' })
  const short = cells.map((row) => row.map((cell, i) => (names[i] === 'symbol' ? 700 : cell)))
  await expect(importing('etf_minute', workbook(names, ...short))).rejects.toThrow(/symbol must be code, not 700/)
})

test('a title of several columns is refused with their names, unless one of them is there by name', async () => {
  const { columns } = datasetOf('convertible_daily')
  const names = Object.keys(columns)
  const market = await connect()
  const [row = {}] = toObjects(await market.query('convertible_daily', { startdate: '20260720' }))
  await market.close()
  const csv = (heads: readonly string[]) =>
    tempFile('cb.csv', `${heads.join(',')}\n${names.map((name) => row[name] ?? '').join(',')}\n`)
  const titled = names.map((name) => (name === 'code' ? '代码' : name === 'symbol' ? '代码二' : name))
  await expect(importing('convertible_daily', csv(titled))).rejects.toThrow(
    /the head '代码' may be symbol or code; say which with --rename 代码=symbol/,
  )
  const one = names.map((name) => (name === 'code' ? '代码' : name))
  const { notes } = await importing('convertible_daily', csv(one))
  expect(notes).toMatchObject([{ rows: 1, ignored: [] }])
})

test('a word for nothing in a cell of a sheet is a missing number, where one may be missing', () => {
  const column = { kind: 'number', meaning: 'x' } as const
  expect(typedCell({ ...column, nullable: true }, ' -- ')).toBeNull()
  expect(typedCell(column, '--')).toBe('--')
  expect(typedCell({ kind: 'text', nullable: true, meaning: 'x' }, '--')).toBe('--')
})
