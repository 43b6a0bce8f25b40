import { messageOf, QuotebookError, worded } from '../../../contract/error.js'
import type { OptionKinds } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'

/** How much of a Parquet file is read; what claims more is refused. */
export interface ParquetLimits {
  /** Default 50 million. */
  readonly rows?: number | undefined
  /** Default 10,000. */
  readonly columns?: number | undefined
  /** Of the columns that are read, in memory. Default 1 GiB. */
  readonly bytes?: number | undefined
}

/** The same, by name. */
export const limitKinds: OptionKinds<ParquetLimits> = { rows: 'a number', columns: 'a number', bytes: 'a number' }

export const usualLimits = { rows: 50_000_000, columns: 10_000, bytes: 2 ** 30 } as const

/** For files of one's own: as much as the codec can hold. */
export const ownLimits = { bytes: 2 ** 32 } as const

/** A file that claims more than a limit. */
class BeyondLimit extends RangeError {}

/** @param wrong what it has, and how much is read */
export function beyond(limit: keyof ParquetLimits, wrong: Words): RangeError {
  return worded(BeyondLimit, sentence`${wrong}; set the limit '${limit}' higher`)
}

/** What a file is called that can not be read: larger than a limit, or not whole. */
export function unreadFile(name: Words, cause: unknown, why = messageOf(cause)): QuotebookError {
  const what = cause instanceof BeyondLimit ? sentence`is too large` : sentence`is not a whole Parquet file`
  return new QuotebookError('FILE', sentence`${name} ${what}: ${why}`, { cause })
}
