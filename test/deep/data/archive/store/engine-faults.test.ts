// Deep: ClickHouse servers that are killed.
import { writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetOf } from '../../../../../src/contract/catalogue.js'
import { Archive } from '../../../../../src/data/archive/archive.js'
import { importFiles } from '../../../../../src/data/archive/import/import-files.js'
import { ClickHouseStore } from '../../../../../src/data/archive/store/clickhouse-store.js'
import { ArchiveWriter } from '../../../../../src/data/archive/writer.js'
import { ClickHouseClient } from '../../../../../src/data/clickhouse/clickhouse-client.js'
import { strings } from '../../../../../src/frame/read-columns.js'
import { startClickHouse } from '../../../../helper/clickhouse-server.js'
import { listen } from '../../../../helper/listen.js'
import { has } from '../../../../helper/server-process.js'
import { tempDir } from '../../../../helper/temp.js'

const isHere = has('clickhouse-server')
const suite = describe.skipIf(!isHere)

let servers: Awaited<ReturnType<typeof startClickHouse>>
let made = 0
const node = () => servers.nodes[0] as (typeof servers.nodes)[number]
const store = (database: string, url = node().url): ClickHouseStore =>
  new ClickHouseStore({ url, database }, { freshFor: 0 })

beforeAll(async () => {
  if (isHere) servers = await startClickHouse()
})
afterAll(async () => servers?.stop())

function csv(days: readonly string[]): string {
  const path = join(tempDir(), `st${made++}.csv`)
  writeFileSync(path, `symbol,name,tradedate,type,type_name\n${days.map((day) => `000001,平安,${day},ST,\n`).join('')}`)
  return path
}

const st = datasetOf('st')
const days = async (archive: Archive): Promise<unknown[]> =>
  strings(await archive.query(st, { startdate: '20260101', enddate: '20261231' }), 'tradedate')

/** Forwards to a server, and cuts each connection after so many bytes have gone either way. */
async function cutter(to: string): Promise<{ url: string; allow: (bytes: number) => void; close: () => void }> {
  let left = Number.POSITIVE_INFINITY
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = dial(Number(new URL(to).port), '127.0.0.1')
    const end = (): void => {
      for (const one of [socket, onward]) {
        one.destroy()
        open.delete(one)
      }
    }
    const pass = (from: Socket, into: Socket): void => {
      open.add(from)
      from.on('error', end)
      from.on('close', end)
      from.on('data', (bytes) => {
        left -= bytes.length
        into.write(left < 0 ? bytes.subarray(0, Math.max(0, bytes.length + left)) : bytes)
        if (left <= 0) setTimeout(end, 5)
      })
    }
    pass(socket, onward)
    pass(onward, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const close = (): void => {
    server.close()
    for (const one of open) one.destroy()
  }
  return { url, allow: (bytes) => (left = bytes), close }
}

suite('faults of an engine that holds an archive', () => {
  test('a server that is killed between parts and manifest has the state before, and takes the next one', async () => {
    const own = store('between')
    await importFiles(own, st, [csv(['20260102'])])
    const writer = await ArchiveWriter.open(own)
    await writer.putTicks('20260102', Buffer.alloc(3_000_000, 7), 1)
    await node().kill()
    await expect(writer.commit()).rejects.toThrow(new URL(node().url).host)
    await expect(days(new Archive(own, 'own'))).rejects.toThrow(new URL(node().url).host)
    await node().restart()
    const after = store('between')
    expect((await after.read())?.manifest.ticks).toEqual([])
    await importFiles(after, st, [csv(['20260105'])])
    expect(await days(new Archive(after, 'own'))).toEqual(['20260102', '20260105'])
  })

  test('a server that is killed while it takes rows leaves no half of them', async () => {
    const own = store('during')
    await importFiles(own, st, [csv(['20260102'])])
    const state = (await own.read())?.state
    const writer = await ArchiveWriter.open(own)
    const putting = writer.putTicks('20260102', Buffer.alloc(64 * 2 ** 20, 7), 1).then(
      () => writer.commit(),
      async (error) => {
        await writer.abort()
        throw error
      },
    )
    setTimeout(() => void node().kill(), 30)
    const failed = await putting.then(
      () => undefined,
      (error: Error) => error,
    )
    await node().restart()
    const after = store('during')
    const { manifest } = (await after.read()) ?? {}
    if (failed) expect((await after.read())?.state).toBe(state)
    for (const { file, sha256 } of manifest?.ticks ?? []) await after.verify(file, sha256)
    expect(await days(new Archive(after, 'own'))).toEqual(['20260102'])
  })

  test('wherever a connection is cut, an answer is right or an error, and a commit is whole or none', async () => {
    const direct = store('cut')
    await importFiles(direct, st, [csv(['20260102', '20260203'])])
    const proxy = await cutter(node().url)
    const twin = join(tempDir(), 'twin')
    await importFiles(twin, st, [csv(['20260102', '20260203'])])
    let [answered, failed, committed] = [0, 0, 0]
    try {
      for (let turn = 0; turn < 20; turn++) {
        const bytes = 200 + 1200 * turn
        proxy.allow(bytes)
        const read = await days(new Archive(store('cut', proxy.url), 'own')).catch((error: Error) => error)
        if (read instanceof Error) {
          failed++
          expect(read.message).toMatch(/127\.0\.0\.1:\d+/)
        } else {
          answered++
          expect(read).toEqual(expect.arrayContaining(['20260102', '20260203']))
        }
        const day = `202603${10 + turn}`
        const before = (await direct.read())?.state
        proxy.allow(bytes)
        const file = csv([day])
        const wrote = await importFiles(store('cut', proxy.url), st, [file]).catch((error: Error) => error)
        const isThere = (await direct.read())?.state !== before
        // A server may have taken what it could not say any more; what it said it has.
        if (!(wrote instanceof Error)) expect(isThere || wrote.changed === 0).toBe(true)
        if (isThere) {
          committed++
          await importFiles(twin, st, [file])
        }
        expect(await days(new Archive(direct, 'own'))).toEqual(await days(new Archive(twin, 'twin')))
      }
      proxy.allow(Number.POSITIVE_INFINITY)
      expect(await days(new Archive(store('cut', proxy.url), 'own'))).toEqual(await days(new Archive(twin, 'twin')))
    } finally {
      proxy.close()
    }
    expect([answered > 0, failed > 0, committed > 0]).toEqual([true, true, true])
  })

  test('a reader sees one state and every state after it, while others write', async () => {
    const own = store('watched')
    await importFiles(own, st, [csv(['20260102'])])
    const archive = new Archive(store('watched'), 'own')
    let isWriting = true
    const writing = (async () => {
      for (let day = 10; day < 25; day++) await importFiles(store('watched'), st, [csv([`202601${day}`])])
      isWriting = false
    })()
    let most = 0
    while (isWriting) {
      const found = await days(archive)
      expect(found.length).toBeGreaterThanOrEqual(most)
      expect(found).toEqual(['20260102', ...Array.from({ length: found.length - 1 }, (_, at) => `202601${10 + at}`)])
      most = found.length
    }
    await writing
    expect(await days(archive)).toHaveLength(16)
  })

  test('an exception in the body of a reply that began well is an error of a statement without rows too', async () => {
    const said = 'Code: 60, e.displayText() = DB::Exception: Table a.b does not exist., e.what() = DB::Exception\n'
    const server = createHttp((request, reply) => void request.resume().on('end', () => reply.end(said)))
    const { url, port, close } = await listen(server)
    const client = new ClickHouseClient({ url, database: 'a' })
    const rows = { length: 1, columns: new Map([['a', { type: 'string' as const, data: ['x'] }]]) }
    for (const done of [client.command('create view b as select 1'), client.insert('b', rows)])
      await expect(done).rejects.toMatchObject({ exception: 60, node: `127.0.0.1:${port}` })
    await client.close()
    void close()
  })

  test('a server that takes a connection and says nothing is told', async () => {
    const server = createServer((socket) => void socket.on('error', () => undefined))
    const { url, close } = await listen(server)
    const mute = new ClickHouseStore({ url, database: 'a' }, { lookWithin: 300 })
    await expect(mute.read()).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(mute.client.node),
    })
    await mute.close()
    void close()
  })
})
