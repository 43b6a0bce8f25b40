import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { bucketCloses } from '../../../src/contract/session.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { HttpSource } from '../../../src/data/source/http-source.js'
import { archiveHeader, archiveHeaderName } from '../../../src/data/source/reply/archive-identity.js'
import { syncArchive } from '../../../src/data/sync/sync.js'
import { digest } from '../../../src/frame/table/digest.js'
import { type Request, serve } from '../../helper/service.js'
import { tempDir } from '../../helper/temp.js'
import { Growing } from '../archive/coverage/growing.js'

const bars = datasetOf('convertible_minute')
const minutes = (count: number): number => 60_000 * count

/** A source that lives, and a sync of its bars that is stopped after so many requests of them and begun again. */
async function stand() {
  const growing = new Growing('20260716')
  const about = { state: 'a'.repeat(64), now: Date.parse('2026-07-16T14:00:00Z') }
  let left = Number.POSITIVE_INFINITY
  let stop = new AbortController()
  const service = await serve(growing, ({ apiname }, response) => {
    response.setHeader(archiveHeaderName, archiveHeader({ name: 'growing', state: about.state }))
    if (apiname === bars.name && left-- === 0) stop.abort()
    return false
  })
  const dir = join(tempDir(), 'own')
  const sync = async (after = Number.POSITIVE_INFINITY): Promise<readonly Request[]> => {
    const already = service.requests.length
    left = after
    stop = new AbortController()
    const time = (): number => about.now
    const source = new HttpSource({ nodes: [service.url], apikey: 'KEY', pace: { concurrent: 1 }, time })
    const options = { archive: dir, datasets: [bars.name], from: '20260713', signal: stop.signal, time }
    await syncArchive(source, options).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    await source.close()
    return service.requests.slice(already).filter(({ apiname }) => apiname === bars.name)
  }
  const isLikeTheSource = async (): Promise<void> => {
    const own = new Archive(dir, 'own')
    for (const tradedate of ['20260713', '20260714', '20260715']) {
      for (const trademin of bucketCloses['30m']) {
        const [found, truth] = [own, growing].map((one) => one.query(bars, { tradedate, trademin }))
        const digests = [digest(await (found as Promise<Table>)), digest(await (truth as Promise<Table>))]
        expect([tradedate, trademin, digests[0]]).toEqual([tradedate, trademin, digests[1]])
      }
    }
  }
  return { growing, about, dir, sync, isLikeTheSource }
}

const datesOf = (sent: readonly Request[]) => sent.map(({ params }) => params?.tradedate)

const mark = (dir: string) => existsSync(join(dir, '.unfinished-sync'))

test('a sync that was stopped goes on with the day that was under way, and asks for the latest day once', async () => {
  const { sync, isLikeTheSource, dir } = await stand()
  // The latest day, and four of the nine buckets of the day before it; the fifth is under way.
  expect(datesOf(await sync(13))).toEqual([...Array(9).fill('20260716'), ...Array(5).fill('20260715')])
  expect(mark(dir)).toBe(true)
  const left = ['20260715', '20260714', '20260713'].flatMap((day) => Array(9).fill(day))
  expect(datesOf(await sync())).toEqual(left)
  await isLikeTheSource()
  expect(mark(dir)).toBe(false)
  expect(datesOf(await sync())).toEqual(Array(9).fill('20260716'))
})

test.each<[what: string, change: (about: { state: string; now: number }) => unknown]>([
  ['a quarter of an hour later', (about) => (about.now += minutes(16))],
  ['when the archive behind the source has another state', (about) => (about.state = 'b'.repeat(64))],
])('the latest day is asked for again %s', async (_, change) => {
  const { sync, about, growing, isLikeTheSource } = await stand()
  await sync(13)
  change(about)
  growing.revised.add('20260715')
  expect((await sync()).length).toBe(9 * 4)
  await isLikeTheSource()
})

test('a day that settles while a sync is stopped is asked for again', async () => {
  const { sync, about, growing, isLikeTheSource } = await stand()
  growing.until = '20260715'
  growing.tick = 7
  await sync(5)
  about.now += minutes(1)
  await sync(9 + 4)
  growing.until = '20260716'
  about.now += minutes(1)
  expect(datesOf(await sync()).filter((day) => day === '20260715').length).toBe(9)
  await isLikeTheSource()
})
