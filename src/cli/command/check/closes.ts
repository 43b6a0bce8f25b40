import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Table } from 'apache-arrow'
import { ImportError, messageOf, QuotebookError } from '../../../contract/error.js'
import { fromCsv } from '../../../table/csv.js'
import { fromParquet } from '../../../table/parquet.js'

/** A file of the user's own, CSV or Parquet, with whatever columns it has; codes and dates stay text. */
export async function closesOf(path: string): Promise<Table> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new QuotebookError('FILE', `${path}: can not be read: ${messageOf(cause)}`, { cause })
  })
  if (extname(path).toLowerCase() === '.parquet') return fromParquet(bytes, basename(path))
  try {
    return fromCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ImportError(basename(path), messageOf(cause), { cause })
  }
}
