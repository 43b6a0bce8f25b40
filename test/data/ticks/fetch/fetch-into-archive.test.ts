import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { importFiles } from '../../../src/archive/import/import-files.js'
import { archiveAt } from '../../../src/connect.js'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { SourceError } from '../../../src/source/source-error.js'
import type { FetchProgress } from '../../../src/ticks/fetch/fetch-files.js'
import { fetchIntoArchive } from '../../../src/ticks/fetch/fetch-into-archive.js'
import { type OpenedFile, type OpenFileOptions, ShareEndedError } from '../../../src/ticks/share/file-share.js'
import { failure } from '../../helper/failure.js'
import { sameDays, sumsOf, ticksOf, wrongIn } from '../../helper/fetched.js'
import { type MemoryOptions, memoryShare, sumOf } from '../../helper/memory-share.js'
import { tempDir, tempFile } from '../../helper/temp.js'
import { absentDay, tickDays, tickFiles, year } from '../../helper/tick-year.js'
import { fakeClock } from '../../source/transport/fake-clock.js'

const runs = Number(process.env.RUNS ?? 25)
const days = tickDays.slice(90, 110)
const [one, two, three] = [days[0] as string, days[1] as string, days[2] as string]
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

test('a year comes whole, with all that is known of each file; a second run makes no download', async () => {
  const dir = here()
  const share = memoryShare(new Map(files))
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  expect(await fetchFrom(share, dir)).toEqual({
    dir,
    year,
    files: 20,
    bytes,
    fetched: 20,
    replaced: 0,
    complete: 0,
    gone: [],
    from: days[0],
    to: days.at(-1),
    missingDays: [absentDay],
    notes: [],
  })
  expect(sameDays(dir, files)).toEqual(days)
  expect(wrongIn(dir, sumsOf(files))).toEqual([])
  expect(readdirSync(dir).sort()).toEqual(['manifest.json', 'ticks'])
  expect(ticksOf(dir)[0]).toEqual({
    day: one,
    file: `ticks/${one}_aucde.parquet`,
    rows: expect.any(Number),
    bytes: files.get(one)?.length,
    sha256: sumOf(files.get(one) as Uint8Array),
    schema: expect.stringMatching(
      /^tradedate string, symbol string, time string, m_price double, .* auc_to_pre_vol_pct double$/,
    ),
    rowGroups: 1,
    from: '09:15:03',
    to: '09:25:00',
    etag: `"${sumOf(files.get(one) as Uint8Array).slice(0, 16)}"`,
  })
  expect(share.openings).toHaveLength(20)
  const before = readFileSync(join(dir, 'manifest.json'))
  expect(await fetchFrom(share, dir)).toMatchObject({ files: 20, fetched: 0, complete: 20, bytes })
  expect(share.openings).toHaveLength(20)
  expect(readFileSync(join(dir, 'manifest.json'))).toEqual(before)
})

test('what was fetched is read as any archive is', async () => {
  const dir = here()
  await fetchFrom(memoryShare(some(one, two)), dir)
  const { connect } = await import('../../../src/connect.js')
  const market = await connect({ archive: dir })
  expect(await market.ticks.days()).toEqual([one, two])
  expect((await market.ticks.read(one)).numRows).toBe(ticksOf(dir)[0]?.rows)
})

test('changed, new, gone and lost files: each is dealt with, and nothing else is fetched', async () => {
  const dir = here()
  const share = memoryShare(some(...days.slice(0, 6)))
  await fetchFrom(share, dir)
  share.files.set(two, other.get(two) as Uint8Array)
  share.files.delete(three)
  share.files.set(days[10] as string, files.get(days[10] as string) as Uint8Array)
  const lost = days[4] as string
  rmSync(join(dir, `ticks/${lost}_aucde.parquet`))
  writeFileSync(join(dir, `ticks/${days[5]}_aucde.parquet`), 'short')
  const old = readFileSync(join(dir, `ticks/${two}_aucde.parquet`))
  const opened = share.openings.length
  const again = await fetchFrom(share, dir)
  expect(again).toMatchObject({ files: 6, fetched: 4, replaced: 1, complete: 2, gone: [three] })
  expect(again.notes).toEqual([`1 file of 2025 in the archive is not listed any more, and kept: ${three}`])
  expect(
    share.openings
      .slice(opened)
      .map(({ day }) => day)
      .sort(),
  ).toEqual([two, lost, days[5], days[10]].sort())
  const sums = sumsOf(files, other)
  expect(wrongIn(dir, sums)).toEqual([])
  expect(ticksOf(dir)).toHaveLength(7)
  const entry = ticksOf(dir).find(({ day }) => day === two)
  expect(entry?.file).toMatch(new RegExp(`^ticks/${two}_aucde\\.[0-9a-f]{12}\\.parquet$`))
  expect(old.equals(files.get(two) as Uint8Array)).toBe(true)
  expect(await fetchFrom(share, dir)).toMatchObject({ fetched: 0, complete: 6 })
})

test('killed after a file got its name and before the manifest knew: the next run puts it right', async () => {
  const dir = here()
  await fetchFrom(memoryShare(some(one)), dir)
  writeFileSync(join(dir, `ticks/${two}_aucde.parquet`), files.get(two) as Uint8Array)
  writeFileSync(join(dir, `ticks/${three}_aucde.parquet`), other.get(three) as Uint8Array)
  expect(await fetchFrom(memoryShare(some(one, two, three)), dir)).toMatchObject({ fetched: 2, complete: 1 })
  expect(sameDays(dir, files)).toEqual([one, two, three])
  expect(wrongIn(dir, sumsOf(files))).toEqual([])
})

test('a listing that tells nothing: the files are asked, by their last byte', async () => {
  const dir = here()
  const share = memoryShare(some(one, two, three), { tells: [] })
  await fetchFrom(share, dir)
  share.files.set(two, other.get(two) as Uint8Array)
  const opened = share.openings.length
  expect(await fetchFrom(share, dir)).toMatchObject({ fetched: 1, replaced: 1, complete: 2 })
  const asked = share.openings.slice(opened)
  const last = (day: string): number => (files.get(day) as Uint8Array).length - 1
  expect(asked.map(({ day, from }) => [day, from]).sort()).toEqual(
    [
      [one, last(one)],
      [two, 0],
      [two, 0],
      [three, last(three)],
    ].sort(),
  )
  expect(sameDays(dir, share.files)).toEqual([one, two, three])
})

test('a share that can tell nothing of its files is fetched every time', async () => {
  const dir = here()
  const share = memoryShare(some(one), { tells: [], tagOf: () => undefined })
  await fetchFrom(share, dir)
  expect(await fetchFrom(share, dir)).toMatchObject({ fetched: 1, replaced: 1, complete: 0 })
})

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

test('without a strong tag a cut file begins anew', async () => {
  const dir = here()
  const cutAt: MemoryOptions['cutAt'] = ({ count, bytes }) => (count < 3 ? half(bytes) : undefined)
  const share = memoryShare(some(one), { cutAt, tagOf: () => 'W/"weak"' })
  await fetchFrom(share, dir)
  expect(share.openings.map(({ from }) => from)).toEqual([0, 0, 0, 0])
  expect(sameDays(dir, files)).toEqual([one])
})

test('a file that is replaced while it comes begins anew: no file is made of two', async () => {
  const dir = here()
  const cutAt: MemoryOptions['cutAt'] = ({ count, bytes }) => (count === 0 ? half(bytes) : undefined)
  const onOpen: MemoryOptions['onOpen'] = ({ count }) => {
    if (count === 0) share.files.set(one, other.get(one) as Uint8Array)
  }
  const share = memoryShare(some(one), { cutAt, onOpen })
  await fetchFrom(share, dir)
  expect(share.openings.map(({ from }) => from)).toEqual([0, 0])
  expect(sameDays(dir, other)).toEqual([one])
  expect(wrongIn(dir, sumsOf(other))).toEqual([])
})

test('a part of an earlier run is gone on with; one of another file, with a hole, or of nobody knows what is not', async () => {
  async function left(): Promise<string> {
    const dir = here()
    const error = await failure(
      fetchFrom(memoryShare(some(one), { cutAt: ({ from, bytes }) => (from === 0 ? half(bytes) : 0) }), dir),
    )
    expect(error).toMatchObject({ code: 'CUT_OFF' })
    expect(ticksOf(dir)).toEqual([])
    const parts = readdirSync(join(dir, '.fetch')).filter((name) => name.endsWith('.part'))
    expect(parts).toHaveLength(1)
    expect(statSync(join(dir, '.fetch', parts[0] as string)).size).toBe(half(files.get(one) as Uint8Array))
    return dir
  }
  const partOf = (dir: string): string =>
    join(dir, '.fetch', readdirSync(join(dir, '.fetch')).find((name) => name.endsWith('.part')) as string)

  const well = await left()
  const same = memoryShare(some(one))
  await fetchFrom(same, well)
  expect(same.openings.map(({ from }) => from)).toEqual([half(files.get(one) as Uint8Array)])
  expect(sameDays(well, files)).toEqual([one])
  expect(existsSync(join(well, '.fetch'))).toBe(false)

  const changed = await left()
  const another = memoryShare(new Map([[one, other.get(one) as Uint8Array]]))
  await fetchFrom(another, changed)
  expect(another.openings.map(({ from }) => from)).toEqual([0])
  expect(sameDays(changed, other)).toEqual([one])

  const holed = await left()
  const bytes = readFileSync(partOf(holed))
  writeFileSync(partOf(holed), bytes.fill(0, 4096, 8192))
  const again = memoryShare(some(one))
  await fetchFrom(again, holed)
  expect(again.openings.map(({ from }) => from)).toEqual([0])

  const unknown = await left()
  writeFileSync(join(unknown, '.fetch', `${one}.json`), '{"etag":')
  const anew = memoryShare(some(one))
  await fetchFrom(anew, unknown)
  expect(anew.openings.map(({ from }) => from)).toEqual([0])
})

test('a part that was spoilt is noticed where the tag is a sum, and fetched again', async () => {
  const dir = here()
  const tagOf = (bytes: Uint8Array): string => `"${sumOf(bytes)}"`
  const cutAt: MemoryOptions['cutAt'] = ({ from, bytes }) => (from === 0 ? half(bytes) : 0)
  await failure(fetchFrom(memoryShare(some(one), { cutAt, tagOf }), dir))
  const [part = ''] = readdirSync(join(dir, '.fetch')).filter((name) => name.endsWith('.part'))
  const path = join(dir, '.fetch', part)
  const bytes = readFileSync(path)
  bytes[5000] = (bytes[5000] as number) ^ 1
  writeFileSync(path, bytes)
  const share = memoryShare(some(one), { tagOf })
  await fetchFrom(share, dir)
  expect(share.openings.map(({ from }) => from)).toEqual([half(files.get(one) as Uint8Array), 0])
  expect(sameDays(dir, files)).toEqual([one])
})

test('one bad file does not stop the others; one error tells which and why, after all else is in its place', async () => {
  const dir = here()
  const bad = new Map(files)
  bad.set(one, Buffer.from('<!doctype html><html><title>Log in</title></html>'))
  bad.set(two, (files.get(two) as Uint8Array).subarray(0, 9000))
  bad.set(three, files.get(days[5] as string) as Uint8Array)
  const error = await failure(fetchFrom(memoryShare(bad), dir))
  expect(error).toMatchObject({ code: 'FILE' })
  expect(error.message).toContain('3 of 20 files of 2025 could not be fetched')
  expect(error.message).toContain(`${one}: the file of ${one}: a web page came in its place`)
  expect(error.message).toContain(`${two}: the file of ${two} is not a whole Parquet file: it does not end with PAR1`)
  expect(error.message).toContain(`${three}: the file of ${three} holds ticks of ${days[5]}`)
  expect(sameDays(dir, files)).toEqual(days.slice(3))
  expect(wrongIn(dir, sumsOf(files))).toEqual([])
  expect(await fetchFrom(memoryShare(new Map(files)), dir)).toMatchObject({ fetched: 3, complete: 17 })
})

test('lengths that are not true: too short is cut off, too long is refused', async () => {
  const lying = (length: (whole: number) => number) => {
    const share = memoryShare(some(one))
    return {
      ...share,
      open: async (...given: Parameters<typeof share.open>) => {
        const opened = await share.open(...given)
        return { ...opened, size: length(opened.size as number) }
      },
    }
  }
  const long = here()
  expect(
    await failure(
      fetchFrom(
        lying((size) => size + 10),
        long,
      ),
    ),
  ).toMatchObject({ code: 'CUT_OFF' })
  expect(ticksOf(long)).toEqual([])
  const short = here()
  expect(
    await failure(
      fetchFrom(
        lying((size) => size - 10),
        short,
      ),
    ),
  ).toMatchObject({ code: 'FILE' })
  expect(ticksOf(short)).toEqual([])
})

test('a file that is listed with another size under the same tag is refused', async () => {
  const share = memoryShare(some(one))
  const list = async () => (await memoryShare(some(one)).list()).map((file) => ({ ...file, size: 5 }))
  const error = await failure(fetchFrom({ ...share, list }, here()))
  expect(error.message).toContain('and is listed with 5')
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
  expect(error.message).toMatch(/answers 410; 0 of 20 files of 2025 were fetched/)
  expect([asked, opened < 12]).toEqual([2, true])
})

test('a server that can not be reached ends it all, with what came in its place', async () => {
  const dir = here()
  const onOpen: MemoryOptions['onOpen'] = ({ count }) => {
    if (count >= 6) throw new SourceError('UNREACHABLE', 'no connection to memory', { retryable: true })
  }
  const error = await failure(fetchFrom(memoryShare(new Map(files), { onOpen }), dir))
  expect(error).toMatchObject({ code: 'UNREACHABLE' })
  expect(error.message).toContain('6 of 20 files of 2025 were fetched, and the next run goes on from there')
  expect(ticksOf(dir)).toHaveLength(6)
})

test('an abort ends it at once; parts stay, and the next run goes on', async () => {
  const dir = here()
  const stop = new AbortController()
  let length = 0
  const onProgress = ({ active, bytesDone, bytes }: FetchProgress): void => {
    if (bytesDone < bytes / 3) return
    length = Math.max(0, ...active.map((one) => one.length))
    if (length > 8000) stop.abort(new Error('enough'))
  }
  const share = memoryShare(new Map(files), { piece: 1024 })
  const error = await failure(fetchFrom(share, dir, { onProgress, signal: stop.signal }))
  expect(error.message).toBe('enough')
  const came = ticksOf(dir).length
  expect(came).toBeLessThan(20)
  expect(readdirSync(join(dir, '.fetch')).some((name) => name.endsWith('.part'))).toBe(true)
  expect(existsSync(join(dir, '.fetch.lock'))).toBe(false)
  const opened = share.openings.length
  expect(await fetchFrom(share, dir)).toMatchObject({ fetched: 20 - came, complete: came })
  expect(share.openings.slice(opened).some(({ from }) => from > 0)).toBe(true)
  expect(sameDays(dir, files)).toEqual(days)
})

test('two fetches into one archive do not meet', async () => {
  const dir = here()
  let go = (): void => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  let entered = (): void => {}
  const within = new Promise<void>((resolve) => {
    entered = resolve
  })
  const slow = memoryShare(some(one), {
    onOpen: () => {
      entered()
      return gate
    },
  })
  const first = fetchFrom(slow, dir)
  await within
  const error = await failure(fetchFrom(memoryShare(some(one)), dir, { waitMs: 300 }))
  expect(error).toMatchObject({ code: 'ARCHIVE_BUSY' })
  expect(error.message).toContain('by another process')
  go()
  expect(await first).toMatchObject({ fetched: 1 })
})

test('a directory that holds something else is left alone, before anything is fetched', async () => {
  const dir = here()
  mkdirSync(dir)
  writeFileSync(join(dir, 'thesis.doc'), 'mine')
  const share = memoryShare(some(one))
  expect(await failure(fetchFrom(share, dir))).toMatchObject({ code: 'ARCHIVE' })
  expect([share.openings.length, readdirSync(dir)]).toEqual([0, ['thesis.doc']])
})

test('a share without files of the year, wrong options, and a disk without room', async () => {
  const dir = here()
  const error = await failure(fetchIntoArchive({ share: async () => memoryShare(some(one)), dir, year: 2024 }))
  expect(error.message).toBe('memory has no auction ticks of 2024')
  expect(existsSync(dir)).toBe(false)
  expect(await failure(fetchFrom(memoryShare(some(one)), dir, { parallel: 0 }))).toMatchObject({ code: 'USAGE' })
  const share = memoryShare(some(one))
  const list = async () => [{ day: one, size: 2 ** 50 }]
  const full = await failure(fetchFrom({ ...share, list }, dir))
  expect(full.message).toMatch(
    /: 1126 TB are needed and \d+(\.\d)? [kMGT]B are free; make room, or choose another disk$/,
  )
  expect(share.openings).toEqual([])
})

test('progress: bytes and files grow to the whole, and every file that comes is told of', async () => {
  const seen: FetchProgress[] = []
  await fetchFrom(memoryShare(new Map(files)), here(), {
    onProgress: (progress: FetchProgress) => seen.push(progress),
    parallel: 3,
  })
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  expect(seen[0]).toMatchObject({ files: 20, done: 0, bytes, bytesDone: 0, received: 0, active: [] })
  expect(seen.at(-1)).toMatchObject({ files: 20, done: 20, bytes, bytesDone: bytes, received: bytes, active: [] })
  for (let at = 1; at < seen.length; at++) {
    expect(seen[at]?.bytesDone).toBeGreaterThanOrEqual(seen[at - 1]?.bytesDone as number)
    expect(seen[at]?.done).toBeGreaterThanOrEqual(seen[at - 1]?.done as number)
  }
  expect(new Set(seen.flatMap(({ active }) => active.map(({ day }) => day)))).toEqual(new Set(days))
})

test('sixteen at once listen to one signal without a warning', async () => {
  const share = memoryShare(new Map(files))
  const warnings: Error[] = []
  const heard = (warning: Error): number => warnings.push(warning)
  process.on('warning', heard)
  const open = async (day: string, options: OpenFileOptions = {}): Promise<OpenedFile> => {
    options.signal?.addEventListener('abort', () => undefined)
    return share.open(day, options)
  }
  expect(await fetchFrom({ ...share, open }, here(), { parallel: 16 })).toMatchObject({ fetched: 20 })
  await new Promise(setImmediate)
  process.off('warning', heard)
  expect(warnings.map(({ message }) => message)).toEqual([])
})

test('a fresh share that can not be had at once is asked for again', async () => {
  let asked = 0
  const ask = async () => {
    asked++
    if (asked === 2) throw new SourceError('UNAVAILABLE', 'the service is busy', { retryable: true })
    let left = 5
    return memoryShare(new Map(files), {
      onOpen: () => {
        if (asked === 1 && left-- <= 0) throw new ShareEndedError({ node: 'http://memory', status: 410 })
      },
    })
  }
  const clock = { ...fakeClock(), sleep: async () => {} }
  const dir = here()
  expect(await fetchIntoArchive({ share: ask, dir, year, clock })).toMatchObject({ fetched: 20 })
  expect(asked).toBe(3)
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

test('a listing that writes tags in its own way does not keep a part from being gone on with', async () => {
  const cutAt: MemoryOptions['cutAt'] = ({ count, bytes }) => (count === 0 ? half(bytes) : undefined)
  const share = memoryShare(some(one), { cutAt })
  const list = async () => (await share.list()).map((file) => ({ ...file, etag: `W/${file.etag}-listed` }))
  const dir = here()
  await fetchFrom({ ...share, list }, dir)
  expect(share.openings.map(({ from }) => from)).toEqual([0, half(files.get(one) as Uint8Array)])
  expect(await fetchFrom({ ...share, list }, dir)).toMatchObject({ fetched: 0, complete: 1 })
})

test('progress: a part that was whole already counts', async () => {
  const dir = here()
  const stop = new AbortController()
  const size = (files.get(one) as Uint8Array).length
  const stopAtEnd = ({ bytesDone }: FetchProgress): void => {
    if (bytesDone === size) stop.abort(new Error('enough'))
  }
  await failure(fetchFrom(memoryShare(some(one)), dir, { onProgress: stopAtEnd, signal: stop.signal }))
  const seen: FetchProgress[] = []
  const share = memoryShare(some(one))
  await fetchFrom(share, dir, { onProgress: (progress: FetchProgress) => seen.push(progress) })
  expect(share.openings).toEqual([])
  expect(seen.at(-1)).toMatchObject({ files: 1, done: 1, bytes: size, bytesDone: size, received: 0, active: [] })
})

test('an archive that can not take files ends it all at once; a dest that is a file is refused', async () => {
  const dir = here()
  mkdirSync(dir)
  writeFileSync(join(dir, 'ticks'), 'no folder')
  const share = memoryShare(new Map(files))
  const open: typeof share.open = async (...asked) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return share.open(...asked)
  }
  const error = await failure(fetchFrom({ ...share, open }, dir, { parallel: 2 }))
  expect(error.message).toMatch(/0 of 20 files of 2025 were fetched, and the next run goes on from there$/)
  expect(share.openings.length).toBeLessThan(20)
  expect(await failure(fetchFrom(share, join(dir, 'ticks')))).toMatchObject({ code: 'ARCHIVE' })
})

test('an abort ends the wait for another fetch', async () => {
  const dir = here()
  mkdirSync(join(dir, '.fetch.lock'), { recursive: true })
  writeFileSync(join(dir, '.fetch.lock', 'another'), '.')
  const share = memoryShare(some(one))
  const stop = new AbortController()
  const failed = failure(fetchFrom(share, dir, { signal: stop.signal, waitMs: 5000 }))
  setTimeout(() => stop.abort(new Error('enough')), 300)
  expect((await failed).message).toBe('enough')
})

test('a file that no listing told the size of is held against the room before it comes', async () => {
  const share = memoryShare(new Map(files), { tells: [] })
  let pieces = 0
  const open = async (day: string, options: OpenFileOptions = {}): Promise<OpenedFile> => {
    const opened = await share.open(day, options)
    async function* body(): AsyncGenerator<Uint8Array> {
      pieces++
      yield* opened.body
    }
    return { ...opened, size: 2 ** 50, body: body() }
  }
  const error = await failure(fetchFrom({ ...share, open }, here()))
  expect(error.message).toMatch(/1126 TB are needed and .* are free; .*; 0 of 20 files of 2025 were fetched/)
  expect([pieces, share.openings.length < 10]).toEqual([0, true])
})
