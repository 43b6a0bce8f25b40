import { join } from 'node:path'
import { writeSample } from '../../src/cli/write-sample.js'
import { madeOnce, tempDir } from './temp.js'

/** The sample with markup, formulas and odd characters in its texts; made once for the tests of a file. */
export const hostileArchive = madeOnce(async () => {
  const dir = join(tempDir(), 'sample')
  await writeSample(dir, { hostile: true })
  return dir
})
