import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../../src/connect.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { ArchiveWriter } from '../../../../src/data/archive/writer.js'
import { TickReader } from '../../../../src/data/ticks/read/tick-reader.js'
import { localTicks } from '../../../../src/data/ticks/tick-files.js'
import { numbers, strings } from '../../../../src/frame/read-columns.js'
import type { Market } from '../../../../src/market.js'
import { tempDir } from '../../../helper/temp.js'
import { bytesWritten } from './odd-files.js'

const days = ['20260105', '20260106', '20260107', '20260108', '20260109']

/** A day of 40 symbols with 30 ticks each, sorted by symbol, in row groups of 2048 at most. */
function ticksOf(day: string, more = ''): string {
  return `select '${day}' as tradedate, printf('%06d.%s', case when i < 600 then 600000 + i // 30 else 300 + i // 30 end,
      case when i < 600 then 'SH' else 'SZ' end) as symbol,
    printf('09:%02d:%02d', 15 + (i % 30) // 3, (i % 3) * 20) as time, (1000 + (i * ${Number(day) % 97}) % 500) / 100 as price,
    (i % 13)::integer as vol${more} from range(1200) r(i)`
}

async function archiveOf(files: Readonly<Record<string, Uint8Array>>, rows = 1200): Promise<string> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  for (const [day, bytes] of Object.entries(files)) await writer.putTicks(day, bytes, rows)
  await writer.commit()
  return dir
}

let files: Record<string, Uint8Array>
const open: Market[] = []
beforeAll(async () => {
  const options = 'compression zstd, row_group_size 2048'
  files = Object.fromEntries(
    await Promise.all(days.map(async (day) => [day, await bytesWritten(ticksOf(day), options)] as const)),
  )
})
afterEach(async () => {
  for (const market of open.splice(0)) await market.close()
})

async function marketOf(more: Readonly<Record<string, Uint8Array>> = {}): Promise<Market> {
  const market = await connect({ archive: await archiveOf({ ...files, ...more }) })
  open.push(market)
  return market
}

describe('read', () => {
  test('a column of integers on one day and of doubles on another is of doubles; of numbers and text is refused', async () => {
    const other = (type: string) => bytesWritten(ticksOf('20260112').replace('(i % 13)::integer', `(i % 13)::${type}`))
    const { ticks } = await marketOf({ '20260112': await other('double') })
    const table = await ticks.read({ days: ['20260109', '20260112'] })
    expect(String(table.schema.fields[4]?.type)).toBe('Float64')
    expect(numbers(table, 'vol').slice(1198, 1203)).toEqual(Float64Array.of(2, 3, 0, 1, 2))
    const { ticks: text } = await marketOf({ '20260112': await other('varchar') })
    await expect(text.read({ days: ['20260109', '20260112'] })).rejects.toMatchObject({
      code: 'FILE',
      message: expect.stringMatching(/'vol' has numbers on 20260109 and text on 20260112/),
    })
  })
})

test('a day without a row of the codes asked for does not matter to how the others are told', async () => {
  const wide = (symbol: string) =>
    bytesWritten(
      `select '${symbol}' as symbol, 9007199254740993 + i as id, {'a': i} as both, i::integer as vol from range(3) r(i)`,
    )
  const dir = await archiveOf({ '20260105': await wide('600000.SH'), '20260106': await wide('600001.SH') }, 3)
  const market = await connect({ archive: dir })
  open.push(market)
  for (const round of [1, 2]) {
    const table = await market.ticks.read({ days: ['20260105', '20260106'], symbols: '600001', threads: 1 })
    expect([round, ...strings(table, 'id')]).toEqual([
      round,
      '9007199254740993',
      '9007199254740994',
      '9007199254740995',
    ])
    expect(strings(table, 'both')).toEqual(['{"a":0}', '{"a":1}', '{"a":2}'])
    expect(String(table.schema.fields[3]?.type)).toBe('Int32')
  }
})

describe('what is refused', () => {
  test('a manifest that counts other rows, and a file that is gone', async () => {
    const dir = await archiveOf(files, 1199)
    const market = await connect({ archive: dir })
    open.push(market)
    await expect(market.ticks.read('20260105')).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringMatching(/1200 rows.*1199/),
    })
    rmSync(join(dir, 'ticks', '20260106_aucde.parquet'))
    await expect(market.ticks.read('20260106')).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringMatching(/20260106.*missing/),
    })
  })
})

describe('ends', () => {
  test('a file that is written over while it is searched is compared with its checksum again', async () => {
    const dir = await archiveOf(files)
    const path = join(dir, 'ticks', '20260105_aucde.parquet')
    const own = localTicks(new Archive(dir, 'test'))
    const reader = new TickReader(own)
    const wanted = { symbols: ['600003'] }
    for await (const { decoded } of reader.read(['20260105'], wanted)) expect(decoded.columns.length).toBe(30)
    const other = await bytesWritten(ticksOf('20260105').replace('1000 +', '1001 +'))
    const beside = join(dir, 'other.parquet')
    writeFileSync(beside, other)
    const reading = reader.read(['20260105'], wanted).next()
    setImmediate(() => renameSync(beside, path))
    await expect(reading).rejects.toMatchObject({ code: 'ARCHIVE' })
  })

  test('a day that is replaced while its file is looked for is read anew', async () => {
    const dir = await archiveOf(files)
    const archive = new Archive(dir, 'test')
    const own = localTicks(archive)
    let asked = 0
    const reader = new TickReader({
      ...own,
      file: async (day) => {
        const file = await own.file(day)
        if (asked++ > 0) return file
        const writer = await ArchiveWriter.open(dir)
        await writer.putTicks(day, await bytesWritten(`${ticksOf(day)} limit 7`), 7)
        await writer.commit()
        return file
      },
    })
    for await (const { decoded } of reader.read(['20260105'], {})) expect(decoded.columns.length).toBe(7)
    expect(asked).toBe(2)
  })
})
