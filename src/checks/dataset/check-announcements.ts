import type { Table } from 'apache-arrow'
import { financeAnnouncement } from '../../contract/catalogue/finance-announcement.js'
import { beijingMoment, dateIn } from '../../contract/date.js'
import type { Data } from '../../frame/data.js'
import { has, numbers, texts, words } from '../../frame/read-columns.js'
import { provenance } from '../../table/provenance.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { labelColumn, textColumn } from '../check-columns.js'
import { groupItems } from '../group-items.js'
import { duplicate, finding, mismatch, type RowFinding, rowCheck, warn } from '../row-findings.js'

/** What `checkAnnouncements` says of a row; its documentation explains each word. */
export type AnnouncementVerdict = 'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<AnnouncementVerdict>
type Texts = readonly (string | null)[]

const types: Texts = financeAnnouncement.columns.announcement_type.values

function* ownRules(table: Table): Iterable<Found> {
  const [symbol, date] = [texts(table, 'symbol'), texts(table, 'event_date')]
  const [type, url] = [texts(table, 'announcement_type'), texts(table, 'content_url')]
  const title = texts(table, 'title')
  for (let row = 0; row < symbol.length; row++) {
    if (!/^\d{6}(\.[A-Z]{2})?$/.test(symbol[row] ?? ''))
      yield mismatch(row, 'symbol', `${symbol[row]} is no stock code`)
    if (beijingMoment(date[row] ?? '') === undefined) {
      yield mismatch(row, 'event_date', `event_date ${date[row]} is no date or time`)
    }
    if (!types.includes(type[row] ?? null)) yield mismatch(row, 'type', `${type[row]} is none of ${types.join(', ')}`)
    if ((title[row] ?? '').trim() === '') yield mismatch(row, 'title', 'the title is empty')
    const link = url[row] ?? null
    if (link !== null && !/^https?:\/\/[^\s/]+/.test(link)) {
      yield warn(row, 'url', 'content_url is no absolute address')
    }
  }
}

interface Versions {
  readonly number: Float64Array
  readonly disclosed: Texts
  readonly symbol: Texts
  readonly period: Texts
}

function* ofRecord(
  { number, disclosed, symbol, period }: Versions,
  rows: readonly number[],
  all: boolean,
): Iterable<Found> {
  const sorted = [...rows].sort((a, b) => (number[a] || 0) - (number[b] || 0) || a - b)
  let [last, before] = [0, -1]
  for (const row of sorted) {
    const version = number[row] as number
    if (!Number.isInteger(version) || version < 1) {
      yield mismatch(row, 'version', `version_no ${version} is no version`)
      continue
    }
    if (version === last) yield duplicate(row, 'version', `version ${version} stands there twice`)
    else if (version > last + 1) {
      const why = `version ${version} without version ${version - 1}`
      yield finding(all ? 'mismatch' : 'unverifiable', row, 'version', why)
    }
    if (before >= 0) {
      const [now, then] = [row, before].map((one) => beijingMoment(disclosed[one] ?? '') ?? '') as [string, string]
      if (now < then) yield mismatch(row, 'order', `disclosed before version ${last}, at ${disclosed[before]}`)
      if (symbol[row] !== symbol[before] || period[row] !== period[before]) {
        yield mismatch(row, 'record', 'versions of one record differ in symbol or period')
      }
    }
    last = version
    before = row
  }
}

/** What an archive keeps beside the columns of the wire: record, version, time of disclosure and report period. */
function* versionRules(table: Table): Iterable<Found> {
  const [record, disclosed, date] = [
    texts(table, 'record_id'),
    texts(table, 'disclosed_at'),
    texts(table, 'event_date'),
  ]
  const period = has(table, 'period') ? texts(table, 'period') : record.map(() => null)
  const versions = { number: numbers(table, 'version_no'), disclosed, period, symbol: texts(table, 'symbol') }
  const about = provenance(table)
  const asked = about?.request.params ?? {}
  const all = about?.complete === true && asked.version === 'all' && Object.keys(asked).length === 1
  for (let row = 0; row < record.length; row++) {
    const day = dateIn(disclosed[row] ?? '')
    if (beijingMoment(disclosed[row] ?? '') === undefined || day === undefined) {
      yield mismatch(row, 'disclosed_at', `disclosed_at ${disclosed[row]} is no point in time`)
      continue
    }
    const end = period[row] ?? null
    if (end !== null && day < end) yield mismatch(row, 'period', `disclosed before the end of its period, ${end}`)
    if (dateIn(date[row] ?? '') !== day) {
      yield warn(row, 'event_date', `event_date is not the day of disclosed_at, ${day}`)
    }
  }
  for (const rows of groupItems(record.keys(), (row) => record[row]).values()) yield* ofRecord(versions, rows, all)
}

/** Rows that are the same in every column of the wire; different records may be, so it contradicts nothing. */
function* doubles(table: Table): Iterable<Found> {
  const columns = Object.keys(financeAnnouncement.columns).map((name) => texts(table, name))
  const seen = new Set<string>()
  for (let row = 0; row < table.numRows; row++) {
    const key = JSON.stringify(columns.map((column) => column[row]))
    if (seen.has(key)) yield warn(row, 'double', 'an earlier row is the same')
    seen.add(key)
  }
}

function* findings(table: Table): Iterable<Found> {
  yield* ownRules(table)
  if (has(table, 'record_id') && has(table, 'version_no') && has(table, 'disclosed_at')) yield* versionRules(table)
  else yield* doubles(table)
}

export const announcementsCheck = rowCheck<AnnouncementVerdict>({
  name: 'announcements',
  summary: 'announcements and their versions',
  chinese: '公告及其各版本',
  dataset: 'finance_announcement',
  rule: 'Code, date, type and address are what they should be; where the table tells records and versions, those of a record run from 1 in the order of their disclosure, not before the period ended.',
  verdicts: {
    pass: passes('Nothing in the row, or in the other versions of its record, contradicts it.'),
    unverifiable: leavesOpen('The versions before it are not in the table.'),
    warn: leavesOpen(
      'The same row twice, an address that is not absolute, or an event date beside the day of disclosure.',
    ),
    duplicate: fails('The version stands there twice.'),
    mismatch: fails('The versions contradict one another, or the code, date or type is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    columns: {
      event_date: textColumn('label', 'Date or time of disclosure.', texts(table, 'event_date')),
      symbol: labelColumn('code', 'Stock code.', words(table, 'symbol')),
      title: textColumn('label', 'Title.', texts(table, 'title')),
    },
  }),
})

/**
 * Holds announcements against what is said of them: a stock code, a date or time of disclosure, a title, one of the three
 * types, an absolute address. A reply does not say which rows are versions of one record; where a table does (the columns
 * record_id, version_no, disclosed_at and period that an archive keeps), the versions of a record must run from 1, be
 * disclosed in that order, agree in symbol and period, and none be disclosed before its period ended.
 *
 * - `pass`: all of these, as far as there are columns for them.
 * - `unverifiable`: versions before it are not in the table, which is not known to hold all.
 * - `warn`: an address that is not absolute, the same row twice where records are not told, or an event_date that is
 *   not the day of disclosure.
 * - `duplicate`: a version a second time. `mismatch`: any other of these does not hold.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkAnnouncements(input: Data): CheckResult<AnnouncementVerdict> {
  return announcementsCheck.check(input)
}
