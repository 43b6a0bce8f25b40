import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { copyArchive } from '../../../../src/data/archive/copy-archive.js'
import { keepMonths } from '../../../../src/data/archive/keep-months.js'
import { repairArchive } from '../../../../src/data/archive/repair-archive.js'
import { storeOf } from '../../../../src/data/archive/store/store-of.js'
import { ArchiveWriter } from '../../../../src/data/archive/writer.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { decode } from '../../../../src/frame/table/decode.js'
import { barsByCode, entryOf, withoutMonths } from '../../../helper/bars-by-code.js'
import { tempDir } from '../../../helper/temp.js'

const dataset = datasetOf('etf_minute')
const span = { from: '20260428', to: '20260703' }
type Row = Readonly<Record<string, unknown>> & { readonly symbol: string; readonly tradedate: string }
let dir: string
let codes: readonly string[]

const asked = async (place: Archive | string, symbols: readonly string[], period: string, days: object = span) => {
  const archive = typeof place === 'string' ? new Archive(place, 'archive') : place
  return toObjects(await archive.query(dataset, { symbols, period }, { days: days as never })) as Row[]
}

beforeAll(async () => {
  dir = await barsByCode()
  const day = { tradedate: span.to, trademin: '1500' }
  codes = (toObjects(await new Archive(dir, 'months').query(dataset, day)) as Row[]).map(({ symbol }) => symbol)
}, 120_000)

test('months that are over and whole are kept by code, those that are not are not', async () => {
  const { byCode = [], parts } = await entryOf(dir)
  expect([...new Set(byCode.map(({ partition }) => partition.slice(0, 6)))]).toEqual(['202605', '202606'])
  expect(parts[0]?.partition).toBe(span.from)
  for (const month of ['202605', '202606']) {
    const ofMonth = <T extends { partition: string }>(all: readonly T[]) =>
      all.filter(({ partition }) => partition.startsWith(month))
    const rows = (all: readonly { rows: number }[]): number => all.reduce((sum, one) => sum + one.rows, 0)
    expect(rows(ofMonth(byCode))).toBe(rows(ofMonth(parts)))
    expect(ofMonth(byCode).length).toBeGreaterThan(1)
  }
})

test('the bars of any codes over any days are those that the days have', async () => {
  const plain = new Archive(await withoutMonths(dir), 'plain')
  const own = new Archive(dir, 'own')
  const days = tradingDays(span.from, span.to)
  const some = fc.array(fc.tuple(fc.nat(codes.length - 1), fc.boolean()), { minLength: 1, maxLength: 7 })
  const spans = fc
    .tuple(fc.nat(days.length - 1), fc.nat(days.length - 1))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)])
  await fc.assert(
    fc.asyncProperty(some, spans, fc.constantFrom('15m', '30m'), async (drawn, [first = 0, last = 0], period) => {
      const symbols = [...new Set(drawn.map(([at, isBare]) => (codes[at] as string).slice(0, isBare ? 6 : 9)))]
      const of = { from: days[first], to: days[last] }
      const expected = await asked(plain, symbols, period, of)
      expect(expected.length).toBeGreaterThan(0)
      expect(await asked(own, symbols, period, of)).toEqual(expected)
      expect(await asked(dir, symbols, period, of)).toEqual(expected)
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('one code over a month is read from its file by code, and a day of all codes is not', async () => {
  const bare = join(tempDir(), 'bare')
  cpSync(dir, bare, { recursive: true })
  const june = { from: '20260601', to: '20260630' }
  const expected = await asked(dir, [codes[7] as string], '15m', june)
  for (const { file, partition } of (await entryOf(bare)).parts)
    if (partition.startsWith('202606')) rmSync(join(bare, file))
  expect(await asked(bare, [codes[7] as string], '15m', june)).toEqual(expected)
  const day = new Archive(bare, 'bare').query(dataset, { tradedate: '20260615', trademin: '1500' })
  await expect(day).rejects.toMatchObject({ code: 'ARCHIVE' })
})

test('a file by code that is missing or damaged changes no answer, and a repair makes it again', async () => {
  const place = join(tempDir(), 'damaged')
  cpSync(dir, place, { recursive: true })
  const { byCode = [] } = await entryOf(place)
  const some = [codes[3] as string, codes.at(-3) as string]
  const expected = await asked(dir, some, '15m')
  rmSync(join(place, byCode[0]?.file ?? ''))
  const last = join(place, byCode.at(-1)?.file ?? '')
  const bytes = readFileSync(last)
  bytes[1000] = (bytes[1000] as number) ^ 1
  writeFileSync(last, bytes)
  expect(await asked(place, some, '15m')).toEqual(expected)
  expect(await repairArchive(place)).toMatchObject([{ held: 'copy' }, { held: 'copy' }])
  expect((await entryOf(place)).byCode).toBeUndefined()
  expect(await asked(place, some, '15m')).toEqual(expected)
  const told: object[] = []
  expect(await repairArchive(place, { rewrite: true, onRewritten: (one) => told.push(one) })).toEqual([])
  expect(told).toEqual([{ dataset: 'etf_minute', files: 0, rows: 0, months: 2 }])
  expect((await entryOf(place)).byCode?.map(({ sha256 }) => sha256)).toEqual(byCode.map(({ sha256 }) => sha256))
  expect(await asked(place, some, '15m')).toEqual(expected)
})

test('a day that is missing or damaged comes back from its month by code, byte for byte', async () => {
  const place = join(tempDir(), 'days')
  cpSync(dir, place, { recursive: true })
  const state = await new Archive(place, 'place').state()
  const { parts } = await entryOf(place)
  const fileOf = (day: string): string => join(place, parts.find(({ partition }) => partition === day)?.file ?? '')
  const [may, june, july] = ['20260515', '20260615', '20260702'].map(fileOf) as [string, string, string]
  const bytes = readFileSync(may)
  rmSync(may)
  writeFileSync(june, readFileSync(june).fill(0, 500, 900))
  expect(await repairArchive(place)).toMatchObject([{ held: 'restored' }, { held: 'restored' }])
  expect(readFileSync(may).equals(bytes)).toBe(true)
  expect(await new Archive(place, 'place').state()).toBe(state)
  expect(await repairArchive(place)).toEqual([])
  // Of July there is no file by code.
  rmSync(july)
  expect(await repairArchive(place)).toMatchObject([{ from: '20260702', held: 'rows' }])
})

test('a sync is done though months can not be kept by code, and says why', async () => {
  const place = join(tempDir(), 'shut')
  const { unkept, rows } = await syncArchive(new Archive(dir, 'source'), {
    archive: place,
    datasets: ['etf_minute'],
    from: '20260601',
    // Where the folder belongs a file lies.
    onProgress: () => writeFileSync(join(place, 'by-code'), ''),
  })
  expect(rows).toBeGreaterThan(100_000)
  expect(String(unkept)).toContain('by-code')
  rmSync(join(place, 'by-code'))
  const stop = new AbortController()
  const again = await syncArchive(new Archive(dir, 'source'), {
    archive: place,
    datasets: ['etf_minute'],
    signal: stop.signal,
    onProgress: ({ what }) => what.startsWith('by-code') && stop.abort(),
  })
  expect(stop.signal.aborted).toBe(true)
  expect(again.unkept).toBeUndefined()
  expect(again).toMatchObject({ ok: true })
})

test('a bar that changes is answered as it is now, before and after its month is made again', async () => {
  const place = join(tempDir(), 'changed')
  cpSync(dir, place, { recursive: true })
  const code = codes[5] as string
  const put = async (day: string, close: number): Promise<void> => {
    const table = await new Archive(place, 'place').query(dataset, { symbols: [code], tradedate: day, period: '15m' })
    const rows = toObjects(table).map((row) => ({ ...row, period: '15m', close })) as unknown as Row[]
    const names = Object.keys(rows[0] as object)
    const writer = await ArchiveWriter.open(storeOf(place))
    await writer.put(
      dataset,
      decode(
        dataset,
        names,
        rows.map((row) => names.map((name) => row[name])),
      ),
      'test',
    )
    await writer.commit()
  }
  const closes = async (day: string) => {
    const rows = await asked(place, [code], '15m')
    return new Set(rows.filter(({ tradedate }) => tradedate === day).map(({ close }) => close))
  }
  const months = async () => [...new Set((await entryOf(place)).byCode?.map(({ partition }) => partition.slice(0, 6)))]
  await put('20260615', 123.456)
  expect(await closes('20260615')).toEqual(new Set([123.456]))
  expect(await months()).toEqual(['202605'])
  expect(readdirSync(join(place, 'by-code', 'etf_minute')).every((name) => name.startsWith('202605'))).toBe(true)
  const left: number[] = []
  const why = await keepMonths(storeOf(place), [dataset], undefined, (_, count) => left.push(count))
  expect([why, left]).toEqual([undefined, [1]])
  expect(await months()).toEqual(['202605', '202606'])
  expect(await closes('20260615')).toEqual(new Set([123.456]))
})

test('a sync keeps whole months by code', async () => {
  const place = join(tempDir(), 'synced')
  const source = new Archive(dir, 'source')
  const told: string[] = []
  const result = await syncArchive(source, {
    archive: place,
    datasets: ['etf_minute'],
    from: '20260601',
    onProgress: ({ what }) => told.push(what),
  })
  expect(result).toMatchObject({ latest: span.to })
  expect(result.unkept).toBeUndefined()
  expect((await entryOf(place)).byCode?.map(({ partition }) => partition.slice(0, 6))).toEqual(['202606', '202606'])
  expect(told.at(-1)).toBe('by-code/etf_minute (1)')
  const june = { from: '20260601', to: '20260630' }
  expect(await asked(place, [codes[9] as string], '15m', june)).toEqual(
    await asked(dir, [codes[9] as string], '15m', june),
  )
})

test('a copy has the months by code, and is the same archive', async () => {
  const copy = join(tempDir(), 'copy')
  const { state } = await copyArchive(dir, copy)
  expect(state).toBe(await new Archive(dir, 'own').state())
  for (const { file } of (await entryOf(copy)).byCode ?? []) expect(existsSync(join(copy, file))).toBe(true)
  expect(await asked(copy, [codes[1] as string], '30m')).toEqual(await asked(dir, [codes[1] as string], '30m'))
})
