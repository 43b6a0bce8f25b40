import type { Table } from 'apache-arrow'
import { isDate } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import type { Data } from '../../frame/data.js'
import { has, numbers, texts } from '../../frame/read-columns.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { nullableIntegerColumn, textColumn } from '../check-columns.js'
import { duplicate, mismatch, type RowFinding, rowCheck, unverifiable } from '../row-findings.js'

/** What `checkTickShare` says of a row; its documentation explains each word. */
export type TickShareVerdict = 'pass' | 'unverifiable' | 'duplicate' | 'mismatch'
type Found = RowFinding<TickShareVerdict>

interface Share {
  readonly row: number
  readonly year: number
  readonly first: string
  readonly last: string
  readonly files: number
  readonly bytes: number
  readonly status: string | null
}

const firstYear = 2022

function* dayRules({ row, year, first, last, files }: Share): Iterable<Found> {
  const found = (rule: string, why: string): Found => mismatch(row, rule, why)
  if (!isDate(first) || !isDate(last)) {
    yield found('days', `${isDate(first) ? `end_date ${last}` : `start_date ${first}`} is no date`)
    return
  }
  if (first > last) yield found('days', 'start_date is after end_date')
  for (const [name, date] of [
    ['start_date', first],
    ['end_date', last],
  ] as const) {
    if (date.slice(0, 4) !== String(year)) yield found('days', `${name} ${date} is not of ${year}`)
  }
  const most = first > last ? 0 : daysBetween(first, last).length
  if (first <= last && files > most) {
    const why = `${files} files, and no more than ${most} trading days from ${first} to ${last}`
    yield { ...found('files', why), given: files, due: most }
  }
}

function* ownRules(share: Share): Iterable<Found> {
  const { row, year, files, bytes, status } = share
  const found = (rule: string, why: string, given: number): Found => mismatch(row, rule, why, given)
  if (!(Number.isInteger(year) && year >= firstYear)) yield found('year', `year ${year} has no files`, year)
  if (!(Number.isInteger(files) && files >= 0)) yield found('files', `file_count ${files} is no count`, files)
  if (!(Number.isInteger(bytes) && bytes >= 0)) yield found('size', `size_bytes ${bytes} is no size`, bytes)
  if (bytes === 0 && files > 0) yield found('size', `${files} files of no size`, bytes)
  if (bytes > 0 && files === 0) yield found('size', 'a size without files', bytes)
  if (status !== 'ready') yield unverifiable(row, 'status', `status is ${status}, not ready`)
  if (files !== 0) yield* dayRules(share)
}

function* findings(table: Table): Iterable<Found> {
  const [first, last, status] = ['start_date', 'end_date', 'status'].map((name) => texts(table, name))
  const [year, files, bytes] = ['year', 'file_count', 'size_bytes'].map((name) => numbers(table, name))
  const type = texts(table, 'data_type')
  const wait = has(table, 'retry_after') ? numbers(table, 'retry_after') : undefined
  const seen = new Set<string>()
  for (let row = 0; row < table.numRows; row++) {
    const key = `${type[row]} ${year?.[row]}`
    if (seen.has(key)) yield duplicate(row, 'key', `${year?.[row]} has two shares`)
    seen.add(key)
    if (type[row] !== 'auction_tick') yield mismatch(row, 'data_type', `data_type is ${type[row]}, not auction_tick`)
    if ((wait?.[row] as number) < 0) yield mismatch(row, 'wait', 'retry_after is below 0')
    yield* ownRules({
      row,
      year: year?.[row] ?? Number.NaN,
      first: first?.[row] ?? '',
      last: last?.[row] ?? '',
      files: files?.[row] ?? Number.NaN,
      bytes: bytes?.[row] ?? Number.NaN,
      status: status?.[row] ?? null,
    })
  }
}

export const tickShareCheck = rowCheck<TickShareVerdict>({
  name: 'tick share',
  summary: 'what a share of tick files says of itself',
  chinese: '集合竞价快照分享的自述',
  dataset: 'file_download',
  rule: 'The days of the share lie in its year, with no more files than trading days between them, and a size where there are files.',
  verdicts: {
    pass: passes('Year, days, number and size of the files agree.'),
    unverifiable: leavesOpen('The share is not ready; the rest was checked.'),
    duplicate: fails('The year has two shares.'),
    mismatch: fails('Year, days, number and size of the files contradict one another.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    compares: true,
    columns: {
      year: nullableIntegerColumn('year', 'Year of the files.', numbers(table, 'year')),
      start_date: textColumn('date', 'First day shared.', texts(table, 'start_date')),
      end_date: textColumn('date', 'Last day shared.', texts(table, 'end_date')),
    },
  }),
})

/**
 * Holds shares of auction-tick files against what is said of them: of the year, from 2022, first day not after the last,
 * no more files than trading days between them (one a day; fewer are published while files are verified), a size where
 * there are files and none where there are none. The link and its password are not looked at and may be left out.
 *
 * - `pass`. `unverifiable`: not ready; the rest was checked.
 * - `duplicate`: a second share of a year. `mismatch`: any of the others does not hold.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkTickShare(input: Data): CheckResult<TickShareVerdict> {
  return tickShareCheck.check(input)
}
