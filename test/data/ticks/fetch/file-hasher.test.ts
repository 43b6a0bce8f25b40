import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startHasher } from '../../../../src/data/ticks/fetch/file-hasher.js'
import { bytesOf } from '../../../helper/share.js'
import { tempFile } from '../../../helper/temp.js'

const hasher = startHasher()
afterAll(() => hasher.close())

test('files have the hash of their bytes, several at once; one that is not there has none, and harms no other', async () => {
  const files = [0, 1, 262_144, 700_000].map((length) => bytesOf('20260105', length))
  const sums = files.map((bytes) => hasher.hash(tempFile('file', bytes)))
  const missing = hasher.hash('/nowhere')
  const after = hasher.hash(tempFile('file', files[3] as Uint8Array))
  await expect(missing).rejects.toMatchObject({ code: 'FILE', message: expect.stringContaining('ENOENT') })
  expect([...(await Promise.all(sums)), await after]).toEqual(
    [...files, files[3] as Uint8Array].map((bytes) => createHash('sha256').update(bytes).digest('hex')),
  )
})
