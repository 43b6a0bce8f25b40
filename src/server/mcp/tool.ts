import type { Language } from '../../contract/language.js'
import type { Words } from '../../contract/sentence.js'
import type { Market } from '../../market.js'
import type { Schema } from '../service/openapi/json-schema.js'

/** What one call may spend; beyond, it ends with the code BUDGET. */
export const budget = {
  /** Tokens of an answer, unless the call names others: the rest is behind `next`. */
  tokens: 6000,
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

/** Rows of an answer at most. */
export const mostShown = 1000

/** What a tool works with: a market that keeps to the budget. */
export interface ToolCall {
  readonly market: Market
  readonly signal: AbortSignal
  /** SQL may read the tick files. */
  readonly hasTicks: boolean
  /** Of what it says. */
  readonly language: Language
  /** Called as often as it gets further. @throws the reason for which the call was given up */
  readonly onStep: (done: number, of: number, what: string) => void
}

/** What a client gave, its names checked. */
export type Given = Readonly<Record<string, unknown>>

/** What a tool found, of which a call shows as much as its budget allows. */
export interface ToolAnswer {
  /** What stands before the rows, by name; sentences in it are said in the language of the call. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly columns?: readonly string[]
  readonly rows?: {
    readonly total: number
    readonly from: (place: number, most: number) => readonly (readonly unknown[])[]
    /** What is another one when the rows are. */
    readonly stamp: () => string
  }
  /** A drawing, as PNG. */
  readonly picture?: Uint8Array
  /** All of it as files, by their forms, each made when it is read. */
  readonly files?: Readonly<Partial<Record<FileForm, () => string | Uint8Array | Promise<string | Uint8Array>>>>
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
  readonly title: Words
  readonly about: Words
  readonly input: Schema
  /** Arguments that `quotebook mcp --check` tries; without them it does not. */
  readonly example?: Given
  readonly answer: (given: Given, call: ToolCall) => Promise<ToolAnswer>
}

/** Rows that are there already, under the names of their columns. */
export function rowsAnswer(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Required<Pick<ToolAnswer, 'columns' | 'rows'>> {
  const from = (place: number, most: number) => rows.slice(place, place + most)
  return { columns, rows: { total: rows.length, from, stamp: () => JSON.stringify(rows) } }
}
