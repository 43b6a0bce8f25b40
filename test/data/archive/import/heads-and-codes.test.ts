import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typedCell } from '../../../../src/data/archive/import/file-readers.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import {
  connect,
  type DatasetName,
  datasetOf,
  type FileNote,
  type ImportOptions,
  importFiles,
} from '../../../../src/index.js'
import { tempDir, tempFile } from '../../../helper/temp.js'
import { handRow, handWorkbook } from '../../../helper/workbook-bytes.js'

const params: Readonly<Record<string, object>> = {
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

test('numbers in a column of codes are codes of six digits, and it is said', async () => {
  const { rows, notes } = await importing('st', workbook(marks, mark(1), mark(600000), mark(300_750)))
  expect(rows.map(({ symbol }) => symbol)).toEqual(['000001', '300750', '600000'])
  expect(notes[0]?.remarks).toContainEqual({ about: 'codes', columns: ['symbol'] })
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
  expect(notes[0]?.remarks).toContainEqual({ about: 'codes', columns: ['symbol'] })
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
