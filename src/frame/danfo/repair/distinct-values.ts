/*
 * Distinct values, how often they come, a column of 0 and 1 for each (dummies), and the keys of groups.
 *
 * Stock valueCounts() reads labels as numbers: '000001' is counted under 1, and '000001.SZ' with '000001.SH' throws
 * because both become 1. dropDuplicates({ keep: 'last' }) turns the source around. Missing values count as values, null
 * and NaN as two. It joins the cells of a key by '-' or '_' and keeps it as a property of an object.
 *
 * Now labels are the values, counts skip what is missing, and the missing ones are one value among the distinct. Keys go
 * by value and type: 1 is not '1', ('2026-01', '02-x') is not ('2026-01-02', 'x'), and no text means anything special.
 *
 * Stock getDummies makes columns of what is missing, one for null and one for NaN, and with too few prefixes columns called
 * 'undefined_a'. Now a missing value is nothing but zeros.
 */
import { sentence } from '../../../contract/sentence.js'
import { aggregateCells } from '../../table/aggregate-cells.js'
import { NumberBuilder } from '../../table/column-builder.js'
import { groupRows, oneGroup, type RowGroups } from '../../table/group-rows.js'
import type { ColumnData } from '../../table/values.js'
import { DataColumns, getColumns, getLabels } from '../frame-store.js'
import {
  type Axis,
  arrayOf,
  type Cells,
  cellsOf,
  columnOf,
  columnOfCells,
  type DataColumn,
  DataFrame,
  frameOf,
  type InPlace,
  inWords,
  isNa,
  type Label,
  lengthOf,
  listsAlong,
  refuse,
  repair,
  repairBoth,
  result,
  Series,
  storedIn,
} from './model.js'
import { pickRows } from './pick-rows.js'

/** What a cell is found by: a date by its time, which no number is. */
function keyOf(cell: unknown): unknown {
  if (cell instanceof Date) return BigInt(cell.getTime())
  return typeof cell === 'object' ? refuse(sentence`lists and objects are no keys`) : cell
}

/** A column as a key: cells without a typed form are numbered by value and type. */
function keyColumn(column: DataColumn): ColumnData {
  const { content, length } = column
  if (content.type !== 'cells' && content.type !== 'list') return content
  const known = new Map<unknown, number>()
  const codes = new NumberBuilder('int', length)
  column.cells().forEach((cell, row) => {
    if (isNa(cell) || Number.isNaN(Number(cell instanceof Date ? cell : 0))) {
      codes.setMissing(row)
      return
    }
    const key = keyOf(cell)
    const code = known.get(key) ?? known.size
    known.set(key, code)
    codes.data[row] = code
  })
  return codes.build()
}

/** Rows with the same cells in all of some columns; what is missing is the same everywhere. */
export function groupsOf(columns: readonly DataColumn[]): RowGroups {
  return groupRows(columns.map((column) => ({ name: '', values: keyColumn(column) })))
}

function countDistinct(column: DataColumn): number {
  return aggregateCells(keyColumn(column), '', 'nunique', oneGroup(column.length)).data[0] as number
}

function labelOf(cell: unknown): Label {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  return cell instanceof Date ? cell.toISOString() : String(cell)
}

repair<Series>(Series.prototype, {
  dropDuplicates(options?: InPlace & { readonly keep?: 'first' | 'last' }): Series | undefined {
    const keep = options?.keep ?? 'first'
    if (keep !== 'first' && keep !== 'last') refuse(sentence`keep is 'first' or 'last', not '${String(keep)}'`)
    const { of, first } = groupsOf([storedIn(this)])
    const last = first.slice()
    of.forEach((group, row) => {
      last[group] = row
    })
    return result(this, pickRows(this, keep === 'first' ? first : last.sort()), options)
  },

  unique(): Series {
    const { first } = groupsOf([storedIn(this)])
    return new Series(new DataColumns([storedIn(this).gather(first)]), { columns: this.$columns })
  },

  nUnique(): number {
    return countDistinct(storedIn(this))
  },

  valueCounts(): Series {
    const counts = new Map<Label, number>()
    for (const cell of cellsOf(this)) if (!isNa(cell)) counts.set(labelOf(cell), (counts.get(labelOf(cell)) ?? 0) + 1)
    return new Series([...counts.values()], { index: [...counts.keys()], columns: ['0'], dtypes: ['int32'] })
  },
})

repair<DataFrame>(DataFrame.prototype, {
  nUnique(axis: NonNullable<Axis['axis']> = 1): Series {
    if (axis !== 0 && axis !== 1) refuse(sentence`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
    const lists = axis === 0 ? getColumns(this).list : listsAlong(this, 1).map((cells) => columnOfCells(cells))
    const index = axis === 0 ? this.$columns : this.$index
    return new Series(lists.map(countDistinct), { index, columns: ['0'], dtypes: ['int32'] })
  },
})

interface DummyOptions {
  readonly columns?: string | readonly string[]
  readonly prefix?: string | readonly string[]
  readonly prefixSeparator?: string | readonly string[]
}

/** One text for each of some columns: the given one for all, or those of a list that is as long. */
function each(option: 'prefix' | 'prefixSeparator', given: unknown, names: readonly string[]): readonly string[] {
  const texts: Cells = Array.isArray(given) ? given : names.map(() => given)
  if (texts.length !== names.length)
    refuse(
      sentence`${option} has ${texts.length} entries for ${names.length} columns (${names.join(', ')}); give one for each`,
    )
  return texts.map((text) =>
    typeof text === 'string' ? text : refuse(sentence`${option} is text, not ${inWords(text)}`),
  )
}

/** A column of 0 and 1 for each distinct value of a column, by the value. */
function dummiesOf(column: DataColumn): [value: unknown, flags: DataColumn][] {
  const cells = column.cells()
  const distinct = new Set(cells.filter((cell) => !isNa(cell)))
  const flagsOf = (value: unknown): Cells => cells.map((cell) => Number(cell === value))
  return [...distinct].map((value) => [value, columnOfCells(flagsOf(value), 'int32')])
}

repairBoth({
  /** A column of 0 and 1 for each distinct value of some columns, of those of text when none are named. */
  getDummies(options: DummyOptions & InPlace = {}): DataFrame | undefined {
    const { prefix, prefixSeparator = '_' } = options
    const text = this.$columns.filter((name) => columnOf(this, name).dtype === 'string')
    const names = this.$isSeries ? this.$columns : arrayOf(options.columns ?? text)
    const prefixes = prefix === undefined ? undefined : each('prefix', prefix, names)
    const separators = each('prefixSeparator', prefixSeparator, names)
    const made = names.flatMap((name, i) =>
      dummiesOf(columnOf(this, name)).map(([value, flags], at) => {
        const front = prefixes?.[i] ?? (this.$isSeries ? at : name)
        return [`${front}${separators[i]}${value}`, flags] as const
      }),
    )
    const kept = this.$columns.filter((name) => !names.includes(name))
    const columns = [...kept.map((name) => [name, columnOf(this, name)] as const), ...made]
    if (columns.length === 0 && !this.$isSeries) refuse(sentence`there is no column of text to make dummies of`)
    const list = columns.map(([, column]) => column)
    const frame = frameOf(
      columns.map(([name]) => name),
      list,
      getLabels(this),
      lengthOf(this),
    )
    return this.$isSeries ? frame : result(this, frame, options)
  },
})
