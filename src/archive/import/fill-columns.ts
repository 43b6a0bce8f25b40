import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment } from '../../contract/date.js'
import { ImportError } from '../../contract/error.js'
import { bucketCloses } from '../../contract/session.js'
import { type FileRows, lineOf, typedCell } from './read-rows.js'

type Fill = (rows: FileRows, cell: (name: string, row: number) => unknown) => readonly unknown[]

function distinct(rows: FileRows, cell: (name: string, row: number) => unknown, name: string): string[] {
  return [...new Set(rows.items.map((_, row) => String(cell(name, row))))].sort()
}

/** Quarter-hour closes tell a 15-minute file; a run of half hours from the first bucket on tells a 30-minute file. */
const period: Fill = (rows, cell) => {
  const minutes = distinct(rows, cell, 'trademin')
  const only15 = bucketCloses['15m'].filter((minute) => !bucketCloses['30m'].includes(minute))
  if (minutes.some((minute) => only15.includes(minute))) return rows.items.map(() => '15m')
  const run = bucketCloses['30m'].slice(0, minutes.length)
  if (minutes.length < 2 || run.join() !== minutes.join()) {
    throw new ImportError(rows.file, 'does not tell its bar period: give it with --set period=15m or period=30m')
  }
  return rows.items.map(() => '30m')
}

/** A minute that closes no bucket of its period would never be asked for, or stand among bars of another length. */
function checkBuckets(dataset: Dataset, rows: FileRows): void {
  if (!dataset.params.trademin?.period) return
  const [minute, length] = [rows.fields.indexOf('trademin'), rows.fields.indexOf('period')]
  rows.items.forEach((row, i) => {
    const own = length < 0 ? '30m' : row[length]
    if ((own !== '15m' && own !== '30m') || typeof row[minute] !== 'string') return
    if (bucketCloses[own].includes(row[minute])) return
    throw new ImportError(rows.file, `row ${i + 1}: trademin ${row[minute]} closes no ${own} bucket`, {
      field: 'trademin',
      ...lineOf(rows, i),
    })
  })
}

/** A reply of one day, or of the latest completed day and the forecast after it: its first day is the completed one. */
const computedOn: Fill = (rows, cell) => {
  const days = distinct(rows, cell, 'tradedate')
  if (days.length > 2) {
    throw new ImportError(rows.file, `holds ${days.length} days; give computed_on, or one reply of a day at a time`)
  }
  if (days.length === 1 && rows.items.every((_, row) => cell('pct_chg', row) === null)) {
    throw new ImportError(
      rows.file,
      'may be a forecast alone: give the day it was computed from with --set computed_on=YYYYMMDD',
    )
  }
  return rows.items.map(() => days[0])
}

const recordId: Fill = (rows, cell) =>
  rows.items.map((_, row) => ['symbol', 'event_date', 'title'].map((name) => String(cell(name, row))).join(' | '))

/** Versions of one record in one file count up; replies are newest first, so the last one is the first version. */
const versionNo: Fill = (rows, cell) => {
  const count = new Map<unknown, number>()
  const numbers = rows.items.map(() => 0)
  for (let row = rows.items.length - 1; row >= 0; row--) {
    const id = cell('record_id', row)
    const version = (count.get(id) ?? 0) + 1
    numbers[row] = version
    count.set(id, version)
  }
  return numbers
}

/** A point in time as the archive compares it; a date alone counts as the end of that day, never earlier. */
function momentsOf(rows: FileRows, name: string, cell: (name: string, row: number) => unknown): string[] {
  return rows.items.map((_, row) => {
    const at = beijingMoment(String(cell(name, row)))
    if (at !== undefined) return at
    throw new ImportError(rows.file, `row ${row + 1}: ${name} '${cell(name, row)}' is neither a date nor a time`, {
      field: name,
      ...lineOf(rows, row),
    })
  })
}

const disclosedAt: Fill = (rows, cell) => momentsOf(rows, 'event_date', cell)

const fills: Readonly<Record<string, Fill>> = {
  period,
  computed_on: computedOn,
  record_id: recordId,
  version_no: versionNo,
  disclosed_at: disclosedAt,
}

function replaced(rows: FileRows, name: string, cells: readonly unknown[]): FileRows {
  const at = rows.fields.indexOf(name)
  return { ...rows, items: rows.items.map((row, i) => row.with(at, cells[i])) }
}

function withColumn(rows: FileRows, name: string, cells: readonly unknown[]): FileRows {
  return { ...rows, fields: [...rows.fields, name], items: rows.items.map((row, i) => [...row, cells[i]]) }
}

/**
 * The rows with every column that the archive keeps and the file lacks: values given for the whole file (`set`), then
 * what the dataset's own rules can tell.
 * @throws ImportError naming the column that is missing and how to give it
 */
export function complete(dataset: Dataset, rows: FileRows, set: Readonly<Record<string, string>>): FileRows {
  let filled = rows
  const cell = (name: string, row: number): unknown => filled.items[row]?.[filled.fields.indexOf(name)]
  const columns = { ...dataset.columns, ...dataset.stored }
  for (const [name, value] of Object.entries(set)) {
    if (!Object.hasOwn(columns, name)) {
      throw new ImportError(
        rows.file,
        `${dataset.name} has no column '${name}'; it has ${Object.keys(columns).join(', ')}`,
      )
    }
    if (filled.fields.includes(name))
      throw new ImportError(rows.file, `already has the column '${name}'; do not set it`)
    filled = withColumn(
      filled,
      name,
      filled.items.map(() => typedCell(columns[name], value)),
    )
  }
  const place = dataset.list?.place
  if (place !== undefined && !filled.fields.includes(place)) {
    filled = withColumn(
      filled,
      place,
      filled.items.map((_, row) => row + 1),
    )
  }
  const absent = Object.entries(dataset.columns).filter(
    ([name, { nullable }]) => !nullable && !filled.fields.includes(name),
  )
  if (absent.length > 0) {
    const names = absent.map(([name]) => name)
    throw new ImportError(rows.file, `lacks ${names.join(', ')} of ${dataset.name}; it has ${rows.fields.join(', ')}`)
  }
  for (const [name, { from }] of Object.entries(dataset.stored ?? {})) {
    if (filled.fields.includes(name)) {
      if (from === 'disclosed_at') filled = replaced(filled, name, momentsOf(filled, name, cell))
      continue
    }
    if (from === 'null') continue
    const fill = fills[from]
    if (!fill)
      throw new ImportError(rows.file, `does not tell ${name}, which no reply holds: give it with --set ${name}=…`)
    filled = withColumn(filled, name, fill(filled, cell))
  }
  checkBuckets(dataset, filled)
  return filled
}
