import { expect, test } from 'vitest'
import { toTable } from '../../../src/frame/table/arrow.js'
import { columnsFromParquet, fromParquet, writeParquet } from '../../../src/frame/table/parquet.js'
import { columnsOf } from '../../../src/frame/table/unwrap.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../src/frame/table/values.js'

const cells: Record<string, ColumnData> = {
  price: { type: 'float', data: Float64Array.of(1.5, Number.NaN, -0, 2.25), valid: Uint8Array.of(1, 0, 1, 1) },
  whole: { type: 'float', data: Float64Array.of(1, 2, 3, 4), valid: null },
  count: { type: 'int', data: Int32Array.of(7, 0, 2 ** 31 - 1, -(2 ** 31)), valid: Uint8Array.of(1, 0, 1, 1) },
  active: { type: 'boolean', data: Uint8Array.of(1, 0, 0, 1), valid: Uint8Array.of(1, 1, 0, 1) },
  code: { type: 'dictionary', data: Int32Array.of(1, -1, 0, 1), dictionary: ['510300.SH', '沪深三百'] },
  text: { type: 'string', data: ['公告 "𠮷"', null, '', '\ufeffmark'] },
}
const lists: ColumnData = { type: 'list', data: [['a', '乙'], null, [], ['b']] }

/** What stands where a cell is missing is nobody's. */
function shown({ columns }: RecordColumns): unknown[] {
  return [...columns].map(([name, values]) => [
    name,
    values.type,
    Array.from({ length: values.data.length }, (_, row) => cellOf(values, row)),
  ])
}

async function bothWays(of: Record<string, ColumnData>, length: number, rowGroup?: number): Promise<unknown[]> {
  const table = toTable({ length, columns: new Map(Object.entries(of)) }, {})
  const bytes = await writeParquet(table, rowGroup === undefined ? {} : { rowGroup })
  return [await columnsFromParquet(bytes, 'it'), columnsOf(await fromParquet(bytes, 'it'))].map(shown)
}

test.each([
  ['columns of every form that is copied', cells, undefined],
  ['the same in row groups', cells, 3],
  ['lists, which are not copied', { ...cells, lists }, undefined],
] as const)('%s are the same as by a table', async (_, of, rowGroup) => {
  const [copied, byTable] = await bothWays(of, 4, rowGroup)
  expect(copied).toEqual(byTable)
  expect(copied).toHaveLength(Object.keys(of).length)
})

test('a file without rows keeps its columns', async () => {
  const [copied, byTable] = await bothWays({ code: { type: 'dictionary', data: new Int32Array(), dictionary: [] } }, 0)
  expect(copied).toEqual(byTable)
  expect(copied).toEqual([['code', 'dictionary', []]])
})
