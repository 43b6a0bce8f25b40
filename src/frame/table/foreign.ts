import { type Data, DataType, type Field, type List, type Time, type Timestamp, Vector } from 'apache-arrow'
import { dateOf } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { exactDouble } from './exact.js'
import { floatColumn } from './present-cells.js'
import type { ColumnData } from './values.js'

/* Columns of types that Quotebook does not write itself, in the forms that it has. */

const eightHours = 28_800n
const daySeconds = 86_400n

/** Seconds since 1970-01-01 of the years 1 to 9999. */
const [first, last] = [-719_162n * daySeconds, 2_932_897n * daySeconds]

/** A decimal of little-endian words with its point. */
function decimalText(words: Uint32Array, scale: number): string {
  let whole = 0n
  for (let i = words.length - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[i] as number)
  whole = BigInt.asIntN(words.length * 32, whole)
  if (scale < 0) return String(whole * 10n ** BigInt(-scale))
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}

function withFraction(text: string, rest: bigint, places: number): string {
  return rest === 0n ? text : `${text}.${String(rest).padStart(places, '0').replace(/0+$/, '')}`
}

/** Seconds and what is left of a count of 1 / 10^places seconds. */
function split(count: bigint, places: number): readonly [seconds: bigint, rest: bigint] {
  const unit = 10n ** BigInt(places)
  const rest = ((count % unit) + unit) % unit
  return [(count - rest) / unit, rest]
}

/** `YYYY-MM-DDTHH:MM:SS`, Beijing with its offset where the moment has a zone; digits alone beyond the years 1 to 9999. */
function momentText(count: bigint, places: number, isZoned: boolean): string {
  const [seconds, rest] = split(count, places)
  const local = seconds + (isZoned ? eightHours : 0n)
  if (local < first || local >= last) return String(count)
  const text = withFraction(new Date(Number(local) * 1000).toISOString().slice(0, 19), rest, places)
  return isZoned ? `${text}+08:00` : text
}

function clockText(count: bigint, places: number): string {
  const [seconds, rest] = split(count, places)
  const part = (value: bigint): string => String(value).padStart(2, '0')
  return withFraction(`${part(seconds / 3600n)}:${part((seconds / 60n) % 60n)}:${part(seconds % 60n)}`, rest, places)
}

/** `YYYYMMDD`, or a moment where the count says more than a day. */
function dateText(count: bigint, perDay: bigint): string {
  if (count % perDay !== 0n) return momentText(count, 3, false)
  const seconds = (count / perDay) * daySeconds
  return seconds < first || seconds >= last ? String(count) : dateOf(Number(count / perDay))
}

type Spell = (chunk: Data, row: number) => string

const countAt = (chunk: Data, row: number): bigint =>
  BigInt((chunk.values as BigInt64Array | BigUint64Array | Int32Array)[row] ?? 0)

function spelling(type: DataType): Spell | undefined {
  if (DataType.isDate(type)) {
    const perDay = type.unit === 0 ? 1n : 86_400_000n
    return (chunk, row) => dateText(countAt(chunk, row), perDay)
  }
  if (DataType.isTimestamp(type)) {
    const { unit, timezone } = type as Timestamp
    return (chunk, row) => momentText(countAt(chunk, row), unit * 3, Boolean(timezone))
  }
  if (DataType.isTime(type)) return (chunk, row) => clockText(countAt(chunk, row), (type as Time).unit * 3)
  if (!DataType.isDecimal(type)) return undefined
  const words = type.bitWidth / 32
  return ({ values }, row) =>
    decimalText(new Uint32Array(values.buffer, values.byteOffset + row * words * 4, words), type.scale)
}

function spelled(vector: Vector, spell: Spell): (string | null)[] {
  return vector.data.flatMap((chunk: Data) =>
    Array.from({ length: chunk.length }, (_, row) => (chunk.getValid(row) ? spell(chunk, row) : null)),
  )
}

/** Decimals as the doubles that print as their digits; their digits as text where a column has one without. */
function decimals(texts: readonly (string | null)[]): ColumnData {
  const exact = texts.map((text) => (text === null ? Number.NaN : exactDouble(text)))
  if (exact.includes(undefined)) return { type: 'string', data: texts }
  return floatColumn(Float64Array.from(exact as number[]))
}

type Cells = (vector: Vector) => readonly unknown[]

/** The parts of a list column, row by row. */
function partsOf(vector: Vector, cells: Cells): (unknown[] | null)[] {
  return vector.data.flatMap((chunk: Data<List>) => {
    const [child] = chunk.children
    const parts = child ? cells(new Vector([child])) : []
    const { valueOffsets, stride } = chunk
    const from = (row: number): number => (valueOffsets?.length > 0 ? Number(valueOffsets[row]) : row * stride)
    return Array.from({ length: chunk.length }, (_, row) =>
      chunk.getValid(row) ? parts.slice(from(row), from(row + 1)) : null,
    )
  })
}

function noForm(why: Words): never {
  throw new QuotebookError('INVALID_VALUE', sentence`${why}; let the writer cast it to text or a number`)
}

function fieldsOf(type: DataType, children: readonly Field[]): readonly string[] {
  const names = children.map(({ name }) => String(name))
  return new Set(names).size === names.length ? names : noForm(sentence`${type} has two parts of one name`)
}

/** Nested values as plain values, maps as lists of pairs; undefined for a type that is not nested. */
export function nestedCells(vector: Vector, cells: Cells): readonly unknown[] | undefined {
  const type = vector.type as DataType
  if (DataType.isMap(type)) {
    const both = (entries: Vector, at: number): readonly unknown[] => cells(entries.getChildAt(at) as Vector)
    return partsOf(vector, (entries) => {
      const values = both(entries, 1)
      return both(entries, 0).map((key, i) => [key, values[i]])
    })
  }
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type))
    return partsOf(vector, cells)
  if (!DataType.isStruct(type)) return undefined
  const names = fieldsOf(type, type.children)
  // Arrow makes no children for no rows.
  if (vector.length === 0) return []
  const columns = names.map((name, i) => {
    const child = vector.getChildAt(i)
    return [name, child ? cells(child) : []] as const
  })
  return Array.from({ length: vector.length }, (_, row) =>
    vector.isValid(row) ? Object.fromEntries(columns.map(([name, list]) => [name, list[row]])) : null,
  )
}

/**
 * A column of another type: dates and times as SQL gives them, exact decimals as numbers.
 * @throws QuotebookError INVALID_VALUE for a type that has no form here: durations, intervals, unions …
 */
export function foreign(vector: Vector): ColumnData {
  const type = vector.type as DataType
  const spell = spelling(type)
  if (spell) {
    const texts = spelled(vector, spell)
    return DataType.isDecimal(type) ? decimals(texts) : { type: 'string', data: texts }
  }
  if (DataType.isNull(type)) return { type: 'string', data: new Array<null>(vector.length).fill(null) }
  // 64-bit numbers of which some have no double.
  if (!DataType.isInt(type)) return noForm(sentence`a type that has no form here`)
  return { type: 'string', data: spelled(vector, (chunk, row) => String(countAt(chunk, row))) }
}
