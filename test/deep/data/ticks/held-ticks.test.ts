// Deep: a ClickHouse server holds the rows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../../../src/data/archive/archive.js'
import type { ScanEngine } from '../../../../src/data/archive/store/archive-store.js'
import { DirectoryStore } from '../../../../src/data/archive/store/directory-store.js'
import { clickHouseAddress } from '../../../../src/data/clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../../../src/data/clickhouse/clickhouse-client.js'
import { dropTicks, insertTicks } from '../../../../src/data/clickhouse/tick-rows.js'
import type { TickReadOptions } from '../../../../src/data/ticks/read/tick-request.js'
import { localTicks } from '../../../../src/data/ticks/tick-files.js'
import { Ticks } from '../../../../src/data/ticks/ticks.js'
import { columnsOf } from '../../../../src/frame/table/unwrap.js'
import { type ColumnData, cellOf } from '../../../../src/frame/table/values.js'
import { startClickHouse } from '../../../helper/clickhouse-server.js'
import { has } from '../../../helper/server-process.js'

const isHere = has('clickhouse-server')
const sample = join(import.meta.dirname, '../../../../data/sample')

/** The files of a directory, whose rows are in an engine too. */
class HeldStore extends DirectoryStore {
  readonly engine: ScanEngine
  constructor(dir: string, engine: ScanEngine) {
    super(dir)
    this.engine = engine
  }
}

const partOf = (file: string): string => `${file} 00ff`

async function put(client: ClickHouseClient, archive: Archive): Promise<void> {
  for (const { file } of (await archive.manifest()).ticks) {
    await insertTicks(client, partOf(file), readFileSync(join(sample, file)))
  }
}

function cells(table: Parameters<typeof columnsOf>[0]): unknown {
  const { length, columns } = columnsOf(table)
  const all = (values: ColumnData): unknown[] => Array.from({ length }, (_, row) => cellOf(values, row))
  return [...columns].map(([name, values]) => [name, values.type, all(values)])
}

describe.skipIf(!isHere)('ticks that an engine holds', () => {
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let client: ClickHouseClient
  let files: Ticks
  let held: Ticks
  let archive: Archive
  beforeAll(async () => {
    servers = await startClickHouse()
    client = new ClickHouseClient(clickHouseAddress(servers.nodes[0]?.address('default') as string))
    archive = new Archive(sample, 'sample')
    await put(client, archive)
    const engine = { client, place: (file: string) => ({ table: 'files', partition: partOf(file) }) }
    const of = new Archive(new HeldStore(sample, engine), 'sample')
    files = new Ticks(() => localTicks(archive))
    held = new Ticks(() => localTicks(of))
  })
  afterAll(async () => {
    await files?.close()
    await held?.close()
    await client?.close()
    await servers?.stop()
  })

  const month = { from: '20260701', to: '20260729' }
  test.each<[string, string | TickReadOptions]>([
    ['a day', '20260729'],
    ['days', month],
    ['some columns in another order', { ...month, columns: ['m_price', 'time', 'tradedate'] }],
    ['codes in either spelling', { ...month, symbols: ['300750', '000001.SZ'] }],
    ['codes without their column', { ...month, symbols: '300750', columns: ['m_price'] }],
    ['a code that is not there', { days: '20260729', symbols: ['999999'] }],
  ])('%s give the same table as the files', async (_, what) => {
    const [there, here] = [await files.read(what), await held.read(what)]
    expect(cells(here)).toStrictEqual(cells(there))
    expect(here.schema.metadata).toStrictEqual(there.schema.metadata)
    expect(here.schema.fields.map(String)).toStrictEqual(there.schema.fields.map(String))
    expect(here.schema.fields.map(({ metadata }) => metadata)).toStrictEqual(
      there.schema.fields.map(({ metadata }) => metadata),
    )
    expect(here.batches.length).toBe(there.batches.length)
  })

  test('errors are those of the files', async () => {
    for (const what of [
      { days: '20260729', columns: ['nope'] },
      { days: '20260101' },
      { days: '20260729', symbols: ['1'] },
    ]) {
      const failure = async (ticks: Ticks): Promise<unknown> =>
        ticks.read(what).then(
          () => undefined,
          ({ code, message }) => ({ code, message }),
        )
      expect(await failure(held)).toStrictEqual(await failure(files))
    }
  })

  test('rows that lack are an error with the day and the node, whatever is asked', async () => {
    const day = '20260728'
    const { file } = (await archive.manifest()).ticks.find((entry) => entry.day === day) as { file: string }
    const lines = await client.columns(`select name from system.tables where match(name, '^ticks_')`)
    const table = cellOf(lines?.columns.get('name') as ColumnData, 0)
    await client.command(`alter table ${table} drop partition '${partOf(file)}'`)
    try {
      for (const what of [day, { days: day, symbols: '300750' }, { from: day, to: '20260729', columns: ['m_price'] }]) {
        await expect(held.read(what)).rejects.toMatchObject({
          code: 'ARCHIVE',
          message: expect.stringContaining(`${day}: ${client.node}`),
        })
      }
      await dropTicks(client, partOf(file))
      expect(cells(await held.read(day))).toStrictEqual(cells(await files.read(day)))
    } finally {
      await insertTicks(client, partOf(file), readFileSync(join(sample, file)))
    }
    expect(cells(await held.read(day))).toStrictEqual(cells(await files.read(day)))
  })
})
