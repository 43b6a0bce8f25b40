import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { connect, numbers, provenance, strings, type TickCheck, toObjects, verifyTicks } from 'quotebook'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { runCommand } from './helper/command.js'
import { folder, removeFolders, sampleDir } from './helper/files.js'
import { type FolderOptions, type FolderServer, serveFolder, sumOf } from './helper/folder-server.js'

const password = 'sh4re-pass-not-to-be-seen'
const nameOf = (day: string): string => `${day}_aucde.parquet`
const sampleTicks = join(sampleDir, 'ticks')
const names = readdirSync(sampleTicks).sort()
const days = names.map((name) => name.slice(0, 8))
/** The files of the last three days, by name. */
const three = new Map(names.slice(-3).map((name) => [name, readFileSync(join(sampleTicks, name)) as Uint8Array]))
const [one, two, last] = days.slice(-3) as [string, string, string]
/** The first row of a code on the last day, as it was published with the sample. */
const firstOf300750 = { m_price: 39.47, auc_vol: 222, um_side: 's' }

removeFolders()
const servers: FolderServer[] = []
async function serve(
  options: FolderOptions = {},
  files: ReadonlyMap<string, Uint8Array> = three,
): Promise<FolderServer> {
  const server = await serveFolder(files, options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
const market = await connect()
afterAll(async () => {
  await market.close()
})

/** A folder with files by name. */
function folderOf(files: ReadonlyMap<string, Uint8Array>): string {
  const dir = folder()
  for (const [name, bytes] of files) writeFileSync(join(dir, name), bytes)
  return dir
}

interface Failure extends Error {
  readonly code: string
}

/** The error of a promise, in which neither the password nor the link is found. */
async function failure(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause as Failure,
  )
  expect(error).toBeInstanceOf(Error)
  const said = inspect(error, { depth: 20, showHidden: true })
  for (const secret of [password, 's3cret', Buffer.from(`quotebook:${password}`).toString('base64')])
    expect(said).not.toContain(secret)
  return error as Failure
}

/** What an archive has of the files, by the checksums of its manifest and of the disk. */
function fetchedSums(dest: string): Record<string, string> {
  const { ticks } = JSON.parse(readFileSync(join(dest, 'manifest.json'), 'utf8'))
  return Object.fromEntries(
    ticks.map(({ day, file, sha256 }: { day: string; file: string; sha256: string }) => {
      expect(sumOf(readFileSync(join(dest, file)))).toBe(sha256)
      return [nameOf(day), sha256]
    }),
  )
}
const sumsOf = (files: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries([...files].map(([name, bytes]) => [name, sumOf(bytes)]))

describe('a year is fetched', () => {
  const expectAll = {
    year: 2026,
    files: 3,
    fetched: 3,
    replaced: 0,
    complete: 0,
    gone: [],
    from: one,
    to: last,
    missingDays: [],
  }

  test('from a folder; a second run, by its file: link, fetches nothing', async () => {
    const share = folderOf(three)
    const dest = join(folder(), 'own')
    const bytes = [...three.values()].reduce((sum, { length }) => sum + length, 0)
    const fetched = await market.ticks.fetch({ year: 2026, share, dest })
    expect(fetched).toEqual({ ...expectAll, dir: dest, bytes, notes: [] })
    expect(fetchedSums(dest)).toEqual(sumsOf(three))
    const again = await market.ticks.fetch({ year: 2026, share: pathToFileURL(share).href, dest })
    expect(again).toMatchObject({ fetched: 0, complete: 3 })
    expect(existsSync(join(dest, '.fetch'))).toBe(false)
    const own = await connect({ archive: dest })
    expect(numbers(await own.ticks.read(last), 'm_price')).toEqual(numbers(await market.ticks.read(last), 'm_price'))
    await own.close()
  })

  test('what changed comes again, what went is kept, other names and years stay where they are', async () => {
    const share = folderOf(three)
    for (const name of ['20260230_aucde.parquet', `${nameOf(last)}.part`, `x${nameOf(last)}`, 'readme.txt'])
      writeFileSync(join(share, name), 'no')
    writeFileSync(join(share, nameOf('20251231')), 'of another year')
    mkdirSync(join(share, nameOf('20260506')))
    const dest = folder()
    expect(await market.ticks.fetch({ year: 2026, share, dest })).toMatchObject({
      ...expectAll,
      notes: ['1 file of other years is in the share, and left there'],
    })
    const other = await remade(join(share, nameOf(two)), 'select * exclude ("#") from $ where "#" < 100')
    rmSync(join(share, nameOf(one)))
    const next = await market.ticks.fetch({ year: 2026, share, dest })
    expect(next).toMatchObject({ files: 2, fetched: 1, replaced: 1, complete: 1, gone: [one] })
    expect(`${next.notes[1]}`).toBe(`1 file of 2026 in the archive is not listed any more, and kept: ${one}`)
    expect(fetchedSums(dest)).toEqual({ ...sumsOf(three), [nameOf(two)]: sumOf(other) })
  })

  test.each(['page', 'webdav'] as const)(
    'from a folder behind HTTP, listed by %s, with a password',
    async (listing) => {
      const server = await serve({ listing, login: `quotebook:${password}` })
      const dest = folder()
      const progress: number[] = []
      const onProgress = ({ done, files }: { done: number; files: number }): number => progress.push(done / files)
      const fetched = await market.ticks.fetch({ year: 2026, share: server.link, password, dest, onProgress })
      expect(fetched).toMatchObject(expectAll)
      expect(fetchedSums(dest)).toEqual(sumsOf(three))
      expect(progress.at(-1)).toBe(1)
      const before = server.asked.length
      expect(await market.ticks.fetch({ year: 2026, share: server.link, password, dest })).toMatchObject({
        fetched: 0,
        complete: 3,
      })
      const again = server.asked.slice(before)
      // A page tells neither size nor tag: the last byte of each file is asked for, on the condition that it is the same.
      const asked = again.filter(({ line }) => line.endsWith('.parquet'))
      expect(asked.length).toBe(listing === 'page' ? 3 : 0)
      for (const { range, ifRange } of asked)
        expect([range, ifRange]).toEqual([expect.stringMatching(/^bytes=\d{5}-$/), expect.any(String)])
    },
  )

  test('from a public link of Nextcloud, with the token as user', async () => {
    const moved = new Map([...three].map(([name, bytes]) => [`../public.php/webdav/${name}`, bytes]))
    const server = await serve(
      {
        instead(request, response) {
          const { method, url = '', headers } = request
          const login = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
          const file = url.replace('/public.php/webdav/', '')
          if (!url.startsWith('/public.php/webdav/')) return response.writeHead(404).end() !== undefined
          if (login !== `T0ken:${password}`) return response.writeHead(401).end() !== undefined
          const hrefs = [...three.keys()].map(
            (name) =>
              `<response><href>${url}${name}</href><propstat><prop/><status>HTTP/1.1 200 OK</status></propstat></response>`,
          )
          if (method === 'PROPFIND')
            response.writeHead(207).end(`<multistatus xmlns="DAV:">${hrefs.join('')}</multistatus>`)
          else response.end(three.get(file))
          return true
        },
      },
      moved,
    )
    const dest = folder()
    expect(await market.ticks.fetch({ year: 2026, share: `${server.base}/s/T0ken`, password, dest })).toMatchObject(
      expectAll,
    )
    expect(fetchedSums(dest)).toEqual(sumsOf(three))
    const wrong = await failure(
      market.ticks.fetch({ year: 2026, share: `${server.base}/s/T0ken`, password: 'x', dest: folder() }),
    )
    expect(wrong.message).toMatch(/answers 401: is its password right\?$/)
  })

  test('a connection that breaks goes on from its last byte, if the file is the same', async () => {
    const bytes = three.get(nameOf(last)) as Uint8Array
    let isBroken = false
    const server = await serve({
      listing: 'webdav',
      instead({ method, url = '' }, response) {
        if (isBroken || method !== 'GET' || !url.endsWith(nameOf(last))) return false
        isBroken = true
        response.writeHead(200, { etag: `"${sumOf(bytes).slice(0, 16)}"`, 'content-length': bytes.length })
        response.write(bytes.subarray(0, 10_000), () => response.destroy())
        return true
      },
    })
    const dest = folder()
    expect(await market.ticks.fetch({ year: 2026, share: server.link, dest })).toMatchObject(expectAll)
    expect(fetchedSums(dest)).toEqual(sumsOf(three))
    const ranges = server.asked.filter(({ line }) => line.endsWith(nameOf(last))).map(({ range }) => range)
    expect(ranges).toEqual([undefined, 'bytes=10000-'])
  })

  test('a run that was stopped is gone on with by the next one', async () => {
    const bytes = three.get(nameOf(last)) as Uint8Array
    const stop = new AbortController()
    const only = new Map([[nameOf(last), bytes]])
    const server = await serve(
      {
        instead({ url = '' }, response, times) {
          if (!url.endsWith('.parquet') || times > 0) return false
          response.writeHead(200, { etag: `"${sumOf(bytes).slice(0, 16)}"`, 'content-length': bytes.length })
          response.write(bytes.subarray(0, 12_345), () => setTimeout(() => stop.abort(new Error('enough')), 50))
          return true
        },
      },
      only,
    )
    const dest = folder()
    await expect(market.ticks.fetch({ year: 2026, share: server.link, dest, signal: stop.signal })).rejects.toThrow(
      'enough',
    )
    expect(await market.ticks.fetch({ year: 2026, share: server.link, dest })).toMatchObject({ fetched: 1 })
    expect(server.asked.at(-1)?.range).toBe('bytes=12345-')
    expect(fetchedSums(dest)).toEqual(sumsOf(only))
  })

  test('from the share that a service hands out, which is waited for; from the archive that a market is', async () => {
    let asked = 0
    const share = await serve({ login: `quotebook:${password}` })
    const service = await serve({
      instead(request, response) {
        if (request.method !== 'POST') return false
        request.resume()
        const record = {
          data_type: 'auction_tick',
          year: 2026,
          start_date: one,
          end_date: last,
          file_count: 4,
          size_bytes: 1,
        }
        const link = { url: share.link, password, expires_at: '2026-07-31T10:00:00+08:00' }
        const none = { url: '', password: '', expires_at: '2026-07-31T10:00:00+08:00' }
        const state =
          asked++ === 0
            ? { ...none, status: 'preparing', retry_after: 1 }
            : { ...link, status: 'ready', retry_after: 0 }
        response.end(
          JSON.stringify({
            code: 200,
            message: 'success',
            data: { code: 0, message: 'success', data: { ...record, ...state } },
          }),
        )
        return true
      },
    })
    const live = await connect({ nodes: [service.base], apikey: 'key' })
    const waits: number[] = []
    const dest = folder()
    const fetched = await live.ticks.fetch({
      year: 2026,
      dest,
      onWait: (milliseconds) => void waits.push(milliseconds),
    })
    await live.close()
    expect([fetched.fetched, waits]).toEqual([3, [1000]])
    expect(fetched.notes.slice(0, 2)).toEqual([
      'the share lists 3 files of 2026 where the service counts 4',
      'the share begins with 20260727, 134 trading days into the year: a professional key sees the last 365 days, today included; a flagship key all of the year',
    ])
    expect(fetchedSums(dest)).toEqual(sumsOf(three))
    const own = await connect({ archive: dest })
    const copy = folder()
    expect(await own.ticks.fetch({ year: 2026, dest: copy })).toMatchObject(expectAll)
    await own.close()
    expect(fetchedSums(copy)).toEqual(sumsOf(three))
  })
})

describe('nothing wrong is fetched', () => {
  const fetchFrom = (link: string, more: object = {}): Promise<unknown> =>
    market.ticks.fetch({ year: 2026, share: link, password, dest: folder(), ...more })

  test('a file whose entity tag is another sha256, of another day, cut, without rows, or a web page', async () => {
    const cut = (three.get(nameOf(last)) as Uint8Array).subarray(0, 9000)
    const cases: readonly (readonly [Uint8Array, FolderOptions, RegExp])[] = [
      [
        three.get(nameOf(last)) as Uint8Array,
        { tagOf: () => `"${'0'.repeat(64)}"` },
        /is not what its share says: its sha256 is another/,
      ],
      [three.get(nameOf(one)) as Uint8Array, {}, new RegExp(`the file of ${last} holds ticks of ${one}`)],
      [cut, {}, /is not a whole Parquet file/],
      [
        Buffer.from('<!doctype html><title>Log in</title>'),
        {},
        /a web page came in its place; is the link right, and its password\?/,
      ],
    ]
    const failed = await Promise.all(
      cases.map(async ([bytes, options]) => {
        const server = await serve(options, new Map([[nameOf(last), bytes]]))
        const dest = folder()
        const error = await failure(market.ticks.fetch({ year: 2026, share: server.link, dest }))
        expect(existsSync(join(dest, 'ticks', nameOf(last)))).toBe(false)
        return error
      }),
    )
    failed.forEach((error, at) => {
      expect(error.code).toBe('FILE')
      expect(error.message).toMatch(cases[at]?.[2] as RegExp)
      expect(error.message).toMatch(/^1 of 1 files of 2026 could not be fetched: 20260729: /)
    })
  })

  test('one file that fails does not stop the others', async () => {
    const files = new Map([...three, [nameOf(two), Buffer.from('<html>')]])
    const dest = folder()
    const error = await failure(fetchFrom((await serve({}, files)).link, { dest }))
    expect(error.message).toMatch(new RegExp(`^1 of 3 files of 2026 could not be fetched: ${two}: `))
    expect(error.message).not.toContain('more: ')
    expect(Object.keys(fetchedSums(dest))).toEqual([nameOf(one), nameOf(last)])
  })

  test('a password that is not taken, a link that has ended, a page to log in: by name, and without the link', async () => {
    const told = async (options: FolderOptions, files?: Map<string, Uint8Array>): Promise<string> =>
      (await failure(fetchFrom((await serve(options, files)).link))).message
    expect(await told({ login: 'quotebook:other' })).toMatch(
      /^the share of auction ticks at http:\/\/127\.0\.0\.1:\d+ answers 401: is its password right\?$/,
    )
    const status = (code: number): FolderOptions => ({
      instead: (_, response) => response.writeHead(code).end() !== undefined,
    })
    expect(await told(status(404))).toMatch(/answers 404: is the link right, and has it not ended\?$/)
    expect(await told(status(410))).toMatch(/answers 410: it has ended$/)
    expect(await told({}, new Map())).toMatch(
      /can not be listed: it answers 405 to PROPFIND, and 200 with a page without names of files \(a page to log in, perhaps\)$/,
    )
  })

  test('a redirect to another host does not get the password; a circle of them is not followed', async () => {
    const other = await serve()
    const server = await serve({
      instead: (_, response) => response.writeHead(302, { location: other.link }).end() !== undefined,
    })
    const dest = folder()
    await market.ticks.fetch({ year: 2026, share: server.link, password, dest })
    expect(fetchedSums(dest)).toEqual(sumsOf(three))
    expect(new Set(server.asked.map(({ authorization }) => authorization === undefined))).toEqual(new Set([false]))
    expect(new Set(other.asked.map(({ authorization }) => authorization))).toEqual(new Set([undefined]))
    const circle = await serve({
      instead: (request, response) => response.writeHead(302, { location: request.url }).end() !== undefined,
    })
    expect((await failure(fetchFrom(circle.link))).message).toMatch(/leads into a redirect loop$/)
  })

  test.each<[Record<string, unknown>, string, RegExp]>([
    [{ yaer: 2026 }, 'USAGE', /did you mean 'year'\?$/],
    [{ year: 2021 }, 'USAGE', /^auction ticks begin with 2022; there are none of 2021$/],
    [{ parallel: 17 }, 'USAGE', /^parallel must be a whole number from 1 to 16, not 17$/],
    [
      { share: 'https://host.invalid/s3cret', kind: 'ftp' },
      'USAGE',
      /can not be of kind "ftp"; there are webdav, nextcloud, index, folder$/,
    ],
    [{ share: '' }, 'USAGE', /is empty$/],
    [{ share: 'ftp://host/x' }, 'USAGE', /begins with ftp:, not https:, http: or file:$/],
    [{ share: '"https://host.invalid/s3cret"' }, 'USAGE', /begins with something else than https:/],
    [{ share: 'https://[s3cret' }, 'USAGE', /can not be read$/],
    [{ share: 'file://host.invalid/s3cret' }, 'USAGE', /names no folder of this machine$/],
    [{ share: 'https://host.invalid/s3cret', kind: 'folder' }, 'USAGE', /must be a path or begin with file:$/],
    [{ share: '/tmp/s3cret', kind: 'webdav' }, 'USAGE', /must begin with https:/],
    [{ share: 'https://host.invalid/s3cret', password, user: 'a:b' }, 'USAGE', /can not have a user with a colon$/],
    [
      { share: `https://user:${password}@host.invalid/s3cret` },
      'USAGE',
      /holds a user or password: give them apart from it$/,
    ],
    [{ share: 'https://host.invalid/s3cret', kind: 'nextcloud' }, 'USAGE', /https:\/\/host\/s\/TOKEN$/],
    [
      { share: '/nowhere' },
      'FILE',
      /^the share of auction ticks at \/nowhere can not be listed: there is no such folder$/,
    ],
    [{ share: sampleDir }, 'FILE', /it has no files of the form YYYYMMDD_aucde\.parquet$/],
  ])('%o is refused', async (options, code, message) => {
    const error = await failure(market.ticks.fetch({ year: 2026, dest: folder(), ...options } as never))
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
  })
})

const duck = await (await DuckDBInstance.create(':memory:')).connect()
afterAll(() => duck.closeSync())

/** Rewrites a file by SQL over its rows: `$` stands for them, `"#"` for their number. */
async function remade(path: string, select: string): Promise<Uint8Array> {
  const other = `${path}.made`
  const from = `(select *, row_number() over () as "#" from read_parquet('${path}'))`
  await duck.run(`copy (${select.replaceAll('$', from)}) to '${other}' (format parquet, codec zstd)`)
  renameSync(other, path)
  return readFileSync(path)
}

/** Findings as `fault check: what`, by day. */
function findings({ table }: TickCheck): Map<string, string[]> {
  const byDay = new Map<string, string[]>()
  for (const row of toObjects(table) as unknown as Record<string, string | null>[]) {
    const day = row.day ?? ''
    byDay.set(day, [...(byDay.get(day) ?? []), `${row.severity} ${row.check}: ${row.what}`])
  }
  return byDay
}

describe('files are verified', () => {
  test('the sample is sound, and all but page checksums is looked at', async () => {
    const check = await verifyTicks(sampleDir)
    const { ok, files, rows, from, to, faults, notes } = check
    expect({ ok, files, rows, from, to, faults, notes }).toEqual({
      ok: true,
      files: 60,
      rows: 29795,
      from: '20260506',
      to: '20260729',
      faults: 0,
      notes: 0,
    })
    expect(check.checks.filter(({ notMade }) => notMade > 0)).toMatchObject([
      { check: 'crc', notMade: 60, why: ['its pages carry no checksums'] },
    ])
    expect(check.checks.map((one) => one.check)).toEqual([
      'file',
      'name',
      'size',
      'sha256',
      'magic',
      'footer',
      'decode',
      'crc',
      'rows',
      'bounds',
      'day',
      'time',
      'null',
      'number',
      'order',
      'duplicate',
      'schema',
      'missing',
      'unlisted',
      'leftover',
    ])
  })

  /** What is done to the file of a day, and what must be found. */
  const broken: readonly (readonly [what: string, select: string, expected: readonly RegExp[]])[] = [
    [
      'another day',
      `select * exclude ("#") replace (if("#" = 7, '20260101', tradedate) as tradedate) from $`,
      [/^fault day: tradedate is another day in 1 row, the first: "20260101" in row 7$/],
    ],
    [
      'a time that is none',
      `select * exclude ("#") replace (if("#" = 3, '09:75:00', "time") as "time") from $ where "#" < 9`,
      [/^fault time: time is no time in 1 row, the first: "09:75:00" in row 3$/, /^note order/],
    ],
    [
      'a time of another day',
      `select * exclude ("#") replace ('2026-05-06 ' || "time" as "time") from $ where "#" < 9`,
      [/^fault time: time is of another day in 8 rows, the first: "2026-05-06 /],
    ],
    [
      'times in two ways',
      `select * exclude ("#") replace (if("#" = 9, replace("time", ':', ''), "time") as "time") from $ where "#" < 10`,
      [/^note time: times are written in 2 ways: HH:MM:SS, HHMMSS$/, /^note order/],
    ],
    [
      'another order',
      'select * exclude ("#") from $ order by "time", symbol',
      [/^note order: row \d+ is not in the order of \(symbol, time\); they are sorted by \(time, symbol\)$/],
    ],
    [
      'rows twice',
      'select * exclude ("#") from (select * from $ union all select * from $ where "#" <= 3) order by symbol, "time"',
      [/^fault duplicate: .*equal in all columns: 3 rows, the first: \d{8} \S+ 09:15:03 in rows 1 and 2$/],
    ],
    [
      'keys twice',
      'select * exclude ("#") from (select * from $ union all select * replace (m_price + 1 as m_price) from $ where "#" = 5) order by symbol, "time"',
      [
        /^fault duplicate: .*\(tradedate, symbol, time\).* and other cells: 1 row, the first: \d{8} \S+ 09:15:27 in rows 5 and 6$/,
      ],
    ],
    [
      'a missing key',
      'select * exclude ("#") replace (if("#" = 5, null, symbol) as symbol) from $',
      [/^fault null: symbol is missing in 1 row$/],
    ],
    [
      'odd numbers',
      `select * exclude ("#") replace (if("#" = 5, 'nan'::double, m_price) as m_price, if("#" < 3, '-inf'::double, auc_amt) as auc_amt) from $`,
      [/^fault number: auc_amt is infinite in 2 rows$/, /^note number: m_price is NaN in 1 row/],
    ],
    [
      'another type',
      'select * exclude ("#") replace (m_price::float as m_price) from $',
      [/^fault schema: .*m_price was double and is float$/],
    ],
    [
      'columns that came and went',
      'select * exclude ("#", um_vol), 1 as extra from $',
      [/^note schema: .*extra \(int32\)/, /^note schema: .*um_vol \(double\)/],
    ],
    ['no rows', 'select * exclude ("#") from $ where false', [/^fault rows: it has no rows$/]],
  ]
  // A sound file stands between two that are not, so that a schema which is another says so of them alone.
  const spoiltDays = broken.map((_, at) => days[at * 2 + 1] as string)
  let found: Map<string, string[]>
  beforeAll(async () => {
    const dir = folder()
    for (const name of names.slice(0, broken.length * 2 + 1)) cpSync(join(sampleTicks, name), join(dir, name))
    for (const [at, [, select]] of broken.entries()) await remade(join(dir, nameOf(spoiltDays[at] as string)), select)
    const check = await verifyTicks(dir)
    expect(check.ok).toBe(false)
    found = findings(check)
  })

  test.each(broken.map(([what], at) => [what, at] as const))('one fault in a file of its own: %s', (_, at) => {
    const [, , expected] = broken[at] as (typeof broken)[number]
    const day = spoiltDays[at] as string
    const lines = found.get(day) ?? []
    for (const pattern of expected) expect(lines).toContainEqual(expect.stringMatching(pattern))
    expect(lines.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
  })

  test('files that no rows tell of: missing, other, cut, of no day, not named, left behind', async () => {
    const dir = join(folder(), 'own')
    const first = new Map(names.slice(0, 5).map((name) => [name, readFileSync(join(sampleTicks, name))]))
    await market.ticks.fetch({ year: 2026, share: folderOf(first), dest: dir })
    const at = (name: string): string => join(dir, 'ticks', name)
    const change = (name: string, place: number, mask: number): void => {
      const bytes = readFileSync(at(name))
      bytes[place] = (bytes[place] as number) ^ mask
      writeFileSync(at(name), bytes)
    }
    const [gone, cut, other, broken] = names as [string, string, string, string]
    rmSync(at(gone))
    truncateSync(at(cut), 20_000)
    change(other, 200, 1)
    change(broken, 4, 64)
    cpSync(at(names[4] as string), at(nameOf('20270101')))
    writeFileSync(at(`${gone}.0a1b2c3d4e5f.part`), 'x')
    const lines = findings(await verifyTicks(dir))
    expect(lines.get(gone.slice(0, 8))).toEqual(['fault file: it is missing'])
    expect(lines.get(cut.slice(0, 8))?.map((line) => line.split(':')[0])).toEqual([
      'fault size',
      'fault sha256',
      'fault magic',
      'fault footer',
    ])
    expect(lines.get(cut.slice(0, 8))?.[0]).toMatch(/^fault size: it is 20000 bytes, the manifest says \d+ bytes$/)
    expect(lines.get(other.slice(0, 8))?.[0]).toMatch(
      /^fault sha256: it is [0-9a-f]{64}, the manifest says [0-9a-f]{64}$/,
    )
    expect(lines.get(broken.slice(0, 8))).toContainEqual(
      expect.stringMatching(/^fault decode: row group 1 of 1: its decoder broke down/),
    )
    expect(lines.get('')).toEqual([
      expect.stringMatching(/^note leftover: /),
      'note unlisted: the manifest does not name it; nobody reads it',
    ])
  })

  test('a page that is not what its checksum says, a cell beyond the bounds of its footer, a name of no day', async () => {
    const dir = folder()
    const bytes = readFileSync('test/fixture/parquet/crc-v1.parquet')
    writeFileSync(join(dir, nameOf('20260506')), bytes)
    const sound = await verifyTicks(dir)
    expect(sound.checks.find(({ check }) => check === 'crc')).toMatchObject({ made: 1, notMade: 0 })
    expect([...findings(sound).values()].flat().filter((line) => line.includes('crc'))).toEqual([])
    let isFound = false
    for (let place = 200; place < 400 && !isFound; place += 20) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] as number) ^ 1
      writeFileSync(join(dir, nameOf('20260506')), changed)
      isFound =
        findings(await verifyTicks(dir))
          .get('20260506')
          ?.some((line) => /^fault crc: .*is not what its checksum says$/.test(line)) === true
    }
    expect(isFound).toBe(true)
    writeFileSync(join(dir, '20261399_aucde.parquet'), bytes)
    expect(findings(await verifyTicks(dir)).get('')).toEqual(['fault name: the day in its name is none'])
  })

  test('a trading day without a file: by the days given, else by the calendar; checks that can not be made say why', async () => {
    const dir = folderOf(three)
    rmSync(join(dir, nameOf(two)))
    const line = 'fault missing: there is no file of this trading day'
    const check = await verifyTicks(dir)
    expect(findings(check)).toEqual(new Map([[two, [`${line} (the trading calendar)`]]]))
    for (const name of ['size', 'sha256'])
      expect(check.checks.find((one) => one.check === name)).toMatchObject({
        made: 0,
        notMade: 2,
        why: ['there is no manifest'],
      })
    expect(findings(await verifyTicks(dir, { days: [one, last, '20260730'] })).get('20260730')).toEqual([
      `${line} (the days given)`,
    ])
    await remade(join(dir, nameOf(one)), 'select m_price from $')
    const bare = await verifyTicks(dir, { days: [one, last] })
    expect(bare.checks.find((one) => one.check === 'day')?.why).toEqual(['there is no column tradedate'])
  })

  test.each<[() => string, object, string, RegExp]>([
    [() => '/nowhere', {}, 'FILE', /^\/nowhere does not exist$/],
    [folder, {}, 'FILE', /has no files of auction ticks: their names are YYYYMMDD_aucde\.parquet$/],
    [() => folderOf(three), { threads: 0 }, 'INVALID_VALUE', /^threads must be a whole number of at least 1, not 0$/],
    [() => folderOf(three), { day: [] }, 'USAGE', /did you mean 'days'\?$/],
    [() => folderOf(three), { days: ['2026-07-32'] }, 'INVALID_VALUE', /YYYYMMDD, not '2026-07-32'$/],
  ])('what can not be verified is refused', async (dirOf, options, code, message) => {
    const error = await failure(verifyTicks(dirOf(), options as never))
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
  })
})

describe('ticks are read', () => {
  test('by day, code and column: exact cells, in the order of the file', async () => {
    const table = await market.ticks.read({
      days: last,
      symbols: ['300750'],
      columns: ['time', 'm_price', 'auc_vol', 'um_side'],
    })
    expect(toObjects(table)[0]).toEqual({ time: '09:15:03', ...firstOf300750 })
    expect(String(table.schema.fields[0]?.type)).toBe('Dictionary<Int32, Utf8>')
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['time', 'm_price', 'auc_vol', 'um_side'])
    expect(provenance(table)).toMatchObject({ complete: true, dataset: 'auction_tick', rows: 101 })
    const rows = await duck.runAndReadAll(
      `select "time", m_price, auc_vol, um_side from read_parquet('${join(sampleTicks, nameOf(last))}') where symbol = '300750.SZ'`,
    )
    expect(toObjects(table)).toEqual(rows.getRowObjects())
  })

  test('by from and to, whole days or single codes in either spelling, and the same day by day or as a frame', async () => {
    const span = { from: '20260701', to: '20260729', columns: ['tradedate', 'symbol', 'time', 'm_price'] }
    const all = await market.ticks.read(span)
    const some = await market.ticks.read({ ...span, symbols: ['300750.SZ', '000001'] })
    const wanted = toObjects(all).filter((row) => ['300750.SZ', '000001.SZ'].includes(String(row.symbol)))
    expect(toObjects(some)).toEqual(wanted)
    expect(some.numRows).toBe(4242)
    let rows = 0
    const seen: string[] = []
    for await (const { day, table } of market.ticks.stream({ ...span, threads: 2 })) {
      seen.push(day)
      expect(new Set(strings(table, 'tradedate'))).toEqual(new Set([day]))
      rows += table.numRows
    }
    expect([rows, seen]).toEqual([all.numRows, days.filter((day) => day >= '20260701')])
    const frame = await market.ticks.load({ days: [last], symbols: '300750', columns: ['m_price'] })
    expect(frame.shape).toEqual([101, 1])
  })

  test('a code without rows is named; a column that one day lacks is missing there', async () => {
    const table = await market.ticks.read({ days: last, symbols: ['300750', '999999'] })
    expect(provenance(table)?.without).toEqual({ symbols: ['999999'] })
    const share = folderOf(three)
    await remade(join(share, nameOf(two)), 'select * exclude ("#", um_vol) from $')
    const dest = folder()
    await market.ticks.fetch({ year: 2026, share, dest })
    const own = await connect({ archive: dest })
    const both = await own.ticks.read({ days: [one, two] })
    const missing = numbers(both, 'um_vol').map((value) => Number(Number.isNaN(value)))
    expect(strings(both, 'tradedate').every((day, row) => missing[row] === Number(day === two))).toBe(true)
    const error = await failure(own.ticks.read({ days: two, columns: ['um_vol'] }))
    expect([error.code, error.message]).toEqual(['MISSING_COLUMN', expect.stringContaining('um_vol')])
    expect(await own.ticks.days()).toEqual([one, two, last])
    expect([await own.ticks.days(2026), await own.ticks.days(2025)]).toEqual([[one, two, last], []])
    await own.close()
  })

  test('a file of an archive that is not what was written is refused', async () => {
    const dest = folder()
    await market.ticks.fetch({ year: 2026, share: folderOf(three), dest })
    const path = join(dest, 'ticks', readdirSync(join(dest, 'ticks')).sort().at(-1) as string)
    const bytes = readFileSync(path)
    bytes[3000] = (bytes[3000] as number) ^ 1
    writeFileSync(path, bytes)
    const own = await connect({ archive: dest })
    const error = await failure(own.ticks.read(last))
    await own.close()
    expect([error.code, error.message]).toEqual([
      'ARCHIVE',
      `the file of ${last}: its checksum is not that of the manifest; quotebook archive repair removes it`,
    ])
  })

  test.each<[unknown, string, RegExp]>([
    ['20260101', 'FILE', /has no auction ticks of 20260101$/],
    ['2026-07-32', 'USAGE', /^days: "2026-07-32" is no date YYYYMMDD$/],
    [{ from: '20260730', to: '20260731' }, 'FILE', /has no auction ticks from 20260730 to 20260731$/],
    [{ from: '20260729', to: '20260728' }, 'USAGE', /^from 20260729 is later than to 20260728$/],
    [{ days: last, form: '1' }, 'USAGE', /did you mean 'from'\?$/],
    [{ days: last, from: last, to: last }, 'USAGE', /^days can not be combined with from and to$/],
    [{}, 'USAGE', /^say which ticks: days, or from and to$/],
    [{ days: last, symbols: [] }, 'USAGE', /^symbols is an empty list; leave it out for all$/],
    [{ days: last, columns: ['price'] }, 'MISSING_COLUMN', /price/],
    [{ days: last, limits: { rows: 10 } }, 'FILE', /10/],
    [{ days: last, limits: { row: 10 } }, 'USAGE', /did you mean 'rows'\?$/],
  ])('%o is refused', async (what, code, message) => {
    const error = await failure(market.ticks.read(what as never))
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)])
  })
})

describe('the command', () => {
  test('fetches, verifies and reads; the password comes from the environment and is not shown', async () => {
    const server = await serve({ login: `quotebook:${password}` })
    const dest = join(folder(), 'ticks of a year')
    const env = { QUOTEBOOK_SHARE_PASSWORD: password }
    const fetched = await runCommand(
      ['ticks', 'fetch', '--year', '2026', '--share', server.link, '--archive', dest],
      env,
    )
    expect([fetched.code, fetched.out]).toEqual([0, ''])
    expect(fetched.err).toMatch(/2026: 3 files, 80\.1 kB: 3 fetched; complete from 20260727 to 20260729/)
    expect(fetched.err).not.toMatch(/s3cret|sh4re/)
    const read = await here(
      'ticks',
      'read',
      last,
      '--symbols',
      '300750',
      '--columns',
      'time,m_price',
      '--source',
      dest,
      '--format',
      'csv',
    )
    expect(read.out.split('\n').slice(0, 2)).toEqual(['time,m_price', `09:15:03,${firstOf300750.m_price}`])
    truncateSync(join(dest, 'ticks', readdirSync(join(dest, 'ticks')).sort()[0] as string), 9000)
    const bad = await here('ticks', 'verify', '--source', dest, '--format', 'json')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out).map(({ check }: { check: string }) => check)).toEqual([
      'size',
      'sha256',
      'magic',
      'footer',
    ])
    expect(bad.err).toMatch(/4 faults, 0 notes\n.*delete it, and quotebook ticks fetch downloads it again\n$/)
    const wrong = await runCommand(['ticks', 'fetch', '--year', '2026', '--share', server.link, '--archive', dest], {
      QUOTEBOOK_SHARE_PASSWORD: 'sh4re-other',
    })
    expect(wrong.code).toBe(1)
    expect(wrong.err).toMatch(/answers 401: is its password right\?/)
    expect(wrong.err).not.toMatch(/s3cret|sh4re/)
  })

  test.each<[words: string, code: number, said: RegExp]>([
    ['', 2, /required option '--year <year>'/],
    ['--year 2021', 2, /begin with 2022/],
    ['--year 2025 --parallel 17 --share x', 2, /from 1 to 16/],
    ['--year 2025 --kind ftp', 2, /webdav, nextcloud, index, folder/],
    ['--year 2025 --share .', 1, /^quotebook: .* can not be listed: .*\n$/],
    [`--year 2024 --share ${sampleTicks}`, 1, /has no auction ticks of 2024/],
  ])('ticks fetch %s is refused in a line', async (words, code, said) => {
    const ran = await here('ticks', 'fetch', ...words.split(' ').filter((word) => word !== ''))
    expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringMatching(said)])
  })

  test('without a day it says what it takes, and exits with 2', async () => {
    const refused = await here('ticks', 'read')
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringMatching(/say which days: quotebook ticks read 20260729/),
    ])
  })
})
