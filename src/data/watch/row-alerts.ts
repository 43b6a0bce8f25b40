import type { Dataset } from '../../contract/dataset.js'
import { readColumns } from '../../frame/as-table.js'
import { filter } from '../../frame/verb/filter.js'
import type { RowCondition } from '../../frame/verb/parse-condition.js'
import { type AnyTable, rowKeys, takeRows } from './row-changes.js'

/** Tells rows that begin to match a condition: each once, and again only after it has stopped matching, or was gone. */
export class RowAlerts {
  readonly #dataset: Dataset
  readonly #condition: RowCondition
  #matching: ReadonlySet<string> = new Set()

  constructor(dataset: Dataset, condition: RowCondition) {
    this.#dataset = dataset
    this.#condition = condition
  }

  /** The rows of the next state that match and did not before. */
  next<T extends AnyTable>(rows: T): T {
    const matching = filter(rows, (columns) => this.#condition.test(columns, rows.numRows), { by: [] })
    const keys = rowKeys(this.#dataset, readColumns(matching))
    const before = this.#matching
    this.#matching = new Set(keys)
    return takeRows(
      matching,
      keys.flatMap((key, row) => (before.has(key) ? [] : row)),
    )
  }
}
