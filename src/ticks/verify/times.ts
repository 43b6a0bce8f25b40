import { dateIn } from '../../contract/date.js'
import type { Attempted, RowCount, TimeFacts } from './facts.js'
import type { CellValue, ValueIndex } from './interner.js'

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

/** 91503 is 09:15:03, 91503000 the same with milliseconds. */
function timeOfNumber(value: number): Time | undefined {
  if (!Number.isInteger(value) || value < 0) return undefined
  return timeIn(String(value).padStart(value < 1_000_000 ? 6 : 9, '0'))
}

export function parseTime(word: CellValue): Time | undefined {
  return typeof word === 'number' ? timeOfNumber(word) : timeIn(word)
}

interface Tally {
  rows: number
  first: number
  word: CellValue
}

function count(tally: Tally | undefined, { words, counts, first }: ValueIndex, at: number): Tally {
  const [rows, row] = [counts[at] as number, first[at] as number]
  if (!tally) return { rows, first: row, word: words[at] as CellValue }
  tally.rows += rows
  if (row < tally.first) Object.assign(tally, { first: row, word: words[at] })
  return tally
}

export function rowCount(tally: Tally | undefined): RowCount | undefined {
  return tally && { rows: tally.rows, first: `${JSON.stringify(tally.word)} in row ${tally.first}` }
}

/** Rows whose word is not as wanted. */
export function rowsFailing(interned: ValueIndex, isRight: (word: CellValue) => boolean): RowCount | undefined {
  let tally: Tally | undefined
  interned.words.forEach((word, at) => {
    if (!isRight(word)) tally = count(tally, interned, at)
  })
  return rowCount(tally)
}

/** Whether the cells of `time` are times, and of the day where they say one. */
export function checkTimes(interned: ValueIndex, day: string): Attempted<TimeFacts> {
  const { words } = interned
  const times = words.map(parseTime)
  const forms = [...new Set(times.flatMap((time) => time?.form ?? []))].sort()
  if (words.length > 0 && words.every((word) => typeof word === 'number')) {
    const right = times.filter((time) => time !== undefined).length
    if (right * 2 < words.length)
      return { notMade: `time holds numbers that are neither HHMMSS nor HHMMSSmmm, such as ${words[0]}` }
  }
  const isTime = (word: CellValue): boolean => parseTime(word) !== undefined
  const isHere = (word: CellValue): boolean => (parseTime(word)?.day ?? day) === day
  return { forms, wrong: rowsFailing(interned, isTime), elsewhere: rowsFailing(interned, isHere) }
}
