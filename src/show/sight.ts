import { DataType, type Table, type Vector } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { provenance } from '../table/provenance.js'
import { valuesOf } from '../table/unwrap.js'
import { cellOf } from '../table/values.js'
import { type About, aboutField, aboutName } from './about.js'

/** Data as it is looked at, cell by cell: nothing is read but what is asked for. */
export interface Sight {
  readonly what: 'Table' | 'DataFrame' | 'Series'
  readonly rows: number
  readonly columns: readonly (About & { readonly numeric: boolean })[]
  /** The cell as it is kept; null, undefined and NaN are missing. */
  readonly cell: (row: number, column: number) => unknown
  /** The label of a row, where rows have labels. */
  readonly label?: (row: number) => unknown
  readonly dataset?: string
  /** Why it does not hold every row that matches; absent when it does, and when that is not known. */
  readonly incomplete?: string
}

/** The fields of danfo's frames and series; their accessors may be hidden by columns of the same name. */
interface Framed {
  readonly $data: readonly unknown[]
  readonly $columns: readonly string[]
  readonly $dtypes: readonly string[]
  readonly $index: readonly unknown[]
  readonly $isSeries: boolean
}

function isTable(value: object): value is Table {
  return 'schema' in value && 'batches' in value && 'numRows' in value
}

function isFramed(value: object): value is Framed {
  const { $data, $columns, $index } = value as Partial<Framed>
  return Array.isArray($data) && Array.isArray($columns) && Array.isArray($index)
}

function isNumeric(type: DataType): boolean {
  return DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type)
}

function isPlain(type: DataType): boolean {
  const isText = DataType.isUtf8(type) || DataType.isDictionary(type)
  return isText || DataType.isBool(type) || DataType.isFloat(type) || DataType.isInt(type)
}

/** Types of other programs are read as everywhere else: Arrow itself gives a decimal without its point. */
function readerOf(vector: Vector, type: DataType): (row: number) => unknown {
  if (isPlain(type)) return (row) => vector.get(row)
  return (row) => cellOf(valuesOf(vector.slice(row, row + 1)), 0)
}

function ofTable(table: Table): Sight {
  const origin = provenance(table)
  const readers = table.schema.fields.map(({ type }, i) => {
    const vector = table.getChildAt(i)
    return vector && readerOf(vector, type)
  })
  return {
    what: 'Table',
    rows: table.numRows,
    columns: table.schema.fields.map((field) => ({
      ...aboutField(field, origin?.dataset),
      numeric: isNumeric(field.type),
    })),
    cell: (row, column) => readers[column]?.(row),
    ...(origin === undefined ? {} : { dataset: origin.dataset }),
    ...(origin && !origin.complete ? { incomplete: origin.note ?? '' } : {}),
  }
}

function ofFramed(framed: Framed): Sight {
  const { $data, $index, $isSeries } = framed
  const numeric = (dtype: string | undefined): boolean => dtype === 'int32' || dtype === 'float32'
  return {
    what: $isSeries ? 'Series' : 'DataFrame',
    rows: $data.length,
    columns: framed.$columns.map((name, i) => ({ ...aboutName(String(name)), numeric: numeric(framed.$dtypes[i]) })),
    cell: $isSeries ? (row) => $data[row] : (row, column) => ($data[row] as readonly unknown[] | undefined)?.[column],
    label: (row) => $index[row],
  }
}

/**
 * A table, a DataFrame or a Series as it is looked at.
 * @throws QuotebookError INVALID_VALUE for anything else
 */
export function sightOf(data: unknown): Sight {
  if (typeof data === 'object' && data !== null) {
    if (isTable(data)) return ofTable(data)
    if (isFramed(data)) return ofFramed(data)
  }
  throw new QuotebookError('INVALID_VALUE', 'what is shown must be an Arrow table, a danfo DataFrame or a Series')
}
