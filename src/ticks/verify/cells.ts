import type { Table, Vector } from 'apache-arrow'
import { messageOf } from '../../contract/error.js'
import { valuesOf } from '../../table/unwrap.js'
import type { ColumnData } from '../../table/values.js'
import type { ColumnFacts } from './facts.js'

/** Types that nest others: nothing is asked of their cells. */
const nested = /^(List|LargeList|FixedSizeList|Struct|Map|Union|DenseUnion|SparseUnion|RunEndEncoded)\b|^[{[]/

type Tally = { -readonly [K in keyof ColumnFacts]: ColumnFacts[K] }

/** The cells of a column of a piece; undefined where they were not looked at. */
export interface ColumnCells {
  readonly name: string
  readonly values: ColumnData | undefined
  readonly missing: number
}

function tally(facts: Tally, values: ColumnData): void {
  if (values.type !== 'float') return
  const { data, valid } = values
  for (let row = 0; row < data.length; row++) {
    const value = data[row] as number
    if (Number.isFinite(value) || (valid !== null && valid[row] === 0)) continue
    if (Number.isNaN(value)) facts.nan++
    else facts.infinite++
  }
}

/** Counts what is missing or no number, column by column, over the pieces of a file. */
export function cellCounts() {
  const all: Tally[] = []
  const look = (name: string, vector: Vector, facts: Tally): ColumnCells => {
    facts.nulls += vector.nullCount
    if (nested.test(facts.type)) return { name, values: undefined, missing: vector.nullCount }
    try {
      const values = valuesOf(vector)
      tally(facts, values)
      return { name, values, missing: vector.nullCount }
    } catch (error) {
      facts.unread ??= messageOf(error)
      return { name, values: undefined, missing: vector.nullCount }
    }
  }
  return {
    take(table: Table): ColumnCells[] {
      return table.schema.fields.map((field, at) => {
        const name = String(field.name)
        all[at] ??= { name, type: String(field.type), unread: undefined, nulls: 0, nan: 0, infinite: 0 }
        return look(name, table.getChildAt(at) as Vector, all[at])
      })
    },
    facts: (): readonly ColumnFacts[] => all,
  }
}
