import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { Ranges } from '../../../frame/table/parquet-file/ranges.js'

/** An open file. @throws QuotebookError FILE when the file ends before `to` */
export function fileRanges(file: FileHandle, size: number): Ranges {
  return {
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      for (let at = 0; at < bytes.length; ) {
        // At once: what is read is in the system's memory as a rule, and a turn through the thread pool takes longer.
        const count = readSync(file.fd, bytes, at, bytes.length - at, from + at)
        if (count === 0) throw new QuotebookError('FILE', sentence`the file is shorter than it was`)
        at += count
      }
      return bytes
    },
  }
}
