import type { Table } from 'apache-arrow'
import { financeAnnouncement } from '../../../contract/catalogue/finance-announcement.js'
import { beijingMoment, dateIn } from '../../../contract/date.js'
import { sentence } from '../../../contract/sentence.js'
import { has } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { repeatedKeys } from '../declared-laws.js'
import { type CellsOf, cellsByRow, finding, mismatch, type RowFinding, warn } from '../findings.js'
import { lawForm } from '../law-forms.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { isVersion, missingVersions, sortVersions } from './versions.js'

const names = ['record_id', 'disclosed_at', 'symbol', 'event_date'] as const
type Version = CellsOf<'version_no', (typeof names)[number]> & { readonly period?: string | null }

const isDisclosed = lawForm('a point in time').holds

/** Of an archive's rows, which tell when a version was disclosed and of which period it is. */
function* ofVersion({ row, disclosed_at: at, period = null, event_date }: Version): Iterable<RowFinding> {
  if (at === null || !isDisclosed(at)) return
  const day = dateIn(at)
  if (period !== null && String(day) < period)
    yield mismatch(row, 'period', sentence`disclosed before the end of its period, ${period}`)
  if (dateIn(event_date ?? '') !== day)
    yield warn(row, 'event_date', sentence`event_date is not the day of disclosed_at, ${day}`)
}

/** @param all the rows are known to be all the versions that there are */
function* ofRecord(rows: readonly Version[], all: boolean): Iterable<RowFinding> {
  const version = {
    twice: (number: number) => sentence`version ${number} is a duplicate`,
    missing: (_: number, to: number) => sentence`version ${to + 1} without version ${to}`,
    verdict: all ? 'mismatch' : 'unverifiable',
  } as const
  const sorted = sortVersions(rows, (one) => one.version_no)
  yield* missingVersions(sorted, (one) => one.version_no, 'version', version)
  let before: Version | undefined
  for (const one of sorted.filter(({ version_no: number }) => isVersion(number))) {
    if (before) {
      const [now, then] = [one, before].map(({ disclosed_at: at }) => beijingMoment(at ?? '') ?? '') as [string, string]
      if (now < then)
        yield mismatch(
          one.row,
          'order',
          sentence`disclosed before version ${before.version_no}, at ${before.disclosed_at}`,
        )
      if (one.symbol !== before.symbol || (one.period ?? null) !== (before.period ?? null))
        yield mismatch(one.row, 'record', sentence`versions of one record differ in symbol or period`)
    }
    before = one
  }
}

function* findings(table: Table): Iterable<RowFinding> {
  if (!['record_id', 'version_no', 'disclosed_at'].every((name) => has(table, name))) {
    // Different records may be the same in every column of the wire, so it contradicts nothing.
    for (const row of repeatedKeys(table, Object.keys(financeAnnouncement.columns), true))
      yield finding('warn', row, 'double', sentence`an earlier row is the same`)
    return
  }
  const rows: readonly Version[] = cellsByRow(
    table,
    ['version_no'],
    has(table, 'period') ? [...names, 'period'] : names,
  )
  const about = provenance(table)
  const asked = about?.request.params ?? {}
  const all = about?.complete === true && asked.version === 'all' && Object.keys(asked).length === 1
  for (const one of rows) yield* ofVersion(one)
  for (const own of groupItems(rows, (one) => one.record_id).values()) yield* ofRecord(own, all)
}

/**
 * Announcements: a stock code, a date or time of disclosure, a title, one of the three types, an absolute address. A reply does
 * not say which rows are versions of one record; where a table does (the columns record_id, version_no, disclosed_at and
 * period that an archive keeps), the versions of a record run from 1, are disclosed in that order, agree in symbol and period,
 * and none is disclosed before its period ended.
 */
export const announcementsCheck = rowCheck({
  name: 'announcements',
  summary: 'announcements and their versions',
  dataset: 'finance_announcement',
  rule: 'Code, date, type and address are what they should be; where the table tells records and versions, those of a record run from 1 in the order of their disclosure, not before the period ended.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`Nothing in the row, or in the other versions of its record, contradicts it.`),
    unverifiable: leavesOpen(sentence`The versions before it are not in the table.`),
    warn: leavesOpen(sentence`The same row twice, an address that is not absolute, or an event date beside the day of disclosure.`),
    duplicate: fails(sentence`The version is a duplicate.`),
    mismatch: fails(sentence`The versions contradict one another, or the code, date or type is not a valid one.`),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    columns: givenColumns(table, 'finance_announcement', 'event_date', 'symbol', 'title'),
  }),
})
