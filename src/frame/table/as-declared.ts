import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { columnTypeOf } from './arrow.js'
import { decode, wrongInContract } from './decode.js'
import { floatColumn } from './present-cells.js'
import { type ColumnData, textIn } from './values.js'

type Floats = Extract<ColumnData, { type: 'float' }>

/** Numbers with NaN where missing; undefined where one is not of the column. */
function floatsOf({ data }: Floats, { kind, nullable }: Column): ColumnData | undefined {
  const fits = kind === 'long' ? Number.isSafeInteger : Number.isFinite
  for (const value of data) if (!fits(value) && !(nullable && Number.isNaN(value))) return undefined
  return floatColumn(data)
}

/** A column that is of the contract as it stands; undefined where it takes a look at each cell to tell. */
function asItStands(values: ColumnData, column: Column): ColumnData | undefined {
  const isWrong = (text: string | null): boolean => text !== null && wrongInContract(column, text) !== undefined
  switch (columnTypeOf(column.kind)) {
    case 'float':
      return values.type === 'float' ? floatsOf(values, column) : undefined
    case 'dictionary': {
      const text = textIn(values)
      if (!text || text.dictionary.some(isWrong) || (!column.nullable && text.data.includes(-1))) return undefined
      return text
    }
    case 'string': {
      if (values.type !== 'string' || column.kind === 'json') return undefined
      if (!column.nullable && values.data.includes(null)) return undefined
      return column.kind !== 'text' && values.data.some(isWrong) ? undefined : values
    }
    default: {
      const isOwn = values.type === columnTypeOf(column.kind) && values.type !== 'list'
      return isOwn && 'valid' in values && values.valid === null ? values : undefined
    }
  }
}

/**
 * A column under the name of a column of a dataset, as that declares it.
 * @param cells its cells in the wire form, asked for when they have to be looked at one by one
 * @throws ContractError as `decode` does
 */
export function asDeclared(
  dataset: Dataset,
  name: string,
  values: ColumnData,
  cells: () => readonly unknown[],
): ColumnData {
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const column = Object.hasOwn(known, name) ? known[name] : undefined
  return (column && asItStands(values, column)) ?? decodeCells(dataset, name, cells())
}

/** Cells in the wire form as a column of a dataset. @throws ContractError as `decode` does */
export function decodeCells(dataset: Dataset, name: string, cells: readonly unknown[]): ColumnData {
  const { columns } = decode(
    dataset,
    [name],
    cells.map((cell) => [cell]),
  )
  return columns.get(name) as ColumnData
}
