import type { Table } from 'apache-arrow'
import type { Words } from '../../contract/sentence.js'
import { dictionaryToRead, numbersToRead } from '../../frame/read-columns.js'
import { mapRows } from '../../frame/table/fresh-array.js'
import type { Check } from './check.js'

/** `pass` and `within-rounding` confirm, `unverifiable`, `gap` and `warn` leave open, `duplicate` and `mismatch` contradict. */
export type RowVerdict = 'pass' | 'within-rounding' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'

/** What a rule says of a row that does not simply pass. */
export interface RowFinding<V extends string = RowVerdict> {
  readonly row: number
  readonly verdict: V
  /** The rule in a word or two. */
  readonly rule: string
  readonly why: Words | readonly Words[]
  /** The number that was sent, and the one that is due, where the rule compares numbers. */
  readonly given?: number
  readonly due?: number
  /** The columns that it doubts, the one of `given` first; absent where it doubts the row. */
  readonly columns?: readonly string[]
}

/** A finding that doubts some columns of its row alone. */
export const inColumns = <F extends RowFinding<string>>(columns: readonly string[], one: F): F => ({ ...one, columns })

/** The columns that the contradictions among the findings of a row doubt, in their order; undefined where one doubts the row. */
export function doubtedIn(
  verdicts: Check['verdicts'],
  all: readonly RowFinding<string>[],
): readonly string[] | undefined {
  const wrong = all.filter(({ verdict }) => verdicts[verdict]?.grade === 'contradicted')
  return wrong.every(({ columns }) => columns) ? [...new Set(wrong.flatMap(({ columns = [] }) => columns))] : undefined
}

export function finding<V extends string>(
  verdict: V,
  row: number,
  rule: string,
  why: RowFinding['why'],
  given = Number.NaN,
  due = Number.NaN,
): RowFinding<V> {
  return { row, verdict, rule, why, given, due }
}

type Finder<V extends string> = (
  row: number,
  rule: string,
  why: RowFinding['why'],
  given?: number,
  due?: number,
) => RowFinding<V>

export const unverifiable: Finder<'unverifiable'> = (...about) => finding('unverifiable', ...about)
export const gap: Finder<'gap'> = (...about) => finding('gap', ...about)
export const warn: Finder<'warn'> = (...about) => finding('warn', ...about)
export const mismatch: Finder<'mismatch'> = (...about) => finding('mismatch', ...about)

/** The reasons of some findings, one after another. */
export function reasonsOf(findings: readonly Pick<RowFinding, 'why'>[]): readonly Words[] {
  return findings.flatMap(({ why }) => why)
}

/** A row with its cells: NaN and null where they are missing. */
export type CellsOf<N extends string, T extends string> = { readonly row: number } & {
  readonly [K in N]: number
} & { readonly [K in T]: string | null }

/** The rows of a table with the cells that laws look at, which are read from its columns. @throws QuotebookError MISSING_COLUMN */
export function cellsByRow<N extends string, T extends string>(
  table: Table,
  numberNames: readonly N[],
  textNames: readonly T[],
): CellsOf<N, T>[] {
  class Cells {
    constructor(readonly row: number) {}
  }
  const read = (name: string, cellAt: (row: number) => number | string | null): void => {
    Object.defineProperty(Cells.prototype, name, {
      get(this: Cells) {
        return cellAt(this.row)
      },
    })
  }
  for (const name of textNames) {
    const { codes, words } = dictionaryToRead(table, name)
    read(name, (row) => words[codes[row] as number] ?? null)
  }
  for (const name of numberNames) {
    const column = numbersToRead(table, name)
    read(name, (row) => column[row] as number)
  }
  return mapRows(table.numRows, (row) => new Cells(row) as CellsOf<N, T>)
}
