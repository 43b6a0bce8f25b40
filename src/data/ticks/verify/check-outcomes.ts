import { received, sent, sentence, type Words } from '../../../contract/sentence.js'

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
  readonly what: Words
}

/** A check that was not made, and why. */
export interface NotMade {
  readonly notMade: Words
}

/** The problems that a check found, or why it was not made. */
export type Outcome = readonly Problem[] | NotMade

export type Outcomes = { readonly [C in TickCheckName]?: Outcome }

export const fault = (what: Words): Problem => ({ severity: 'fault', what })
export const note = (what: Words): Problem => ({ severity: 'note', what })
export const faultIf = (isWrong: unknown, what: Words): Problem[] => (isWrong ? [fault(what)] : [])
export const noteIf = (isOdd: unknown, what: Words): Problem[] => (isOdd ? [note(what)] : [])

const countWords = {
  byte: (count: number) => (count === 1 ? sentence`${count} byte` : sentence`${count} bytes`),
  row: (count: number) => (count === 1 ? sentence`${count} row` : sentence`${count} rows`),
  'row group': (count: number) => (count === 1 ? sentence`${count} row group` : sentence`${count} row groups`),
}

export const countOf = (count: number, one: keyof typeof countWords): Words => countWords[one](count)

/** Outcomes as a thread hands them over: facts as plain objects. */
export interface ToldOutcomes {
  readonly outcomes?: Outcomes
}

function withWords<P extends ToldOutcomes>(part: P, change: (words: never) => unknown): P {
  if (part.outcomes === undefined) return part
  const changed = Object.entries(part.outcomes).map(([check, outcome]: [string, Outcome]) => [
    check,
    'notMade' in outcome
      ? { notMade: change(outcome.notMade as never) }
      : outcome.map((problem) => ({ ...problem, what: change(problem.what as never) })),
  ])
  return { ...part, outcomes: Object.fromEntries(changed) as Outcomes }
}

export const tellOutcomes = <P extends ToldOutcomes>(part: P): P => withWords(part, sent)

export const hearOutcomes = <P extends ToldOutcomes>(part: P): P => withWords(part, received)

/** A number of rows, and the first of them in words. */
export interface RowCount {
  readonly rows: number
  readonly first: Words
}

/** A fault of some rows, where there are any. */
export function rowsFault(found: RowCount | undefined, what: Words): Problem[] {
  return found ? [fault(sentence`${what} ${countOf(found.rows, 'row')}, the first: ${found.first}`)] : []
}
