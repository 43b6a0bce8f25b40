import type { Table, Vector } from 'apache-arrow'
import { dateIn } from '../../contract/date.js'
import { messageOf } from '../../contract/error.js'
import type { Footer, FooterChunk, FooterColumn } from '../../table/parquet-file/footer.js'
import { valuesOf } from '../../table/unwrap.js'
import { type ColumnData, cellOf } from '../../table/values.js'
import type { Attempted, ColumnFacts, FileFacts, KeyFacts } from './file-facts.js'
import type { BatchDecoder, RowBatch } from './inspect-file.js'
import {
  type CellValue,
  checkTimes,
  duplicateRows,
  repeatedNumbers,
  rowKeys,
  rowsFailing,
  type ValueIndex,
  valueIndex,
} from './row-keys.js'

interface KeyColumn {
  readonly name: string
  readonly interned: ValueIndex
  /** Why its cells are not known. */
  lack: string | undefined
}

const keyColumn = (name: string): KeyColumn => ({ name, interned: valueIndex(), lack: undefined })

function rowText(cells: readonly ColumnCells[], at: number): string {
  // Of a number that is none, JSON makes null.
  return JSON.stringify(
    cells.map(({ values }) => {
      const cell = values && cellOf(values, at)
      return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell
    }),
  )
}

/** Looks at the rows of a file, piece by piece, and says what they are. */
export function inspectRows({ rows, rowGroups, columns }: Footer, day: string) {
  const [date, symbol, time] = [keyColumn('tradedate'), keyColumn('symbol'), keyColumn('time')] as const
  const keys = rowKeys(rows, symbol.interned, time.interned)
  const counts = cellCounts()
  const wrong: string[] = []
  let [checked, decoded] = [0, 0]
  let unseen: string | undefined

  const placesIn = (cells: readonly ColumnCells[], key: KeyColumn, row: number): Int32Array | undefined => {
    const found = cells.find(({ name }) => name === key.name)
    if (found?.values) return key.interned.take(found.values, row)
    key.lack ??= found ? `the cells of ${key.name} can not be looked at` : `there is no column ${key.name}`
    return undefined
  }

  const boundsOf = (group: number): Map<string, ReturnType<typeof boundsCheck>> => {
    const chunks = rowGroups[group]?.chunks ?? []
    return new Map(
      chunks.flatMap((chunk, at) => {
        const column = columns[at]
        const isOne = columns.filter(({ name }) => name === column?.name).length === 1
        return column && isOne ? [[column.name, boundsCheck(column, chunk, group + 1)] as const] : []
      }),
    )
  }

  const notMade = (...needed: readonly KeyColumn[]): { notMade: string } | undefined => {
    const lack = needed.find((key) => key.lack !== undefined)?.lack
    const why = unseen ?? (decoded === 0 ? 'there are no rows' : lack)
    return why === undefined ? undefined : { notMade: why }
  }

  const keyText = (row: number): string => {
    const parts = [date, symbol, time].flatMap(({ interned, lack }, at) => {
      const place = lack === undefined ? keys.placesOf(row)[at] : -1
      return place === undefined || place < 0 ? [] : [interned.words[place] as CellValue]
    })
    return parts.join(' ')
  }

  const takePiece = (piece: RowBatch, bounds: ReturnType<typeof boundsOf>): void => {
    decoded += piece.rows
    if (!piece.table) {
      unseen ??= `Arrow can not show its rows (${piece.why})`
      return
    }
    const cells = counts.take(piece.table)
    for (const { name, values, missing } of cells)
      if (values) bounds.get(name)?.take(values, missing)
      else bounds.delete(name)
    const dates = placesIn(cells, date, piece.row)
    const symbols = placesIn(cells, symbol, piece.row)
    const times = placesIn(cells, time, piece.row)
    if (symbols && times) keys.take({ date: dates, symbol: symbols, time: times })
  }

  /** Decodes once more the row groups that hold rows of one key. */
  const compare = async (
    numbers: Float64Array,
    decoder: BatchDecoder,
    tell: () => void,
  ): Promise<Pick<KeyFacts, 'repeated' | 'differing'>> => {
    const repeated = repeatedNumbers(numbers)
    const found = duplicateRows(keyText)
    let end = 0
    for (let group = 0; group < rowGroups.length; group++) {
      const begin = end
      end += rowGroups[group]?.rows ?? 0
      if (!numbers.subarray(begin, end).some((key) => repeated.has(key))) continue
      for await (const { table, row } of decoder.batches(group)) {
        tell()
        const cells = table ? cellCounts().take(table) : []
        for (let at = 0; at < (table?.numRows ?? 0); at++) {
          const key = numbers[row - 1 + at] as number
          if (repeated.has(key)) found.take(key, row + at, rowText(cells, at))
        }
      }
    }
    return found.facts()
  }

  return {
    /** @throws what the decoder throws */
    async takeGroup(group: number, decoder: BatchDecoder, tell: () => void): Promise<void> {
      const bounds = boundsOf(group)
      for await (const piece of decoder.batches(group)) {
        takePiece(piece, bounds)
        tell()
      }
      if (unseen !== undefined) return
      for (const bound of bounds.values()) {
        if (!bound.isMade()) continue
        checked++
        wrong.push(...(bound.wrong() ?? []))
      }
    },
    /** Some rows are not to be had. */
    lose(why: string): void {
      unseen ??= why
    },
    facts(): Pick<FileFacts, 'decoded' | 'columns' | 'bounds' | 'day' | 'time'> {
      const dayOf = (word: CellValue): string | undefined => dateIn(String(word))
      return {
        decoded,
        columns: counts.facts(),
        bounds: { wrong, checked },
        day: notMade(date) ?? { other: rowsFailing(date.interned, (word) => dayOf(word) === day) },
        time: notMade(time) ?? checkTimes(time.interned, day),
      }
    },
    async keyFacts(decoder: BatchDecoder, tell: () => void): Promise<Attempted<KeyFacts>> {
      const why = notMade(symbol, time)
      if (why) return why
      return {
        columns: [date, symbol, time].flatMap(({ name, lack }) => (lack === undefined ? [name] : [])),
        unsorted: keys.unsorted,
        byTime: keys.byTime,
        ...(await compare(keys.numbers(), decoder, tell)),
      }
    },
  }
}

/** Types that nest others: nothing is asked of their cells. */
const nested = /^(List|LargeList|FixedSizeList|Struct|Map|Union|DenseUnion|SparseUnion|RunEndEncoded)\b|^[{[]/

type Tally = { -readonly [K in keyof ColumnFacts]: ColumnFacts[K] }

/** The cells of a column of a piece; undefined where they were not looked at. */
interface ColumnCells {
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
function cellCounts() {
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

/** Types whose bounds can be held against cells as they are. */
const plain = /^(int(8|16|32|64)|float|double|string)$/

function isBound(bound: unknown): bound is number | bigint | string {
  if (typeof bound === 'string') return !bound.includes('\uFFFD')
  return typeof bound === 'bigint' || (typeof bound === 'number' && !Number.isNaN(bound))
}

function isBelow(a: number | string, b: number | bigint | string): boolean {
  if (!(a < b)) return false
  // Parquet orders text by its bytes, JavaScript by its halves of characters.
  return typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0
}

function isAbove(a: number | string, b: number | bigint | string): boolean {
  if (!(a > b)) return false
  return typeof a !== 'string' || Buffer.compare(Buffer.from(a), Buffer.from(String(b))) > 0
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
function boundsCheck({ type }: FooterColumn, { column, min, max, nulls }: FooterChunk, group: number) {
  let missing = 0
  let wrong: string | undefined
  let [isHeld, isTaken] = [false, false]
  return {
    take(values: ColumnData, missingHere: number): void {
      missing += missingHere
      isTaken = true
      const range = plain.test(type) && (isBound(min) || isBound(max)) ? rangeOf(values) : undefined
      if (!range || wrong !== undefined) return
      isHeld = true
      const [least, greatest] = range
      const isText = typeof least === 'string'
      const where = `${column} in row group ${group}`
      if (isBound(min) && (typeof min === 'string') === isText && isBelow(least, min))
        wrong = `${where} holds ${JSON.stringify(least)}, its footer says from ${String(min)}`
      else if (isBound(max) && (typeof max === 'string') === isText && isAbove(greatest, max))
        wrong = `${where} holds ${JSON.stringify(greatest)}, its footer says up to ${String(max)}`
    },
    /** The footer tells something that can be held against cells, and was. */
    isMade: (): boolean => isTaken && (nulls !== undefined || isHeld),
    wrong(): readonly string[] {
      if (wrong !== undefined) return [wrong]
      if (nulls === undefined || nulls === missing) return []
      return [`${column} in row group ${group} has ${missing} nulls, its footer says ${nulls}`]
    },
  }
}
