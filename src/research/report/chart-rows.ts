import { DataType, type Field, type Table } from 'apache-arrow'
import { tradeTitle } from '../../contract/column-heads.js'
import { QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { say, shownLanguage } from '../../contract/shown-language.js'
import { asTable, isDataFrame } from '../../frame/as-table.js'
import type { Data } from '../../frame/data.js'
import { columnNames, numbers, strings } from '../../frame/read-columns.js'
import { printable } from '../../frame/show/cell-text.js'
import { type ColumnInfo, columnInfo, fieldInfo, shownInfo } from '../../frame/show/describe-data.js'
import { looksLikeDate } from '../../frame/table/numeral.js'
import { compareTexts } from './report-words.js'

/** A chart as it was asked for, each option in its longest form. */
export interface ChartRequest {
  readonly kind: 'line' | 'bar' | 'points' | 'candles'
  readonly x: readonly string[]
  readonly y: readonly string[]
  readonly by: string | undefined
  readonly label: string | undefined
}

/** Where the rows lie on the x axis: at places of categories, or at numbers. */
export type ChartAxis =
  | { readonly form: 'places'; readonly places: readonly string[]; readonly isTime: boolean }
  | { readonly form: 'numbers' }

/** The rows of a chart, column by column. */
export interface ChartRows {
  /** The name of the x axis, with its unit. */
  readonly xName: string
  readonly axis: ChartAxis
  readonly length: number
  /** Place or number of each row; NaN where it has none. */
  readonly at: Float64Array
  readonly y: readonly { readonly about: ColumnInfo; readonly values: Float64Array }[]
  /** Group of each row, and the names of the groups. */
  readonly group: Int32Array
  readonly groups: readonly (string | undefined)[]
  readonly labels: readonly string[] | undefined
}

const timeKinds = new Set(['date', 'minute', 'clock', 'moment'])
const timeText = /^\d{4}-?\d\d-?\d\d([ T]?\d\d:?\d\d(:?\d\d(\.\d+)?)?)?$/

/** @throws QuotebookError INVALID_VALUE, always */
export function refuseChart(wrong: Words): never {
  throw new QuotebookError('INVALID_VALUE', sentence`chart: ${wrong}`)
}

class Reader {
  readonly table: Table
  readonly #isFrame: boolean

  constructor(data: Data) {
    this.table = asTable(data)
    this.#isFrame = isDataFrame(data)
  }

  #field(name: string): Field {
    const field = this.table.schema.fields.find((one) => one.name === name)
    if (field) return field
    const hint = nameHint(name, columnNames(this.table))
    throw new QuotebookError('MISSING_COLUMN', sentence`chart: there is no column '${name}'; ${hint}`)
  }

  about(name: string): ColumnInfo {
    const field = this.#field(name)
    const about = shownInfo(this.#isFrame ? columnInfo(name) : fieldInfo(field, undefined))
    if (about.secret) refuseChart(sentence`column '${name}' holds credentials`)
    return about
  }

  isNumeric(name: string): boolean {
    const { type } = this.#field(name)
    return DataType.isFloat(type) || DataType.isInt(type)
  }

  numbers(name: string): Float64Array {
    this.about(name)
    if (!this.isNumeric(name)) refuseChart(sentence`y must be a column of numbers, and '${name}' holds none`)
    return numbers(this.table, name)
  }

  /** Cells as text, null where missing. */
  words(name: string): (string | null)[] {
    this.about(name)
    if (!this.isNumeric(name)) return strings(this.table, name).map((text) => (text === null ? null : printable(text)))
    const digits = columnInfo(name).kind === 'minute' ? 4 : 0
    return Array.from(numbers(this.table, name), (value) =>
      Number.isNaN(value) ? null : String(value).padStart(digits, '0'),
    )
  }

  /** Whether a column of numbers is an axis of numbers. Dates are not: between 20260630 and 20260701 lies no room. */
  isMeasure(name: string): boolean {
    if (!this.isNumeric(name)) return false
    const seen = numbers(this.table, name).filter((value) => !Number.isNaN(value))
    return seen.length === 0 || !seen.every(looksLikeDate)
  }
}

/** Places in order of time where they are times, of size where they are numbers, else in the order they came. */
function ordered(places: readonly string[], isTime: boolean, isNumber: boolean): readonly string[] {
  if (isNumber) return [...places].sort((a, b) => Number(a) - Number(b))
  return isTime ? [...places].sort((a, b) => compareTexts(instant(a), instant(b)) || compareTexts(a, b)) : places
}

const instant = (text: string): string => text.replace(/[-:T ]/g, '')

function placed(reader: Reader, names: readonly string[]): { axis: ChartAxis; at: Float64Array } {
  const parts = names.map((name) => reader.words(name))
  const cells = Array.from({ length: reader.table.numRows }, (_, row) => {
    const cell = parts.map((part) => part[row] ?? null)
    return cell.includes(null) ? null : cell.join(' ')
  })
  const distinct = [...new Set(cells.filter((cell) => cell !== null))]
  const kinds = names.map((name) => reader.about(name).kind ?? '')
  const isTime = kinds.every((kind) => timeKinds.has(kind)) || distinct.every((text) => timeText.test(text))
  const places = ordered(distinct, isTime, names.length === 1 && reader.isNumeric(names[0] ?? ''))
  const placeOf = new Map(places.map((text, place) => [text, place]))
  const at = Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : (placeOf.get(cell) ?? Number.NaN)))
  return { axis: { form: 'places', places, isTime }, at }
}

function grouped(reader: Reader, name: string | undefined): { group: Int32Array; groups: (string | undefined)[] } {
  if (name === undefined) return { group: new Int32Array(reader.table.numRows), groups: [undefined] }
  const groups: string[] = []
  const codeOf = new Map<string, number>()
  const group = Int32Array.from(reader.words(name), (text) => {
    const word = text ?? '(missing)'
    const code = codeOf.get(word) ?? groups.push(word) - 1
    codeOf.set(word, code)
    return code
  })
  return { group, groups: groups.length > 0 ? groups : [undefined] }
}

/** A column of a dataset by its title, any other by its name: a single letter is somebody's own. */
function titleOf({ name, meaning }: ColumnInfo): string {
  const own = printable(name)
  return meaning === undefined || name.length < 2 ? own : (tradeTitle(name, shownLanguage()) ?? own)
}

/** Names and units come from outside too. */
function shown(about: ColumnInfo): ColumnInfo {
  const { name, unit } = about
  return { ...about, name: printable(name), ...(unit === undefined ? {} : { unit: printable(unit) }) }
}

/**
 * Reads the columns that a chart is made of.
 * @throws QuotebookError MISSING_COLUMN for a name that is not there, INVALID_VALUE for a y that does not hold numbers
 */
export function readChartRows(data: Data, { kind, x, y, by, label }: ChartRequest): ChartRows {
  const reader = new Reader(data)
  const [only = ''] = x
  const isNumbers = (kind === 'line' || kind === 'points') && x.length === 1 && reader.isMeasure(only)
  const { axis, at } = isNumbers
    ? { axis: { form: 'numbers' as const }, at: reader.numbers(only).map((x) => (Number.isFinite(x) ? x : Number.NaN)) }
    : placed(reader, x)
  const abouts = x.map((name) => reader.about(name))
  return {
    xName: abouts
      .map((about) => (about.unit === undefined ? titleOf(about) : say`${titleOf(about)} (${printable(about.unit)})`))
      .join(' '),
    axis,
    length: reader.table.numRows,
    at,
    y: y.map((name) => ({ about: shown(reader.about(name)), values: reader.numbers(name) })),
    ...grouped(reader, by),
    labels: label === undefined ? undefined : reader.words(label).map((text) => text ?? ''),
  }
}

/** One set of marks before it has a look: its name, its unit, and its points in the order of x. */
export interface SeriesPoints {
  readonly name: string
  readonly unit: string | undefined
  readonly column: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly row: number }[]
}

/** More marks than this would be a picture of nothing, and a file of many megabytes. */
const most = 20_000
const mostSeries = 9

/** Infinities can not be drawn and become NaN; the note counts them. */
function drawable(value: number | undefined, name: string): number {
  if (value === undefined || !Number.isFinite(value)) return Number.NaN
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-30 || size > 1e30))
    refuseChart(sentence`${name} holds ${value}, and it draws from 1e-30 to 1e30`)
  return value
}

function checkOnce(points: SeriesPoints['points'], rows: ChartRows, request: ChartRequest): void {
  const twice = points.find((point, i) => i > 0 && points[i - 1]?.x === point.x)
  if (!twice) return
  const where = rows.axis.form === 'places' ? rows.axis.places[twice.x] : twice.x
  const hint =
    request.by === undefined
      ? sentence`say by: 'code' or another column that tells them apart`
      : sentence`filter them first`
  refuseChart(sentence`two rows have ${request.x.join(' ')} = ${where}, and a ${request.kind} can show one; ${hint}`)
}

/**
 * The rows of a chart as series: one for each y of each group. ChartRows without an x are in none of them; a missing or
 * infinite y is a point whose y is NaN.
 * @throws QuotebookError INVALID_VALUE for too many rows or series, and for two rows of a series at one x
 */
export function seriesPoints(rows: ChartRows, request: ChartRequest): readonly SeriesPoints[] {
  const count = rows.groups.length * (request.kind === 'candles' ? 1 : rows.y.length)
  if (count > mostSeries)
    refuseChart(sentence`it would have ${count} series, and ${mostSeries} can be told apart; filter the rows`)
  if (rows.length > most)
    refuseChart(sentence`${rows.length} rows are more than the ${most} that it can show; resample or filter`)
  const members = rows.groups.map((): number[] => [])
  for (let row = 0; row < rows.length; row++) {
    if (!Number.isNaN(rows.at[row])) members[rows.group[row] ?? 0]?.push(row)
  }
  for (const list of members) list.sort((a, b) => (rows.at[a] ?? 0) - (rows.at[b] ?? 0) || a - b)
  return rows.groups.flatMap((group, i) =>
    rows.y.map(({ about, values }): SeriesPoints => {
      const points = (members[i] ?? []).map((row) => ({
        x: rows.at[row] ?? 0,
        y: drawable(values[row], about.name),
        row,
      }))
      if (request.kind !== 'points') checkOnce(points, rows, request)
      const column = titleOf(about)
      const name = group === undefined ? column : rows.y.length === 1 ? group : `${group} ${column}`
      return { name, unit: about.unit, column, points }
    }),
  )
}
