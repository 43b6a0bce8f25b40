import { join } from 'node:path'
import { writeSample } from '../../src/sample/write-sample.js'
import { tempDir } from './temp.js'

let made: Promise<string> | undefined

async function make(): Promise<string> {
  const dir = join(tempDir(), 'sample')
  await writeSample(dir, { hostile: true })
  return dir
}

/** The sample with markup, formulas and odd characters in its texts; made once for the tests of a file. */
export function hostileArchive(): Promise<string> {
  made ??= make()
  return made
}
