import { join } from 'node:path'
import { datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { columnsFromParquet } from '../../frame/table/parquet.js'
import { ownLimits } from '../../frame/table/parquet-file/limits.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../frame/table/values.js'
import { fileChecksum, readRegular, sha256 } from './file-access.js'
import { contractVersion, isOutdated } from './manifest.js'
import type { DatasetEntry, PartEntry } from './manifest-entries.js'
import { span, storedKey } from './merge-rows.js'
import { underPresent } from './older-rows.js'
import { daysEntry, daysOfRows } from './part-days.js'
import { countSettled } from './revision/revisions.js'

/** A file that a manifest names is not there, or not what was written. */
export class LostFileError extends QuotebookError {
  /** Without what to do. */
  readonly what: Words
  readonly isMissing: boolean
  constructor(dir: string, what: Words, cause?: unknown) {
    super('ARCHIVE', sentence`${what}; quotebook archive repair --archive ${dir} reports what is lost and removes it`, {
      cause,
    })
    this.what = what
    this.isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  }
}

/** What a file of an archive that can not be opened or read means. */
function unread(dir: string, path: string, cause: unknown): QuotebookError {
  if (cause instanceof QuotebookError) return new LostFileError(dir, messageOf(cause), cause)
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') return new LostFileError(dir, sentence`${path} is missing`, cause)
  if (code === 'EIO') return new LostFileError(dir, sentence`${path} can not be read from its disk`, cause)
  return new QuotebookError('ARCHIVE', sentence`${path} can not be read: ${messageOf(cause)}`, { cause })
}

function damaged(dir: string, path: string): LostFileError {
  return new LostFileError(dir, sentence`${path} is damaged: its checksum is not that of the manifest`)
}

/**
 * The bytes of a file of an archive, compared with the checksum that its manifest states.
 * @throws LostFileError when they are not what was written; QuotebookError ARCHIVE when they can not be read
 */
export async function readVerified(dir: string, file: string, sum: string): Promise<Uint8Array> {
  const path = join(dir, file)
  const bytes = await readRegular(path).catch((cause: unknown) => {
    throw unread(dir, path, cause)
  })
  if (sha256(bytes) !== sum) throw damaged(dir, path)
  return bytes
}

/** The same for a file of any size, whose bytes are not wanted. @throws what `readHeld` throws */
export async function verifyFile(dir: string, file: string, sum: string): Promise<void> {
  const path = join(dir, file)
  const found = await fileChecksum(path).catch((cause: unknown) => {
    throw unread(dir, path, cause)
  })
  if (found !== sum) throw damaged(dir, path)
}

/** Rows that are no rows of the present declaration of their dataset. */
export class OtherContractError extends QuotebookError {
  /** Without what to do. */
  readonly what: Words
  constructor(archive: string, { name }: Dataset, { file }: PartEntry, cause?: unknown) {
    const what = sentence`${file} was written under another contract of ${name}`
    const whole = cause === undefined ? what : sentence`${what}: ${messageOf(cause)}`
    super('ARCHIVE', sentence`${whole}; ${rewriteCommand(archive)} rewrites what can be read of it`, { cause })
    this.what = whole
  }
}

/** What brings an archive under the present contract. */
export function rewriteCommand(archive: string): Words {
  return sentence`quotebook archive repair --rewrite --archive ${archive}`
}

/** What is said of a dataset of which something was written under another declaration; undefined where nothing was. */
export function olderNote(archive: string, name: string, entry: DatasetEntry | undefined): Words | undefined {
  if (!entry || !isOutdated(datasetOf(name), entry)) return undefined
  return sentence`${name} was written under another contract: ${rewriteCommand(archive)}`
}

/** Parts that were all written under the present declaration of their dataset. @throws OtherContractError for another one */
export function currentParts(archive: string, dataset: Dataset, parts: readonly PartEntry[]): readonly PartEntry[] {
  const old = parts.find(({ contract }) => contract !== contractVersion(dataset))
  if (!old) return parts
  throw new OtherContractError(archive, dataset, old)
}

/** What a manifest says of the rows of a part. */
export function factsOf(
  dataset: Dataset,
  columns: RecordColumns,
  isRevision: boolean,
): Pick<PartEntry, 'rows' | 'first' | 'last' | 'from' | 'to' | 'days'> {
  const key = storedKey(dataset).map((name) => columns.columns.get(name) as ColumnData)
  const keyAt = (row: number): unknown[] => key.map((values) => cellOf(values, row))
  const range = span(dataset, columns)
  const days = isRevision ? { days: daysEntry(countSettled(dataset, columns)) } : daysOfRows(dataset, columns, range)
  return { rows: columns.length, first: keyAt(0), last: keyAt(columns.length - 1), ...range, ...days }
}

/**
 * Rows of a part, compared with their checksum before: those of another declaration under the present one.
 * @throws OtherContractError when they can not be rows of the present declaration
 */
export function presentRows(name: string, dataset: Dataset, part: PartEntry, columns: RecordColumns): RecordColumns {
  if (part.contract === contractVersion(dataset)) return columns
  try {
    return underPresent(dataset, part, columns)
  } catch (cause) {
    throw new OtherContractError(name, dataset, part, cause)
  }
}

/** The rows of the Parquet file of a part. @throws what `presentRows` throws; QuotebookError FILE for another file */
export async function rowsOfFile(
  name: string,
  dataset: Dataset,
  part: PartEntry,
  bytes: Uint8Array,
): Promise<RecordColumns> {
  return presentRows(name, dataset, part, await columnsFromParquet(bytes, part.file, ownLimits))
}

/**
 * The rows of a part in a directory, compared with the checksum that the manifest states.
 * @throws LostFileError when they are others; QuotebookError ARCHIVE when the file can not be read
 */
export async function readPart(dir: string, dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
  return rowsOfFile(dir, dataset, part, await readVerified(dir, part.file, part.sha256))
}
