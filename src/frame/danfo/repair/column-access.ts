/*
 * Reading, setting, adding, dropping and renaming columns; `df['new'] = df['amount'].div(10000)`.
 *
 * Stock danfo writes a set column into rows that other frames share, so that setting a column of a copy changes the
 * source; after `df['v'] = series` reading df['v'] throws; addColumn(…, { atIndex: 0 }) gives every column its
 * neighbour's type; a dropped column can not be added again; drop({ columns: 'amount' }) also drops the name `am`, and
 * drop({ index: 0 }) throws. A column named like a member (`sum`, `index`) hides it. Assigned to, a name that is no column
 * becomes a property of the object that no column stands behind, without a word; `df['count'] = …` hides the method of
 * that name as well, and `df.columns = …` is ignored by scripts that are not in strict mode.
 *
 * Now none of that happens. A column named like a member is read by `column(name)`. Assigned to, a new name adds a column,
 * as addColumn does, and the name of a member is refused. What is assigned is an array or a Series with a cell for each row.
 */
import { sentence } from '../../../contract/sentence.js'
import { DataColumns, getColumns, getLabels } from '../frame-store.js'
import {
  type Axis,
  arrayOf,
  cellsOf,
  columnAt,
  columnOf,
  type DataColumn,
  DataFrame,
  dtypeOfNumbers,
  firstRepeated,
  type InPlace,
  inferred,
  type Label,
  lengthOf,
  like,
  listsAlong,
  NDframe,
  range,
  refuse,
  repair,
  result,
  Series,
  storedIn,
} from './model.js'
import { pickRows, rowLabelled } from './pick-rows.js'
import { paired, pairing } from './row-labels.js'

/** Names in the way of danfo's own fields. */
const reserved: ReadonlySet<unknown> = new Set([
  '$data',
  '$dataIncolumnFormat',
  '$index',
  '$columns',
  '$dtypes',
  '$config',
  '$isSeries',
])

/** The type that the cells of a column have, where it is told without looking at them as cells. */
function dtypeOfContent({ content, length }: DataColumn): string | undefined {
  if (length === 0) return undefined
  if (content.type === 'float') return dtypeOfNumbers(content.data)
  return content.type === 'dictionary' && content.data.some((code) => code >= 0) ? 'string' : undefined
}

/** What is put into a frame: the column of a Series of the same rows as it is, or cells in the order of the frame's rows. */
function columnFor(frame: DataFrame, values: unknown): DataColumn {
  const column = values instanceof Series && !pairing(frame, values as Series) ? storedIn(values as Series) : undefined
  const dtype = column && dtypeOfContent(column)
  return column && dtype ? column.as(dtype) : inferred(paired(frame, values))
}

/** A frame with a column put in at a place, where `removed` columns give way to it. */
function withColumn(frame: DataFrame, name: string, values: unknown, at: number, removed: 0 | 1): DataFrame {
  const column = columnFor(frame, values)
  return like(frame, {
    list: getColumns(frame).list.toSpliced(at, removed, column),
    columns: frame.$columns.toSpliced(at, removed, name),
  })
}

function withoutColumns(frame: DataFrame, names: readonly string[]): DataFrame {
  const gone = new Set(names.map((name) => columnAt(frame, name)))
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, at) => !gone.has(at))
  const { list, length } = getColumns(frame)
  return like(frame, { list: kept(list), length, columns: kept(frame.$columns) })
}

function withoutRows(frame: DataFrame, labels: readonly Label[]): DataFrame {
  const gone = new Set(labels.map((label) => rowLabelled(frame, label)))
  return pickRows(
    frame,
    range(lengthOf(frame)).filter((row) => !gone.has(row)),
  )
}

/** The new name of a label: only keys of the mapper itself count. */
function renamed(labels: readonly Label[], mapper: Readonly<Record<string, Label>>): Label[] {
  return labels.map((label) => (Object.hasOwn(mapper, label) ? (mapper[label] as Label) : label))
}

repair<DataFrame & { $setColumnData(name: string, values: unknown): void; $getColumnData(name: string): unknown }>(
  DataFrame.prototype,
  {
    $setInternalColumnDataProperty(column?: string): void {
      for (const name of column === undefined ? this.$columns : [column]) {
        if (reserved.has(name)) refuse(sentence`a column can not be called '${name}': danfo keeps its data there`)
        const member = name in DataFrame.prototype
        Object.defineProperty(this, name, {
          configurable: true,
          get: () => (member ? Reflect.get(DataFrame.prototype, name, this) : this.$getColumnData(name)),
          set: (values: unknown) => this.$setColumnData(name, values),
        })
      }
    },

    $getColumnData(name: string): Series {
      return new Series(new DataColumns([columnOf(this, name)]), { index: getLabels(this), columns: [name] })
    },

    $setColumnData(name: string, values: unknown): void {
      result(this, withColumn(this, name, values, columnAt(this, name), 1), { inplace: true })
    },

    addColumn(
      name: string,
      values: unknown,
      options?: InPlace & { readonly atIndex?: number | string },
    ): DataFrame | undefined {
      if (!name) refuse(sentence`a column needs a name`)
      const at = this.$columns.indexOf(name)
      if (at !== -1) return result(this, withColumn(this, name, values, at, 1), options)
      const wanted = options?.atIndex ?? this.$columns.length
      const place = typeof wanted === 'string' ? columnAt(this, wanted) : wanted
      return result(this, withColumn(this, name, values, place, 0), options)
    },

    drop(
      options: InPlace & {
        readonly columns?: string | readonly string[]
        readonly index?: Label | readonly Label[]
      } = {},
    ): DataFrame | undefined {
      const { columns, index } = options
      if ((columns === undefined) === (index === undefined)) refuse(sentence`drop takes either columns or index`)
      const frame =
        columns === undefined ? withoutRows(this, arrayOf(index as Label)) : withoutColumns(this, arrayOf(columns))
      return result(this, frame, options)
    },

    rename(mapper: Readonly<Record<string, string>>, options?: InPlace & Axis): DataFrame | undefined {
      if (options?.axis === 0) return result(this, like(this, { index: renamed(this.$index, mapper) }), options)
      for (const name of Object.keys(mapper)) columnAt(this, name)
      const columns = renamed(this.$columns, mapper).map(String)
      const twice = firstRepeated(columns)
      if (twice !== undefined) refuse(sentence`two columns would be called '${twice}'`)
      return result(this, like(this, { columns }), options)
    },

    setIndex(
      options: InPlace & { readonly index?: readonly Label[]; readonly column?: string; readonly drop?: boolean },
    ): DataFrame | undefined {
      const { index, column, drop } = options
      if (index) return result(this, like(this, { index }), options)
      if (column === undefined) return refuse(sentence`setIndex takes index or column`)
      const frame = like(this, { index: columnOf(this, column).cells() as readonly Label[] })
      return result(this, drop ? withoutColumns(frame, [column]) : frame, options)
    },

    resetIndex(options?: InPlace): DataFrame | undefined {
      return result(this, new DataFrame(getColumns(this), { columns: this.$columns }), options)
    },
  },
)

repair<DataFrame | Series>(NDframe.prototype, {
  /** All columns, as lists of cells that are the caller's own. */
  get getColumnData(): readonly unknown[] {
    return this.$isSeries ? [...cellsOf(this)] : listsAlong(this, 0).map((cells) => [...cells])
  },
})

/** At the end of the chain of prototypes, where only names arrive that nothing else has. */
const unknownNames: ProxyHandler<object> = {
  set(_, name, value, receiver): boolean {
    if (typeof name === 'string' && !reserved.has(name) && receiver instanceof DataFrame) {
      const frame = receiver as DataFrame
      result(frame, withColumn(frame, name, value, frame.$columns.length, 0), { inplace: true })
      return true
    }
    return Reflect.defineProperty(receiver, name, { value, writable: true, enumerable: true, configurable: true })
  },
}

Object.setPrototypeOf(NDframe.prototype, new Proxy(Object.create(Object.prototype), unknownNames))

/** Keeps a member from being assigned to on a frame; a frame's own column of the name comes before it. */
export function guardMembers(): void {
  for (const prototype of [DataFrame.prototype, NDframe.prototype as object]) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const found = Object.getOwnPropertyDescriptor(prototype, name)
      if (name === 'constructor' || name.startsWith('$') || !found || found.set) continue
      Object.defineProperty(prototype, name, {
        configurable: true,
        enumerable: false,
        get: found.get ?? (() => found.value),
        set(this: object, given: unknown): void {
          if (this instanceof DataFrame) {
            const otherwise = sentence`give the column another name, or use rename, setIndex and addColumn`
            refuse(sentence`'${name}' is a member of every frame; ${otherwise}`)
          }
          Object.defineProperty(this, name, { value: given, writable: true, enumerable: true, configurable: true })
        },
      })
    }
  }
}
