/*
 * Reading, setting, adding, dropping and renaming columns.
 *
 * Stock danfo writes a set column into rows that other frames share, so that setting a column of a copy changes the
 * source; after `df['v'] = series` reading df['v'] throws; addColumn(…, { atIndex: 0 }) gives every column its
 * neighbour's type; a dropped column can not be added again; drop({ columns: 'amount' }) also drops the name `am`, and
 * drop({ index: 0 }) throws. A column named like a member (`sum`, `index`) hides it.
 *
 * Now none of that happens. A column named like a member is read by `column(name)`.
 */
import {
  become,
  cellsAt,
  columnAt,
  DataFrame,
  type Frame,
  frameLike,
  type InPlace,
  type Label,
  listOf,
  NDframe,
  refuse,
  repair,
  rowsOf,
  Series,
  Utils,
  type Vector,
} from './danfo.js'
import { inferred, inferredRows } from './inference.js'
import { paired, placesOf, unique } from './labels.js'

/** Names in the way of danfo's own fields. */
export const reserved: ReadonlySet<unknown> = new Set([
  '$data',
  '$dataIncolumnFormat',
  '$index',
  '$columns',
  '$dtypes',
  '$config',
  '$isSeries',
])

function placed<T>(list: readonly T[], at: number, removed: number, ...added: readonly T[]): T[] {
  return [...list.slice(0, at), ...added, ...list.slice(at + removed)]
}

/** What changes when a column is put in at a place, where `removed` columns give way to it. */
function withColumn(frame: Frame, name: string, values: unknown, at: number, removed: 0 | 1) {
  const { dtype, cells } = inferred(paired(frame, values))
  return {
    rows: frame.$data.map((row, i) => placed(row, at, removed, cells[i])),
    columns: placed(frame.$columns, at, removed, name),
    dtypes: placed(frame.$dtypes, at, removed, dtype),
  }
}

function without(frame: Frame, names: readonly string[]) {
  const gone = new Set(names.map((name) => columnAt(frame, name)))
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, at) => !gone.has(at))
  return { rows: frame.$data.map(kept), columns: kept(frame.$columns), dtypes: kept(frame.$dtypes) }
}

function withoutRows({ $data, $index }: Frame, labels: readonly Label[]) {
  const places = placesOf($index)
  const gone = new Set(labels.map((label) => places.get(label) ?? refuse(`there is no row '${label}'`)))
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, row) => !gone.has(row))
  return { rows: kept($data), index: unique(kept($index)) }
}

function changed(frame: Frame, parts: Parameters<typeof become>[1], options: InPlace | undefined): Frame | undefined {
  return options?.inplace ? become(frame, parts) : frameLike(frame, parts)
}

/** The new name of a label: only keys of the mapper itself count. */
function renamed(labels: readonly Label[], mapper: Readonly<Record<string, Label>>): Label[] {
  return labels.map((label) => (Object.hasOwn(mapper, label) ? (mapper[label] as Label) : label))
}

repair<Frame & { $setColumnData(name: string, values: unknown): void; $getColumnData(name: string): unknown }>(
  DataFrame.prototype,
  {
    $setInternalColumnDataProperty(column?: string): void {
      for (const name of column === undefined ? this.$columns : [column]) {
        if (reserved.has(name)) refuse(`a column can not be called '${name}': danfo keeps its data there`)
        const member = name in DataFrame.prototype
        Object.defineProperty(this, name, {
          configurable: true,
          get: () => (member ? Reflect.get(DataFrame.prototype, name, this) : this.$getColumnData(name)),
          set: (values: unknown) => this.$setColumnData(name, values),
        })
      }
    },

    $getColumnData(name: string, asSeries = true): Vector | unknown[] {
      const at = columnAt(this, name)
      const cells = cellsAt(this.$data, at)
      return asSeries
        ? new Series(cells, { index: this.$index, columns: [name], dtypes: [this.$dtypes[at] as string] })
        : cells
    },

    $setColumnData(name: string, values: unknown): void {
      become(this, withColumn(this, name, values, columnAt(this, name), 1))
    },

    $getDataArraysByAxis(axis: 0 | 1): readonly (readonly unknown[])[] {
      return axis === 1 ? this.$data : this.$columns.map((_, at) => cellsAt(this.$data, at))
    },

    addColumn(
      name: string,
      values: unknown,
      options?: InPlace & { readonly atIndex?: number | string },
    ): Frame | undefined {
      if (!name) refuse('a column needs a name')
      const at = this.$columns.indexOf(name)
      if (at !== -1) return changed(this, withColumn(this, name, values, at, 1), options)
      const wanted = options?.atIndex ?? this.$columns.length
      const place = typeof wanted === 'string' ? columnAt(this, wanted) : wanted
      return changed(this, withColumn(this, name, values, place, 0), options)
    },

    drop(
      options: InPlace & {
        readonly columns?: string | readonly string[]
        readonly index?: Label | readonly Label[]
      } = {},
    ): Frame | undefined {
      const { columns, index } = options
      if ((columns === undefined) === (index === undefined)) refuse('drop takes either columns or index')
      const parts = columns === undefined ? withoutRows(this, listOf(index as Label)) : without(this, listOf(columns))
      return changed(this, parts, options)
    },

    rename(mapper: Readonly<Record<string, string>>, options?: InPlace & { readonly axis?: 0 | 1 }): Frame | undefined {
      if (options?.axis === 0) return setLabels(this, renamed(this.$index, mapper), options)
      for (const name of Object.keys(mapper)) columnAt(this, name)
      const columns = renamed(this.$columns, mapper).map(String)
      const twice = columns.find((name, at) => columns.indexOf(name) !== at)
      if (twice !== undefined) refuse(`two columns would be called '${twice}'`)
      return changed(this, { columns }, options)
    },

    setIndex(
      options: InPlace & { readonly index?: readonly Label[]; readonly column?: string; readonly drop?: boolean },
    ): Frame | undefined {
      const { index, column, drop } = options
      if (index) return setLabels(this, index, options)
      if (column === undefined) return refuse('setIndex takes index or column')
      const labels = cellsAt(this.$data, columnAt(this, column)) as Label[]
      const frame = setLabels(this, labels, options)
      return drop ? changed(frame ?? this, without(this, [column]), options) : frame
    },
  },
)

function setLabels(frame: Frame, index: readonly Label[], options: InPlace): Frame | undefined {
  const checked = frameLike(frame, { index })
  return options.inplace ? become(frame, { index: checked.$index }) : checked
}

repair<Frame & Vector>(NDframe.prototype, {
  /** All columns, as lists of cells. */
  get getColumnData(): readonly (readonly unknown[])[] {
    return this.$isSeries ? this.$data : this.$columns.map((_, at) => cellsAt(this.$data, at))
  },

  $setValues(values: readonly unknown[], checkLength = true, checkWidth = true): void {
    if (checkLength && values.length !== this.shape[0])
      refuse(`${values.length} rows do not go in the place of ${this.shape[0]}`)
    if (this.$isSeries) {
      const { dtype, cells } = inferred(values)
      this.$data = cells as typeof this.$data
      this.$dtypes = [dtype]
    } else {
      const { dtypes, rows } = inferredRows(values as Frame['values'])
      if (checkWidth && rows.length > 0 && dtypes.length !== this.shape[1])
        refuse(`${dtypes.length} cells in a row are not ${this.shape[1]}`)
      this.$data = rows as typeof this.$data
      if (rows.length > 0) this.$dtypes = dtypes
    }
  },
})

repair(Utils.prototype, {
  transposeArray: (rows: readonly unknown[]): unknown => (Array.isArray(rows[0]) ? rowsOf(rows as unknown[][]) : rows),
})
