import type { Table } from 'apache-arrow'
import type { CheckLaw } from '../../contract/dataset.js'
import { comparisonIn, type FormLaw, formIn, type LawComparison } from '../../contract/law-text.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { dictionaryToRead, has, numbersToRead } from '../../frame/read-columns.js'
import { groupRows } from '../../frame/table/group-rows.js'
import { presentIn } from '../../frame/table/present-cells.js'
import { allRows } from '../../frame/table/sort-rows.js'
import { columnsOf } from '../../frame/table/unwrap.js'
import { exactDifference, sumDecimals } from './exact/decimal.js'
import { finding, inColumns, type RowFinding } from './findings.js'
import { lawForm } from './law-forms.js'

type Found = RowFinding<'mismatch' | 'warn' | 'unverifiable'>
/** Writes a row that breaks a law. */
type Tell = (row: number, column: string, why: Words, given?: number, due?: number) => void

/** The same words for all rows that break a comparison: with a sum of columns, and with a number or a column. */
const wrongCompared: Readonly<Record<LawComparison['sign'], (column: string, right: string) => Words>> = {
  '=': (column, right) => sentence`${column} is not ${right}`,
  '!=': (column, right) => sentence`${column} equals ${right}`,
  '>=': (column, right) => sentence`${column} is below ${right}`,
  '>': (column, right) => sentence`${column} is not above ${right}`,
  '<=': (column, right) => sentence`${column} is above ${right}`,
  '<': (column, right) => sentence`${column} is not below ${right}`,
}

/** @param own the law as its owner wrote it, where it has no rule */
function compare(
  { columns, sign, holds, right, due }: LawComparison,
  table: Table,
  own: string | undefined,
  tell: Tell,
): void {
  const terms = typeof due === 'number' ? [] : due
  if (![...columns, ...terms.map(([name]) => name)].every((name) => has(table, name))) return
  const parts = terms.map(([name, by]) => ({ column: numbersToRead(table, name), by }))
  const dueAt = (row: number): number => sumDecimals(parts.map(({ column, by }) => by * (column[row] as number)))
  /** Sums are compared as decimals, and doubles as they are. */
  const isKept = (a: number, b: number): boolean => (parts.length > 1 ? holds(exactDifference(a, b), 0) : holds(a, b))
  for (const name of columns) {
    const column = numbersToRead(table, name)
    for (let row = 0; row < column.length; row++) {
      const [a, b] = [column[row] as number, typeof due === 'number' ? due : dueAt(row)]
      if (Number.isNaN(a) || Number.isNaN(b) || isKept(a, b)) continue
      if (own === undefined) tell(row, name, wrongCompared[sign](name, right), a, terms.length === 0 ? Number.NaN : b)
      else tell(row, name, sentence`${own}: ${a} and ${b}, ${exactDifference(a, b)} apart`, a, b)
    }
  }
}

function holdForm({ columns, form, mayBeNull }: FormLaw, table: Table, tell: Tell): void {
  const { holds, wrong } = lawForm(form)
  for (const name of columns) {
    if (!has(table, name)) continue
    const { type = 'string' } = columnsOf(table).columns.get(name) ?? {}
    if (type === 'dictionary' || type === 'string') {
      const { codes, words } = dictionaryToRead(table, name)
      const broken = words.map((word) => (holds(word) ? undefined : wrong(name, word)))
      const missing = mayBeNull ? undefined : wrong(name, null)
      for (let row = 0; row < codes.length; row++) {
        const code = codes[row] as number
        const why = code < 0 ? missing : broken[code]
        if (why !== undefined) tell(row, name, why)
      }
    } else
      numbersToRead(table, name).forEach((cell, row) => {
        if (!holds(cell) && !(mayBeNull && Number.isNaN(cell))) tell(row, name, wrong(name, cell), cell)
      })
  }
}

/** The rows of a table that break laws as the catalogue, or the owner of a dataset, declares them. */
export function brokenLaws(laws: readonly CheckLaw[], table: Table): Found[] {
  const found: Found[] = []
  for (const { law, rule, verdict = 'mismatch' } of laws) {
    const [compared, form] = [comparisonIn(law), formIn(law)]
    const tell: Tell = (row, column, why, given, due) => {
      const others = compared && typeof compared.due !== 'number' ? compared.due.map(([name]) => name) : []
      found.push(inColumns([column, ...others], finding(verdict, row, rule ?? law, why, given, due)))
    }
    if (compared) compare(compared, table, rule === undefined ? law : undefined, tell)
    else if (form) holdForm(form, table, tell)
  }
  return found
}

/** The rows whose cells of the key an earlier row has; a row that lacks one is let pass unless null counts as a value. */
export function repeatedKeys(table: Table, key: readonly string[], countsNull = false): number[] {
  const { columns } = columnsOf(table)
  const keys = key.flatMap((name) => {
    const values = columns.get(name)
    return values ? [{ name, values }] : []
  })
  if (keys.length === 0) return [...allRows(table.numRows).subarray(1)]
  const { of, first } = groupRows(keys)
  const present = countsNull ? [] : keys.map(({ values }) => presentIn(values))
  const isTwice = (row: number): boolean =>
    first[of[row] as number] !== row && present.every((cells) => cells[row] === 1)
  return [...allRows(table.numRows).filter(isTwice)]
}
