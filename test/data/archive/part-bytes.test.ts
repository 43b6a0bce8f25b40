import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { sha256 } from '../../../src/data/archive/file-access.js'
import { bytesWithSum, partBytes } from '../../../src/data/archive/part-bytes.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { columnsFromParquet, writeParquet } from '../../../src/frame/table/parquet.js'
import { checkedFooter } from '../../../src/frame/table/parquet-file/pages.js'
import type { ColumnData } from '../../../src/frame/table/values.js'
import { chances } from '../../helper/chance.js'

const { columns: declared } = datasetOf('etf_minute')

/** Bars of one day or of two, prices of some thousands of different numbers. */
function barsOf(length: number, days: readonly string[]) {
  const next = chances(7)
  const text = (dictionary: readonly string[], of: (row: number) => number): ColumnData => {
    return { type: 'dictionary', dictionary, data: Int32Array.from({ length }, (_, row) => of(row)) }
  }
  const number = (most: number): ColumnData => {
    return { type: 'float', valid: null, data: Float64Array.from({ length }, () => Math.floor(next() * most) / 100) }
  }
  const columns = new Map([
    ['tradedate', text(days, (row) => Math.floor((row * days.length) / length))],
    ['symbol', text(['510050.SH', '510300.SH'], (row) => row % 2)],
    ['close', number(1500)],
    ['amount', number(1e9)],
  ])
  return { length, columns }
}

async function codecsOf(bytes: Uint8Array): Promise<string[]> {
  const { rowGroups } = await checkedFooter(bytes, 'a part')
  return [...new Set(rowGroups.flatMap(({ chunks }) => chunks.map(({ codec }) => codec)))]
}

test('a part of many rows is in the codec that is read fastest, a small one in the smallest', async () => {
  const many = barsOf(10_000, ['20260506'])
  const bytes = await partBytes(many, declared)
  expect(await codecsOf(bytes)).toEqual(['SNAPPY'])
  expect(await codecsOf(await partBytes(barsOf(500, ['20260506']), declared))).toEqual(['ZSTD'])
  const again = await columnsFromParquet(bytes, 'a part')
  expect(again.length).toBe(10_000)
  for (const name of ['close', 'amount']) {
    const [own, read] = [many, again].map((rows) => rows.columns.get(name))
    expect(read?.type === 'float' && read.data).toEqual(own?.type === 'float' && own.data)
  }
})

test('rows make the file with its checksum again, also one that an earlier version wrote', async () => {
  for (const days of [['20260506'], ['20260506', '20260507']]) {
    const rows = barsOf(10_000, days)
    const before = [{}, { mostWords: 1 }, ...(days.length === 1 ? [{ page: 2 ** 14 }] : [])]
    const files = await Promise.all(before.map((layout) => writeParquet(toTable(rows, declared), layout)))
    const sums = [await partBytes(rows, declared), ...files].map(sha256)
    expect(new Set(sums).size).toBe(sums.length)
    for (const sum of sums) {
      const made = await bytesWithSum(rows, declared, sum)
      expect(made && sha256(made)).toBe(sum)
    }
    expect(await bytesWithSum(rows, declared, '0'.repeat(64))).toBeUndefined()
  }
})
