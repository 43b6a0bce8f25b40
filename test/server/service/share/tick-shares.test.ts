import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Archive } from '../../../../src/data/archive/archive.js'
import type { Caller } from '../../../../src/server/service/authenticator.js'
import { sha256OfFile } from '../../../../src/server/service/share/file-verifier.js'
import {
  createShares,
  type FileResult,
  type ShareFault,
  type Shares,
  type SharesOptions,
} from '../../../../src/server/service/share/tick-shares.js'
import { basic, bytesOf, putTicks, serveShares, tell, tickArchive } from '../../../helper/share.js'
import { tempDir } from '../../../helper/temp.js'

const time = (): number => Date.parse('2026-07-29T12:00:00+08:00')
const secret = Buffer.alloc(32, 1)
const flagship: Caller = { name: 'alice', plan: 'flagship' }
const professional: Caller = { name: 'bob', plan: 'professional' }
const base = 'http://127.0.0.1:1'

function sharesOf(archive: Archive, options: SharesOptions = {}): { shares: Shares; faults: ShareFault[] } {
  const faults: ShareFault[] = []
  const onFault = (fault: ShareFault): unknown => faults.push(fault)
  return { shares: createShares(archive, { time, secret, patience: 30_000, onFault, ...options }), faults }
}

/** What a link shows, by its index page. */
async function namesIn(shares: Shares, { data }: FileResult): Promise<string[]> {
  const server = await serveShares(shares)
  onTestFinished(() => server.close())
  const path = new URL(String(data?.url)).pathname
  const { status, body } = await tell({ port: server.port, path, headers: basic(String(data?.password)) })
  expect(status).toBe(200)
  return [...body.toString().matchAll(/href="([^"]+)"/g)].map(([, name]) => name as string)
}

test('the days are bound to the link: those of another plan are not behind it, under any name', async () => {
  const { shares } = sharesOf(await tickArchive(tempDir(), ['20250729', '20250730']))
  const server = await serveShares(shares)
  onTestFinished(() => server.close())
  const [narrow, wide] = [await shares.offer(professional, 2025, base), await shares.offer(flagship, 2025, base)]
  const get = async ({ data }: FileResult, name: string): Promise<number> => {
    const path = new URL(String(data?.url)).pathname + name
    return (await tell({ port: server.port, path, headers: basic(String(data?.password)) })).status
  }
  expect(await get(narrow, '20250729_aucde.parquet')).toBe(404)
  expect(await get(narrow, '20250730_aucde.parquet')).toBe(200)
  expect(await get(wide, '20250729_aucde.parquet')).toBe(200)
  const [path, other] = [new URL(String(wide.data?.url)).pathname, String(narrow.data?.password)]
  expect((await tell({ port: server.port, path, headers: basic(other) })).status).toBe(401)
})

test('files are prepared in the background, each read once', async () => {
  const archive = await tickArchive(tempDir(), ['20260105', '20260106', '20260107'])
  const opened: number[] = []
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const digest: SharesOptions['digest'] = async (file) => {
    opened.push(file.size)
    await gate
    return sha256OfFile(file)
  }
  const { shares } = sharesOf(archive, { digest, patience: 20 })
  const waiting = await shares.offer(flagship, 2026, base)
  expect(waiting).toMatchObject({ code: 503, message: 'preparing' })
  expect(waiting.data).toEqual({
    data_type: 'auction_tick',
    year: 2026,
    start_date: '20260105',
    end_date: '20260107',
    file_count: 3,
    size_bytes: 3000,
    status: 'preparing',
    url: '',
    password: '',
    expires_at: '',
    retry_after: 1,
  })
  await shares.offer(flagship, 2026, base)
  expect(opened).toEqual([1000])
  release()
  await expect.poll(async () => (await shares.offer(flagship, 2026, base)).code, { timeout: 600_000 }).toBe(0)
  expect(await shares.offer(professional, 2026, base)).toMatchObject({ code: 0, data: { file_count: 3 } })
  expect(opened).toEqual([1000, 1000, 1000])
})

test.each([
  ['other bytes of the same length', (path: string) => writeFileSync(path, bytesOf('1', 1000))],
  ['no file', (path: string) => rmSync(path)],
  [
    'a link, even to the same bytes',
    (path: string) => {
      copyFileSync(path, `${path}.copy`)
      rmSync(path)
      symlinkSync(`${path}.copy`, path)
    },
  ],
])('a damaged file is not offered and told of once: %s', async (_, damage) => {
  const dir = tempDir()
  const archive = await tickArchive(dir, ['20260105', '20260106'])
  damage(join(dir, 'ticks/20260105_aucde.parquet'))
  const { shares, faults } = sharesOf(archive)
  const result = await shares.offer(flagship, 2026, base)
  expect(result).toMatchObject({ code: 0, data: { file_count: 1, size_bytes: 1000, start_date: '20260106' } })
  expect(await namesIn(shares, result)).toEqual(['20260106_aucde.parquet'])
  expect(faults).toHaveLength(1)
  expect(faults[0]?.file).toBe('20260105_aucde.parquet')
  expect(faults[0]?.message).not.toContain(dir)
})

test('a file that is damaged after it was offered is not sent, and sent again once it is mended', async () => {
  const dir = tempDir()
  const archive = await tickArchive(dir, ['20260105', '20260106'])
  const { shares, faults } = sharesOf(archive)
  const { data } = await shares.offer(flagship, 2026, base)
  const server = await serveShares(shares)
  onTestFinished(() => server.close())
  const path = `${new URL(String(data?.url)).pathname}20260105_aucde.parquet`
  const get = (): ReturnType<typeof tell> => tell({ port: server.port, path, headers: basic(String(data?.password)) })
  expect((await get()).status).toBe(200)
  const file = join(dir, 'ticks/20260105_aucde.parquet')
  writeFileSync(file, bytesOf('2', 1000))
  expect((await get()).status).toBe(404)
  expect((await shares.offer(flagship, 2026, base)).data).toMatchObject({ file_count: 1 })
  expect(faults).toHaveLength(1)
  writeFileSync(`${file}.new`, bytesOf('20260105', 1000))
  renameSync(`${file}.new`, file)
  const { status, body } = await get()
  expect(status).toBe(200)
  expect(body.equals(bytesOf('20260105', 1000))).toBe(true)
  expect((await shares.offer(flagship, 2026, base)).data).toMatchObject({ file_count: 2 })
})

test('while a writer is at work a file that is not the one of the manifest is awaited, not damaged', async () => {
  const dir = tempDir()
  const archive = await tickArchive(dir, ['20260105'])
  writeFileSync(join(dir, 'ticks/20260105_aucde.parquet'), bytesOf('20260105', 1000, 1))
  mkdirSync(join(dir, '.lock'))
  const { shares, faults } = sharesOf(archive, { patience: 1000 })
  expect(await shares.offer(flagship, 2026, base)).toMatchObject({ code: 503, data: { status: 'preparing' } })
  expect(faults).toEqual([])
  rmSync(join(dir, '.lock'), { recursive: true })
  await putTicks(dir, { 20260105: bytesOf('20260105', 1000, 1) })
  expect(await shares.offer(flagship, 2026, base)).toMatchObject({ code: 0, data: { file_count: 1 } })
  expect(faults).toEqual([])
})

test('files that are imported while a link lives are found behind it', async () => {
  const dir = tempDir()
  const { shares } = sharesOf(await tickArchive(dir, ['20260105']))
  const result = await shares.offer(flagship, 2026, base)
  await putTicks(dir, { 20260106: bytesOf('20260106', 2000) })
  expect(await namesIn(shares, result)).toEqual(['20260105_aucde.parquet', '20260106_aucde.parquet'])
})
