/* Deep: files of a few kB that inflate to gigabytes. */
import { gzipSync } from 'node:zlib'
import { fromParquet } from 'quotebook'
import { expect, test } from 'vitest'
import { type HandFile, handFile, run, zstdZeros } from '../../helper/parquet-bytes.js'
import { peak } from '../../helper/peak.js'

const ints = Buffer.from(Int32Array.of(1, 2, 3, 4, 5, 6).buffer)
const six = { type: 1, pages: [{ kind: 'data', values: 6, bytes: ints }], rows: 6 } as const satisfies HandFile
const zip = (length: number, times: number) => Buffer.concat(Array(times).fill(gzipSync(Buffer.alloc(length))))
const inflating: readonly (readonly [string, () => HandFile])[] = [
  [
    'a page of Zstandard that says 24 bytes and inflates to 5 GB',
    () => ({ ...six, codec: 6, pages: [{ kind: 'data', values: 6, bytes: zstdZeros(40_000), inflated: 24 }] }),
  ],
  [
    'the same of gzip',
    () => ({ ...six, codec: 2, pages: [{ kind: 'data', values: 6, bytes: zip(2 ** 26, 80), inflated: 24 }] }),
  ],
  [
    'a million times one text of a megabyte',
    () => ({ type: 6, utf8: true, pages: run(1_000_000, Buffer.alloc(2 ** 20, 'x')), rows: 1_000_000 }),
  ],
]

test.each(inflating)('%s ends within the memory of the codec, and the next file is read', async (_, file) => {
  const bytes = handFile(file())
  const before = peak()
  await expect(fromParquet(bytes)).rejects.toMatchObject({ code: 'FILE', message: expect.stringMatching(/memory/) })
  expect(peak() - before).toBeLessThan(2 ** 30)
  expect((await fromParquet(handFile(six))).numRows).toBe(6)
})
