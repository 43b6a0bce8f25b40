// Deep: needs chdb, the engine of a recent ClickHouse.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeSample } from '../../../src/cli/write-sample.js'
import { connect } from '../../../src/connect.js'
import { copyArchive } from '../../../src/data/archive/copy-archive.js'
import type { TickEntry } from '../../../src/data/archive/manifest-entries.js'
import { storeOf } from '../../../src/data/archive/store/store-of.js'
import { toIpc } from '../../../src/frame/write-data.js'
import type { Market } from '../../../src/market.js'
import { report } from '../../../src/research/report/load/market-report.js'
import { sha256OfFile } from '../../../src/server/service/share/file-verifier.js'
import { tempDir } from '../../helper/temp.js'

/** Folder that chdb is installed in; 180 MB that few want: `npm install --prefix FOLDER chdb@3.4.0`. */
const folder = process.env.QUOTEBOOK_CHDB ?? ''
const hasChdb = existsSync(join(folder, 'node_modules', 'chdb')) || process.env.CI !== undefined

describe.skipIf(!hasChdb)('a market over the engine of a ClickHouse of these days', () => {
  let child: ChildProcess
  let address: string
  let dir: string
  let directory: Market
  let stored: Market

  beforeAll(async () => {
    dir = join(tempDir(), 'sample')
    await writeSample(dir, { symbols: 3, days: 12, hostile: true })
    const given = [join('test', 'helper', 'chdb-server.mjs'), folder, tempDir()]
    child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    address = `${String(line).trim().replace('http', 'clickhouse')}/sample`
    await copyArchive(dir, storeOf(address))
    directory = await connect({ archive: dir })
    stored = await connect({ archive: address })
  })
  afterAll(async () => {
    await stored?.close()
    child?.kill('SIGKILL')
  })

  test('holds the same archive: back in a directory it is the same state', async () => {
    const back = join(tempDir(), 'back')
    await copyArchive(storeOf(address), back)
    const there = await storeOf(dir).read()
    expect((await storeOf(back).read())?.state).toBe(there?.state)
    const [{ file, bytes, sha256 } = {} as TickEntry] = there?.manifest.ticks ?? []
    const store = storeOf(address)
    await store.read()
    const open = await store.open(file)
    expect([open.size, await sha256OfFile(open)]).toEqual([bytes, sha256])
    expect(open.modified).toBeGreaterThan(0)
    await store.close?.()
  })

  test('gives the report, the ticks and SQL of the directory', async () => {
    expect(await report(stored, { days: 4 })).toBe(await report(directory, { days: 4 }))
    const [day] = await directory.ticks.days()
    const [file, same] = await Promise.all([directory, stored].map(({ ticks }) => ticks.read(day as string)))
    expect(Buffer.from(toIpc(same as Table)).equals(toIpc(file as Table))).toBe(true)
    const sql = 'select symbol, count(*) as n, max(close) as top from etf_minute group by symbol order by symbol'
    const [one, other] = await Promise.all([directory.sql(sql), stored.sql(sql)])
    expect(other.toArray().map(String)).toEqual(one.toArray().map(String))
    expect(one.numRows).toBeGreaterThan(2)
  })
})
