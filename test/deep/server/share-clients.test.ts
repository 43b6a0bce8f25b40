/* Deep: clients of others, curl among them, against a share. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AuthType, createClient, type FileStat, type WebDAVClient } from 'webdav'
import { createShares } from '../../../src/server/service/share/tick-shares.js'
import { bytesOf, type ShareServer, serveShares, tickArchive } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

const run = promisify(execFile)
const days = ['20260106', '20260105', '20260107']
const size = 700_000
const file = '20260106_aucde.parquet'
const bytes = Buffer.from(bytesOf('20260106', size))

let server: ShareServer
let url: string
let password: string

beforeAll(async () => {
  const archive = await tickArchive(tempDir(), days, size)
  const shares = createShares(archive, { secret: Buffer.alloc(32, 3), patience: 30_000 })
  server = await serveShares(shares)
  const { data } = await shares.offer({ name: 'alice', plan: 'flagship' }, 2026, server.base)
  url = String(data?.url)
  password = String(data?.password)
})
afterAll(() => server.close())

async function curl(...args: string[]): Promise<string> {
  return (await run('curl', ['-sS', '-u', `x:${password}`, ...args], { encoding: 'latin1', maxBuffer: 2 ** 24 })).stdout
}

describe('the npm client webdav', () => {
  let client: WebDAVClient
  beforeAll(() => {
    client = createClient(url, { authType: AuthType.Password, username: 'any', password })
  })

  test('lists the folder by date', async () => {
    const list = (await client.getDirectoryContents('/')) as FileStat[]
    const about = list.map(({ basename, size, type, etag, mime }) => ({ basename, size, type, etag, mime }))
    const expected = ['20260105', '20260106', '20260107'].map((day) => ({
      basename: `${day}_aucde.parquet`,
      size,
      type: 'file',
      etag: createHash('sha256').update(bytesOf(day, size)).digest('hex'),
      mime: 'application/vnd.apache.parquet',
    }))
    expect(about).toEqual(expected)
  })

  test('downloads a file, and a part of it', async () => {
    expect(bytes.equals((await client.getFileContents(`/${file}`)) as Buffer)).toBe(true)
    const pieces: Buffer[] = []
    const stream = client.createReadStream(`/${file}`, { range: { start: 1000, end: 300_000 } })
    for await (const piece of stream as unknown as AsyncIterable<Buffer>) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes.subarray(1000, 300_001))).toBe(true)
  })

  test('knows what is there, and can write nothing', async () => {
    expect(await client.exists(`/${file}`)).toBe(true)
    expect(await client.exists('/20260108_aucde.parquet')).toBe(false)
    expect(((await client.stat(`/${file}`)) as FileStat).size).toBe(size)
    expect((await client.getDAVCompliance('/')).compliance).toEqual(['1'])
    await expect(client.putFileContents('/new.parquet', 'x')).rejects.toMatchObject({ status: 405 })
    await expect(client.deleteFile(`/${file}`)).rejects.toMatchObject({ status: 405 })
    await expect(client.createDirectory('/folder')).rejects.toMatchObject({ status: 405 })
    await expect(client.moveFile(`/${file}`, '/other')).rejects.toMatchObject({ status: 405 })
  })
})

describe('curl', () => {
  test('downloads a file, ranges of it, and the rest of one that was cut', async () => {
    const out = join(tempDir(), file)
    await curl('-f', '-o', out, url + file)
    expect(bytes.equals(readFileSync(out))).toBe(true)
    expect(Buffer.from(await curl('-r', '10-19', url + file), 'latin1').equals(bytes.subarray(10, 20))).toBe(true)
    expect(Buffer.from(await curl('-r', '-5', url + file), 'latin1').equals(bytes.subarray(-5))).toBe(true)
    expect(Buffer.from(await curl('-r', '0-9,90-99', url + file), 'latin1').equals(bytes)).toBe(true)
    truncateSync(out, 123_456)
    await curl('-f', '-C', '-', '-o', out, url + file)
    expect(bytes.equals(readFileSync(out))).toBe(true)
  })
})
