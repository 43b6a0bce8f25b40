import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../../src/archive/archive.js'
import { ArchiveWriter } from '../../../src/archive/writer.js'
import { connect } from '../../../src/connect.js'
import { namesOf, numbers, objectsOf, texts } from '../../../src/frame/read-columns.js'
import { toIpc, toParquet } from '../../../src/frame/write-data.js'
import type { Market } from '../../../src/market.js'
import { fromRows } from '../../../src/table/from-rows.js'
import { fromIpc } from '../../../src/table/ipc.js'
import { fromParquet } from '../../../src/table/parquet.js'
import { provenance } from '../../../src/table/provenance.js'
import { readDay } from '../../../src/ticks/read/read-day.js'
import { searchSymbols, TickReader } from '../../../src/ticks/read/tick-reader.js'
import { localTicks } from '../../../src/ticks/tick-files.js'
import { tempDir } from '../../helper/temp.js'
import { bytesWritten, cellsOf, written } from './odd-files.js'

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

const rowsOf = (table: Table): object[] => objectsOf(table)

async function plain(list: readonly string[] = days): Promise<object[]> {
  const tables = await Promise.all(list.map((day) => fromParquet(files[day] as Uint8Array)))
  return tables.flatMap((table) => rowsOf(table))
}

describe('read', () => {
  test('several days in threads are the days one by one, in order', async () => {
    const { ticks } = await marketOf()
    const all = await ticks.read({ from: '20260101', to: '20261231', threads: 2 })
    expect(rowsOf(all)).toEqual(await plain())
    expect(rowsOf(await ticks.read({ days, threads: 1 }))).toEqual(rowsOf(all))
    expect(rowsOf(await ticks.read({ days: [...days].reverse(), threads: 3 }))).toEqual(rowsOf(all))
    expect(all.batches.length).toBe(days.length)
    expect(all.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'tradedate Dictionary<Int32, Utf8>',
      'symbol Dictionary<Int32, Utf8>',
      'time Dictionary<Int32, Utf8>',
      'price Float64',
      'vol Int32',
    ])
    expect(provenance(all)).toMatchObject({
      dataset: 'auction_tick',
      rows: 6000,
      total: 6000,
      complete: true,
      request: { params: { from: '20260101', to: '20261231' } },
    })
  })

  test('a table of several days goes through files as any other', async () => {
    const { ticks } = await marketOf()
    const all = await ticks.read({ days })
    for (const format of ['file', 'stream'] as const) expect(rowsOf(fromIpc(toIpc(all, format)))).toEqual(rowsOf(all))
    expect(rowsOf(await fromParquet(await toParquet(all)))).toEqual(rowsOf(all))
    expect(texts(all, 'tradedate').filter((day) => day === days[3])).toHaveLength(1200)
  })

  test('columns, in the order asked', async () => {
    const { ticks } = await marketOf()
    const table = await ticks.read({ days, columns: ['price', 'symbol'] })
    expect(namesOf(table)).toEqual(['price', 'symbol'])
    expect(rowsOf(table)).toEqual(
      (await plain()).map((row) => ({
        price: (row as { price: number }).price,
        symbol: (row as { symbol: string }).symbol,
      })),
    )
  })

  test('as a DataFrame, and day by day', async () => {
    const { ticks } = await marketOf()
    const frame = await ticks.load({ days: days.slice(0, 2), columns: ['symbol', 'price'] })
    expect(frame.shape).toEqual([2400, 2])
    const seen: string[] = []
    for await (const { day, table } of ticks.stream({ from: days[0], to: days[4], threads: 2 })) {
      seen.push(day)
      expect(rowsOf(table)).toEqual(await plain([day]))
      expect(provenance(table)).toMatchObject({ complete: true, total: 1200, request: { params: { days: [day] } } })
    }
    expect(seen).toEqual(days)
  })

  test('a day as before', async () => {
    const { ticks } = await marketOf()
    const table = await ticks.read('20260106')
    expect(provenance(table)?.request.params).toEqual({ day: '20260106' })
    expect(rowsOf(table)).toEqual(await plain(['20260106']))
  })

  test('whatever columns the files have: one that a day does not have is missing there', async () => {
    const { ticks } = await marketOf({
      '20260112': await bytesWritten(ticksOf('20260112', ", 'x' || i as extra, i / 2 as vol2")),
    })
    const table = await ticks.read({ days: ['20260109', '20260112'], threads: 1 })
    expect(namesOf(table)).toEqual(['tradedate', 'symbol', 'time', 'price', 'vol', 'extra', 'vol2'])
    expect(texts(table, 'extra').slice(1198, 1202)).toEqual([null, null, 'x0', 'x1'])
    expect([...numbers(table, 'vol2').slice(1199, 1202)]).toEqual([Number.NaN, 0, 0.5])
  })

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

test('a unit that is another on another day is none', async () => {
  const told = async (unit: string) => {
    const table = fromRows([{ symbol: '600000.SH', price: 1.5, vol: 7 }])
    for (const { name, metadata } of table.schema.fields) metadata.set('unit', name === 'price' ? unit : 'share')
    return toParquet(table)
  }
  const dir = await archiveOf({ '20260105': await told('yuan'), '20260106': await told('fen') }, 1)
  const market = await connect({ archive: dir })
  open.push(market)
  const units = (table: Table) => table.schema.fields.map(({ metadata }) => metadata.get('unit'))
  expect(units(await market.ticks.read('20260106'))).toEqual(['share', 'fen', 'share'])
  expect(units(await market.ticks.read({ days: ['20260105', '20260106'] }))).toEqual(['share', undefined, 'share'])
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
    expect([round, ...texts(table, 'id')]).toEqual([round, '9007199254740993', '9007199254740994', '9007199254740995'])
    expect(texts(table, 'both')).toEqual(['{"a":0}', '{"a":1}', '{"a":2}'])
    expect(String(table.schema.fields[3]?.type)).toBe('Int32')
  }
})

test('SQL refuses a column that is text in some files and numbers in others', async () => {
  const text = await bytesWritten(ticksOf('20260112').replace('(i % 13)::integer', '(i % 13)::varchar'))
  const market = await marketOf({ '20260112': text })
  await expect(market.sql('select max(vol) from ticks')).rejects.toMatchObject({
    code: 'SQL',
    message: expect.stringMatching(/'vol' is text in some tick files/),
  })
  const whole = await (await marketOf()).sql('select max(vol) as high, count(*) as rows from ticks')
  expect(rowsOf(whole)).toEqual([{ high: 12, rows: 6000 }])
})

test('tells how far it is, and takes a day by its name alone', async () => {
  const { ticks } = await marketOf()
  const seen: string[] = []
  await ticks.read({ days, onProgress: ({ done, of, day }) => seen.push(`${done}/${of} ${day}`) })
  expect(seen).toEqual(days.map((day, at) => `${at + 1}/5 ${day}`))
  for await (const { day, table } of ticks.stream('20260106')) expect([day, table.numRows]).toEqual(['20260106', 1200])
})

describe('symbols', () => {
  const asked: (readonly [string, readonly string[], string])[] = [
    ['one', ['600003.SH'], "symbol = '600003.SH'"],
    ['a bare code', ['600003'], "symbol = '600003.SH'"],
    ['several', ['600003', '000320.SZ', '000339'], "symbol in ('600003.SH', '000320.SZ', '000339.SZ')"],
    ['none of the file', ['600999'], 'false'],
    ['another exchange', ['600003.SZ'], 'false'],
  ]
  test.each(asked)('%s: as DuckDB finds them, by both engines', async (_, symbols, where) => {
    const path = await written(ticksOf('20260105'), 'compression zstd, row_group_size 2048')
    const expected = await cellsOf(path, ['symbol', 'time', 'price'], where)
    const wanted = { symbols, columns: ['symbol', 'time', 'price'] }
    const { mtimeMs } = statSync(path)
    const found = [
      await readDay({ name: 'x', path }, wanted),
      await searchSymbols({ path, stamp: `${mtimeMs}` }, wanted),
    ]
    for (const decoded of found) {
      expect(decoded?.total).toBe(1200)
      const { columns: of, length } = decoded?.columns ?? { columns: new Map(), length: -1 }
      const cell = (name: string, row: number) => {
        const values = of.get(name)
        return values?.type === 'dictionary' ? values.dictionary[values.data[row] as number] : values?.data[row]
      }
      const rows = Array.from({ length }, (_, row) => [cell('symbol', row), cell('time', row), cell('price', row)])
      expect(rows).toEqual(expected.map(([symbol, time, price]) => [symbol, time, Number(price)]))
    }
  })

  test('without the column in the answer, over days, told when there is none of a code', async () => {
    const { ticks } = await marketOf()
    for (const round of [1, 2]) {
      const table = await ticks.read({ days, symbols: ['600003', '600998'], columns: ['time', 'price'] })
      expect([round, table.numRows, namesOf(table)]).toEqual([round, 150, ['time', 'price']])
      const all = await ticks.read({ days, symbols: ['600003', '600998'] })
      expect(provenance(all)).toMatchObject({ complete: true, rows: 150, without: { symbols: ['600998'] } })
      expect(new Set(texts(all, 'symbol'))).toEqual(new Set(['600003.SH']))
    }
  })

  test('files without a column symbol are refused by its name', async () => {
    const { ticks } = await marketOf({
      '20260112': await bytesWritten(ticksOf('20260112').replace('as symbol', 'as code')),
    })
    await expect(ticks.read({ days: '20260112', symbols: '600003' })).rejects.toMatchObject({
      code: 'MISSING_COLUMN',
      message: expect.stringMatching(/20260112.*'symbol'/),
    })
  })
})

describe('what is refused', () => {
  test.each([
    [{}, 'USAGE', /days, or from and to/],
    [{ days: [] }, 'USAGE', /empty/],
    [{ days: '2026-01-05' }, 'USAGE', /YYYYMMDD/],
    [{ from: '20260105' }, 'USAGE', /from and to/],
    [{ from: '20260109', to: '20260105' }, 'USAGE', /later/],
    [{ days: '20260105', from: '20260105', to: '20260106' }, 'USAGE', /combined/],
    [{ days: '20260105', column: ['x'] }, 'USAGE', /did you mean 'columns'/],
    [{ days: '20260105', threads: 0 }, 'USAGE', /threads/],
    [{ days: '20260105', columns: 'price' as never, symbols: 5 as never }, 'USAGE', /symbols/],
    [{ days: '20260110' }, 'FILE', /no auction ticks of 20260110/],
    [{ from: '20270101', to: '20270201' }, 'FILE', /no auction ticks from 20270101/],
    [{ days: '20260105', columns: ['prise'] }, 'MISSING_COLUMN', /20260105.*'prise'/],
  ])('%j', async (options, code, message) => {
    const { ticks } = await marketOf()
    await expect(ticks.read(options as never)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('a file whose bytes are not those of the manifest, one by one and in threads; also after it was read', async () => {
    const dir = await archiveOf(files)
    const market = await connect({ archive: dir })
    open.push(market)
    expect((await market.ticks.read({ days })).numRows).toBe(6000)
    const path = join(dir, 'ticks', '20260107_aucde.parquet')
    const other = await bytesWritten(ticksOf('20260107').replace('1000 +', '1001 +'))
    writeFileSync(path, other)
    for (const options of [{ days: '20260107' }, { days, threads: 2 }, { days: '20260107', symbols: '600003' }]) {
      await expect(market.ticks.read(options)).rejects.toMatchObject({
        code: 'ARCHIVE',
        message: expect.stringMatching(/20260107.*checksum/),
      })
    }
    writeFileSync(path, files['20260107'] as Uint8Array)
    utimesSync(path, 1, 1)
    expect((await market.ticks.read({ days })).numRows).toBe(6000)
  })

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
  test('an aborted read ends with the reason, and the next one goes on', async () => {
    const { ticks } = await marketOf()
    const stop = new AbortController()
    const reading = ticks.read({ days, threads: 2, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
    expect((await ticks.read({ days, threads: 2 })).numRows).toBe(6000)
  })

  test('a loop that is left early leaves nothing behind', async () => {
    const reader = new TickReader(localTicks(new Archive(await archiveOf(files), 'test')))
    for await (const { day } of reader.read(days, {}, { threads: 2 })) {
      expect(day).toBe(days[0])
      break
    }
    const again: string[] = []
    for await (const { day } of reader.read(days, {}, { threads: 2 })) again.push(day)
    expect(again).toEqual(days)
    await reader.close()
  })

  test('an abort while the last day is read ends with the reason', async () => {
    const reader = new TickReader(localTicks(new Archive(await archiveOf(files), 'test')))
    const stop = new AbortController()
    const reading = reader.read(['20260105'], {}, { signal: stop.signal }).next()
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(reading).rejects.toThrow('enough')
  })

  test('a file that is written over while it is searched is held against its checksum again', async () => {
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

test('sha256 of the files is what the manifest says', async () => {
  const dir = await archiveOf(files)
  const { ticks } = await new Archive(dir, 'test').manifest()
  for (const { file, sha256 } of ticks)
    expect(
      createHash('sha256')
        .update(readFileSync(join(dir, file)))
        .digest('hex'),
    ).toBe(sha256)
  renameSync(dir, `${dir}-2`)
})
