import type { FileHandle } from 'node:fs/promises'
import { QuotebookError } from '../../contract/error.js'
import { type Footer, footerOf } from '../../table/parquet-file/footer.js'
import { fileRanges } from '../read/ranges.js'

/** Whether a file begins as a web page does. */
async function isPage(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
  return /^(\ufeff|\s)*<(!doctype|html|head|body|\?xml)/i.test(buffer.subarray(0, bytesRead).toString('utf8'))
}

/**
 * The footer of a tick file that has come whole, when it says so of itself: Parquet from end to end, with rows, of its day.
 * @throws QuotebookError FILE for any other file
 */
export async function checkTickFile(handle: FileHandle, day: string): Promise<Footer> {
  const name = `the file of ${day}`
  let footer: Footer
  try {
    footer = await footerOf(fileRanges(handle, (await handle.stat()).size), name)
  } catch (error) {
    if (!(await isPage(handle))) throw error
    const message = `${name}: a web page came in its place; is the link right, and its password?`
    throw new QuotebookError('FILE', message, { cause: error })
  }
  if (footer.rows === 0) throw new QuotebookError('FILE', `${name} has no rows`)
  const other = footer.days?.find((date) => date !== day)
  if (other !== undefined) throw new QuotebookError('FILE', `${name} holds ticks of ${other}`)
  return footer
}
