import { dateIn } from '../../../contract/date.js'
import { encodeKeys } from '../../../frame/table/group-rows.js'
import { type ColumnData, cellOf } from '../../../frame/table/values.js'
import { sha256 } from '../../archive/file-access.js'
import { noteIf, type Outcome, type RowCount, rowsFault } from './check-outcomes.js'

type CellValue = string | number

/** The cells of a column of the key in all rows of a file, as codes into its distinct values. */
export class KeyColumn {
  readonly name: string
  /** In the order in which they first appear. */
  readonly values: CellValue[] = []
  /** The code of each row; -1 where missing. */
  readonly codes: Int32Array
  /** Why its cells are not known. */
  lack: string | undefined
  readonly #codeOf = new Map<CellValue, number>()

  /** @param rows of the file at most */
  constructor(name: string, rows: number) {
    this.name = name
    this.codes = new Int32Array(rows).fill(-1)
  }

  /** @param row of the first of the cells, from 0 */
  add(cells: ColumnData, row: number): void {
    if (cells.type !== 'dictionary') {
      for (let at = 0; at < cells.data.length; at++) {
        const cell = cellOf(cells, at)
        if (cell === null) continue
        const isPlain = typeof cell === 'number' || typeof cell === 'string'
        this.codes[row + at] = this.#code(isPlain ? cell : JSON.stringify(cell))
      }
      return
    }
    // Only words that are used, in the order of the rows.
    const known = new Int32Array(cells.dictionary.length).fill(-1)
    for (let at = 0; at < cells.data.length; at++) {
      const word = cells.data[at] as number
      if (word < 0) continue
      if (known[word] === -1) known[word] = this.#code(cells.dictionary[word] as string)
      this.codes[row + at] = known[word] as number
    }
  }

  /** @param row from 0 */
  valueAt(row: number): CellValue | undefined {
    return this.values[this.codes[row] ?? -1]
  }

  /** Below 0 when the value of row `a` is less than that of row `b`, 0 when they are equal. Neither is missing. */
  compareRows(a: number, b: number): number {
    if (this.codes[a] === this.codes[b]) return 0
    return (this.valueAt(a) as CellValue) < (this.valueAt(b) as CellValue) ? -1 : 1
  }

  /** Rows whose value is not as it should be; undefined where there are none. */
  rowsFailing(isRight: (value: CellValue) => boolean): RowCount | undefined {
    const isWrong = this.values.map((value) => !isRight(value))
    const isFailing = (code: number): boolean => isWrong[code] === true
    const first = this.codes.findIndex(isFailing)
    if (first < 0) return undefined
    const rows = this.codes.reduce((sum, code) => sum + Number(isFailing(code)), 0)
    return { rows, first: `${JSON.stringify(this.valueAt(first))} in row ${first + 1}` }
  }

  #code(value: CellValue): number {
    const known = this.#codeOf.get(value)
    if (known !== undefined) return known
    this.#codeOf.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}

/** Whether rows are in the order of (symbol, time); of others whether in that of (time, symbol). Rows without either do not count. */
export function checkOrder(symbol: KeyColumn, time: KeyColumn): Outcome {
  let unsorted: number | undefined
  let byTime = true
  let before = -1
  for (let row = 0; row < symbol.codes.length; row++) {
    if ((symbol.codes[row] as number) < 0 || (time.codes[row] as number) < 0) continue
    if (before >= 0) {
      const symbols = symbol.compareRows(before, row)
      const times = time.compareRows(before, row)
      if (symbols > 0 || (symbols === 0 && times > 0)) unsorted ??= row + 1
      if (times > 0 || (times === 0 && symbols > 0)) byTime = false
    }
    before = row
  }
  const other = byTime ? '; they are sorted by (time, symbol)' : ''
  return noteIf(unsorted !== undefined, `row ${unsorted} is not in the order of (symbol, time)${other}`)
}

/** Rows whose key another row has too. */
export class RepeatedKeys {
  readonly #columns: readonly KeyColumn[]
  readonly #codes: Int32Array
  readonly #counts: Uint32Array
  readonly #first = new Map<number, { readonly row: number; readonly sum: string }>()
  readonly #found: { repeated?: RowCount; differing?: RowCount } = {}

  constructor(columns: readonly KeyColumn[]) {
    this.#columns = columns
    const keys = columns.map(({ name, codes, values }) => {
      const dictionary = values.map(String)
      return { names: [name], sides: [{ type: 'dictionary', data: codes, dictionary }] } as const
    })
    const { sides, size } = encodeKeys(keys, 'never')
    this.#codes = sides[0] as Int32Array
    this.#counts = new Uint32Array(size)
    for (const code of this.#codes) if (code >= 0) this.#counts[code] = (this.#counts[code] as number) + 1
  }

  /** @param row from 0 */
  has(row: number): boolean {
    return (this.#counts[this.#codes[row] ?? -1] ?? 0) > 1
  }

  /** Takes a row that it has: equal to the first of its key in all columns, or not. @param row from 0 @param text all cells of it */
  add(row: number, text: string): void {
    const key = this.#codes[row] as number
    const sum = sha256(text)
    const before = this.#first.get(key)
    if (!before) {
      this.#first.set(key, { row, sum })
      return
    }
    const kind = before.sum === sum ? 'repeated' : 'differing'
    const { rows, first } = this.#found[kind] ?? {
      rows: 0,
      first: `${this.#columns.map((column) => column.valueAt(row)).join(' ')} in rows ${before.row + 1} and ${row + 1}`,
    }
    this.#found[kind] = { rows: rows + 1, first }
  }

  outcome(): Outcome {
    const names = this.#columns.map(({ name }) => name).join(', ')
    return [
      ...rowsFault(this.#found.repeated, 'rows that stand before, equal in all columns:'),
      ...rowsFault(this.#found.differing, `rows with a key (${names}) that stands before, and other cells:`),
    ]
  }
}

interface Time {
  readonly form: string
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
  return day !== undefined && clock.test(time) ? { form: 'date and time', day } : undefined
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
    return { notMade: `time holds numbers that are neither HHMMSS nor HHMMSSmmm, such as ${values[0]}` }
  const forms = [...new Set(parsed.map(({ form }) => form))].sort()
  const wrong = column.rowsFailing((value) => times.get(value) !== undefined)
  const elsewhere = column.rowsFailing((value) => (times.get(value)?.day ?? day) === day)
  return [
    ...rowsFault(wrong, 'time is no time in'),
    ...rowsFault(elsewhere, 'time is of another day in'),
    ...noteIf(forms.length > 1, `times are written in ${forms.length} ways: ${forms.join(', ')}`),
  ]
}
