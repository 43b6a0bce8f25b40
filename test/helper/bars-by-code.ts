import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { tradingDays } from '../../src/contract/calendar.js'
import { datasetOf } from '../../src/contract/catalogue.js'
import { bucketCloses } from '../../src/contract/session.js'
import { readManifest } from '../../src/data/archive/manifest.js'
import type { DatasetEntry } from '../../src/data/archive/manifest-entries.js'
import { storeOf } from '../../src/data/archive/store/store-of.js'
import { ArchiveWriter } from '../../src/data/archive/writer.js'
import type { ColumnData } from '../../src/frame/table/values.js'
import { tempDir } from './temp.js'

/** What an archive says of its bars. */
export async function entryOf(dir: string): Promise<DatasetEntry> {
  return (await readManifest(dir))?.manifest.datasets.etf_minute as DatasetEntry
}

/** A copy of an archive without its months by code. */
export async function withoutMonths(dir: string): Promise<string> {
  const plain = join(tempDir(), 'plain')
  cpSync(dir, plain, { recursive: true })
  const writer = await ArchiveWriter.open(storeOf(plain))
  for (const file of (await entryOf(plain)).byCode ?? []) writer.dropByCode('etf_minute', file)
  await writer.commit()
  return plain
}

/** Bars of 300 codes from the end of April to the beginning of July: two whole months, which are kept by code. */
export async function barsByCode(): Promise<string> {
  const dir = join(tempDir(), 'by-code')
  const dataset = datasetOf('etf_minute')
  const days = tradingDays('20260428', '20260703')
  const codes = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? `${159000 + i}.SZ` : `${510000 + i}.SH`))
  const closes = [...bucketCloses['15m'], ...bucketCloses['30m']]
  const of = closes.length * codes.length
  const length = of * days.length
  const text = (dictionary: readonly string[], codeOf: (row: number) => number) => {
    return { type: 'dictionary' as const, dictionary, data: Int32Array.from({ length }, (_, row) => codeOf(row)) }
  }
  const number = (of: (row: number) => number) => {
    return { type: 'float' as const, data: Float64Array.from({ length }, (_, row) => of(row)), valid: null }
  }
  const at = (row: number): number => row % closes.length
  const minutes = [...bucketCloses['15m']]
  const minuteAt = (row: number): number => minutes.indexOf(closes[at(row)] as string)
  const columns = new Map<string, ColumnData>([
    [
      'time',
      text(
        minutes.map((minute) => `${minute.slice(0, 2)}:${minute.slice(2)}:00`),
        minuteAt,
      ),
    ],
    ['tradedate', text(days, (row) => Math.floor(row / of))],
    ['symbol', text(codes, (row) => Math.floor(row / closes.length) % codes.length)],
    ['trademin', text(minutes, minuteAt)],
    ['period', text(['15m', '30m'], (row) => (at(row) < minutes.length ? 0 : 1))],
    ['close', number((row) => ((row * 7919) % 99_991) / 1000)],
    ['vol', number((row) => (row * 104_729) % 1_000_003)],
  ])
  const writer = await ArchiveWriter.open(storeOf(dir))
  await writer.put(dataset, { length, columns }, 'test')
  await writer.keepByCode(dataset)
  await writer.commit()
  return dir
}
