import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { bucketCloses } from '../../src/contract/session.js'
import { rowsOf, texts } from '../../src/frame/read-columns.js'
import { decode } from '../../src/table/decode.js'
import { provenance } from '../../src/table/provenance.js'
import { tempDir } from '../helper/temp.js'

const minute = datasetOf('convertible_minute')
const daily = datasetOf('convertible_daily')
const symbols = Array.from({ length: 700 }, (_, i) => `${123_000 + i}.SZ`)

async function archive(): Promise<Archive> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  const bars = symbols.flatMap((symbol) =>
    bucketCloses['30m'].map((at) => [
      '20260701',
      symbol,
      at,
      `${at.slice(0, 2)}:${at.slice(2)}:00`,
      1,
      1,
      1,
      1,
      1,
      1,
      1,
    ]),
  )
  await writer.put(minute, decode(minute, Object.keys(minute.columns), bars), 'test')
  const days = Array.from({ length: 9 }, (_, i) => `2026070${i + 1}`)
  const quotes = days.flatMap((day) => symbols.map((code) => [day, code.slice(0, 6), code]))
  await writer.put(daily, decode(daily, ['tradedate', 'symbol', 'code'], quotes), 'test')
  await writer.commit()
  return new Archive(dir, 'test')
}

test('the service keeps the first 6,000 rows by symbol, then trademin, and the answer says so', async () => {
  const source = await archive()
  const capped = await source.query(minute, { symbols })
  expect(capped.numRows).toBe(6000)
  expect(provenance(capped)).toMatchObject({ complete: false, note: 'the first 6000 of 6300 rows', total: 6300 })
  expect(texts(capped, 'symbol').at(-1)).toBe(symbols[666])
  expect(texts(capped, 'trademin').slice(-2)).toEqual(
    ['1330', '1400'].slice(-2).map((_, i) => bucketCloses['30m'][4 + i]),
  )
  const range = await source.query(daily, { startdate: '20260701', enddate: '20260709' })
  expect([range.numRows, provenance(range)?.complete]).toEqual([6000, false])
})

test('who asks for the whole gets all of it', async () => {
  const source = await archive()
  const whole = await source.query(minute, { symbols }, { whole: true })
  expect(whole.numRows).toBe(6300)
  expect(provenance(whole)).toMatchObject({ complete: true, rows: 6300 })
  const capped = await source.query(minute, { symbols })
  expect(rowsOf(whole).slice(0, 6000)).toEqual(rowsOf(capped))
})
