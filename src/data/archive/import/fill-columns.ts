import type { Dataset } from '../../../contract/dataset.js'
import { beijingMoment } from '../../../contract/date.js'
import { ImportError } from '../../../contract/error.js'
import { nearest } from '../../../contract/nearest.js'
import { sentence } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { decodeCells } from '../../../frame/table/as-declared.js'
import { groupRows } from '../../../frame/table/group-rows.js'
import { type ColumnData, cellOf, type RecordColumns, textCells } from '../../../frame/table/values.js'
import { everyRow } from './apply-preset.js'
import { type FileColumns, lineOf } from './file-columns.js'
import { typedCell } from './file-readers.js'
import { Spelling } from './spelling.js'

/** Cells of a column by the others: one for every row, or the same for all. */
type Fill = (file: FileColumns) => { readonly cells: readonly unknown[] } | { readonly cell: unknown }

function distinct({ columns }: FileColumns, name: string): string[] {
  return [...new Set(textCells(columns, name).map(String))].sort()
}

/** Quarter-hour closes tell a 15-minute file; a run of half hours from the first bucket on tells a 30-minute file. */
const period: Fill = (file) => {
  const minutes = distinct(file, 'trademin')
  const only15 = bucketCloses['15m'].filter((minute) => !bucketCloses['30m'].includes(minute))
  if (minutes.some((minute) => only15.includes(minute))) return { cell: '15m' }
  const run = bucketCloses['30m'].slice(0, minutes.length)
  if (minutes.length < 2 || run.join() !== minutes.join()) {
    throw new ImportError(
      file.file,
      sentence`does not tell its bar period: give it with --set period=15m or period=30m`,
    )
  }
  return { cell: '30m' }
}

/** A minute that closes no bucket of its period would never be asked for, or stand among bars of another length. */
function checkBuckets(dataset: Dataset, file: FileColumns): void {
  if (!dataset.params.trademin?.period) return
  const keys = ['trademin', 'period'].map((name) => ({ name, values: file.columns.columns.get(name) }))
  const there = keys.filter((key): key is { name: string; values: ColumnData } => key.values !== undefined)
  for (const row of groupRows(there).first) {
    const [minute, own = '30m'] = there.map(({ values }) => cellOf(values, row) ?? undefined)
    if ((own !== '15m' && own !== '30m') || minute === undefined || bucketCloses[own].includes(String(minute))) continue
    throw new ImportError(file.file, sentence`row ${row + 1}: trademin ${minute} closes no ${own} bucket`, {
      field: 'trademin',
      ...lineOf(file, row),
    })
  }
}

/** A reply of one day, or of the latest completed day and the forecast after it: its first day is the completed one. */
const computedOn: Fill = (file) => {
  const days = distinct(file, 'tradedate')
  if (days.length > 2) {
    throw new ImportError(
      file.file,
      sentence`holds ${days.length} days; give computed_on, or one reply of a day at a time`,
    )
  }
  if (days.length === 1 && textCells(file.columns, 'pct_chg').every((change) => change === null)) {
    throw new ImportError(
      file.file,
      sentence`may be a forecast alone: give the day it was computed from with --set computed_on=YYYYMMDD`,
    )
  }
  return { cell: days[0] }
}

const recordId: Fill = ({ columns }) => {
  const [symbols, dates, titles] = ['symbol', 'event_date', 'title'].map((name) => textCells(columns, name))
  return { cells: (titles ?? []).map((title, row) => [symbols?.[row], dates?.[row], title].map(String).join(' | ')) }
}

/** Versions of one record in one file count up; replies are newest first, so the last one is the first version. */
const versionNo: Fill = ({ columns }) => {
  const count = new Map<unknown, number>()
  const ids = textCells(columns, 'record_id')
  const cells = ids.map(() => 0)
  for (let row = ids.length - 1; row >= 0; row--) {
    const version = (count.get(ids[row]) ?? 0) + 1
    cells[row] = version
    count.set(ids[row], version)
  }
  return { cells }
}

/** Points in time as the archive compares them; a date alone counts as the end of that day, never earlier. */
const momentsOf =
  (name: string): Fill =>
  ({ columns }) => ({ cells: textCells(columns, name).map((text) => (text === null ? null : beijingMoment(text))) })

const fills: Readonly<Record<string, Fill>> = {
  period,
  computed_on: computedOn,
  record_id: recordId,
  version_no: versionNo,
  disclosed_at: momentsOf('event_date'),
}

/** The file with a column more, or with another one in its place. */
function withColumn(dataset: Dataset, file: FileColumns, name: string, fill: ReturnType<Fill>): FileColumns {
  const { length, columns } = file.columns
  const values: ColumnData =
    'cells' in fill ? decodeCells(dataset, name, fill.cells) : everyRow(dataset, name, fill.cell, length)
  return { ...file, columns: { length, columns: new Map([...columns, [name, values]]) } }
}

function checkAbsent(dataset: Dataset, { file, columns: own, remarks }: FileColumns, filled: RecordColumns): void {
  const absent = Object.entries(dataset.columns).flatMap(([name, { nullable }]) =>
    nullable || filled.columns.has(name) ? [] : [name],
  )
  if (absent.length === 0) return
  const names = [...own.columns.keys()]
  const others = names.filter((name) => !Object.hasOwn(dataset.columns, name))
  const apart = remarks.find((one) => one.about === 'separator')?.separator
  const all = names.join(', ')
  const has =
    apart === undefined
      ? all
      : apart === 'tab'
        ? sentence`${all}, separated by tabs`
        : sentence`${all}, separated by semicolons`
  const lacks = sentence`lacks ${absent.join(', ')} of ${dataset.name}; it has ${has}`
  const pairs = absent.flatMap((name) => {
    const other = nearest(name, others)
    return other === undefined ? [] : [`--rename ${other}=${name}`]
  })
  if (pairs.length === 0) throw new ImportError(file, lacks)
  throw new ImportError(file, sentence`${lacks}. Is it ${pairs.join(' ')}?`)
}

/**
 * The columns with every one that the archive keeps and the file lacks: values given for the whole file (`set`), then
 * what the dataset's own rules can tell.
 * @throws ImportError naming the column that is missing and how to give it
 */
export function complete(dataset: Dataset, given: FileColumns, set: Readonly<Record<string, string>>): FileColumns {
  let filled = given
  const has = (name: string): boolean => filled.columns.columns.has(name)
  const columns = { ...dataset.columns, ...dataset.stored }
  for (const [name, value] of Object.entries(set)) {
    if (!Object.hasOwn(columns, name)) {
      const names = Object.keys(columns).join(', ')
      throw new ImportError(given.file, sentence`${dataset.name} has no column '${name}'; it has ${names}`)
    }
    if (has(name)) throw new ImportError(given.file, sentence`already has the column '${name}'; do not set it`)
    const column = columns[name]
    const isCode = column?.kind === 'code' && !given.reply
    const cell = isCode ? new Spelling(dataset).text(name, column, value) : typedCell(column, value)
    filled = withColumn(dataset, filled, name, { cell })
  }
  if (!given.reply) new Spelling(dataset).check(filled.columns)
  const place = dataset.list?.place
  if (place !== undefined && !has(place)) {
    const cells = Array.from({ length: filled.columns.length }, (_, row) => row + 1)
    filled = withColumn(dataset, filled, place, { cells })
  }
  checkAbsent(dataset, given, filled.columns)
  for (const [name, { from }] of Object.entries(dataset.stored ?? {})) {
    if (has(name)) {
      if (from === 'disclosed_at') filled = withColumn(dataset, filled, name, momentsOf(name)(filled))
      continue
    }
    if (from === 'null') continue
    const fill = fills[from]
    if (!fill)
      throw new ImportError(
        given.file,
        sentence`does not tell ${name}, which no reply holds: give it with --set ${name}=…`,
      )
    filled = withColumn(dataset, filled, name, fill(filled))
  }
  checkBuckets(dataset, filled)
  return filled
}
