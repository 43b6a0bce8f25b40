import { statfs } from 'node:fs/promises'
import { QuotebookError } from '../../contract/error.js'

/** A size as people say it: `1.6 GB`. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1
  return `${size.toFixed(digits)} ${units[unit]}`
}

/** @throws QuotebookError FILE when a directory's disk has not so much room, in bytes, with both sizes */
export async function checkRoom(dir: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const free = bavail * bsize
  if (needed <= free) return
  const message = `${dir}: ${sizeText(needed)} are needed and ${sizeText(free)} are free; make room, or choose another disk`
  throw new QuotebookError('FILE', message)
}

/** Whether an error says that there is no more room. */
export function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}
