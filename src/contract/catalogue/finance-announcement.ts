import type { Dataset } from '../dataset.js'
import { pageLimit, pageOffset, paging } from '../shared.js'

export const financeAnnouncement = {
  name: 'finance_announcement',
  title: 'Company announcements',
  about: 'Announcements of listed companies, in all the versions that were disclosed.',
  shape: 'rows',
  columns: {
    symbol: { kind: 'code', meaning: 'Stock code.' },
    event_date: { kind: 'moment', meaning: 'Date or time of disclosure.' },
    title: { kind: 'text', meaning: 'Title.' },
    summary: { kind: 'text', nullable: true, meaning: 'Summary.' },
    announcement_type: {
      kind: 'label',
      values: ['financial_report', 'other', 'unknown'],
      meaning: 'Unified type.',
    },
    content_url: { kind: 'text', nullable: true, meaning: 'Link to the original.' },
  },
  stored: {
    record_id: { kind: 'id', meaning: 'The business record that a version belongs to.', from: 'record_id', key: true },
    version_no: { kind: 'integer', meaning: 'Version of the record, from 1.', from: 'version_no', key: true },
    disclosed_at: {
      kind: 'moment',
      meaning: 'When the version was disclosed, Beijing time, YYYY-MM-DDTHH:MM:SS.',
      from: 'disclosed_at',
    },
    period: { kind: 'date', nullable: true, meaning: 'Report period of a financial report.', from: 'null' },
  },
  key: [],
  order: ['-disclosed_at', 'symbol', 'record_id', '-version_no'],
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Stock codes; absent, the whole market.' },
    startdate: { kind: 'date', role: 'own', meaning: 'First business date of a range.' },
    enddate: { kind: 'date', role: 'own', meaning: 'Last business date of a range.' },
    limit: pageLimit,
    offset: pageOffset,
    period: { kind: 'date', role: 'own', meaning: 'Exact report period.' },
    date: {
      kind: 'date',
      role: 'own',
      meaning: 'Exact business date: the report period of a report, the event date of an event.',
    },
    ann_startdate: { kind: 'date', role: 'own', meaning: 'First disclosure date.' },
    ann_enddate: { kind: 'date', role: 'own', meaning: 'Last disclosure date.' },
    as_of: {
      kind: 'moment',
      role: 'own',
      meaning: 'Only what was disclosed at that moment: YYYYMMDD or YYYY-MM-DD (to the end of the day), or ISO 8601.',
    },
    version: {
      kind: 'choice',
      role: 'own',
      values: ['latest', 'all'],
      default: 'latest',
      meaning: '`latest`: newest disclosed version of each record. `all`: every version.',
    },
    keyword: { kind: 'text', role: 'search', columns: ['title', 'summary'], meaning: 'Text in title or summary.' },
    announcement_type: {
      kind: 'choices',
      role: 'match',
      values: ['financial_report', 'other', 'unknown'],
      columns: ['announcement_type'],
      meaning: 'Types wanted; all when absent.',
    },
  },
  exclusive: [
    [['period'], ['date', 'startdate', 'enddate']],
    [['date'], ['startdate', 'enddate']],
  ],
  ranges: [
    ['startdate', 'enddate'],
    ['ann_startdate', 'ann_enddate'],
  ],
  limit: { kind: 'page', default: 100, max: 2000 },
  knownAt: { moment: 'disclosed_at', or: 'event_date', note: 'when it was disclosed; use `as_of` for the past' },
  since: '20260101',
  archiveDay: 'disclosed_at',
  partition: 'day',
  nodes: 'intraday',
  rules: ['History from 2026.', paging, 'Without a date every record matches.'],
  example: { symbols: ['600519'], announcement_type: 'financial_report', as_of: '20260630' },
} as const satisfies Dataset
