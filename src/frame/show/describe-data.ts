import { DataType, type Field, type Table, type Vector } from 'apache-arrow'
import { datasets, findDataset } from '../../contract/catalogue.js'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { chineseResultUnits } from '../../contract/labels.js'
import { suspectLines } from '../../contract/row-laws.js'
import { sayIn, wordsIn } from '../../contract/say.js'
import { fact, sentence, type Words } from '../../contract/sentence.js'
import { say, shownLanguage } from '../../contract/shown-language.js'
import { columnStore, DataFrame, Series } from '../danfo-classes.js'
import { provenance } from '../table/provenance.js'
import { valuesOf } from '../table/unwrap.js'
import { cellOf } from '../table/values.js'

/** What is known of a column beside its cells. */
export interface ColumnInfo {
  readonly name: string
  readonly kind: string | undefined
  readonly unit: string | undefined
  readonly meaning: string | undefined
  /** A credential: shown as dots. */
  readonly secret: boolean
  /** Its numbers are rises and falls. */
  readonly isChange?: boolean
  /** Its unit in the catalogue, for a column of a dataset. */
  readonly ownUnit?: string | undefined
}

function declarationsOf(name: string): readonly Column[] {
  return (datasets as readonly Dataset[]).flatMap(({ columns, stored }) => {
    const all = { ...columns, ...stored }
    return Object.hasOwn(all, name) ? (all[name] as Column) : []
  })
}

function commonValue<K extends 'kind' | 'unit' | 'meaning'>(columns: readonly Column[], key: K): Column[K] | undefined {
  const first = columns[0]?.[key]
  return columns.every((column) => column[key] === first) ? first : undefined
}

/**
 * What the contract says of a column name, as far as every dataset that has it says the same. A name is secret when
 * every dataset that has it marks it so: a frame does not know which dataset it is of.
 */
export function columnInfo(name: string): ColumnInfo {
  const columns = declarationsOf(name)
  return {
    name,
    kind: commonValue(columns, 'kind'),
    unit: commonValue(columns, 'unit'),
    meaning: commonValue(columns, 'meaning'),
    secret: columns.length > 0 && columns.every((column) => column.secret === true),
  }
}

/** What a field of a table says of itself; secret by its dataset, or by its name as in `aboutName`. */
export function fieldInfo(field: Field, dataset: string | undefined): ColumnInfo {
  const name = String(field.name)
  const [kind, unit, meaning] = ['kind', 'unit', 'meaning'].map((key) => field.metadata.get(key))
  const columns = findDataset(dataset)?.columns
  const own = columns && Object.hasOwn(columns, name) ? columns[name] : undefined
  return {
    name,
    kind: kind && kind !== 'extra' ? kind : String(field.type),
    unit,
    meaning,
    secret: own?.secret === true || columnInfo(name).secret,
    isChange: own?.isChange === true,
    ownUnit: own?.unit,
  }
}

/** The meaning of a column in Chinese; of a list of names the words about it. */
function meaningInChinese(meaning: string): string {
  const [, what, names] = /^(One of|Of the column's numbers): (.*)\.$/.exec(meaning) ?? []
  if (what === undefined) return sayIn('zh')(meaning)
  const list = what === 'One of' ? sentence`One of: ${names}.` : sentence`Of the column's numbers: ${names}.`
  return wordsIn(list, 'zh')
}

/** The same in the language that is shown. */
export function shownInfo<I extends ColumnInfo>(info: I): I {
  if (shownLanguage() === 'en') return info
  const { unit = '', meaning = '' } = info
  return {
    ...info,
    unit: info.unit && (chineseResultUnits[unit] ?? unit),
    meaning: info.meaning && meaningInChinese(meaning),
  }
}

/** Kind, unit and meaning in a line; empty when nothing is known. */
export function infoText({ kind, unit, meaning }: ColumnInfo): string {
  const form = kind === undefined ? '' : say(fact('KIND', kind))
  const type = [form, unit].filter((part) => part).join(say(', '))
  return [type, meaning].filter((part) => part).join(say(': '))
}

/** A table, a DataFrame or a Series cell by cell: nothing is read but what is asked for. */
export interface DataCells {
  readonly what: 'Table' | 'DataFrame' | 'Series'
  readonly rows: number
  readonly columns: readonly (ColumnInfo & { readonly numeric: boolean })[]
  /** The cell as it is kept; null, undefined and NaN are missing. */
  readonly cell: (row: number, column: number) => unknown
  /** The label of a row, where rows have labels. */
  readonly label?: (row: number) => unknown
  readonly dataset?: string
  /** Why it does not hold every row that matches; absent when it does, and when that is not known. */
  readonly incomplete?: Words
  /** A line for each law that rows of it break. */
  readonly suspect?: readonly string[]
}

/** The fields of danfo's frames and series; their accessors may be hidden by columns of the same name. */
interface DanfoFields {
  readonly $data: readonly unknown[]
  readonly $columns: readonly string[]
  readonly $dtypes: readonly string[]
  readonly $index: readonly unknown[]
  readonly $isSeries: boolean
}

function isTable(value: object): value is Table {
  return 'schema' in value && 'batches' in value && 'numRows' in value
}

function isOwn(value: object): boolean {
  return value instanceof DataFrame || value instanceof Series
}

function isDanfo(value: object): value is DanfoFields {
  if (isOwn(value)) return true
  const { $data, $columns, $index } = value as Partial<DanfoFields>
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

function tableCells(table: Table): DataCells {
  const origin = provenance(table)
  const readers = table.schema.fields.map(({ type }, i) => {
    const vector = table.getChildAt(i)
    return vector && readerOf(vector, type)
  })
  return {
    what: 'Table',
    rows: table.numRows,
    columns: table.schema.fields.map((field) => ({
      ...shownInfo(fieldInfo(field, origin?.dataset)),
      numeric: isNumeric(field.type),
    })),
    cell: (row, column) => readers[column]?.(row),
    ...(origin === undefined ? {} : { dataset: origin.dataset }),
    ...(origin && !origin.complete ? { incomplete: origin.note ?? '' } : {}),
    suspect: suspectLines(origin?.suspect, shownLanguage()),
  }
}

/** Cells of our own frames are read from their columns, one by one; rows would have to be made of all of them first. */
function ownCells(data: object): Pick<DataCells, 'rows' | 'cell' | 'label'> {
  const { list, length } = columnStore.getColumns(data)
  const labels = columnStore.getLabels(data)
  return {
    rows: length,
    cell: (row, column) => list[column]?.cellAt(row),
    label: (row) => (labels ? labels[row] : row),
  }
}

function foreignCells({ $data, $index, $isSeries }: DanfoFields): Pick<DataCells, 'rows' | 'cell' | 'label'> {
  return {
    rows: $data.length,
    cell: $isSeries ? (row) => $data[row] : (row, column) => ($data[row] as readonly unknown[] | undefined)?.[column],
    label: (row) => $index[row],
  }
}

function danfoCells(data: DanfoFields): DataCells {
  const numeric = (dtype: string | undefined): boolean => dtype === 'int32' || dtype === 'float32'
  return {
    what: data.$isSeries ? 'Series' : 'DataFrame',
    columns: data.$columns.map((name, i) => ({
      ...shownInfo(columnInfo(String(name))),
      numeric: numeric(data.$dtypes[i]),
    })),
    ...(isOwn(data) ? ownCells(data) : foreignCells(data)),
    suspect: suspectLines(provenance(data)?.suspect, shownLanguage()),
  }
}

/**
 * A table, a DataFrame or a Series cell by cell.
 * @throws QuotebookError INVALID_VALUE for anything else
 */
export function cellsToShow(data: unknown): DataCells {
  if (typeof data === 'object' && data !== null) {
    if (isTable(data)) return tableCells(data)
    if (isDanfo(data)) return danfoCells(data)
  }
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`what is shown must be an Arrow table, a danfo DataFrame or a Series`,
  )
}
