import { isDate } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { nullableIntegerColumn, textColumn } from '../check-columns.js'
import { brokenLaws, type CellsOf, cellsByRow, type Law, repeatedKeys, rowCheck } from '../row-findings.js'

type Verdict = 'pass' | 'unverifiable' | 'duplicate' | 'mismatch'
const textNames = ['start_date', 'end_date', 'status', 'data_type'] as const
type Share = CellsOf<'year' | 'file_count' | 'size_bytes' | 'retry_after', (typeof textNames)[number]>

const firstYear = 2022
const isCount = (x: number): boolean => Number.isInteger(x) && x >= 0

/** Of a share that says how many files it has: days of its year, in order. */
function wrongDays({ year, start_date: first, end_date: last, file_count }: Share) {
  if (file_count === 0) return []
  const [from, to] = [first ?? '', last ?? '']
  if (!isDate(from)) return [`start_date ${from} is no date`]
  if (!isDate(to)) return [`end_date ${to} is no date`]
  return [
    from > to && 'start_date is after end_date',
    from.slice(0, 4) !== String(year) && `start_date ${from} is not of ${year}`,
    to.slice(0, 4) !== String(year) && `end_date ${to} is not of ${year}`,
  ]
}

/** More files than trading days between the two days. */
function tooManyFiles({ start_date: first, end_date: last, file_count: files }: Share) {
  const [from, to] = [first ?? '', last ?? '']
  if (files === 0 || !isDate(from) || !isDate(to) || from > to) return false
  const most = daysBetween(from, to).length
  if (!(files > most)) return false
  return { why: `${files} files, and no more than ${most} trading days from ${from} to ${to}`, given: files, due: most }
}

function lawsOf(repeated: ReadonlySet<number>): readonly Law<Share, Verdict>[] {
  const mismatch = (rule: string, broken: Law<Share, Verdict>['broken']) =>
    ({ rule, verdict: 'mismatch', broken }) as const
  const said = (isBroken: boolean, why: string, given: number) => isBroken && { why, given }
  return [
    { rule: 'key', verdict: 'duplicate', broken: ({ row, year }) => repeated.has(row) && `${year} has two shares` },
    mismatch('data_type', ({ data_type: type }) => type !== 'auction_tick' && `data_type is ${type}, not auction_tick`),
    mismatch('wait', ({ retry_after: wait }) => wait < 0 && 'retry_after is below 0'),
    mismatch('year', ({ year }) =>
      said(!(Number.isInteger(year) && year >= firstYear), `year ${year} has no files`, year),
    ),
    mismatch('files', ({ file_count: files }) => said(!isCount(files), `file_count ${files} is no count`, files)),
    mismatch('size', ({ size_bytes: bytes, file_count: files }) => [
      said(!isCount(bytes), `size_bytes ${bytes} is no size`, bytes),
      said(bytes === 0 && files > 0, `${files} files of no size`, bytes),
      said(bytes > 0 && files === 0, 'a size without files', bytes),
    ]),
    {
      rule: 'status',
      verdict: 'unverifiable',
      broken: ({ status }) => status !== 'ready' && `status is ${status}, not ready`,
    },
    mismatch('days', wrongDays),
    mismatch('files', tooManyFiles),
  ]
}

/**
 * Shares of auction-tick files: of the year, from 2022, first day not after the last, no more files than trading days between
 * them (one a day; fewer are published while files are verified), a size where there are files and none where there are none.
 * The link and its password are not looked at and may be left out.
 */
export const tickShareCheck = rowCheck<Verdict>({
  name: 'tick share',
  summary: 'what a share of tick files says of itself',
  chinese: '集合竞价快照分享：年份、日期、文件数与大小',
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
  read: (table) => {
    const wait = has(table, 'retry_after') ? (['retry_after'] as const) : []
    const rows = cellsByRow(table, ['year', 'file_count', 'size_bytes', ...wait], textNames) as Share[]
    const repeated = repeatedKeys(rows, ({ data_type, year }) => `${data_type} ${year}`)
    return {
      findings: brokenLaws(lawsOf(repeated), rows),
      compares: true,
      columns: {
        year: nullableIntegerColumn('year', 'Year of the files.', numbers(table, 'year')),
        start_date: textColumn('date', 'First day shared.', strings(table, 'start_date')),
        end_date: textColumn('date', 'Last day shared.', strings(table, 'end_date')),
      },
    }
  },
})
