// Deep: nginx and Apache serve a year of files, and are started again in the middle.
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type FileStat } from 'webdav'
import type { FetchProgress } from '../../../../src/data/ticks/fetch/fetch-files.js'
import { fetchYear } from '../../../../src/data/ticks/fetch/fetch-year.js'
import { openShare } from '../../../../src/data/ticks/share/open-share.js'
import { all } from '../../../data/ticks/share/scripted-server.js'
import { apache } from '../../../helper/apache.js'
import { sameDays } from '../../../helper/fetched.js'
import { nginx } from '../../../helper/nginx.js'
import { type FileServer, has } from '../../../helper/server-process.js'
import { tempDir } from '../../../helper/temp.js'
import { absentDay, folderOf, nameOf, tickDays, tickFiles, year } from '../../../helper/tick-year.js'

const password = 'pä:ss wörd of 2025'
const kinds = { nginx, apache2: apache } as const
let files: Map<string, Uint8Array>
const open: FileServer[] = []

beforeAll(async () => {
  files = await tickFiles()
})

afterEach(async () => {
  for (const server of open.splice(0)) await server.stop()
})

const here = (): string => join(tempDir(), 'archive')

/** Calls once, when a part of the bytes has come. */
function when(part: number, act: () => void): (progress: FetchProgress) => void {
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  let isOver = false
  return ({ received }) => {
    if (isOver || received < part * bytes) return
    isOver = true
    act()
  }
}

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (kind) => {
  const whenThere = test.skipIf(!has(kind))

  async function serve(dir: string, own: string = password): Promise<FileServer> {
    const server = await kinds[kind](dir, { password: own })
    open.push(server)
    return server
  }

  whenThere(
    'started again in the middle, a year of 242 files comes whole; a second run makes no download',
    async () => {
      const dest = here()
      const server = await serve(folderOf(files))
      let restarted: Promise<void> | undefined
      const onProgress = when(0.5, () => {
        restarted = server.restart()
      })
      const asked = { year, dest, share: server.url, password }
      const fetched = await fetchYear(undefined, { ...asked, onProgress })
      expect(fetched).toMatchObject({ files: 242, fetched: 242, missingDays: [absentDay] })
      expect(restarted).toBeDefined()
      await restarted
      expect(sameDays(dest, files)).toEqual(tickDays)
      expect(await fetchYear(undefined, asked)).toMatchObject({ fetched: 0, complete: 242 })
    },
  )

  whenThere('from any byte on, of the same file only', async () => {
    const dir = folderOf(files)
    const [day = ''] = tickDays
    utimesSync(join(dir, nameOf(day)), 1e9, 1e9)
    const share = openShare((await serve(dir)).url, { password })
    const bytes = Buffer.from(files.get(day) as Uint8Array)
    const { etag, strongModified, ...first } = await share.open(day)
    expect([first.from, first.size, strongModified]).toEqual([0, bytes.length, 'Sun, 09 Sep 2001 01:46:40 GMT'])
    expect(Buffer.compare(await all(first), bytes)).toBe(0)
    for (const options of [{ etag }, { strongModified }, { etag: '"other"' }, {}]) {
      const part = await share.open(day, { from: 1000, ...options })
      const from = options.etag === etag || options.strongModified ? 1000 : 0
      expect([part.from, part.size]).toEqual([from, bytes.length])
      expect(Buffer.compare(await all(part), bytes.subarray(from))).toBe(0)
    }
    await share.close()
  })
})

test.skipIf(!has('apache2'))('the listing of Apache is that of the npm package webdav', async () => {
  const plain = 'of-letters-only'
  const server = await apache(folderOf(files), { password: plain })
  open.push(server)
  const share = openShare(server.url, { password: plain })
  const client = createClient(server.url, { username: 'quotebook', password: plain })
  const found = (await client.getDirectoryContents('/')) as FileStat[]
  const told = found.map(({ basename, size, lastmod }) => [basename, size, lastmod]).sort()
  expect((await share.list()).map(({ day, size, modified }) => [nameOf(day), size, modified])).toEqual(told)
  await share.close()
})
