/* Deep: needs a ClickHouse. */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Archive } from '../../../src/data/archive/archive.js'
import { ClickHouseStore } from '../../../src/data/archive/store/clickhouse-store.js'
import { ClickHouseClient } from '../../../src/data/clickhouse/clickhouse-client.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { fetchYear } from '../../../src/data/ticks/fetch/fetch-year.js'
import { createShares, type ShareFault } from '../../../src/server/service/share/tick-shares.js'
import { startClickHouse } from '../../helper/clickhouse-server.js'
import { sameDays } from '../../helper/fetched.js'
import { runService } from '../../helper/running-service.js'
import { has } from '../../helper/server-process.js'
import { type Ask, basic, bytesOf, putTicks, serveShares, tell } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'
import { tickFiles, year } from '../../helper/tick-year.js'

const isHere = has('clickhouse-server')
const piece = 2 ** 20
const [small, large] = ['20260105', '20260106']
const files = { [small]: bytesOf(small, 1000), [large]: bytesOf(large, 3 * piece + 77) }

describe.skipIf(!isHere)('tick files of an archive in ClickHouse are shared as those of a directory', () => {
  let servers: Awaited<ReturnType<typeof startClickHouse>>
  let count = 0
  const empty = (): ClickHouseStore =>
    new ClickHouseStore({ url: servers.nodes[0]?.url as string, database: `shared${count++}` }, { freshFor: 0 })

  beforeAll(async () => {
    servers = await startClickHouse()
  })
  afterAll(async () => servers?.stop())

  /** The share of the year over a place, and how to ask for a file of it. */
  async function shareOf(place: string | ClickHouseStore, year = 2026) {
    const faults: ShareFault[] = []
    const onFault = (fault: ShareFault): unknown => faults.push(fault)
    const shares = createShares(new Archive(place, 'test'), { secret: Buffer.alloc(32, 1), patience: 30_000, onFault })
    const server = await serveShares(shares)
    onTestFinished(() => server.close())
    const offered = await shares.offer({ name: 'alice', plan: 'flagship' }, year, server.base)
    const { data } = offered
    const folder = new URL(String(data?.url)).pathname
    const password = String(data?.password)
    const ask = (name: string, { headers, ...more }: Partial<Ask> = {}) =>
      tell({ port: server.port, path: `${folder}${name}`, headers: { ...basic(password), ...headers }, ...more })
    return {
      offered,
      ask,
      faults,
      folder,
      file: (day: string, more?: Partial<Ask>) => ask(`${day}_aucde.parquet`, more),
    }
  }

  test('the same offer, the same listing but for dates, the same bytes and any part of them', async () => {
    const [dir, store] = [join(tempDir(), 'dir'), empty()]
    for (const place of [dir, store]) await putTicks(place, files)
    const [one, other] = [await shareOf(dir), await shareOf(store)]
    const facts = ({ data }: typeof one.offered) => ({ ...data, url: '', password: '', expires_at: '' })
    expect(facts(other.offered)).toEqual(facts(one.offered))
    const listing = async ({ ask, folder }: typeof one): Promise<string> => {
      const { status, body } = await ask('', { method: 'PROPFIND', headers: { depth: '1' } })
      expect(status).toBe(207)
      return body
        .toString()
        .replaceAll(folder, '/')
        .replace(/<D:getlastmodified>[^<]+ GMT</g, '<D:getlastmodified><')
    }
    expect(await listing(other)).toBe(await listing(one))
    for (const [day, bytes] of Object.entries(files)) {
      const { status, headers, body } = await other.file(day)
      expect([status, body.equals(bytes)]).toEqual([200, true])
      expect(headers.etag).toBe((await one.file(day)).headers.etag)
      expect(Math.abs(Date.parse(String(headers['last-modified'])) - Date.now())).toBeLessThan(3_600_000)
      const same = await other.file(day, { headers: { 'if-none-match': String(headers.etag) } })
      expect(same.status).toBe(304)
    }
    const near = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -2, max: 2 }))
    const place = near.map(([row, more]) => Math.min(Math.max(row * piece + more, 0), 3 * piece + 76))
    await fc.assert(
      fc.asyncProperty(place, place, async (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const { status, body } = await other.file(large, { headers: { range: `bytes=${from}-${to}` } })
        expect([status, body.equals(files[large]?.subarray(from, to + 1) as Uint8Array)]).toEqual([206, true])
      }),
      { numRuns: 30 },
    )
  })

  test('a file that is put again is new for the next; one whose bytes are gone is left out and told', async () => {
    const store = empty()
    await putTicks(store, files)
    const { file, ask, faults } = await shareOf(store)
    const fresh = bytesOf(large, 2 * piece, 1)
    await putTicks(store, { [large]: fresh })
    expect((await file(large)).body.equals(fresh)).toBe(true)
    const client = new ClickHouseClient({ url: servers.nodes[0]?.url as string, database: store.client.database })
    onTestFinished(() => client.close())
    const partition = store.engine.place(`ticks/${small}_aucde.parquet`)?.partition
    await client.command(`alter table files drop partition '${partition}'`)
    // What was verified is open to nobody any more.
    expect((await file(small)).status).toBe(404)
    expect((await ask('')).body.toString()).not.toContain(small)
    expect(faults).toEqual([
      {
        file: `${small}_aucde.parquet`,
        message: `${small}_aucde.parquet is not shared: it is missing; import it again`,
      },
    ])
  })

  test('our client fetches a year of a service over it; while the server is away the share says so', async () => {
    const store = empty()
    const given = await tickFiles(['20250102', '20250103', '20250106'], { seed: 5 })
    await putTicks(store, Object.fromEntries(given))
    const service = await runService({ dir: store })
    onTestFinished(() => service.close())
    const source = new HttpSource({ nodes: [service.url], apikey: 'k', retry: { attempts: 1 } })
    onTestFinished(() => source.close())
    const dest = join(tempDir(), 'fetched')
    expect(await fetchYear(source, { year, dest })).toMatchObject({ fetched: 3 })
    expect(sameDays(dest, given)).toEqual([...given.keys()])
    const { file } = await shareOf(store, year)
    await servers.nodes[0]?.kill()
    expect((await file('20250102')).status).toBe(503)
    await servers.nodes[0]?.restart()
    expect((await file('20250102')).status).toBe(200)
  })
})
