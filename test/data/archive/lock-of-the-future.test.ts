import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLocked, takeLock } from '../../../src/data/archive/directory-lock.js'
import { tempDir } from '../../helper/temp.js'

test.each([
  ['a year ahead', 31_536_000],
  ['a year behind', -31_536_000],
])('a lock that a process left whose clock was %s is free', async (_, wrong) => {
  const path = join(tempDir(), '.sync')
  mkdirSync(path)
  writeFileSync(join(path, 'abcdef012345'), '.')
  const then = Date.now() / 1000 + wrong
  utimesSync(join(path, 'abcdef012345'), then, then)
  expect(await isLocked(path)).toBe(false)
  const lock = await takeLock(path, 0)
  expect([lock?.lost, await isLocked(path)]).toEqual([false, true])
  await lock?.release()
})
