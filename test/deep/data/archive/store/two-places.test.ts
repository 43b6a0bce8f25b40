// Deep: a ClickHouse server.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, sampleDir } from '../../../../../src/connect.js'
import { datasetOf } from '../../../../../src/contract/catalogue.js'
import type { Dataset } from '../../../../../src/contract/dataset.js'
import { Archive } from '../../../../../src/data/archive/archive.js'
import { copyArchive } from '../../../../../src/data/archive/copy-archive.js'
import { AnswerWriter } from '../../../../../src/data/archive/coverage/answer-writer.js'
import { sha256 } from '../../../../../src/data/archive/file-access.js'
import { importFiles } from '../../../../../src/data/archive/import/import-files.js'
import { manifestText, readManifest } from '../../../../../src/data/archive/manifest.js'
import type { Manifest } from '../../../../../src/data/archive/manifest-entries.js'
import { readPart } from '../../../../../src/data/archive/part-file.js'
import { repairArchive } from '../../../../../src/data/archive/repair-archive.js'
import type { ArchiveStore } from '../../../../../src/data/archive/store/archive-store.js'
import { ClickHouseStore } from '../../../../../src/data/archive/store/clickhouse-store.js'
import { sweepTables } from '../../../../../src/data/archive/store/manifest-commits.js'
import { rowsDigest } from '../../../../../src/data/archive/store/rows-digest.js'
import { storeOf } from '../../../../../src/data/archive/store/store-of.js'
import { ArchiveWriter } from '../../../../../src/data/archive/writer.js'
import { ClickHouseClient } from '../../../../../src/data/clickhouse/clickhouse-client.js'
import { toObjects } from '../../../../../src/frame/read-columns.js'
import { toTable } from '../../../../../src/frame/table/arrow.js'
import { DictionaryBuilder } from '../../../../../src/frame/table/column-builder.js'
import { writeParquet } from '../../../../../src/frame/table/parquet.js'
import { startClickHouse } from '../../../../helper/clickhouse-server.js'
import { has } from '../../../../helper/server-process.js'
import { tempDir } from '../../../../helper/temp.js'

const isHere = has('clickhouse-server')
const suite = describe.skipIf(!isHere)

let servers: Awaited<ReturnType<typeof startClickHouse>>
let url: string
let count = 0
/** A new database of the server. */
const empty = (database = `made${count++}`): ClickHouseStore => new ClickHouseStore({ url, database }, { freshFor: 0 })
const stateOf = async (store: ArchiveStore): Promise<string | undefined> => (await store.read())?.state

beforeAll(async () => {
  if (!isHere) return
  servers = await startClickHouse()
  url = servers.nodes[0]?.url as string
})
afterAll(async () => servers?.stop())

const header = 'symbol,name,tradedate,type,type_name\n'
let files = 0
function csv(...rows: readonly string[]): string {
  const path = join(tempDir(), `st${files++}.csv`)
  writeFileSync(path, header + rows.map((row) => `${row},ST,\n`).join(''))
  return path
}

/** Every file below a folder with its bytes. */
function contents(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true }) as string[]
  const plain = names.filter((name) => statSync(join(dir, name)).isFile() && name !== 'README.md')
  return new Map(plain.sort().map((name) => [name, readFileSync(join(dir, name)).toString('base64')]))
}

suite('an archive in ClickHouse', () => {
  let sample: ClickHouseStore
  beforeAll(async () => {
    sample = empty('sample')
    await copyArchive(sampleDir, sample)
  })

  test('a copy has the same state, and a copy back the same files', async () => {
    expect(await stateOf(sample)).toBe(await stateOf(storeOf(sampleDir)))
    const back = join(tempDir(), 'back')
    await copyArchive(sample, back)
    expect(contents(back)).toEqual(contents(sampleDir))
  })

  test('rows that are changed behind its back are no rows of it', async () => {
    const store = empty()
    await importFiles(store, datasetOf('st'), [csv('000001,平安银行,20260102', '000002,万科,20260105')])
    const client = new ClickHouseClient({ url, database: store.client.database })
    const [table] = (await store.tables.names()).filter((name) => name.startsWith('rows_st_'))
    const [found] = (await store.tables.partitions()).filter((one) => one.table === table)
    await client.command(`insert into ${table} select * from ${table} where __part = '${found?.partition}'`)
    const market = await connect({ clickhouse: { url, database: store.client.database } })
    await expect(market.query('st')).rejects.toMatchObject({ code: 'ARCHIVE' })
    expect(await repairArchive(store)).toMatchObject([{ dataset: 'st', rows: 2, from: '20260102' }])
    await market.close()
  })

  test('an import into it is one into a directory', async () => {
    const [store, dir] = [empty(), join(tempDir(), 'dir')]
    const first = csv('000001,平安银行,20260102', '000002,万科,20260205')
    const second = csv('000001,*ST平安,20260102', '000004,国华,20260105')
    for (const place of [store, dir]) {
      for (const file of [first, second, first]) await importFiles(place, datasetOf('st'), [file])
    }
    expect(await stateOf(store)).toBe(await stateOf(storeOf(dir)))
    await expect(importFiles(store, datasetOf('st'), [first])).resolves.toMatchObject({ changed: 0, rows: 0 })
  })

  test('of two writers on one state the first wins, and the second changes nothing', async () => {
    const store = empty()
    await importFiles(store, datasetOf('st'), [csv('000001,平安银行,20260102')])
    const writers = await Promise.all(
      Array.from({ length: 6 }, () => ArchiveWriter.open(storeOf({ url, database: store.client.database }))),
    )
    for (const [at, writer] of writers.entries())
      await writer.putTicks(`2026010${at + 1}`, Buffer.from(`file ${at}`.repeat(300_000)), 1)
    const ends = await Promise.allSettled(writers.map((writer) => writer.commit()))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'ARCHIVE_CHANGED' })
    const { ticks } = (await store.read())?.manifest ?? { ticks: [] }
    expect(ticks).toHaveLength(1)
    const won = ends.findIndex(({ status }) => status === 'fulfilled')
    const bytes = await store.bytes(ticks[0]?.file as string, ticks[0]?.sha256 as string)
    expect(Buffer.from(bytes).toString()).toBe(`file ${won}`.repeat(300_000))
    const left = (await store.tables.partitions()).filter(({ table }) => table === 'files')
    expect(left).toHaveLength(1)
  })

  test('what no state names any more is dropped, and nothing else', async () => {
    const store = empty()
    const named = async (): Promise<Set<string>> => {
      const { number } = (await store.commits.views()).at(-1) ?? { number: 0 }
      const commit = await store.commits.read(number)
      return new Set([...(commit?.places.values() ?? [])].map(({ partition }) => partition))
    }
    for (const name of ['甲', '乙', '丙']) await importFiles(store, datasetOf('st'), [csv(`000001,${name},20260102`)])
    await importFiles(store, datasetOf('st'), [csv('000002,丁,20260203')])
    const slow = await ArchiveWriter.open(storeOf({ url, database: store.client.database }))
    await slow.putTicks('20260102', Buffer.from('slow'), 1)
    expect(await store.commits.views()).toHaveLength(4)
    await sweepTables(store.tables, store.commits, await named())
    expect(await store.commits.views()).toHaveLength(4)
    for (const name of ['戊', '己']) await importFiles(store, datasetOf('st'), [csv(`000001,${name},20260102`)])
    await sweepTables(store.tables, store.commits, await named(), { readable: -1, abandoned: 86_400 })
    expect(await store.commits.views()).toHaveLength(1)
    const rows = (await store.tables.partitions()).filter(({ table }) => table.startsWith('rows_'))
    expect(new Set(rows.map(({ partition }) => partition))).toEqual(await named())
    expect((await store.tables.partitions()).filter(({ table }) => table === 'files')).toHaveLength(1)
    const state = await stateOf(store)
    await expect(slow.commit()).rejects.toMatchObject({ code: 'ARCHIVE_CHANGED' })
    expect(await stateOf(store)).toBe(state)
    const gone = await ArchiveWriter.open(store)
    await gone.putTicks('20260105', Buffer.from('killed'), 1)
    await sweepTables(store.tables, store.commits, await named(), { readable: -1, abandoned: -1 })
    expect((await store.tables.partitions()).filter(({ table }) => table === 'files')).toEqual([])
    await expect(gone.commit()).rejects.toMatchObject({ code: 'ARCHIVE_CHANGED' })
    const found = await new Archive(store, 'own').query(datasetOf('st'), { startdate: '20260101', enddate: '20261231' })
    expect(toObjects(found)).toMatchObject([{ name: '己' }, { name: '丁' }])
  })

  test('a part that its rows do not make again is kept as its bytes', async () => {
    const dir = join(tempDir(), 'odd')
    await importFiles(dir, datasetOf('st'), [csv('000001,甲,20260102', '000002,乙,20260105')])
    const { manifest } = (await readManifest(dir)) as { manifest: Manifest }
    const [part] = manifest.datasets.st?.parts ?? []
    if (!part) throw new Error('a part was put')
    const dataset: Dataset = datasetOf('st')
    const rows = await readPart(dir, dataset, part)
    const bytes = await writeParquet(toTable(rows, { ...dataset.columns, ...dataset.stored }), { rowGroup: 1 })
    writeFileSync(join(dir, part.file), bytes)
    const other = { ...part, sha256: sha256(bytes), bytes: bytes.length }
    expect(other.sha256).not.toBe(part.sha256)
    const datasets = { st: { ...manifest.datasets.st, parts: [other] } }
    writeFileSync(join(dir, 'manifest.json'), manifestText({ ...manifest, datasets }))
    const [store, back] = [empty(), join(tempDir(), 'back')]
    await copyArchive(dir, store)
    await store.read()
    expect(rowsDigest(await store.readPart(dataset, other))).toBe(rowsDigest(rows))
    await copyArchive(store, back)
    expect(contents(back)).toEqual(contents(dir))
  })

  test('answers that several writers put at once are all there', async () => {
    const store = empty()
    const put = (at: number) => async (writer: ArchiveWriter) =>
      writer.putTicks(`2026010${at}`, Buffer.from(`file ${at}`), 1)
    const writers = Array.from({ length: 5 }, () => new AnswerWriter({ url, database: store.client.database }))
    await Promise.all(writers.map((writer, at) => writer.put(put(at + 1))))
    expect((await store.read())?.manifest.ticks.map(({ day }) => day)).toHaveLength(5)
  })

  test('a database of somebody else is left alone', async () => {
    const store = empty()
    const server = new ClickHouseClient({ url, database: 'system' })
    await server.command(`create database ${store.client.database}`)
    await server.command(`create table ${store.client.database}.theirs (a String) engine = Log`)
    await expect(ArchiveWriter.open(store)).rejects.toMatchObject({ code: 'ARCHIVE' })
    await expect(connect({ clickhouse: { url, database: 'nowhere' } })).rejects.toMatchObject({ code: 'ARCHIVE' })
  })
})

test('the digest of rows is that of their cells, however they lie in memory', () => {
  const words = fc.array(fc.option(fc.string()), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(words, fc.array(fc.string()), fc.integer({ min: 0, max: 19 }), (cells, others, at) => {
      const plain = new DictionaryBuilder(cells.length)
      const crowded = new DictionaryBuilder(cells.length)
      for (const word of others) crowded.codeOf(word)
      cells.forEach((cell, row) => {
        for (const column of [plain, crowded]) column.data[row] = cell === null ? -1 : column.codeOf(cell)
      })
      const digest = (values: ReturnType<typeof plain.build>) =>
        rowsDigest({ length: cells.length, columns: new Map([['a', values]]) })
      const built = plain.build()
      expect(digest(crowded.build())).toBe(digest(built))
      const row = at % cells.length
      const changed = new DictionaryBuilder(cells.length)
      cells.forEach((cell, each) => {
        const other = each === row ? `${cell}?` : cell
        changed.data[each] = other === null ? -1 : changed.codeOf(other)
      })
      expect(digest(changed.build())).not.toBe(digest(built))
    }),
  )
})
