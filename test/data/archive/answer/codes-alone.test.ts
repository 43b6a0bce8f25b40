import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { writeSample } from '../../../../src/cli/write-sample.js'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { readManifest } from '../../../../src/data/archive/manifest.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { fromParquet } from '../../../../src/frame/table/parquet.js'
import { provenance } from '../../../../src/frame/table/provenance.js'
import { failure } from '../../../helper/failure.js'
import { tempDir } from '../../../helper/temp.js'

const dataset = datasetOf('etf_minute')
const day = '20260729'
let dir: string
let file: string
let rows: readonly Readonly<Record<string, unknown>>[]
let codes: readonly string[]

beforeAll(async () => {
  dir = join(tempDir(), 'large')
  await writeSample(dir, { days: 1, symbols: 400 })
  const part = (await readManifest(dir))?.manifest.datasets.etf_minute?.parts.at(-1)
  file = join(dir, String(part?.file))
  rows = toObjects(await fromParquet(readFileSync(file)))
  codes = [...new Set(rows.map(({ symbol }) => String(symbol)))]
}, 60_000)

const asked = (
  symbols: readonly string[],
  period: string,
  archive = new Archive(dir, 'large'),
): Promise<readonly object[]> => archive.query(dataset, { symbols, tradedate: day, period }).then(toObjects)

test('the bars of any codes, however spelt, are those that the file has', async () => {
  expect(rows.length).toBeGreaterThan(8192)
  const asking = new Archive(dir, 'large')
  const some = fc.array(fc.tuple(fc.nat(codes.length - 1), fc.boolean()), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(some, fc.constantFrom('15m', '30m'), async (drawn, period) => {
      const symbols = [...new Set(drawn.map(([at, isBare]) => (codes[at] as string).slice(0, isBare ? 6 : 9)))]
      const isOwn = (code: string): boolean => symbols.some((one) => one === code || one === code.slice(0, 6))
      const own = rows.filter((row) => row.period === period && isOwn(String(row.symbol)))
      const expected = own.map(({ period: _, ...row }) => row)
      expect(expected.length).toBeGreaterThanOrEqual(9)
      expect(await asked(symbols, period)).toEqual(expected)
      expect(await asked(symbols, period, asking)).toEqual(expected)
    }),
    { numRuns: 25 },
  )
})

test('of one code little more is decoded than its rows', async () => {
  const archive = new Archive(dir, 'large')
  await archive.query(dataset, { symbols: codes.slice(0, 1), tradedate: day, period: '15m' })
  const few = archive.cachedBytes
  await archive.query(dataset, { symbols: codes.slice(0, 200), tradedate: day, period: '15m' })
  expect(archive.cachedBytes).toBeGreaterThan(5 * few)
})

test('a code without bars has no rows, and the answer says so', async () => {
  const table = await new Archive(dir, 'large').query(dataset, {
    symbols: ['999999.SH'],
    tradedate: day,
    period: '15m',
  })
  expect(table.numRows).toBe(0)
  expect(JSON.stringify(provenance(table))).toContain('999999.SH is not among the latest codes')
})

test('a file of which a byte has changed is refused before a row of it is read', async () => {
  const bytes = readFileSync(file)
  const changed = Uint8Array.from(bytes)
  changed[1000] = (changed[1000] as number) ^ 1
  writeFileSync(file, changed)
  try {
    expect(await failure(asked(codes.slice(0, 1), '15m'))).toMatchObject({ code: 'ARCHIVE' })
  } finally {
    writeFileSync(file, bytes)
  }
})
