import { dateIn } from '../../../contract/date.js'
import { eachOf, sentence, unlike, type Words } from '../../../contract/sentence.js'
import { groupPairs, groupRows, type RowGroups } from '../../../frame/table/group-rows.js'
import { type ColumnData, cellOf, type RecordColumns } from '../../../frame/table/values.js'
import { countOf, faultIf, note, noteIf, type Outcome, type RowCount, rowsFault } from './check-outcomes.js'

type CellValue = string | number

/** A column of the key in all rows of a file. */
export interface KeyColumn {
  readonly name: string
  /** Text or numbers. */
  readonly values: ColumnData
  readonly groups: RowGroups
  /** The value of each group; null where missing, as NaN is. */
  readonly cells: readonly (CellValue | null)[]
}

export function keyColumn(name: string, given: ColumnData): KeyColumn {
  const isPlain = given.type !== 'list' && given.type !== 'boolean'
  const values: ColumnData = isPlain
    ? given
    : { type: 'string', data: Array.from({ length: given.data.length }, (_, row) => textAt(given, row)) }
  const groups = groupRows([{ name, values }])
  const cells = Array.from(groups.first, (row) => cellOf(values, row) as CellValue | null)
  return { name, values, groups, cells: cells.map((cell) => (Number.isNaN(cell) ? null : cell)) }
}

function textAt(values: ColumnData, row: number): string | null {
  const cell = cellOf(values, row)
  return cell === null ? null : JSON.stringify(cell)
}

/** Rows whose value is not as it should be; undefined where there are none. */
export function rowsFailing(
  { groups: { of }, cells }: KeyColumn,
  isRight: (value: CellValue) => boolean,
): RowCount | undefined {
  const isWrong = cells.map((value) => value !== null && !isRight(value))
  if (!isWrong.includes(true)) return undefined
  const isFailing = (group: number): boolean => isWrong[group] === true
  const first = of.findIndex(isFailing)
  const rows = of.reduce((sum, group) => sum + Number(isFailing(group)), 0)
  return { rows, first: sentence`${JSON.stringify(cells[of[first] as number])} in row ${first + 1}` }
}

/** Whether a column of the key is missing anywhere; undefined where none is. @param names columns in their order */
export function checkNulls(keys: readonly KeyColumn[], names: readonly string[]): Outcome | undefined {
  const inOrder = names.flatMap((name) => keys.find((key) => key.name === name) ?? [])
  const problems = inOrder.flatMap(({ name, groups: { of }, cells }) => {
    const none = cells.indexOf(null)
    const missing = none < 0 ? 0 : of.reduce((sum, group) => sum + Number(group === none), 0)
    return faultIf(missing, sentence`${name} is missing in ${countOf(missing, 'row')}`)
  })
  return problems.length > 0 ? problems : undefined
}

/** The place of each group in the order of the values; -1 of the missing one. */
function ranksOf({ cells }: KeyColumn): Int32Array {
  const ranks = new Int32Array(cells.length).fill(-1)
  const groups = [...cells.keys()].filter((group) => cells[group] !== null)
  groups.sort((a, b) => ((cells[a] as CellValue) < (cells[b] as CellValue) ? -1 : 1))
  for (const [rank, group] of groups.entries()) ranks[group] = rank
  return ranks
}

/** Whether rows are in the order of (symbol, time); of others whether in that of (time, symbol). Rows without either do not count. */
export function checkOrder(symbol: KeyColumn, time: KeyColumn): Outcome {
  const [symbols, times] = [ranksOf(symbol), ranksOf(time)]
  let unsorted: number | undefined
  let byTime = true
  let [symbolBefore, timeBefore] = [-1, -1]
  for (let row = 0; row < symbol.groups.of.length; row++) {
    const symbolNow = symbols[symbol.groups.of[row] as number] as number
    const timeNow = times[time.groups.of[row] as number] as number
    if (symbolNow < 0 || timeNow < 0) continue
    if (symbolBefore > symbolNow || (symbolBefore === symbolNow && timeBefore > timeNow)) unsorted ??= row + 1
    if (timeBefore > timeNow || (timeBefore === timeNow && symbolBefore > symbolNow)) byTime = false
    symbolBefore = symbolNow
    timeBefore = timeNow
  }
  if (unsorted === undefined) return []
  const what = sentence`row ${unsorted} is not in the order of (symbol, time)`
  return [note(byTime ? sentence`${what}; they are sorted by (time, symbol)` : what)]
}

/** Rows whose key another row before has too: equal to it in all columns, or not. */
export function checkKeys(keys: readonly KeyColumn[], { columns }: RecordColumns): Outcome {
  const { of, first } = keys.map(({ groups }) => groups).reduce(groupPairs)
  const found: { repeated?: RowCount; differing?: RowCount } = {}
  const isAlike = (a: number, b: number): boolean =>
    [...columns.values()].every((values) => JSON.stringify(cellText(values, a)) === JSON.stringify(cellText(values, b)))
  for (let row = 0; row < of.length; row++) {
    const before = first[of[row] as number] as number
    if (before === row || keys.some(({ groups, cells }) => cells[groups.of[row] as number] === null)) continue
    const kind = isAlike(before, row) ? 'repeated' : 'differing'
    const known = found[kind] ?? {
      rows: 0,
      first: sentence`${keys.map(({ values }) => cellOf(values, row)).join(' ')} in rows ${before + 1} and ${row + 1}`,
    }
    found[kind] = { ...known, rows: known.rows + 1 }
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
  const values = column.cells.filter((cell) => cell !== null)
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
