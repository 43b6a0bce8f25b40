import { statfs } from 'node:fs/promises'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'

/** A size as people say it: `1.6 GB`. */
export function sizeText(bytes: number): Words {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1
  return sentence`${size.toFixed(digits)} ${units[unit]}`
}

/** A disk has too little room. */
export class DiskSpaceError extends QuotebookError {
  constructor(message: Words) {
    super('FILE', message)
  }
}

/** @throws DiskSpaceError when a directory's disk has not so much room, in bytes, with both sizes */
export async function checkDiskSpace(dir: string, needed: number): Promise<void> {
  const about = await statfs(dir).catch(() => undefined)
  // Some network disks report no size, and some systems none at all.
  if (!about?.blocks) return
  const { bavail, bsize } = about
  const free = bavail * bsize
  if (needed <= free) return
  const message = sentence`${dir}: ${sizeText(needed)} are needed and ${sizeText(free)} are free; make room, or choose another disk`
  throw new DiskSpaceError(message)
}
