import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { messageOf, QuotebookError } from '../contract/error.js'

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

/**
 * A folder with all that are above it. Node's own `recursive` never comes to an end below /proc, and can't be interrupted then.
 * @returns whether it was made; false when it was there
 * @throws QuotebookError USAGE for an empty name, ARCHIVE where a folder can not be
 */
export async function makeFolder(dir: string): Promise<boolean> {
  if (dir.trim() === '') throw new QuotebookError('USAGE', 'the name of the folder is empty')
  const path = resolve(dir)
  try {
    await mkdir(path)
    return true
  } catch (cause) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) return false
    if (found) throw new QuotebookError('ARCHIVE', `${dir} is a file, not a folder`, { cause })
    const above = dirname(path)
    if (await isThere(above)) {
      throw new QuotebookError('ARCHIVE', `the folder ${dir} can not be made: ${messageOf(cause)}`, { cause })
    }
    if (above === path) throw cause
  }
  await makeFolder(dirname(path))
  return makeFolder(dir)
}
