/* Deep: files that are imported and overwritten while they are downloaded. */
import { openSync, readdirSync, readlinkSync, utimesSync, writeSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createShares, type Shares } from '../../../src/server/service/share/tick-shares.js'
import { basic, putTicks, type ShareServer, serveShares, tell, tickArchive } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

/** More than sockets hold between two processes, so that a download stands still until it is read. */
const size = 40_000_000
const day = '20260105'
const old = Buffer.alloc(size, 'old bytes ')
const fresh = Buffer.alloc(size, 'new bytes ')

let dir: string
let shares: Shares
let server: ShareServer
let path: string
let password: string

beforeEach(async () => {
  dir = tempDir()
  await putTicks(dir, { [day]: old })
  shares = createShares(await tickArchive(dir, []), { patience: 30_000 })
  server = await serveShares(shares)
  onTestFinished(() => server.close())
  const { data } = await shares.offer({ name: 'alice', plan: 'flagship' }, 2026, server.base)
  path = `${new URL(String(data?.url)).pathname}${day}_aucde.parquet`
  password = String(data?.password)
})

/** A download that has begun and is not read on. */
function begun(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = basic(password)
    request({ port: server.port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject).end()
  })
}

async function rest(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test('a file that is imported again while it is downloaded goes on as it was, and is new for the next', async () => {
  const response = await begun()
  const etag = response.headers.etag
  await putTicks(dir, { [day]: fresh })
  const next = await tell({ port: server.port, path, headers: basic(password) })
  expect(next.body.equals(fresh)).toBe(true)
  expect(next.headers.etag).not.toBe(etag)
  expect((await rest(response)).equals(old)).toBe(true)
  const headers = { ...basic(password), range: 'bytes=5-', 'if-range': String(etag) }
  const resumed = await tell({ port: server.port, path, headers })
  expect([resumed.status, resumed.body.equals(fresh)]).toEqual([200, true])
})

test('a file that is overwritten in its place while it is downloaded is never whole', async () => {
  const response = await begun()
  const descriptor = openSync(join(dir, `ticks/${day}_aucde.parquet`), 'r+')
  writeSync(descriptor, fresh, 0, size, 0)
  utimesSync(join(dir, `ticks/${day}_aucde.parquet`), 1, 1)
  const end = rest(response).then(
    () => 'whole',
    (error: NodeJS.ErrnoException) => error.code,
  )
  expect(await end).toBe('ECONNRESET')
})

test('a download that is broken off leaves no descriptor and no fault', async () => {
  const open = (): number =>
    readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(join(dir, 'ticks'))
      } catch {
        return false
      }
    }).length
  const warnings: string[] = []
  const warn = ({ message }: Error): unknown => warnings.push(message)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const responses = await Promise.all([begun(), begun(), begun()])
  expect(open()).toBe(3)
  for (const response of responses) response.destroy()
  await expect.poll(open, { timeout: 600_000 }).toBe(0)
  // A descriptor that nobody closed is closed in the end with its handle, and Node says so.
  expect(warnings).toEqual([])
  expect((await tell({ port: server.port, path, headers: basic(password) })).status).toBe(200)
})
