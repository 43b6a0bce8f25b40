import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { datasetOf, fromIpc, fromParquet, fromRows, importFiles, rowsOf, toObjects, toParquet } from 'quotebook'
import { expect, test } from 'vitest'
import { type HandFile, handFile, run, zstdZeros } from '../../helper/parquet-bytes.js'
import { peak } from '../../helper/peak.js'
import { tempDir } from '../../helper/temp.js'

const word = Buffer.from('000001.SZ')
const ints = Buffer.from(Int32Array.of(1, 2, 3, 4, 5, 6).buffer)
const six = { type: 1, pages: [{ kind: 'data', values: 6, bytes: ints }], rows: 6 } as const satisfies HandFile
const billion = 1_000_000_000

test('a file written by hand is read', async () => {
  expect(rowsOf(await fromParquet(handFile(six)))).toEqual([[1], [2], [3], [4], [5], [6]])
  expect(rowsOf(await fromParquet(handFile({ type: 6, pages: run(3, word), rows: 3 })))).toEqual([
    ['000001.SZ'],
    ['000001.SZ'],
    ['000001.SZ'],
  ])
  const zeros = { kind: 'data', values: 32_768, bytes: zstdZeros(1), inflated: 131_072 } as const
  expect((await fromParquet(handFile({ type: 1, codec: 6, pages: [zeros], rows: 32_768 }))).numRows).toBe(32_768)
})

test('a path is no bytes, and the error says what to give', async () => {
  const right = /takes bytes, a Uint8Array: .*, of a file readFileSync\(path\); not 'bars\.parquet'$/
  const refused = { code: 'INVALID_VALUE', message: expect.stringMatching(right) }
  await expect(fromParquet('bars.parquet' as never)).rejects.toMatchObject(refused)
  expect(() => fromIpc('bars.parquet' as never)).toThrow(expect.objectContaining(refused))
})

const wide = () => handFile({ ...six, columns: 41_000 })
const long = () => {
  const end = Buffer.alloc(8, 'PAR1')
  end.writeUInt32LE(140_000_000)
  return Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(140_000_000), end])
}

const lies: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  ['0 rows over 6', () => handFile({ ...six, rows: 0, groupRows: 6 }), /counts 0 rows, its row groups 6/],
  ['0 rows in a row group of 6 cells', () => handFile({ ...six, rows: 0, cells: 6 }), /has 6 cells for 0 rows/],
  ['0 rows everywhere over pages of 6', () => handFile({ ...six, rows: 0 }), /hold 6 cells, its footer counts 0/],
  ['7 rows over 6', () => handFile({ ...six, rows: 7 }), /hold 6 cells, its footer counts 7/],
  ['2^40 rows', () => handFile({ ...six, rows: 2n ** 40n }), /1099511627776 rows, and (50|12)000000 are the most/],
  ['2^62 rows', () => handFile({ ...six, rows: 2n ** 62n }), /number of rows.* is 4611686018427387904/],
  ['a billion rows', () => handFile({ type: 6, pages: run(billion, word), rows: billion }), /1000000000 rows, and/],
  [
    'a billion texts of 33 kB',
    () => handFile({ type: 6, utf8: true, pages: run(billion, Buffer.alloc(33_000, 'x')), rows: billion }),
    /1000000000 rows, and/,
  ],
  ['134 million rows', () => handFile({ type: 6, pages: run(2 ** 27, word), rows: 2 ** 27 }), /134217728 rows, and/],
  [
    'a run of a billion in a page of 6',
    () => handFile({ type: 6, pages: run(billion, word, 6), rows: 7 }),
    /hold 6 cells/,
  ],
  ['41,000 columns', wide, /41000 columns, and 10000 are the most/],
  ['a footer of 140 MB', long, /footer has 140000000 bytes/],
]

test.each(lies)('%s: refused by every reader', async (_, made, why) => {
  const bytes = made()
  const before = Math.max(peak(), 0)
  const refused = { code: 'FILE', message: expect.stringMatching(why) }
  await expect(fromParquet(bytes)).rejects.toMatchObject(refused)
  const path = join(tempDir(), 'day.parquet')
  writeFileSync(path, bytes)
  const archive = join(tempDir(), 'archive')
  await expect(importFiles(archive, datasetOf('hotstock'), [path])).rejects.toMatchObject({
    code: 'IMPORT',
    message: expect.stringMatching(why),
  })
  expect(peak() - before).toBeLessThan(2 ** 30)
})

test('the limits can be set, and are held', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ symbol: `${i}`.padStart(6, '0'), close: i / 100 }))
  const bytes = await toParquet(fromRows(rows))
  for (const limits of [{ rows: 999 }, { columns: 1 }, { bytes: 10_000 }])
    await expect(fromParquet(bytes, 'it', limits)).rejects.toMatchObject({
      code: 'FILE',
      message: expect.stringMatching(
        `^it is too large: .* are the most that is read; set the limit '${Object.keys(limits)[0]}' higher$`,
      ),
    })
  for (const limits of [{ rows: 1000 }, { columns: 2 }, { bytes: 2 ** 32 }])
    expect((await fromParquet(bytes, 'it', limits)).numRows).toBe(1000)
})

test('a file that the codec has no memory for is not called torn: the limit is named', async () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [`${'中文abc'.repeat(i % 40)}${i}`])
  const bytes = await toParquet(fromRows(rows, { columns: ['zz'] }))
  await expect(fromParquet(bytes, 'it', { bytes: 60_000_000 })).rejects.toMatchObject({
    code: 'FILE',
    message: "it can not be read: it is damaged, or needs more memory than it may have; set the limit 'bytes' higher",
  })
  expect((await fromParquet(bytes)).numRows).toBe(300_000)
})

test('a page that is not what its checksum says is refused', async () => {
  for (const name of ['crc-v1', 'crc-v2']) {
    const bytes = new Uint8Array(readFileSync(`test/fixture/parquet/${name}.parquet`))
    expect((await fromParquet(bytes)).numRows).toBe(24)
    const page = handFile({ ...six, pages: [{ kind: 'data', values: 6, bytes: ints, crc: true }] })
    expect((await fromParquet(page)).numRows).toBe(6)
    const at = page.indexOf(ints) + 5
    page[at] = (page[at] as number) ^ 1
    await expect(fromParquet(page)).rejects.toThrow(/page 1 of symbol in row group 1 is not what its checksum says/)
  }
})

test('moments of INT96 beyond what nanoseconds reach are refused by name, all others are right', async () => {
  const moment = (day: number, nanos: bigint): Buffer => {
    const bytes = Buffer.alloc(12)
    bytes.writeBigInt64LE(nanos)
    bytes.writeInt32LE(day, 8)
    return bytes
  }
  const of = (...cells: Buffer[]) =>
    handFile({
      type: 3,
      pages: [{ kind: 'data', values: cells.length, bytes: Buffer.concat(cells) }],
      rows: cells.length,
    })
  const [today, evening] = [2_461_207, 86_399_999_999_999n]
  const good = of(moment(today, 5_400_000_000_001n), moment(2_440_587, evening), moment(2_547_338, 0n))
  const read = [['2026-06-15T01:30:00.000000001'], ['1969-12-31T23:59:59.999999999'], ['2262-04-10T00:00:00']]
  expect(rowsOf(await fromParquet(good))).toEqual(read)
  for (const day of [5_373_484, 2_333_000, 2_547_340, 1_721_426, 0]) {
    const bytes = of(moment(today, 0n), moment(day, 0n))
    const wrong = /column 'symbol' has a moment outside of 1677 to 2262 \(row 2 of row group 1\)/
    await expect(fromParquet(bytes)).rejects.toThrow(wrong)
  }
})

test('import takes limits too', async () => {
  const bytes = handFile({ type: 6, utf8: true, pages: run(3, word), rows: 3 })
  const path = join(tempDir(), 'day.parquet')
  writeFileSync(path, bytes)
  const options = { limits: { rows: 2 } }
  const archive = join(tempDir(), 'archive')
  await expect(importFiles(archive, datasetOf('hotstock'), [path], options)).rejects.toThrow(
    /3 rows, and 2 are the most/,
  )
})

test('files whose schema declares views of text, as polars writes them, are read', async () => {
  for (const name of ['polars', 'polars-categorical']) {
    const table = await fromParquet(new Uint8Array(readFileSync(`test/fixture/parquet/${name}.parquet`)))
    expect([table.numRows, toObjects(table)[0]]).toMatchObject([3000, { tradedate: '20260105', symbol: '600000.SH' }])
  }
})
