import type { Column } from '../../contract/column.js'
import { spelled } from '../../contract/symbol.js'
import type { ImportRemark } from './import-remark.js'

/**
 * The code that a number stands for where a table of numbers has taken its zeros: of six digits, with the suffix of its market
 * where the column has it. Undefined where it does not tell: with a suffix, 700 may be of Hong Kong or of Shenzhen.
 */
function codeOfNumber({ kind, spelling, isOwn }: Column, cell: number): string | undefined {
  if (kind !== 'code' || isOwn || !Number.isInteger(cell) || cell <= 0 || cell > 999_999) return undefined
  if (spelling !== 'full') return String(cell).padStart(6, '0')
  return cell < 100_000 ? undefined : spelled(String(cell), 'full')
}

/** Reads the codes of a file, and remembers in which columns they were numbers. */
export class CodeSpelling {
  readonly #columns = new Set<string>()

  /** A cell as the contract writes it; one that is no number, or does not tell, as it is. */
  read(name: string, column: Column | undefined, cell: unknown): unknown {
    const code = column && typeof cell === 'number' ? codeOfNumber(column, cell) : undefined
    if (code === undefined) return cell
    this.#columns.add(name)
    return code
  }

  get remarks(): ImportRemark[] {
    return this.#columns.size > 0 ? [{ about: 'codes', columns: [...this.#columns] }] : []
  }
}
