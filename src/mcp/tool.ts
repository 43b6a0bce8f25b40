import type { Table } from 'apache-arrow'
import type { Market } from '../market.js'
import type { Schema, Schemas } from '../service/openapi/json-schema.js'

/** What one call may spend; beyond, it ends with the code BUDGET. */
export const budget = {
  /** Rows of an answer, and characters of them: the whole is behind its links. */
  shownRows: 1000,
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
  /** Bytes that SQL may take in memory. */
  sqlMemory: 2 ** 28,
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

interface Described {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: Schema
  /** Arguments that `quotebook mcp --check` tries. */
  readonly example: Given
}

/** What a table tool found. */
export interface TableAnswer {
  readonly table: Table
  /** The tables that it was made of, where these tell whether it is whole; else its own provenance does. */
  readonly of?: readonly Table[]
  /** The dataset that its columns are of, where its own provenance does not tell. */
  readonly dataset?: string
  /** Columns that are words of Quotebook, unless they quote others. */
  readonly own?: readonly string[]
  /** What stands beside the rows. */
  readonly summary?: Readonly<Record<string, unknown>>
}

/** A tool whose answer is rows: the first ones at once, all of them behind a link. */
export interface TableTool extends Described {
  readonly summary?: Schemas
  readonly rows: (given: Given, call: ToolCall) => Promise<TableAnswer>
}

/** A file behind a link. */
export interface AgentFile {
  readonly type: string
  readonly content: string | Uint8Array
}

/** What another tool says, once as an object and once as text. */
export interface ObjectAnswer {
  readonly object: Readonly<Record<string, unknown>>
  readonly text: string
  /** The same arguments make a file of its own. */
  readonly file?: string
}

/** A tool whose answer is an object. */
export interface ObjectTool extends Described {
  readonly output: Schema
  readonly answer: (given: Given, call: ToolCall) => Promise<ObjectAnswer>
  readonly file?: (given: Given, call: ToolCall) => Promise<AgentFile>
}

export type AgentTool = TableTool | ObjectTool
