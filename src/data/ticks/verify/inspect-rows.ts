import type { Table, Vector } from 'apache-arrow'
import { dateIn } from '../../../contract/date.js'
import { messageOf } from '../../../contract/error.js'
import type { Footer, FooterChunk, FooterColumn } from '../../../frame/table/parquet-file/footer.js'
import { valuesOf } from '../../../frame/table/unwrap.js'
import { type ColumnData, cellOf } from '../../../frame/table/values.js'
import {
  counted,
  fault,
  faultIf,
  more,
  type NotMade,
  noteIf,
  type Outcome,
  type Outcomes,
  rowsFault,
} from './check-outcomes.js'
import { checkOrder, checkTimes, KeyColumn, RepeatedKeys } from './row-keys.js'

export interface RowBatch {
  /** Its first row, from 0, in the whole file. */
  readonly row: number
  readonly rows: number
  /** Undefined where Arrow has no reader for a type in it. */
  readonly table?: Table
  readonly why?: string
}

export interface BatchDecoder {
  /** The rows of a row group, decoded whole before the first of them is given. */
  batches(group: number): AsyncGenerator<RowBatch>
  /** Bytes of memory that the codec has taken; it never shrinks. */
  memory(): number
  close(): void
}

function rowText(cells: readonly ColumnCells[], at: number): string {
  // JSON makes null of a number that is not finite.
  return JSON.stringify(
    cells.map(({ values }) => {
      const cell = values && cellOf(values, at)
      return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell
    }),
  )
}

interface ColumnFacts {
  readonly name: string
  /** As the decoder gives it: `Utf8`, `Float64` … */
  readonly type: string
  /** Why its cells were not looked at. */
  unread: string | undefined
  nulls: number
  nan: number
  infinite: number
}

/** Inspects the rows of a file, batch by batch. */
export class RowInspector {
  readonly #footer: Footer
  readonly #day: string
  readonly #keys: Readonly<Record<'tradedate' | 'symbol' | 'time', KeyColumn>>
  readonly #columns: ColumnFacts[] = []
  readonly #outOfBounds: string[] = []
  #boundsChecked = 0
  #rows = 0
  /** Why not all rows are known. */
  #lost: string | undefined

  constructor(footer: Footer, day: string) {
    this.#footer = footer
    this.#day = day
    const key = (name: string): KeyColumn => new KeyColumn(name, footer.rows)
    this.#keys = { tradedate: key('tradedate'), symbol: key('symbol'), time: key('time') }
  }

  /** Rows that were decoded. */
  get rows(): number {
    return this.#rows
  }

  /** Why the cells of a column were not looked at. */
  get unread(): string | undefined {
    const column = this.#columns.find(({ unread }) => unread !== undefined)
    return column && `the cells of ${column.name} (${column.type}) can not be looked at: ${column.unread}`
  }

  /** @throws what the decoder throws */
  async inspectGroup(group: number, decoder: BatchDecoder, onBatch: () => void): Promise<void> {
    const bounds = this.#boundsOf(group)
    for await (const batch of decoder.batches(group)) {
      this.#inspectBatch(batch, bounds)
      onBatch()
    }
    if (this.#lost !== undefined) return
    const made = [...bounds.values()].filter((check) => check.isMade())
    this.#boundsChecked += made.length
    this.#outOfBounds.push(...made.flatMap((check) => check.wrong() ?? []))
  }

  /** Some rows can not be read. */
  lose(why: string): void {
    this.#lost ??= why
  }

  /** The checks of cells by themselves. */
  outcomes(): Outcomes {
    const { tradedate, time } = this.#keys
    const other = tradedate.rowsFailing((value) => dateIn(String(value)) === this.#day)
    return {
      bounds: this.#checkBounds(),
      day: this.#lackOf(tradedate) ?? rowsFault(other, 'tradedate is another day in'),
      time: this.#lackOf(time) ?? checkTimes(time, this.#day),
      null: this.#checkNulls(),
      number: this.#checkNumbers(),
    }
  }

  /** The checks of keys. Decodes once more the row groups that hold rows of one key. */
  async keyOutcomes(decoder: BatchDecoder, onBatch: () => void): Promise<Outcomes> {
    const { tradedate, symbol, time } = this.#keys
    const lack = this.#lackOf(symbol, time)
    if (lack) return { order: lack, duplicate: lack }
    const repeated = new RepeatedKeys([tradedate, symbol, time].filter((column) => column.lack === undefined))
    let end = 0
    for (const [group, { rows }] of this.#footer.rowGroups.entries()) {
      const begin = end
      end += rows
      let first = begin
      while (first < end && !repeated.has(first)) first++
      if (first === end) continue
      for await (const { table, row } of decoder.batches(group)) {
        onBatch()
        const cells = table ? readCells(table, []) : []
        for (let at = 0; at < (table?.numRows ?? 0); at++)
          if (repeated.has(row + at)) repeated.add(row + at, rowText(cells, at))
      }
    }
    return { order: checkOrder(symbol, time), duplicate: repeated.outcome() }
  }

  #checkBounds(): Outcome {
    const [first, ...others] = this.#outOfBounds
    if (first !== undefined) return [fault(`${first}${more(others.length, ', and')}`)]
    return this.#boundsChecked === 0 ? { notMade: 'its footer tells none that can be held against cells' } : []
  }

  #checkNulls(): Outcome {
    const missing = this.#columns.filter(({ name, nulls }) => Object.hasOwn(this.#keys, name) && nulls > 0)
    if (missing.length > 0)
      return missing.map(({ name, nulls }) => fault(`${name} is missing in ${counted(nulls, 'row')}`))
    if (this.#columns.length === 0) return { notMade: 'there are no rows to look at' }
    const { symbol, time } = this.#keys
    const times = this.#lackOf(time) ?? checkTimes(time, this.#day)
    return this.#lackOf(symbol, time) ?? ('notMade' in times ? times : [])
  }

  #checkNumbers(): Outcome {
    const problems = this.#columns.flatMap(({ name, nan, infinite }) => [
      ...faultIf(infinite, `${name} is infinite in ${counted(infinite, 'row')}`),
      ...noteIf(nan, `${name} is NaN in ${counted(nan, 'row')}; they read as missing`),
    ])
    if (problems.length > 0) return problems
    const why = this.#columns.length === 0 ? 'there are no rows to look at' : this.unread
    return why === undefined ? [] : { notMade: why }
  }

  #boundsOf(group: number): Map<string, BoundsCheck> {
    const { columns, rowGroups } = this.#footer
    const chunks = rowGroups[group]?.chunks ?? []
    return new Map(
      chunks.flatMap((chunk, at) => {
        const column = columns[at]
        const isOne = columns.filter(({ name }) => name === column?.name).length === 1
        return column && isOne ? [[column.name, new BoundsCheck(column, chunk, group + 1)] as const] : []
      }),
    )
  }

  #inspectBatch({ table, rows, row, why }: RowBatch, bounds: Map<string, BoundsCheck>): void {
    this.#rows += rows
    if (!table) {
      this.lose(`Arrow can not show its rows (${why})`)
      return
    }
    const cells = readCells(table, this.#columns)
    for (const { name, values, missing } of cells)
      if (values) bounds.get(name)?.add(values, missing)
      else bounds.delete(name)
    for (const key of Object.values(this.#keys)) {
      const column = cells.find(({ name }) => name === key.name)
      if (column?.values) key.add(column.values, row)
      else key.lack ??= column ? `the cells of ${key.name} can not be looked at` : `there is no column ${key.name}`
    }
  }

  #lackOf(...needed: readonly KeyColumn[]): NotMade | undefined {
    const lack = needed.find((key) => key.lack !== undefined)?.lack
    const why = this.#lost ?? (this.#rows === 0 ? 'there are no rows' : lack)
    return why === undefined ? undefined : { notMade: why }
  }
}

/** Types that nest others: nothing is asked of their cells. */
const nested = /^(List|LargeList|FixedSizeList|Struct|Map|Union|DenseUnion|SparseUnion|RunEndEncoded)\b|^[{[]/

/** The cells of a column of a batch; undefined where they were not looked at. */
interface ColumnCells {
  readonly name: string
  readonly values: ColumnData | undefined
  readonly missing: number
}

/** The columns of a batch. What is missing or no number in them is added to the facts of the file. */
function readCells(table: Table, columns: ColumnFacts[]): ColumnCells[] {
  return table.schema.fields.map((field, at) => {
    const name = String(field.name)
    const vector = table.getChildAt(at) as Vector
    columns[at] ??= { name, type: String(field.type), unread: undefined, nulls: 0, nan: 0, infinite: 0 }
    columns[at].nulls += vector.nullCount
    return { name, values: valuesIn(vector, columns[at]), missing: vector.nullCount }
  })
}

function valuesIn(vector: Vector, facts: ColumnFacts): ColumnData | undefined {
  if (nested.test(facts.type)) return undefined
  try {
    const values = valuesOf(vector)
    if (values.type === 'float') countOdd(values, facts)
    return values
  } catch (error) {
    facts.unread ??= messageOf(error)
    return undefined
  }
}

function countOdd({ data, valid }: Extract<ColumnData, { type: 'float' }>, facts: ColumnFacts): void {
  for (let row = 0; row < data.length; row++) {
    const value = data[row] as number
    if (Number.isFinite(value) || (valid !== null && valid[row] === 0)) continue
    if (Number.isNaN(value)) facts.nan++
    else facts.infinite++
  }
}

/** Types whose bounds can be held against cells as they are. */
const plain = /^(int(8|16|32|64)|float|double|string)$/

function isBound(bound: unknown): bound is number | bigint | string {
  if (typeof bound === 'string') return !bound.includes('\uFFFD')
  return typeof bound === 'bigint' || (typeof bound === 'number' && !Number.isNaN(bound))
}

/** Parquet orders text by its bytes, JavaScript by its halves of characters: text is out of order if both say so. */
function isBelow(a: number | string | bigint, b: number | string | bigint): boolean {
  return a < b && (typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0)
}

/** The least and greatest cell; undefined where there is none, or cells have no order. */
function rangeOf(values: ColumnData): readonly [number | string, number | string] | undefined {
  let range: [number | string, number | string] | undefined
  const widen = (cell: number | string): void => {
    if (Number.isNaN(cell)) return
    range ??= [cell, cell]
    if (cell < range[0]) range[0] = cell
    if (cell > range[1]) range[1] = cell
  }
  if (values.type === 'dictionary') {
    const used = new Uint8Array(values.dictionary.length)
    for (const code of values.data) if (code >= 0) used[code] = 1
    values.dictionary.forEach((word, code) => {
      if (used[code] === 1) widen(word)
    })
  } else
    for (let row = 0; row < values.data.length; row++) {
      const cell = cellOf(values, row)
      if (typeof cell === 'number' || typeof cell === 'string') widen(cell)
    }
  return range
}

/** What the footer says of the cells of a column, held against them: a reader that skips row groups believes it. */
class BoundsCheck {
  readonly #chunk: FooterChunk
  readonly #where: string
  readonly #isOrdered: boolean
  #missing = 0
  #wrong: string | undefined
  #isCompared = false
  #hasCells = false

  constructor({ type }: FooterColumn, chunk: FooterChunk, group: number) {
    this.#chunk = chunk
    this.#where = `${chunk.column} in row group ${group}`
    this.#isOrdered = plain.test(type) && (isBound(chunk.min) || isBound(chunk.max))
  }

  add(values: ColumnData, missing: number): void {
    this.#missing += missing
    this.#hasCells = true
    const range = this.#isOrdered ? rangeOf(values) : undefined
    if (!range || this.#wrong !== undefined) return
    this.#isCompared = true
    const { min, max } = this.#chunk
    const [least, greatest] = range
    const isComparable = (bound: unknown): bound is number | bigint | string =>
      isBound(bound) && (typeof bound === 'string') === (typeof least === 'string')
    const say = (cell: number | string, bound: string) =>
      `${this.#where} holds ${JSON.stringify(cell)}, its footer says ${bound}`
    if (isComparable(min) && isBelow(least, min)) this.#wrong = say(least, `from ${String(min)}`)
    else if (isComparable(max) && isBelow(max, greatest)) this.#wrong = say(greatest, `up to ${String(max)}`)
  }

  /** The footer says something that can be held against cells, and was. */
  isMade(): boolean {
    return this.#hasCells && (this.#chunk.nulls !== undefined || this.#isCompared)
  }

  wrong(): string | undefined {
    const { nulls } = this.#chunk
    if (this.#wrong !== undefined || nulls === undefined || nulls === this.#missing) return this.#wrong
    return `${this.#where} has ${this.#missing} nulls, its footer says ${nulls}`
  }
}
