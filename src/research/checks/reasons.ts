import type { Table } from 'apache-arrow'
import type { Language } from '../../contract/language.js'
import { wordsIn } from '../../contract/say.js'
import { fact, listOf, type Words } from '../../contract/sentence.js'
import { columnsOf } from '../../frame/read-columns.js'
import { toTable } from '../../frame/table/arrow.js'
import { declarationIn } from '../../frame/table/declaration.js'
import { LabelBuilder } from './check-columns.js'

/** A verdict as it is read. */
export function verdictIn(verdict: string, language: Language): string {
  return wordsIn(fact('VERDICT', verdict), language)
}

/** The reasons that each text of a column `why` was made of. */
export type ReasonFacts = ReadonlyMap<string, readonly Words[]>

/** Reasons written row by row: as the texts of a column, and as what they were made of. */
export class ReasonBuilder {
  readonly texts: LabelBuilder
  readonly #facts = new Map<string, readonly Words[]>()
  /** By row, the columns that are doubted; a row that is not here is doubted as a whole. */
  readonly doubted = new Map<number, readonly string[]>()

  constructor(rows: number) {
    this.texts = new LabelBuilder(rows)
  }

  get facts(): ReasonFacts {
    return this.#facts
  }

  set(row: number, reasons: readonly Words[]): void {
    const text = String(listOf(reasons))
    this.texts.set(row, text || null)
    if (text !== '' && !this.#facts.has(text)) this.#facts.set(text, reasons)
  }
}

/** A reason of a row, as the column `why` has it, in a language. */
export function reasonIn(text: string, facts: ReasonFacts, language: Language): string {
  return wordsIn(listOf(facts.get(text) ?? [text]), language)
}

/** The rows of a check to be read: verdicts and reasons in words. */
export function readableRows(table: Table, facts: ReasonFacts, language: Language): Table {
  if (language === 'en') return table
  const { length, columns } = columnsOf(table)
  const of = new Map(columns)
  const words: readonly [string, (cell: string) => string][] = [
    ['verdict', (cell) => verdictIn(cell, language)],
    ['why', (cell) => reasonIn(cell, facts, language)],
  ]
  for (const [name, word] of words) {
    const cells = of.get(name)
    if (cells?.type === 'dictionary') of.set(name, { ...cells, dictionary: cells.dictionary.map(word) })
  }
  const declared = table.schema.fields.flatMap((field) => {
    const own = declarationIn(field)
    return own ? [[field.name, own] as const] : []
  })
  return toTable({ length, columns: of }, Object.fromEntries(declared), table.schema.metadata)
}
