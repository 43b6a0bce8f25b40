/** What is looked at, in the order in which findings are told. */
export const tickChecks = {
  file: 'the file is there and can be read',
  name: 'its name says a day',
  size: "its size is the manifest's",
  sha256: "its checksum is the manifest's",
  magic: 'it begins and ends as Parquet',
  footer: 'its footer is whole and fits the file',
  decode: 'every row group can be decoded',
  crc: 'its pages are what their checksums say',
  rows: 'its rows are as many as are counted',
  bounds: 'its cells lie within the bounds that its footer tells',
  day: 'tradedate is the day of its name',
  time: 'times are times',
  null: 'no part of the key is missing',
  number: 'numbers are numbers',
  order: 'rows are sorted by (symbol, time)',
  duplicate: 'no key stands twice',
  schema: 'columns stay the same over time',
  missing: 'every trading day has a file',
  unlisted: 'nothing else lies there',
  leftover: 'no download has left anything behind',
} as const

export type TickCheckName = keyof typeof tickChecks

export interface TickFinding {
  /** `YYYYMMDD`; null for what is of no one day. */
  readonly day: string | null
  /** Path below the folder; null for what is of no one file. */
  readonly file: string | null
  readonly check: TickCheckName
  /** `fault`: something is wrong. `note`: worth knowing. */
  readonly severity: 'fault' | 'note'
  readonly what: string
}

/** Whether a check was made of a file; of the whole folder where there is none. */
export interface CheckMark {
  readonly check: TickCheckName
  /** Why it was not made; undefined when it was. */
  readonly notMade: string | undefined
}

export interface CheckResults {
  readonly findings: readonly TickFinding[]
  readonly marks: readonly CheckMark[]
}
