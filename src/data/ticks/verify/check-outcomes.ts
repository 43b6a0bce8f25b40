/** How far the reading of a file came: its bytes, a sound footer, all row groups. */
export type Stage = 'bytes' | 'footer' | 'rows'

export interface TickCheckRule {
  /** What it means that nothing was found. */
  readonly about: string
  /** How far a file must have been read for it; absent for a check of the whole folder. */
  readonly needs?: Stage | 'nothing'
}

/** All checks, in the order in which findings are listed. */
export const tickChecks = {
  file: { about: 'the file is there and can be read', needs: 'nothing' },
  name: { about: 'its name says a day' },
  size: { about: "its size is the manifest's", needs: 'bytes' },
  sha256: { about: "its checksum is the manifest's", needs: 'bytes' },
  magic: { about: 'it begins and ends as Parquet', needs: 'bytes' },
  footer: { about: 'its footer is whole and fits the file', needs: 'bytes' },
  decode: { about: 'every row group can be decoded', needs: 'footer' },
  crc: { about: 'its pages are what their checksums say', needs: 'footer' },
  rows: { about: 'its rows are as many as are counted', needs: 'rows' },
  bounds: { about: 'its cells lie within the bounds that its footer tells', needs: 'rows' },
  day: { about: 'tradedate is the day of its name', needs: 'rows' },
  time: { about: 'times are times', needs: 'rows' },
  null: { about: 'no part of the key is missing', needs: 'rows' },
  number: { about: 'numbers are numbers', needs: 'rows' },
  order: { about: 'rows are sorted by (symbol, time)', needs: 'rows' },
  duplicate: { about: 'no key stands twice', needs: 'rows' },
  schema: { about: 'columns stay the same over time' },
  missing: { about: 'every trading day has a file' },
  unlisted: { about: 'nothing else lies there' },
  leftover: { about: 'no download has left anything behind' },
} as const satisfies Record<string, TickCheckRule>

export type TickCheckName = keyof typeof tickChecks

export interface Problem {
  /** `fault`: something is wrong. `note`: worth knowing. */
  readonly severity: 'fault' | 'note'
  readonly what: string
}

/** A check that was not made, and why. */
export interface NotMade {
  readonly notMade: string
}

/** The problems that a check found, or why it was not made. */
export type Outcome = readonly Problem[] | NotMade

export type Outcomes = { readonly [C in TickCheckName]?: Outcome }

export const fault = (what: string): Problem => ({ severity: 'fault', what })
export const note = (what: string): Problem => ({ severity: 'note', what })
export const faultIf = (isWrong: unknown, what: string): Problem[] => (isWrong ? [fault(what)] : [])
export const noteIf = (isOdd: unknown, what: string): Problem[] => (isOdd ? [note(what)] : [])

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Further problems of a kind of which the first is told. */
export const more = (count: number, joint: string): string => (count > 0 ? `${joint} ${count} more` : '')

/** A number of rows, and the first of them in words. */
export interface RowCount {
  readonly rows: number
  readonly first: string
}

/** A fault of some rows, where there are any. */
export function rowsFault(found: RowCount | undefined, what: string): Problem[] {
  return found ? [fault(`${what} ${counted(found.rows, 'row')}, the first: ${found.first}`)] : []
}
