import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Archive } from '../../../src/archive/archive.js'
import { HttpSource } from '../../../src/source/http-source.js'
import type { FetchProgress } from '../../../src/ticks/fetch/fetch-files.js'
import { fetchYear } from '../../../src/ticks/fetch/fetch-year.js'
import { apache } from '../../helper/apache.js'
import { failure } from '../../helper/failure.js'
import { sameDays, sumsOf, ticksOf, wrongIn } from '../../helper/fetched.js'
import { nginx } from '../../helper/nginx.js'
import { serviceOver } from '../../helper/own-service.js'
import { type FileServer, has } from '../../helper/server-process.js'
import { putTicks } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'
import { absentDay, folderOf, nameOf, tickDays, tickFiles, year } from '../../helper/tick-year.js'

const password = 'a secret of 2025'
const runs = Number(process.env.RUNS ?? 1)
const kinds = { nginx, apache2: apache } as const
type Kind = keyof typeof kinds
let files: Map<string, Uint8Array>
let other: Map<string, Uint8Array>
const open: FileServer[] = []

beforeAll(async () => {
  files = await tickFiles()
  other = await tickFiles(tickDays.slice(0, 60), { seed: 7 })
})

afterEach(async () => {
  for (const server of open.splice(0)) await server.stop()
})

async function serve(kind: Kind, dir: string): Promise<FileServer> {
  const server = await kinds[kind](dir, { password })
  open.push(server)
  return server
}

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

async function whole(kind: Kind, onProgress?: (progress: FetchProgress) => void): Promise<void> {
  const server = await serve(kind, folderOf(files))
  const dest = here()
  const asked = { year, dest, share: server.url, password, ...(onProgress ? { onProgress } : {}) }
  expect(await fetchYear(undefined, asked)).toMatchObject({ files: 242, fetched: 242, missingDays: [absentDay] })
  expect(sameDays(dest, files)).toEqual(tickDays)
  expect(wrongIn(dest, sumsOf(files))).toEqual([])
  expect(await fetchYear(undefined, asked)).toMatchObject({ fetched: 0, complete: 242 })
}

for (const kind of Object.keys(kinds) as Kind[]) {
  test.skipIf(!has(kind))(`a year of 242 files comes whole from ${kind}; a second run makes no download`, () =>
    whole(kind),
  )

  test.skipIf(!has(kind))(`${kind} is started again in the middle: nothing is lost`, async () => {
    for (let run = 0; run < runs; run++) {
      const dest = here()
      const server = await serve(kind, folderOf(files))
      let restarted: Promise<void> | undefined
      const onProgress = when((run + 1) / (runs + 1), () => {
        restarted = server.restart()
      })
      await fetchYear(undefined, { year, dest, share: server.url, password, onProgress })
      await restarted
      expect(restarted).toBeDefined()
      expect(sameDays(dest, files)).toEqual(tickDays)
      expect(wrongIn(dest, sumsOf(files))).toEqual([])
    }
  })

  test.skipIf(!has(kind))(
    `files are replaced on ${kind} in the middle: each is one or the other, and the next run brings the new`,
    async () => {
      const dest = here()
      const dir = folderOf(files)
      const server = await serve(kind, dir)
      const onProgress = when(0.1, () => {
        for (const [day, bytes] of other) {
          writeFileSync(join(dir, `${day}.new`), bytes)
          renameSync(join(dir, `${day}.new`), join(dir, nameOf(day)))
        }
      })
      const asked = { year, dest, share: server.url, password }
      await fetchYear(undefined, { ...asked, onProgress })
      expect(wrongIn(dest, sumsOf(files, other))).toEqual([])
      await fetchYear(undefined, asked)
      expect(sameDays(dest, new Map([...files, ...other]))).toEqual(tickDays)
      expect(await fetchYear(undefined, asked)).toMatchObject({ fetched: 0 })
    },
  )

  test.skipIf(!has(kind))(
    `the password of ${kind} is changed in the middle: one clear error, and the next run goes on`,
    async () => {
      const dest = here()
      const server = await serve(kind, folderOf(files))
      let changed: Promise<void> | undefined
      const onProgress = when(0.4, () => {
        changed = server.restart({ password: 'another' })
      })
      const error = await failure(fetchYear(undefined, { year, dest, share: server.url, password, onProgress }))
      await changed
      expect(error).toMatchObject({ code: 'FILE' })
      expect(error.message).toMatch(
        /^the share of auction ticks at http:\/\/127\.0\.0\.1:\d+ answers 401.*; \d+ of 242 files of 2025 were fetched/,
      )
      expect(error.message).not.toContain(password)
      const came = ticksOf(dest).length
      expect(came).toBeGreaterThan(20)
      expect(came).toBeLessThan(242)
      expect(wrongIn(dest, sumsOf(files))).toEqual([])
      const again = await fetchYear(undefined, { year, dest, share: server.url, password: 'another' })
      expect(again).toMatchObject({ fetched: 242 - came, complete: came })
      expect(sameDays(dest, files)).toEqual(tickDays)
    },
  )
}

test('a year of 242 files comes whole from our own service, by file_download; a second run makes no download', async () => {
  const dir = here()
  await putTicks(dir, Object.fromEntries(files))
  const service = await serviceOver(new Archive(dir, 'test'))
  const source = new HttpSource({ nodes: [service.url], apikey: 'any' })
  try {
    const dest = here()
    expect(await fetchYear(source, { year, dest })).toMatchObject({ files: 242, fetched: 242, notes: [] })
    expect(sameDays(dest, files)).toEqual(tickDays)
    expect(await fetchYear(source, { year, dest })).toMatchObject({ fetched: 0, complete: 242 })
  } finally {
    await source.close()
    await service.close()
  }
})
