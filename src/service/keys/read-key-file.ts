import { readFileSync, statSync } from 'node:fs'
import { QuotebookError } from '../../contract/error.js'
import { longestFile } from './key-file.js'

/** Texts of errors of the file system, without the path: whoever reads it has named the file. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read by this user',
  EISDIR: 'is a directory',
  ENOTDIR: 'does not exist',
}

/**
 * The text of a key file; undefined when there is none.
 * @throws QuotebookError KEYS when it is no plain file, too long, or can not be read
 */
export function keyFileText(file: string): string | undefined {
  const fail = (what: string): never => {
    throw new QuotebookError('KEYS', `${file}: ${what}`)
  }
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return fail('is not a file')
    if (stat.size > longestFile) return fail(`is longer than ${longestFile} bytes; that is no key file`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof QuotebookError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return code === 'ENOENT' ? undefined : fail(reasons[code] ?? `can not be read (${code})`)
  }
}
