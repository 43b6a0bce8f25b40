import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient, type FileStat } from 'webdav'
import { Archive } from '../../../src/archive/archive.js'
import { sampleDir } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { HttpSource } from '../../../src/source/http-source.js'
import type { ListedFile, TickShare } from '../../../src/ticks/share/file-share.js'
import { openShare, type ShareKind } from '../../../src/ticks/share/open-share.js'
import { openOffer, requestYearOffer } from '../../../src/ticks/share/year-offer.js'
import { apache } from '../../helper/apache.js'
import { nginx } from '../../helper/nginx.js'
import { serviceOver } from '../../helper/own-service.js'
import { type FileServer, has, type Served } from '../../helper/server-process.js'
import { all, bytesFrom, days, failure, folderOfDays, impatient } from './scripted-server.js'

const password = 'pä:ss wörd'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Start = (dir: string, served?: Served) => Promise<FileServer>

async function started(start: Start, dir: string, served: Served = {}): Promise<FileServer> {
  const server = await start(dir, served)
  closers.push(() => server.stop())
  return server
}

function opened(link: string, options: { password?: string; user?: string; kind?: ShareKind } = {}): TickShare {
  const links = impatient()
  closers.push(() => links.close())
  return openShare(link, { ...options, links })
}

const daysOf = (listed: readonly ListedFile[]): string[] => listed.map(({ day }) => day)

const servers: readonly [name: string, binary: string, start: Start][] = [
  ['nginx', 'nginx', nginx],
  ['Apache', 'apache2', apache],
]

describe.each(servers)('%s', (_, binary, start) => {
  const there = has(binary)

  test.skipIf(!there)(
    'the files of the days and nothing else, by the link alone and by each kind it knows',
    async () => {
      const { dir, bytes } = folderOfDays()
      const { url } = await started(start, dir)
      const kinds: (ShareKind | undefined)[] = [
        undefined,
        'index',
        ...(binary === 'apache2' ? ['webdav' as const] : []),
      ]
      for (const kind of kinds) {
        for (const link of [url, url.slice(0, -1), `${url}#top`]) {
          const share = opened(link, kind ? { kind } : {})
          expect(daysOf(await share.list())).toEqual(days)
          expect(share.name).toBe(new URL(url).origin)
        }
        const share = opened(url, kind ? { kind } : {})
        for (const day of days) expect(Buffer.compare(await bytesFrom(share, day), bytes(day))).toBe(0)
      }
    },
  )

  test.skipIf(!there)('from any byte on, of the same file only', async () => {
    const { dir, bytes } = folderOfDays(100_000)
    for (const day of days) utimesSync(join(dir, `${day}_aucde.parquet`), 1e9, 1e9)
    const share = opened((await started(start, dir)).url)
    const [, day = ''] = days
    const first = await share.open(day)
    expect(first).toMatchObject({ from: 0, size: 100_000, framed: true, modified: 'Sun, 09 Sep 2001 01:46:40 GMT' })
    expect(first.etag).toMatch(/^"[^"]+"$/)
    expect(first.strongModified).toBe(first.modified)
    expect(Buffer.compare(await all(first), bytes(day))).toBe(0)
    const { etag, strongModified } = first
    for (const from of [1, 65_536, 99_999]) {
      for (const options of [{ etag }, { strongModified }, { etag: 'W/"weak"', strongModified }]) {
        const isHeld = options.etag === etag || options.etag === undefined
        const part = await share.open(day, { from, ...options })
        expect([part.from, part.size]).toEqual([isHeld ? from : 0, 100_000])
        expect(Buffer.compare(await all(part), bytes(day).subarray(isHeld ? from : 0))).toBe(0)
      }
    }
    for (const options of [
      { etag: '"other"' },
      { etag: 'W/"other"' },
      {},
      { strongModified: 'Sun, 09 Sep 2001 01:46:41 GMT' },
    ]) {
      const whole = await share.open(day, { from: 10, ...options })
      expect([whole.from, (await all(whole)).length]).toEqual([0, 100_000])
    }
    for (const from of [100_000, 100_001]) {
      expect([from, (await share.open(day, { from, etag })).from]).toEqual([from, 0])
    }
  })

  test.skipIf(!there)('a file that was replaced comes whole', async () => {
    const { dir } = folderOfDays(1000)
    const share = opened((await started(start, dir)).url)
    const [day = ''] = days
    const { etag, body } = await share.open(day)
    for await (const _ of body) break
    const next = join(dir, 'next')
    writeFileSync(next, Buffer.alloc(2000, 7))
    renameSync(next, join(dir, `${day}_aucde.parquet`))
    const again = await share.open(day, { from: 500, etag })
    expect([again.from, again.size]).toEqual([0, 2000])
    expect(Buffer.compare(await all(again), Buffer.alloc(2000, 7))).toBe(0)
  })

  test.skipIf(!there)(
    'Basic authentication: the right password, the wrong one, none, one that has changed',
    async () => {
      const { dir, bytes } = folderOfDays()
      const server = await started(start, dir, { password })
      const { url } = server
      const share = opened(url, { password })
      expect(daysOf(await share.list())).toEqual(days)
      expect(Buffer.compare(await bytesFrom(share, '20260729'), bytes('20260729'))).toBe(0)
      expect(daysOf(await opened(url, { password, user: 'quotebook' }).list())).toEqual(days)
      for (const options of [{ password: 'no' }, {}, { password, user: 'other' }]) {
        const error = await failure(opened(url, options).list(), [password, Buffer.from(password).toString('base64')])
        expect([error.name, error.code, error.status]).toEqual(['QuotebookError', 'FILE', 401])
        expect(error.message).toBe(
          `the share of auction ticks at ${new URL(url).origin} answers 401: is its password right?`,
        )
        expect((await failure(opened(url, options).open('20260729'))).status).toBe(401)
      }
      await server.restart({ password: 'another' })
      expect((await failure(share.open('20260729'), [password])).status).toBe(401)
      expect(daysOf(await opened(url, { password: 'another' }).list())).toEqual(days)
    },
  )

  test.skipIf(!there)('a day without a file, and a folder that is not there', async () => {
    const { dir } = folderOfDays()
    const { url } = await started(start, dir)
    const absent = await failure(opened(url).open('20260105'))
    expect([absent.code, absent.message]).toEqual(['FILE', `${new URL(url).origin} has no file of 20260105`])
    const ended = await failure(opened(`${url}s3cret-path/`).list(), ['s3cret-path'])
    expect([ended.code, ended.status]).toEqual(['FILE', 404])
    expect((await failure(opened(`${url}s3cret-path/`).open('20260729'), ['s3cret-path'])).status).toBe(404)
  })

  test.skipIf(!there)('a server that was restarted goes on being asked', async () => {
    const { dir, bytes } = folderOfDays()
    const server = await started(start, dir)
    const share = opened(server.url)
    expect(daysOf(await share.list())).toEqual(days)
    await server.restart()
    expect(Buffer.compare(await bytesFrom(share, '20260729'), bytes('20260729'))).toBe(0)
    await server.restart()
    expect(daysOf(await share.list())).toEqual(days)
  })
})

interface Told {
  readonly day: string
  readonly size: number
  readonly modified: string
  readonly etag: string
}

/** What the npm package `webdav` lists, as ours does. */
async function listedByOther(url: string, user: string, pass: string): Promise<Told[]> {
  const found = (await createClient(url, { username: user, password: pass }).getDirectoryContents('/')) as FileStat[]
  return found
    .flatMap(({ type, basename, size, lastmod, etag }) => {
      const day = /^(\d{8})_aucde\.parquet$/.exec(basename)?.[1]
      if (type !== 'file' || day === undefined || day.endsWith('0230')) return []
      return [{ day, size, modified: lastmod, etag: (etag ?? '').replaceAll('"', '') }]
    })
    .sort((one, other) => Number(one.day) - Number(other.day))
}

function asTold(listed: readonly ListedFile[]): Told[] {
  return listed.map(({ day, size = -1, modified = '', etag = '' }) => {
    return { day, size, modified, etag: etag.replaceAll('"', '') }
  })
}

test.skipIf(!has('apache2'))('the listing of Apache is that of another client', async () => {
  const { dir } = folderOfDays()
  for (const [i, day] of days.entries()) {
    writeFileSync(join(dir, `${day}_aucde.parquet`), Buffer.alloc(i * 1000))
    utimesSync(join(dir, `${day}_aucde.parquet`), 1e9 + i, 1e9 + i)
  }
  const plain = 'of-letters-only'
  const { url } = await started(apache, dir, { password: plain })
  const listed = asTold(await opened(url, { password: plain }).list())
  expect(listed).toHaveLength(days.length)
  expect(listed.map(({ size }) => size)).toEqual([0, 1000, 2000, 3000])
  expect(listed).toEqual(await listedByOther(url, 'quotebook', plain))
})

describe('our own service', () => {
  async function ownShare() {
    const service = await serviceOver(new Archive(sampleDir, 'sample'))
    const source = new HttpSource({ nodes: [service.url], apikey: 'tick-key' })
    closers.push(
      () => service.close(),
      () => source.close(),
    )
    return { service, source }
  }

  test('the year that it offers, its listing as the manifest and as another client has it, and its files', async () => {
    const { source } = await ownShare()
    const offer = await requestYearOffer(source, 2026)
    if (offer === undefined || offer === 'later') throw new Error('no offer')
    const [reply] = objectsOf(await source.query(datasetOf('file_download'), { data_type: 'auction_tick', year: 2026 }))
    expect(reply).toMatchObject({
      start_date: offer.startDate,
      end_date: offer.endDate,
      file_count: offer.files,
      size_bytes: offer.bytes,
    })
    const share = openOffer(source, offer)
    const listed = await share.list()
    const { ticks } = await new Archive(sampleDir, 'sample').manifest()
    const told = ticks.filter(({ day }) => day.startsWith('2026'))
    expect(listed.map(({ day, size, etag }) => ({ day, size, etag }))).toEqual(
      told.map(({ day, bytes, sha256 }) => ({ day, size: bytes, etag: `"${sha256}"` })),
    )
    expect(asTold(listed)).toEqual(await listedByOther(offer.link, 'any', offer.password))
    for (const { day, etag, size = 0 } of listed.slice(-3)) {
      const part = await share.open(day, { from: 1000, etag })
      expect(part).toMatchObject({ from: 1000, size, etag })
      expect((await all(part)).length).toBe(size - 1000)
    }
    const bare = opened(offer.link, { password: offer.password, kind: 'index' })
    expect(daysOf(await bare.list())).toEqual(daysOf(listed))
    expect((await failure(opened(offer.link, { password: 'x' }).list(), [offer.link])).status).toBe(401)
  })

  test('years without files, and those that it refuses', async () => {
    const { source } = await ownShare()
    expect(await requestYearOffer(source, 2023)).toBeUndefined()
    expect(await requestYearOffer(source, 2031)).toBe('later')
    const away = AbortSignal.abort(new Error('away'))
    await expect(requestYearOffer(source, 2026, { signal: away })).rejects.toThrow('away')
  })
})

describe('a folder of this machine', () => {
  test.each<[string, (dir: string) => string]>([
    ['path', (dir) => dir],
    ['file: link', (dir) => pathToFileURL(dir).href],
  ])('by its %s', async (_, linkOf) => {
    const { dir, bytes } = folderOfDays(1_200_000)
    const share = opened(linkOf(dir))
    expect(share.name).toBe(dir)
    const listed = await share.list()
    expect(daysOf(listed)).toEqual(days)
    const { size } = statSync(join(dir, '20260729_aucde.parquet'))
    for (const { day, etag, modified, size: told } of listed) {
      expect(told).toBe(size)
      const opened = await share.open(day)
      expect(opened).toMatchObject({ from: 0, size, etag, modified })
      expect(Buffer.compare(await all(opened), bytes(day))).toBe(0)
      expect(Buffer.compare(await bytesFrom(share, day, 1_100_001, etag), bytes(day).subarray(1_100_001))).toBe(0)
    }
    expect((await share.open('20260729', { from: 10, etag: '"other"' })).from).toBe(0)
    await expect(share.open('20260105')).rejects.toMatchObject({ code: 'FILE' })
    for (const day of ['../x', 'old/20260101', '20260230']) {
      await expect(share.open(day)).rejects.toMatchObject({ code: 'FILE' })
    }
  })

  test("links, folders of a file's name, and a file that changes under way", async () => {
    const { dir, bytes } = folderOfDays(1_200_000)
    const { mkdirSync, symlinkSync } = await import('node:fs')
    symlinkSync(join(dir, '20260729_aucde.parquet'), join(dir, '20260105_aucde.parquet'))
    mkdirSync(join(dir, '20260106_aucde.parquet'))
    const share = opened(dir)
    expect(daysOf(await share.list())).toEqual(days)
    for (const day of ['20260105', '20260106']) await expect(share.open(day)).rejects.toMatchObject({ code: 'FILE' })
    const before = await share.open('20260728')
    writeFileSync(join(dir, '20260728_aucde.parquet'), bytes('20260727'))
    await expect(all(before)).rejects.toMatchObject({ code: 'CUT_OFF', retryable: true })
    const { body } = await share.open('20260729')
    const read = async (): Promise<void> => {
      for await (const _ of body) writeFileSync(join(dir, '20260729_aucde.parquet'), bytes('20260728'))
    }
    await expect(read()).rejects.toMatchObject({ code: 'CUT_OFF', retryable: true })
  })

  test('no folder, and none of ours in it', async () => {
    const { dir } = folderOfDays()
    const missing = await failure(opened(join(dir, 'missing')).list())
    expect([missing.code, missing.message]).toEqual(['FILE', expect.stringContaining('there is no such folder')])
    await expect(opened(join(dir, '20260729_aucde.parquet')).list()).rejects.toThrow('it is no folder')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(join(dir, 'empty'))
    await expect(opened(join(dir, 'empty')).list()).rejects.toThrow('no files of the form YYYYMMDD_aucde.parquet')
    const stop = AbortSignal.abort(new Error('away'))
    await expect(opened(dir).list(stop)).rejects.toThrow('away')
    await expect(opened(dir).open('20260729', { signal: stop })).rejects.toThrow('away')
  })
})
