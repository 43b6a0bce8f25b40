import type { Table } from 'apache-arrow'
import { isDate } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { fails, leavesOpen, passes } from '../check.js'
import { type CellsOf, cellsByRow, mismatch, type RowFinding } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'

type Share = CellsOf<'year' | 'file_count' | 'size_bytes', 'start_date' | 'end_date'>

/** Of a share that says how many files it has: days of its year, in order. */
function wrongDays({ year, start_date, end_date, file_count }: Share): readonly Words[] {
  const [from, to] = [start_date ?? '', end_date ?? '']
  if (file_count === 0) return []
  if (!isDate(from)) return [sentence`start_date ${from} is no date`]
  if (!isDate(to)) return [sentence`end_date ${to} is no date`]
  return [
    ...(from > to ? [sentence`start_date is after end_date`] : []),
    ...(from.slice(0, 4) === String(year) ? [] : [sentence`start_date ${from} is not of ${year}`]),
    ...(to.slice(0, 4) === String(year) ? [] : [sentence`end_date ${to} is not of ${year}`]),
  ]
}

function* findings(table: Table): Iterable<RowFinding> {
  for (const one of cellsByRow(table, ['year', 'file_count', 'size_bytes'], ['start_date', 'end_date'])) {
    const { row, file_count: files, size_bytes: bytes } = one
    const [from, to] = [one.start_date ?? '', one.end_date ?? '']
    if (bytes === 0 && files > 0) yield mismatch(row, 'size', sentence`${files} files of no size`, bytes)
    if (bytes > 0 && files === 0) yield mismatch(row, 'size', sentence`a size without files`, bytes)
    for (const why of wrongDays(one)) yield mismatch(row, 'days', why)
    if (files === 0 || !isDate(from) || !isDate(to) || from > to) continue
    const most = daysBetween(from, to).length
    const why = sentence`${files} files, and no more than ${most} trading days from ${from} to ${to}`
    if (files > most) yield mismatch(row, 'files', why, files, most)
  }
}

/**
 * Shares of auction-tick files: of the year, from 2022, first day not after the last, no more files than trading days between
 * them (one a day; fewer are published while files are verified), a size where there are files and none where there are none.
 * The link and its password are not looked at and may be left out.
 */
export const tickShareCheck = rowCheck({
  name: 'tick share',
  summary: 'what a share of tick files says of itself',
  dataset: 'file_download',
  rule: 'The days of the share lie in its year, with no more files than trading days between them, and a size where there are files.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Year, days, number and size of the files agree.`),
    unverifiable: leavesOpen(sentence`The share is not ready; the rest was checked.`),
    duplicate: fails(sentence`The year has two shares.`),
    mismatch: fails(sentence`Year, days, number and size of the files contradict one another.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  compares: true,
  twice: (cell) => sentence`${cell('year')} has two shares`,
  read: (table) => ({
    findings: findings(table),
    columns: givenColumns(table, 'file_download', 'year', 'start_date', 'end_date'),
  }),
})
