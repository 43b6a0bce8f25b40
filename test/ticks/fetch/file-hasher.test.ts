import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { semaphore } from '../../../src/threads/semaphore.js'
import { startHasher } from '../../../src/ticks/fetch/file-hasher.js'
import { bytesOf } from '../../helper/share.js'
import { tempDir } from '../../helper/temp.js'

const hasher = startHasher()
afterAll(() => hasher.close())

test('the hash of a file that grows is that of its bytes, however it is told of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400_000), { minLength: 1, maxLength: 5 }), async (lengths) => {
      const bytes = bytesOf(
        '20260105',
        lengths.reduce((sum, length) => sum + length, 0),
      )
      const file = await open(join(tempDir(), 'growing'), 'w+')
      const followed = hasher.hashFile(file.fd)
      let at = 0
      for (const length of lengths) {
        await file.write(bytes, at, length, at)
        at += length
        followed.upTo(at)
      }
      expect(await followed.end(at)).toBe(createHash('sha256').update(bytes).digest('hex'))
      await file.close()
    }),
    { numRuns: 10 },
  )
})

test('a file that is shorter than told, or not open, has no hash', async () => {
  const file = await open(join(tempDir(), 'short'), 'w+')
  await file.write(bytesOf('20260105', 100), 0, 100, 0)
  await expect(hasher.hashFile(file.fd).end(200)).rejects.toMatchObject({ code: 'FILE' })
  await file.close()
  const gone = hasher.hashFile(9999)
  gone.upTo(10)
  await expect(gone.end(10)).rejects.toMatchObject({ code: 'FILE' })
})

test('when the thread has ended nobody waits for it', async () => {
  const brief = startHasher()
  const file = await open(join(tempDir(), 'file'), 'w+')
  const followed = brief.hashFile(file.fd)
  await brief.close()
  await expect(followed.end(0)).rejects.toThrow('has ended')
  await file.close()
})

test('lanes: never more at once than there is room for; closed, nothing more begins', async () => {
  const road = semaphore(2)
  let [now, most] = [0, 0]
  const work = async (): Promise<void> => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now--
  }
  await Promise.all(Array.from({ length: 9 }, () => road.run(work)))
  expect([now, most]).toEqual([0, 2])
  const all = Array.from({ length: 4 }, () => road.run(work).then(() => 'done', String))
  road.close('closed')
  expect(await Promise.all(all)).toEqual(['done', 'done', 'closed', 'closed'])
  await expect(road.run(work)).rejects.toBe('closed')
})
