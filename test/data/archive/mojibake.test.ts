import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DatasetName, datasetNames, datasetOf } from '../../../src/contract/catalogue.js'
import type { Column } from '../../../src/contract/column.js'
import { ImportError } from '../../../src/contract/error.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { fromCsv } from '../../../src/frame/table/csv.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { toParquet } from '../../../src/frame/write-data.js'
import { tempDir, tempFile, treeOf } from '../../helper/temp.js'

/** Codes, dates and ids that a spreadsheet or a table of numbers has mangled. */

async function refused(name: DatasetName, file: string): Promise<ImportError> {
  const dir = join(tempDir(), 'archive')
  const error = await importFiles(dir, datasetOf(name), [file], { partial: true }).catch((thrown: unknown) => thrown)
  expect(treeOf(dir)).toEqual({})
  expect(error).toBeInstanceOf(ImportError)
  return error as ImportError
}

const bond = (symbol: unknown, tradedate: unknown = '20260701') => ({ tradedate, symbol, code: '110059.SH' })
const csv = (symbol: string, tradedate = '20260701') =>
  tempFile('rows.csv', `tradedate,symbol,code\n20260701,110059,110059.SH\n${tradedate},${symbol},123124.SZ\n`)

test.each([
  ['1', '000001'],
  ['1.0', '000001'],
  ['1E+05', '100000'],
])('a code %s is refused with what was meant, from CSV, JSON and Parquet', async (code, meant) => {
  const error = await refused('convertible_daily', csv(code))
  expect(error).toMatchObject({ line: 3, field: 'symbol', file: 'rows.csv' })
  expect(error.message).toContain(`: ${meant} was probably meant; keep the column as text`)
  const json = await refused('convertible_daily', tempFile('rows.json', JSON.stringify([bond(code)])))
  expect(json.message).toContain(meant)
  const parquet = tempFile('rows.parquet', await toParquet(fromRows([bond(code)])))
  expect((await refused('convertible_daily', parquet)).message).toContain(meant)
})

test.each([
  ['46204', '20260701'],
  ['20260701.0', '20260701'],
])('a date %s is refused with what was meant', async (date, meant) => {
  expect((await refused('convertible_daily', csv('110059', date))).message).toContain(`${meant} was probably meant`)
})

test('every code column of every dataset, and long ids too', () => {
  for (const name of datasetNames) {
    const { columns, stored } = datasetOf(name)
    for (const [column, { kind, isOwn }] of Object.entries<Column>({ ...columns, ...stored })) {
      const cell = kind === 'code' && !isOwn ? '1' : kind === 'id' ? '1.23457E+18' : undefined
      if (cell === undefined) continue
      expect(() => fromCsv(`${column}\n${cell}\n`, { dataset: name }), `${name} ${column}`).toThrow(
        /keep the column as text/,
      )
    }
  }
})
