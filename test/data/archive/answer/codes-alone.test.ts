import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { writeSample } from '../../../../src/cli/write-sample.js'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { sha256 } from '../../../../src/data/archive/file-access.js'
import { manifestText, readManifest } from '../../../../src/data/archive/manifest.js'
import { repairArchive } from '../../../../src/data/archive/repair-archive.js'
import { storeOf } from '../../../../src/data/archive/store/store-of.js'
import { ArchiveWriter } from '../../../../src/data/archive/writer.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { decode } from '../../../../src/frame/table/decode.js'
import { fromParquet, writeParquet } from '../../../../src/frame/table/parquet.js'
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

test('a file as an earlier version laid it out has the same rows, and a rewriting repair lays it out anew', async () => {
  const older = join(tempDir(), 'older')
  cpSync(dir, older, { recursive: true })
  const { manifest } = (await readManifest(older)) as NonNullable<Awaited<ReturnType<typeof readManifest>>>
  const part = manifest.datasets.etf_minute?.parts.at(-1) as { file: string; sha256: string; bytes: number }
  const bytes = await writeParquet(await fromParquet(readFileSync(file)), { mostWords: 1 })
  const sum = sha256(bytes)
  expect(sum).not.toBe(part.sha256)
  const path = part.file.replace(/[0-9a-f]{12}\.parquet$/, `${sum.slice(0, 12)}.parquet`)
  Object.assign(part, { file: path, sha256: sum, bytes: bytes.length })
  writeFileSync(join(older, path), bytes)
  writeFileSync(join(older, 'manifest.json'), manifestText(manifest))
  const some = codes.slice(7, 9)
  const own = await asked(some, '15m')
  expect(await asked(some, '15m', new Archive(older, 'older'))).toEqual(own)
  const told: object[] = []
  expect(await repairArchive(older, { rewrite: true, onRewritten: (one) => told.push(one) })).toEqual([])
  expect(told).toEqual([{ dataset: 'etf_minute', files: 1, rows: rows.length, months: 0 }])
  const again = (await readManifest(older))?.manifest.datasets.etf_minute?.parts.at(-1)
  expect(again?.sha256).toBe(sha256(readFileSync(file)))
  expect(await asked(some, '15m', new Archive(older, 'older'))).toEqual(own)
  expect(await repairArchive(older, { rewrite: true, onRewritten: (one) => told.push(one) })).toEqual([])
  expect(told).toHaveLength(1)
})

test('days with the same codes and days with others are not taken for one another', async () => {
  const three = join(tempDir(), 'three')
  cpSync(dir, three, { recursive: true })
  const names = Object.keys(rows[0] as object)
  const others = codes.filter((_, at) => at % 7 !== 0)
  const rowsOf = new Map([
    ['20260727', rows],
    ['20260728', rows.filter(({ symbol }) => others.includes(String(symbol)))],
  ])
  const writer = await ArchiveWriter.open(storeOf(three))
  for (const [own, some] of rowsOf) {
    const cells = some.map((row) => names.map((name) => (name === 'tradedate' ? own : row[name])))
    await writer.put(dataset, decode(dataset, names, cells), 'test')
  }
  await writer.commit()
  const archive = new Archive(three, 'three')
  for (const [own, some] of [['20260729', rows], ...rowsOf, ['20260729', rows]] as const)
    for (const code of [codes[0], codes[8], codes.at(-1)]) {
      const query = { symbols: [String(code)], tradedate: own, period: '15m' }
      const found = toObjects((await archive.query(dataset, query)) as never) as { symbol: string; close: number }[]
      const expected = some.filter((row) => row.symbol === code && row.period === '15m')
      expect(found.map(({ symbol, close }) => [symbol, close])).toEqual(expected.map((row) => [row.symbol, row.close]))
    }
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
