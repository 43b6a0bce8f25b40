import type { SaySentence } from '../../contract/error-message.js'
import type { Language } from '../../contract/language.js'
import type { Market } from '../../market.js'
import type { Schema } from '../service/openapi/json-schema.js'

/** What one call may spend; beyond, it ends with the code BUDGET. */
export const budget = {
  /** Characters of the rows of an answer: the whole is behind its links. */
  shownCharacters: 60_000,
  /** Characters of a text. */
  textCell: 300,
  /** Rows that a call may read of a source. */
  rows: 1_000_000,
  /** Requests to a service over HTTP. */
  requests: 300,
  milliseconds: 60_000,
  /** Bytes of a file behind a link. */
  fileBytes: 2 ** 25,
  /** Calls that wait for their turn. */
  waiting: 200,
}

/** What a tool works with: a market that keeps to the budget. */
export interface ToolCall {
  readonly market: Market
  readonly signal: AbortSignal
  /** SQL may read the tick files. */
  readonly hasTicks: boolean
  /** Called as often as it gets further. @throws the reason for which the call was given up */
  readonly onStep: (done: number, of: number, what: string) => void
}

/** What a client gave, its names checked. */
export type Given = Readonly<Record<string, unknown>>

/** What a tool says, once as an object, the same in every language, and once as text. */
export interface ToolAnswer {
  readonly object: Readonly<Record<string, unknown>>
  /** @param say says a sentence in the language */
  readonly text: (say: SaySentence, language: Language) => string
  /** All of it as files, by their forms, each made when it is read. */
  readonly files?: Readonly<Partial<Record<FileForm, () => string | Uint8Array | Promise<Uint8Array>>>>
  /** The state of the archive that the files are of. */
  readonly state?: string | undefined
}

/** Types of the files behind links. */
export const fileTypes = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  html: 'text/html',
} as const
export type FileForm = keyof typeof fileTypes

export interface Tool {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: Schema
  readonly output: Schema
  /** Arguments that `quotebook mcp --check` tries. */
  readonly example: Given
  readonly answer: (given: Given, call: ToolCall) => Promise<ToolAnswer>
}
