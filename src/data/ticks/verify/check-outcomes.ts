import { keepSentence, type SentenceParts, sentence, sentenceParts } from '../../../contract/sentence.js'

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

const countWords = {
  byte: (count: number) => (count === 1 ? sentence`${count} byte` : sentence`${count} bytes`),
  row: (count: number) => (count === 1 ? sentence`${count} row` : sentence`${count} rows`),
  'row group': (count: number) => (count === 1 ? sentence`${count} row group` : sentence`${count} row groups`),
}

export const counted = (count: number, one: keyof typeof countWords): string => countWords[one](count)

/** Outcomes as a thread hands them over, with what their texts were made of: memory of sentences is each thread's own. */
export interface ToldOutcomes {
  readonly outcomes?: Outcomes
  readonly sentences?: readonly (readonly [text: string, parts: SentenceParts | undefined])[]
}

export function tellOutcomes<P extends ToldOutcomes>(part: P): P {
  const texts = Object.values(part.outcomes ?? {}).flatMap((outcome: Outcome) =>
    'notMade' in outcome ? [outcome.notMade] : outcome.map(({ what }) => what),
  )
  return { ...part, sentences: texts.map((text) => [text, sentenceParts(text)] as const) }
}

export function hearOutcomes({ sentences = [] }: ToldOutcomes): void {
  for (const [text, parts] of sentences) keepSentence(text, parts)
}

/** A number of rows, and the first of them in words. */
export interface RowCount {
  readonly rows: number
  readonly first: string
}

/** A fault of some rows, where there are any. */
export function rowsFault(found: RowCount | undefined, what: string): Problem[] {
  return found ? [fault(sentence`${what} ${counted(found.rows, 'row')}, the first: ${found.first}`)] : []
}
