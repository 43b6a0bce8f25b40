import type { SentWords } from '../../contract/sentence.js'

/** A line of a cell, from 1, with its text; `cell` where it is one that is not running. */
export interface CellPlace {
  readonly cell?: number
  readonly line: number
  readonly text: string
}

/** What went wrong in a cell. */
export interface CellFailure {
  readonly cell: number
  readonly kind:
    | 'error'
    | 'type error'
    | 'unhandled rejection'
    | 'uncaught error'
    | 'interrupted'
    | 'exit'
    | 'hang'
    | 'crash'
    | 'no error'
  /** Name of what was thrown. */
  readonly name?: string | undefined
  readonly message: SentWords
  /** Further diagnostics of the same place. */
  readonly more?: readonly string[]
  readonly at?: CellPlace | undefined
  /** The cell is tagged raises-exception. */
  readonly expected: boolean
}

/** A display by MIME type, as Jupyter has it. */
export type DisplayData = Readonly<Record<string, string | readonly string[] | object>>

/** What the process of a kernel tells, a JSON object a line. */
export type KernelEvent =
  | { readonly type: 'start' | 'end'; readonly cell: number }
  | { readonly type: 'drain' | 'over' }
  | { readonly type: 'stream'; readonly cell: number; readonly name: string; readonly text: string }
  | {
      readonly type: 'display'
      readonly cell: number
      readonly data: DisplayData
      readonly display?: string | undefined
      readonly update: boolean
    }
  | ({ readonly type: 'failure' } & CellFailure)
  | { readonly type: 'more'; readonly cell: number; readonly message: string }

/** The code of a cell; `raises`: it is tagged raises-exception. */
export interface CellCode {
  readonly source: string
  readonly raises: boolean
}
