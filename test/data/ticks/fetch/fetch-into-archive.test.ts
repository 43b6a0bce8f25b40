import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { archiveAt } from '../../../../src/connect.js'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { importFiles } from '../../../../src/data/archive/import/import-files.js'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { fetchIntoArchive } from '../../../../src/data/ticks/fetch/fetch-into-archive.js'
import { type OpenedFile, type OpenFileOptions, ShareEndedError } from '../../../../src/data/ticks/share/file-share.js'
import { failure } from '../../../helper/failure.js'
import { sameDays, sumsOf, ticksOf, wrongIn } from '../../../helper/fetched.js'
import { type MemoryOptions, memoryShare, sumOf } from '../../../helper/memory-share.js'
import { tempDir, tempFile } from '../../../helper/temp.js'
import { tickDays, tickFiles, year } from '../../../helper/tick-year.js'
import { fakeClock } from '../../source/transport/fake-clock.js'

const runs = Number(process.env.RUNS ?? 8)
const days = tickDays.slice(90, 110)
const one = days[0] as string
let files: Map<string, Uint8Array>
let other: Map<string, Uint8Array>

beforeAll(async () => {
  files = await tickFiles(days)
  other = await tickFiles(days, { seed: 7 })
})

const here = (): string => join(tempDir(), 'archive')
const some = (...wanted: string[]) => new Map(wanted.map((day) => [day, files.get(day) as Uint8Array]))
const half = (bytes: Uint8Array): number => bytes.length >> 1

/** Fetches from a share whose waits take no time. */
async function fetchFrom(share: ReturnType<typeof memoryShare>, dir: string, more = {}) {
  const clock = { ...fakeClock(), sleep: async (_: number, signal?: AbortSignal) => signal?.throwIfAborted() }
  return fetchIntoArchive({ share: async () => share, dir, year, clock, ...more })
}

test('the archive keeps its other datasets, and another writer finds its turn', async () => {
  const dir = here()
  cpSync('data/sample', dir, { recursive: true })
  const csv = tempFile('bonds.csv', 'tradedate,symbol,code,close\n20200601,000001,000001.SZ,5\n')
  const [fetched] = await Promise.all([
    fetchFrom(memoryShare(new Map(files)), dir),
    importFiles(dir, datasetOf('convertible_daily'), [csv]),
  ])
  expect(fetched.fetched).toBe(20)
  const archive = archiveAt(dir, {})
  const { ticks, about } = await archive.manifest()
  expect(about).toContain('SYNTHETIC')
  expect(ticks).toHaveLength(80)
  const rows = await archive.query(datasetOf('convertible_daily'), { startdate: '20200101', enddate: '20201231' })
  expect(rows.numRows).toBe(1)
})

test(`a connection cut at a random byte, ${runs} times: nothing is lost, and it goes on from there`, async () => {
  const dir = here()
  const many = runs > days.length ? await tickFiles() : files
  let [cuts, seed] = [0, 1]
  const cutAt: MemoryOptions['cutAt'] = ({ from, bytes }) => {
    if (cuts >= runs || bytes.length - from < 2000) return undefined
    cuts++
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed >>> 8) % (bytes.length - from)
  }
  const share = memoryShare(new Map(many), { cutAt, piece: 777 })
  expect(await fetchFrom(share, dir)).toMatchObject({ fetched: many.size })
  expect(cuts).toBe(runs)
  expect(share.openings.filter(({ from }) => from > 0).length).toBeGreaterThan(runs / 2)
  expect(sameDays(dir, many)).toHaveLength(many.size)
  expect(wrongIn(dir, sumsOf(many))).toEqual([])
})

/** An archive in which a broken run has left the first half of a file, and the path of that half. */
async function halfFetched(tagOf?: MemoryOptions['tagOf']) {
  const dir = here()
  const cutAt: MemoryOptions['cutAt'] = ({ from, bytes }) => (from === 0 ? half(bytes) : 0)
  const share = memoryShare(some(one), { cutAt, ...(tagOf && { tagOf }) })
  expect(await failure(fetchFrom(share, dir))).toMatchObject({ code: 'CUT_OFF' })
  expect(ticksOf(dir)).toEqual([])
  const parts = readdirSync(join(dir, '.fetch')).filter((name) => name.endsWith('.part'))
  expect(parts).toHaveLength(1)
  const part = join(dir, '.fetch', parts[0] as string)
  expect(statSync(part).size).toBe(half(files.get(one) as Uint8Array))
  return { dir, part }
}

const sums = (bytes: Uint8Array): string => `"${sumOf(bytes)}"`
const edited = (path: string, edit: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}
const middle = (): number => half(files.get(one) as Uint8Array)

type Spoil = ((dir: string, part: string) => void) | undefined

test.each<[string, () => number[], Spoil?, { other?: true; tagOf?: typeof sums }?]>([
  ['is gone on with', () => [middle()]],
  ['of another file is not', () => [0], undefined, { other: true }],
  ['with a hole is not', () => [0], (_, part) => edited(part, (bytes) => bytes.fill(0, 4096, 8192))],
  ['of nobody knows what is not', () => [0], (dir) => writeFileSync(join(dir, '.fetch', `${one}.json`), '{"etag":')],
  [
    'that was broken is noticed where the tag is a sum, and fetched again',
    () => [middle(), 0],
    (_, part) => edited(part, (bytes) => bytes.writeUInt8((bytes[5000] as number) ^ 1, 5000)),
    { tagOf: sums },
  ],
])('a part of an earlier run %s', async (_, froms, spoil, { other: isOther, tagOf } = {}) => {
  const { dir, part } = await halfFetched(tagOf)
  spoil?.(dir, part)
  const now = isOther ? other : files
  const share = memoryShare(new Map([[one, now.get(one) as Uint8Array]]), tagOf ? { tagOf } : {})
  await fetchFrom(share, dir)
  expect(share.openings.map(({ from }) => from)).toEqual(froms())
  expect(sameDays(dir, now)).toEqual([one])
  expect(existsSync(join(dir, '.fetch'))).toBe(false)
})

test('a share that ends on the way is asked for again; one that is of no use is not asked for for ever', async () => {
  const dir = here()
  const ended = new ShareEndedError({ node: 'http://memory', status: 410 })
  let [asked, opened] = [0, 0]
  const fresh = async () => {
    asked++
    let left = 5
    return memoryShare(new Map(files), {
      onOpen: () => {
        opened++
        if (left-- <= 0) throw ended
      },
    })
  }
  expect(await fetchIntoArchive({ share: fresh, dir, year, parallel: 3 })).toMatchObject({ fetched: 20 })
  expect(asked).toBe(4)
  expect(sameDays(dir, files)).toEqual(days)

  const none = here()
  asked = 0
  opened = 0
  const useless = async () => {
    asked++
    return memoryShare(new Map(files), {
      onOpen: () => {
        opened++
        throw ended
      },
    })
  }
  const error = await failure(fetchIntoArchive({ share: useless, dir: none, year }))
  expect(error.message).toMatch(/answers 410: it has ended; 0 of 20 files of 2025 were fetched/)
  expect([asked, opened < 12]).toEqual([2, true])
})

test.each([
  ['fewer', -1, 'CUT_OFF', /ended after \d+ of \d+ bytes/],
  ['more', 1, 'FILE', /its share sends more than the \d+ bytes that it may have/],
])('a body of %s bytes than its share told is no file', async (_, other, code, message) => {
  const share = memoryShare(some(one))
  const open = async (day: string, options: OpenFileOptions = {}): Promise<OpenedFile> => {
    const opened = await share.open(day, options)
    return { ...opened, size: (opened.size ?? 0) - other }
  }
  const error = await failure(fetchFrom({ ...share, list: async () => [{ day: one }], open }, here()))
  expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
})

const endless = async function* (): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < 2 ** 36; sent += 2 ** 20) yield new Uint8Array(2 ** 20).fill(80)
}

test.each([
  ['without a length', () => ({ size: undefined, body: endless() })],
  ['of a length that is no lie', () => ({ size: 2 ** 36, body: endless() })],
  ['under another tag', () => ({ size: undefined, etag: '"other"', body: endless() })],
])('a body %s is cut at the size that is listed, and leaves nothing', async (_, other) => {
  const share = memoryShare(some(one))
  const dir = here()
  let opened = 0
  const open = async (day: string): Promise<OpenedFile> => {
    opened++
    return { ...(await share.open(day)), ...other() }
  }
  const error = await failure(fetchFrom({ ...share, open }, dir))
  const size = files.get(one)?.length
  const message = `the file of ${one} is listed with ${size} bytes, and its share sends more`
  expect(error).toMatchObject({ code: 'FILE', message: expect.stringContaining(message) })
  expect([opened, ticksOf(dir), existsSync(join(dir, '.fetch')) ? readdirSync(join(dir, '.fetch')) : []]).toEqual([
    1,
    [],
    [],
  ])
})

/** A share that sends a byte every twenty seconds, and breaks off after some. */
function trickling(most: number) {
  let now = 0
  const share = memoryShare(some(one))
  const open = async (day: string, options: OpenFileOptions = {}): Promise<OpenedFile> => {
    const opened = await share.open(day, options)
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < most; sent++) {
        now += 20_000
        yield new Uint8Array([80])
      }
      throw new SourceError('CUT_OFF', 'memory broke off', { retryable: true })
    }
    return { ...opened, body: body() }
  }
  const clock = { now: () => now, chance: () => 0.5, sleep: async () => {} }
  return { share: { ...share, open }, clock, minutes: () => now / 60_000 }
}

test('a server that sends a byte now and then is given up, in one answer or in many', async () => {
  for (const most of [1e5, 2]) {
    const { share, clock, minutes } = trickling(most)
    const error = await failure(fetchIntoArchive({ share: async () => share, dir: here(), year, clock }))
    expect(['TIMEOUT', 'CUT_OFF']).toContain(error.code)
    expect(minutes()).toBeLessThan(20)
  }
})

test('who asks to wait is waited for, and not asked again when it is for too long', async () => {
  const asking = (retryAfter: number) => {
    const slept: number[] = []
    const onOpen: MemoryOptions['onOpen'] = ({ count }) => {
      if (count === 0) throw new SourceError('UNAVAILABLE', 'memory is busy', { retryable: true, retryAfter })
    }
    const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds)
    return { share: memoryShare(some(one), { onOpen }), slept, clock: { ...fakeClock(), sleep } }
  }
  const short = asking(45_000)
  await fetchFrom(short.share, here(), { clock: short.clock })
  expect(short.slept).toContain(45_000)
  const long = asking(365 * 86_400_000)
  expect(await failure(fetchFrom(long.share, here(), { clock: long.clock }))).toMatchObject({ code: 'UNAVAILABLE' })
  expect(long.share.openings).toHaveLength(1)
})
