/* Deep: thousands of paths. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShares } from '../../../src/server/service/share/tick-shares.js'
import { basic, type ShareServer, serveShares, tell, tickArchive } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

const file = '20260105_aucde.parquet'
/** A day's name over a link out of the folder. */
const linked = '20260106_aucde.parquet'
let server: ShareServer
let dir: string
let path: string
let password: string

beforeAll(async () => {
  dir = tempDir()
  const archive = await tickArchive(dir, ['20260105'])
  writeFileSync(join(dir, 'ticks/other.parquet'), 'SECRET')
  writeFileSync(join(dir, 'SECRET'), 'SECRET')
  symlinkSync(join(dir, 'SECRET'), join(dir, 'ticks', linked))
  const shares = createShares(archive, { patience: 30_000 })
  server = await serveShares(shares)
  const { data } = await shares.offer({ name: 'alice', plan: 'flagship' }, 2026, server.base)
  path = new URL(String(data?.url)).pathname
  password = String(data?.password)
})
afterAll(() => server.close())

/** What is told of a path as it stands, or `unsent` when Node itself refuses to send it. */
async function statusOf(at: string, method = 'GET'): Promise<number | 'unsent'> {
  try {
    const told = await tell({ port: server.port, path: at, method, headers: { ...basic(password), depth: '0' } })
    const body = told.body.toString('latin1')
    expect(body).not.toContain('SECRET')
    expect(body + JSON.stringify(told.headers)).not.toContain(dir)
    expect(body).not.toMatch(/\n\s+at |node:/)
    return told.status
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_UNESCAPED_CHARACTERS') return 'unsent'
    throw error
  }
}

test('2,000 random paths: the file under its own name or nothing', async () => {
  const bits = '.. . / // \\ %2e %2f %5c %00 % %c0%ae %ff %252e SECRET ticks'.split(' ')
  const names = [file, file, file.toUpperCase(), linked, 'other.parquet', 'a'.repeat(1900), 'a/'.repeat(900)]
  const part = fc.oneof(
    fc.constantFrom(...bits, ...names, path, path.slice(0, -1), 'share', '?', '#', ';'),
    fc.string({ maxLength: 6 }),
  )
  const tail = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const any = fc.tuple(fc.constantFrom(path, path, path, '/share/', '/'), tail).map(([head, rest]) => head + rest)
  const methods = fc.constantFrom('GET', 'GET', 'HEAD', 'PROPFIND', 'OPTIONS', 'DELETE')
  let reached = 0
  await fc.assert(
    fc.asyncProperty(any, methods, async (at, method) => {
      const status = await statusOf(at, method)
      if (status === 'unsent') return
      const plain = (at.split('?', 1)[0] as string).replace(/%([2-7][0-9a-f])/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      const isFound = plain === path || plain === path.slice(0, -1) || plain === path + file
      if (isFound) reached++
      else if (method === 'GET' || method === 'HEAD' || method === 'PROPFIND') expect([400, 404]).toContain(status)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 2000 },
  )
  expect(reached).toBeGreaterThan(20)
})

test.each([
  ['https://quotes.example.com', ''],
  ['https://quotes.example.com/q/', '/q'],
])('behind a proxy at %s a listing names its files under its path', async (url, root) => {
  const shares = createShares(await tickArchive(tempDir(), ['20260105']), { url, patience: 30_000 })
  const behind = await serveShares(shares)
  try {
    const { data } = await shares.offer({ name: 'alice', plan: 'flagship' }, 2026, behind.base)
    const at = new URL(String(data?.url)).pathname
    const headers = { ...basic(String(data?.password)), depth: '1' }
    const told = await tell({ port: behind.port, path: at, method: 'PROPFIND', headers })
    const hrefs = [...told.body.toString().matchAll(/<D:href>(.*?)<\/D:href>/g)].map(([, href]) => href)
    expect(hrefs).toEqual([root + at, root + at + file])
  } finally {
    await behind.close()
  }
})
