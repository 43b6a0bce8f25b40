import type { Dataset } from '../dataset.js'
import { afterClose, dayOrRange, enddate, startdate, startToEnd, tradedate, tradingDay } from '../shared.js'

export const transferFinancing = {
  name: 'transfer_financing',
  title: 'Refinancing, financing side',
  about: 'Daily balance and flows of the refinancing of securities lending, market-wide.',
  shape: 'rows',
  columns: {
    tradedate: tradingDay,
    opening_balance: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Balance at the start of the day.' },
    auction_amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Lent by auction; null when none.' },
    reborrow_amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Lent by re-borrowing; null when none.' },
    repayment_amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Repaid; null when none.' },
    closing_balance: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Balance at the end of the day.' },
  },
  key: ['tradedate'],
  order: ['tradedate'],
  params: {
    tradedate: { ...tradedate, meaning: 'One day; the latest fully ingested one when no date is given.' },
    startdate,
    enddate,
    recentdays: { kind: 'integer', role: 'recent', min: 1, meaning: 'The latest N fully ingested trading days.' },
  },
  exclusive: [...dayOrRange, [['recentdays'], ['tradedate', 'startdate', 'enddate']]],
  ranges: startToEnd,
  limit: { kind: 'none' },
  knownAt: { ...afterClose, at: '23:59:59', note: 'when it is published, on some evening after its day' },
  renewed: { at: ['20:30'] },
  day: 'tradedate',
  partition: 'month',
  archiveRule: 'dated',
  load: { kind: 'range' },
  cache: { never: ['recentdays'], spellings: [], latest: 'latest' },
  nodes: 'intraday',
  rules: ['Not every trading day has a row; a range gives the days that have one.'],
  // biome-ignore format: a table, one law a line
  laws: [
    { code: 'FINANCING_SIGN', rule: 'sign', law: 'opening_balance, auction_amount, reborrow_amount, repayment_amount, closing_balance >= 0' },
  ],
  subject: 'risk',
  example: { recentdays: 5 },
} as const satisfies Dataset
