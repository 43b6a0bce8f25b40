import type { Dataset } from '../dataset.js'

/** First year of the auction-tick files. */
export const firstTickYear = 2022

export const fileDownload = {
  name: 'file_download',
  title: 'Auction-tick share',
  about: 'The share of a year of auction-tick files, `YYYYMMDD_aucde.parquet`, one a day.',
  shape: 'object',
  columns: {
    data_type: { kind: 'label', meaning: 'Kind of file: `auction_tick`.' },
    year: { kind: 'integer', meaning: 'Year of the files.' },
    start_date: { kind: 'date', meaning: 'First day shared.' },
    end_date: { kind: 'date', meaning: 'Last day shared.' },
    file_count: { kind: 'integer', unit: 'file', meaning: 'Files in the share.' },
    size_bytes: { kind: 'long', unit: 'byte', meaning: 'Their size.' },
    status: { kind: 'label', meaning: '`ready` when the share can be used.' },
    url: { kind: 'text', meaning: 'Link of the share; relative to the archive when it is local.' },
    password: { kind: 'text', secret: true, meaning: 'Password of the share, a credential; empty when local.' },
    expires_at: { kind: 'moment', meaning: 'End of the share, ISO 8601 with offset.' },
    retry_after: { kind: 'integer', unit: 'second', meaning: 'Wait before asking again while not ready.' },
  },
  key: ['data_type', 'year'],
  order: ['year'],
  // biome-ignore format: a table, one param a line
  params: {
    data_type: { kind: 'choice', role: 'own', required: true, values: ['auction_tick'], columns: ['data_type'], meaning: 'Kind of file.' },
    year: { kind: 'integer', role: 'own', required: true, min: 2022, max: 9999, columns: ['year'], meaning: 'From 2022 to this year.' },
  },
  needsParams: true,
  limit: { kind: 'none' },
  knownAt: { fetched: true, note: 'a share is made when it is asked for' },
  partition: 'whole',
  archiveRule: 'tick-share',
  load: { kind: 'tick-share' },
  nodes: 'intraday',
  rules: [
    'Professional plan: files of the last 365 calendar days, today included. Flagship plan: all of the year.',
    'The reply has two levels: the inner `code` is 0 when the share is ready.',
    'From an archive: its own tick files; the share neither expires nor needs a password.',
  ],
  // biome-ignore format: a table, one law a line
  laws: [
    { code: 'SHARE_KIND', rule: 'data_type', law: 'data_type is auction_tick' },
    { code: 'SHARE_WAIT', rule: 'wait', law: 'retry_after >= 0' },
    { code: 'SHARE_YEAR', rule: 'year', law: 'year is a year with files' },
    { code: 'SHARE_FILES', rule: 'files', law: 'file_count is a count' },
    { code: 'SHARE_SIZE', rule: 'size', law: 'size_bytes is a size' },
    { code: 'SHARE_STATUS', rule: 'status', law: 'status is ready', verdict: 'unverifiable' },
  ],
  subject: 'files',
  valueTitles: { auction_tick: 'auction ticks' },
  example: { data_type: 'auction_tick', year: 2026 },
} as const satisfies Dataset
