import type { Table } from 'apache-arrow'
import { financeAnnouncement } from '../../../contract/catalogue/finance-announcement.js'
import { beijingMoment, dateIn } from '../../../contract/date.js'
import { dictionary, has, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { provenance } from '../../../frame/table/provenance.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, textColumn } from '../check-columns.js'
import {
  brokenLaws,
  type CellsOf,
  cellsByRow,
  duplicate,
  finding,
  type Law,
  mismatch,
  type RowFinding,
  repeatedKeys,
  rowCheck,
} from '../row-findings.js'
import { isAddress } from './check-news.js'

type Verdict = 'pass' | 'unverifiable' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

const sent = Object.keys(financeAnnouncement.columns) as (keyof typeof financeAnnouncement.columns)[]
type Announcement = CellsOf<never, (typeof sent)[number]>
const versionNames = ['record_id', 'disclosed_at', 'symbol', 'event_date', 'period'] as const
type Version = CellsOf<'version_no', (typeof versionNames)[number]>

const types: readonly (string | null)[] = financeAnnouncement.columns.announcement_type.values
const isMoment = (text: string | null): boolean => beijingMoment(text ?? '') !== undefined

const laws: readonly Law<Announcement, Verdict>[] = [
  {
    rule: 'symbol',
    verdict: 'mismatch',
    broken: ({ symbol }) => !/^\d{6}(\.[A-Z]{2})?$/.test(symbol ?? '') && `${symbol} is no stock code`,
  },
  {
    rule: 'event_date',
    verdict: 'mismatch',
    broken: ({ event_date: date }) => !isMoment(date) && `event_date ${date} is no date or time`,
  },
  {
    rule: 'type',
    verdict: 'mismatch',
    broken: ({ announcement_type: type }) => !types.includes(type) && `${type} is none of ${types.join(', ')}`,
  },
  { rule: 'title', verdict: 'mismatch', broken: ({ title }) => (title ?? '').trim() === '' && 'the title is empty' },
  {
    rule: 'url',
    verdict: 'warn',
    broken: ({ content_url: url }) => url !== null && !isAddress(url) && 'content_url is no absolute address',
  },
]

/** What an archive has in addition to the columns of the wire: record, version, time of disclosure and report period. */
const versionLaws: readonly Law<Version, Verdict>[] = [
  {
    rule: 'disclosed_at',
    verdict: 'mismatch',
    broken: ({ disclosed_at: at }) => !isDisclosed(at) && `disclosed_at ${at} is no point in time`,
  },
  {
    rule: 'period',
    verdict: 'mismatch',
    broken: ({ disclosed_at: at, period }) =>
      isDisclosed(at) &&
      period !== null &&
      String(dateIn(at ?? '')) < period &&
      `disclosed before the end of its period, ${period}`,
  },
  {
    rule: 'event_date',
    verdict: 'warn',
    broken: ({ disclosed_at: at, event_date }) =>
      isDisclosed(at) &&
      dateIn(event_date ?? '') !== dateIn(at ?? '') &&
      `event_date is not the day of disclosed_at, ${dateIn(at ?? '')}`,
  },
]

function isDisclosed(at: string | null): boolean {
  return isMoment(at) && dateIn(at ?? '') !== undefined
}

/** @param all the rows are known to be all the versions that there are */
function* ofRecord(rows: readonly Version[], all: boolean): Iterable<Found> {
  const sorted = [...rows].sort((a, b) => (a.version_no || 0) - (b.version_no || 0) || a.row - b.row)
  let last = 0
  let before: Version | undefined
  for (const one of sorted) {
    const { row, version_no: version } = one
    if (!Number.isInteger(version) || version < 1) {
      yield mismatch(row, 'version', `version_no ${version} is no version`)
      continue
    }
    if (version === last) yield duplicate(row, 'version', `version ${version} is a duplicate`)
    else if (version > last + 1) {
      const why = `version ${version} without version ${version - 1}`
      yield finding(all ? 'mismatch' : 'unverifiable', row, 'version', why)
    }
    if (before) {
      const [now, then] = [one, before].map(({ disclosed_at: at }) => beijingMoment(at ?? '') ?? '') as [string, string]
      if (now < then) yield mismatch(row, 'order', `disclosed before version ${last}, at ${before.disclosed_at}`)
      if (one.symbol !== before.symbol || one.period !== before.period) {
        yield mismatch(row, 'record', 'versions of one record differ in symbol or period')
      }
    }
    last = version
    before = one
  }
}

function* versionFindings(table: Table): Iterable<Found> {
  const isStored = has(table, 'period')
  const cells = cellsByRow(
    table,
    ['version_no'],
    versionNames.filter((name) => isStored || name !== 'period'),
  )
  const rows: Version[] = isStored ? cells : cells.map((one) => Object.assign(one, { period: null }))
  const about = provenance(table)
  const asked = about?.request.params ?? {}
  const all = about?.complete === true && asked.version === 'all' && Object.keys(asked).length === 1
  yield* brokenLaws(versionLaws, rows)
  for (const own of groupItems(rows, (one) => one.record_id).values()) yield* ofRecord(own, all)
}

function* findings(table: Table): Iterable<Found> {
  const rows = cellsByRow(table, [], sent)
  yield* brokenLaws(laws, rows)
  if (has(table, 'record_id') && has(table, 'version_no') && has(table, 'disclosed_at')) yield* versionFindings(table)
  else {
    // Different records may be the same in every column of the wire, so it contradicts nothing.
    const repeated = repeatedKeys(rows, (one) => JSON.stringify(sent.map((name) => one[name])))
    for (const row of repeated) yield finding('warn', row, 'double', 'an earlier row is the same')
  }
}

/**
 * Announcements: a stock code, a date or time of disclosure, a title, one of the three types, an absolute address. A reply does
 * not say which rows are versions of one record; where a table does (the columns record_id, version_no, disclosed_at and
 * period that an archive keeps), the versions of a record run from 1, are disclosed in that order, agree in symbol and period,
 * and none is disclosed before its period ended.
 */
export const announcementsCheck = rowCheck<Verdict>({
  name: 'announcements',
  summary: 'announcements and their versions',
  chinese: '公告：代码、日期、类型、网址与各版本次序',
  dataset: 'finance_announcement',
  rule: 'Code, date, type and address are what they should be; where the table tells records and versions, those of a record run from 1 in the order of their disclosure, not before the period ended.',
  verdicts: {
    pass: passes('Nothing in the row, or in the other versions of its record, contradicts it.'),
    unverifiable: leavesOpen('The versions before it are not in the table.'),
    warn: leavesOpen(
      'The same row twice, an address that is not absolute, or an event date beside the day of disclosure.',
    ),
    duplicate: fails('The version is a duplicate.'),
    mismatch: fails('The versions contradict one another, or the code, date or type is not a valid one.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  read: (table) => ({
    findings: findings(table),
    columns: {
      event_date: textColumn('label', 'Date or time of disclosure.', strings(table, 'event_date')),
      symbol: labelColumn('code', 'Stock code.', dictionary(table, 'symbol')),
      title: textColumn('label', 'Title.', strings(table, 'title')),
    },
  }),
})
