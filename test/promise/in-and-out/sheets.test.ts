import { join } from 'node:path'
import { connect, datasetOf, defineDataset, type FileNote, importFiles, toObjects } from 'quotebook'
import { expect, test } from 'vitest'
import { tempDir, tempFile } from '../../helper/temp.js'
import { handRow, handWorkbook } from '../../helper/workbook-bytes.js'

/** Excel files as pandas, terminals and people leave them. */

const number = { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Price.' } as const
defineDataset({
  name: 'sheet_daily',
  title: 'Prices',
  columns: {
    tradedate: { kind: 'date', isTrading: true, meaning: 'Day.' },
    symbol: { kind: 'code', spelling: 'full', meaning: 'Code.' },
    close: number,
  },
  key: ['tradedate', 'symbol'],
  day: 'tradedate',
  knownAt: { day: 'tradedate', at: '15:00:00', note: 'after the close' },
})

type Cells = readonly (number | string)[]
const heads = ['tradedate', 'symbol', 'close']
const first = ['20260728', '600000.SH', 10.1]
const second = ['20260729', '600000.SH', 10.2]

async function read(xml: string): Promise<{ rows: unknown[]; about: string[] }> {
  const archive = join(tempDir(), 'own')
  const notes: FileNote[] = []
  const file = tempFile('rows.xlsx', handWorkbook(Buffer.from(xml)))
  await importFiles(archive, datasetOf('sheet_daily'), [file], { onFile: (note) => notes.push(note) })
  const market = await connect({ archive })
  const table = await market.query('sheet_daily', { startdate: '20260701' }).finally(() => market.close())
  const about = notes.flatMap(({ remarks = [] }) => remarks.map((one) => one.about)).filter((one) => one !== 'sheet')
  return { rows: toObjects(table).map((row) => [row['tradedate'], row['close']]), about }
}
const sheet = (...rows: readonly Cells[]): Promise<{ rows: unknown[]; about: string[] }> =>
  read(rows.map((row, at) => handRow(row, at + 1)).join(''))

const want = [
  ['20260728', 10.1],
  ['20260729', 10.2],
]

test('a first column without a name that holds whole numbers is an index, and left out', async () => {
  expect(await sheet(['', ...heads], [0, ...first], [1, ...second])).toEqual({ rows: want, about: ['index'] })
  expect(await sheet(['', ...heads], [17, ...first], [4, ...second])).toEqual({ rows: want, about: ['index'] })
  await expect(sheet(['', ...heads], ['a', ...first], ['b', ...second])).rejects.toThrow(
    /column 1 of its first row has no name/,
  )
})

test('notes of the source below the rows are left out, one among them is an error', async () => {
  for (const note of ['数据来源：Wind', '数据来源：东方财富Choice数据'])
    expect(await sheet(heads, first, second, [''], [note], [note])).toEqual({ rows: want, about: ['footer'] })
  await expect(sheet(heads, first, ['数据来源：Wind'], second)).rejects.toThrow(/tradedate must be a date/)
  await expect(sheet(heads, first, ['合计'])).rejects.toThrow(/tradedate must be a date/)
})

test('a formula whose value is not stored is refused with its cell, one with a value is read', async () => {
  const cell = (value: string): string =>
    `<row r="2"><c r="A2" t="inlineStr"><is><t>20260728</t></is></c><c r="B2" t="inlineStr"><is><t>600000.SH</t></is></c><c r="C2"><f>5+5.1</f>${value}</c></row>`
  expect((await read(handRow(heads, 1) + cell('<v>10.1</v>'))).rows).toEqual(want.slice(0, 1))
  await expect(read(handRow(heads, 1) + cell(''))).rejects.toThrow(/cell C2 holds a formula whose value is not stored/)
})
