// Deep: a small disk is mounted, which root alone may do.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fetchIntoArchive } from '../../../../src/data/ticks/fetch/fetch-into-archive.js'
import { sameDays, sumsOf, ticksOf, wrongIn } from '../../../helper/fetched.js'
import { memoryShare } from '../../../helper/memory-share.js'
import { tempDir } from '../../../helper/temp.js'
import { tickDays, tickFiles, year } from '../../../helper/tick-year.js'

/** A disk of so many kB; undefined where nobody may make one. */
function smallDisk(
  kilobytes: number,
): { readonly dir: string; grow(kilobytes: number): void; remove(): void } | undefined {
  const dir = join(tempDir(), 'disk')
  mkdirSync(dir)
  const mount = (...args: string[]): boolean => spawnSync('mount', ['-t', 'tmpfs', ...args, dir]).status === 0
  if (!mount('-o', `size=${kilobytes}k`, 'quotebook')) return undefined
  return {
    dir,
    grow: (more) => void mount('-o', `remount,size=${more}k`, 'quotebook'),
    remove: () => void spawnSync('umount', [dir]),
  }
}

const days = tickDays.slice(0, 30)

test('a disk that fills up in the middle: one clear line, no wrong file, and the next run goes on', async ({
  skip,
}) => {
  const disk = smallDisk(600)
  if (!disk) return skip('a small disk can be mounted by root alone')
  try {
    const dir = join(disk.dir, 'archive')
    const files = await tickFiles(days)
    const share = memoryShare(files)
    // Nobody tells sizes: that there is no room is seen when it is too late.
    const list = async () => (await share.list()).map(({ day }) => ({ day }))
    const open = async (...given: Parameters<typeof share.open>) => ({
      ...(await share.open(...given)),
      size: undefined,
    })
    const error = await fetchIntoArchive({ share: async () => ({ ...share, list, open }), dir, year }).catch(
      (error: Error) => error,
    )
    expect(error).toMatchObject({ code: 'FILE' })
    const { message } = error as Error
    expect(message).toMatch(
      /^\/.*\/archive: the disk is full;( about \d+ kB are still to come;)? make room, or choose another disk; \d+ of 30 files of 2025 were fetched/,
    )
    expect(wrongIn(dir, sumsOf(files))).toEqual([])
    const came = ticksOf(dir).length
    expect(came).toBeGreaterThan(1)
    expect(came).toBeLessThan(29)
    const told = await fetchIntoArchive({ share: async () => share, dir, year }).catch((error: Error) => error)
    expect((told as Error).message).toMatch(/are needed and .* are free; make room, or choose another disk$/)
    disk.grow(4000)
    expect(statfsSync(disk.dir).bavail).toBeGreaterThan(100)
    expect(await fetchIntoArchive({ share: async () => share, dir, year })).toMatchObject({
      fetched: 30 - came,
      complete: came,
    })
    expect(sameDays(dir, files)).toEqual(days)
    expect(readdirSync(dir).sort()).toEqual(['manifest.json', 'ticks'])
  } finally {
    disk.remove()
  }
})
