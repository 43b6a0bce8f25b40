import { dateIn } from '../../../contract/date.js'
import { eachOf, sentence, unlike, type Words } from '../../../contract/sentence.js'
import { encodeKeys } from '../../../frame/table/group-rows.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../frame/table/values.js'
import { note, noteIf, type Outcome, type RowCount, rowsFault } from './check-outcomes.js'

type CellValue = string | number

/** A column of the key in all rows of a file, as codes into its distinct values. */
export interface KeyColumn {
  readonly name: string
  /** In the order in which they first appear. */
  readonly values: readonly CellValue[]
  /** The code of each row; -1 where missing. */
  readonly codes: Int32Array
}

export function keyColumn(name: string, cells: ColumnData): KeyColumn {
  const values: CellValue[] = []
  const codes = new Int32Array(cells.data.length).fill(-1)
  if (cells.type === 'dictionary') {
    // Only words that are used, in the order of the rows.
    const places = new Int32Array(cells.dictionary.length).fill(-1)
    for (let row = 0; row < codes.length; row++) {
      const word = cells.data[row] as number
      if (word < 0) continue
      if (places[word] === -1) places[word] = values.push(cells.dictionary[word] as string) - 1
      codes[row] = places[word] as number
    }
    return { name, values, codes }
  }
  const known = new Map<CellValue, number>()
  for (let row = 0; row < codes.length; row++) {
    const cell = cellOf(cells, row)
    if (cell === null) continue
    const value = typeof cell === 'number' || typeof cell === 'string' ? cell : JSON.stringify(cell)
    const code = known.get(value) ?? values.push(value) - 1
    known.set(value, code)
    codes[row] = code
  }
  return { name, values, codes }
}

function valueAt({ values, codes }: KeyColumn, row: number): CellValue | undefined {
  return values[codes[row] ?? -1]
}

/** Below 0 when the value of row `a` is less than that of row `b`, 0 when they are equal. Neither is missing. */
function compareRows(key: KeyColumn, a: number, b: number): number {
  if (key.codes[a] === key.codes[b]) return 0
  return (valueAt(key, a) as CellValue) < (valueAt(key, b) as CellValue) ? -1 : 1
}

/** Rows whose value is not as it should be; undefined where there are none. */
export function rowsFailing(key: KeyColumn, isRight: (value: CellValue) => boolean): RowCount | undefined {
  const isWrong = key.values.map((value) => !isRight(value))
  if (!isWrong.includes(true)) return undefined
  const isFailing = (code: number): boolean => isWrong[code] === true
  const first = key.codes.findIndex(isFailing)
  const rows = key.codes.reduce((sum, code) => sum + Number(isFailing(code)), 0)
  return { rows, first: sentence`${JSON.stringify(valueAt(key, first))} in row ${first + 1}` }
}

/** Whether rows are in the order of (symbol, time); of others whether in that of (time, symbol). Rows without either do not count. */
export function checkOrder(symbol: KeyColumn, time: KeyColumn): Outcome {
  let unsorted: number | undefined
  let byTime = true
  let before = -1
  for (let row = 0; row < symbol.codes.length; row++) {
    if ((symbol.codes[row] as number) < 0 || (time.codes[row] as number) < 0) continue
    if (before >= 0) {
      const symbols = compareRows(symbol, before, row)
      const times = compareRows(time, before, row)
      if (symbols > 0 || (symbols === 0 && times > 0)) unsorted ??= row + 1
      if (times > 0 || (times === 0 && symbols > 0)) byTime = false
    }
    before = row
  }
  if (unsorted === undefined) return []
  const what = sentence`row ${unsorted} is not in the order of (symbol, time)`
  return [note(byTime ? sentence`${what}; they are sorted by (time, symbol)` : what)]
}

/** Rows whose key another row before has too: equal to it in all columns, or not. */
export function checkKeys(keys: readonly KeyColumn[], { columns }: RecordColumns): Outcome {
  const sides = keys.map(({ name, codes, values }) => {
    return { names: [name], sides: [{ type: 'dictionary', data: codes, dictionary: values.map(String) }] } as const
  })
  const { sides: encoded, size } = encodeKeys(sides, 'never')
  const codes = encoded[0] as Int32Array
  const firstRow = new Int32Array(size).fill(-1)
  const found: { repeated?: RowCount; differing?: RowCount } = {}
  const isAlike = (a: number, b: number): boolean =>
    [...columns.values()].every((values) => JSON.stringify(cellText(values, a)) === JSON.stringify(cellText(values, b)))
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    const before = firstRow[code]
    if (before === undefined) continue
    if (before < 0) {
      firstRow[code] = row
      continue
    }
    const kind = isAlike(before, row) ? 'repeated' : 'differing'
    const { rows, first } = found[kind] ?? {
      rows: 0,
      first: sentence`${keys.map((key) => valueAt(key, row)).join(' ')} in rows ${before + 1} and ${row + 1}`,
    }
    found[kind] = { rows: rows + 1, first }
  }
  return [
    ...rowsFault(found.repeated, sentence`rows that stand before, equal in all columns:`),
    ...rowsFault(
      found.differing,
      sentence`rows with a key (${keys.map(({ name }) => name).join(', ')}) that stands before, and other cells:`,
    ),
  ]
}

/** A cell for JSON, which makes null of a number that is not finite. */
function cellText(values: ColumnData, row: number): unknown {
  const cell = cellOf(values, row)
  return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell
}

interface Time {
  readonly form: Words
  /** Where the time says it. */
  readonly day?: string | undefined
}

const clock = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?$/
const digits = /^([01]\d|2[0-3])[0-5]\d([0-5]\d(\d{3})?)?$/
const moment = /^(\d{4}-\d{2}-\d{2}|\d{8})[T ](.+?)(Z|[+-]\d{2}(:?\d{2})?)?$/

function timeIn(text: string): Time | undefined {
  if (clock.test(text)) return { form: 'HH:MM:SS' }
  if (digits.test(text)) return { form: { 4: 'HHMM', 6: 'HHMMSS', 9: 'HHMMSSmmm' }[text.length] as string }
  const [, date = '', time = ''] = moment.exec(text) ?? []
  const day = dateIn(date)
  return day !== undefined && clock.test(time) ? { form: sentence`date and time`, day } : undefined
}

/** Of numbers 91503 is 09:15:03, and 91503000 the same with milliseconds. */
function parseTime(value: CellValue): Time | undefined {
  if (typeof value === 'string') return timeIn(value)
  if (!Number.isInteger(value) || value < 0) return undefined
  return timeIn(String(value).padStart(value < 1_000_000 ? 6 : 9, '0'))
}

/** Whether the cells of `time` are times, and of the day where they say one. */
export function checkTimes(column: KeyColumn, day: string): Outcome {
  const { values } = column
  const times = new Map(values.map((value) => [value, parseTime(value)]))
  const parsed = [...times.values()].filter((time) => time !== undefined)
  if (values.every((value) => typeof value === 'number') && parsed.length * 2 < values.length)
    return { notMade: sentence`time holds numbers that are neither HHMMSS nor HHMMSSmmm, such as ${values[0]}` }
  const forms = unlike(parsed.map(({ form }) => form)).sort()
  const wrong = rowsFailing(column, (value) => times.get(value) !== undefined)
  const elsewhere = rowsFailing(column, (value) => (times.get(value)?.day ?? day) === day)
  return [
    ...rowsFault(wrong, sentence`time is no time in`),
    ...rowsFault(elsewhere, sentence`time is of another day in`),
    ...noteIf(forms.length > 1, sentence`times are written in ${forms.length} ways: ${eachOf(forms)}`),
  ]
}
