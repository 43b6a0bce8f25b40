import type { OptionKinds } from '../../../contract/options.js'

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
