import type { Dataset } from '../dataset.js'
import { minuteBar, minuteBatches, minuteCache, minuteKnownAt, minuteRules, tradedate } from '../shared.js'

export const etfMinute = {
  name: 'etf_minute',
  title: 'ETF bars, 15 or 30 minutes',
  about: '15- or 30-minute bars of ETFs; 17 or 9 a day, from 0930 (with the opening auction) to 1500.',
  shape: 'rows',
  columns: minuteBar,
  // biome-ignore format: a table, one column a line
  stored: {
    period: { kind: 'label', values: ['15m', '30m'], meaning: 'Bar period: not in the reply, so the archive keeps it.', from: 'period', key: true },
  },
  key: ['tradedate', 'symbol', 'trademin'],
  order: ['symbol', 'trademin'],
  first: ['symbol', 'trademin', 'close', 'vwap', 'vol', 'amount', 'tradedate'],
  // biome-ignore format: a table, one param a line
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'ETF codes; absent, all ETFs at one minute.' },
    tradedate,
    trademin: { kind: 'minute', role: 'own', period: 'period', columns: ['trademin'], meaning: 'Close of a bucket of the chosen period; for 15m they end at quarter hours.' },
    period: { kind: 'choice', role: 'own', values: ['15m', '30m'], default: '30m', meaning: 'Bar period.' },
  },
  limit: { kind: 'cap', rows: 6000 },
  knownAt: minuteKnownAt,
  live: 3,
  renewed: minuteBatches,
  day: 'tradedate',
  everyTradingDay: true,
  instruments: 'fund',
  partition: 'day',
  archiveRule: 'bars',
  load: { kind: 'bars', periods: ['15m', '30m'], showsLatestDay: true },
  cache: { ...minuteCache, scope: 'period' },
  nodes: 'production',
  rules: [
    ...minuteRules,
    'vwap factor 100: a lot is 100 units.',
    'The specification gives no default for `period`; here it is 30m, as for bonds.',
  ],
  subject: 'quotes',
  example: { symbols: ['510300.SH'], period: '15m' },
} as const satisfies Dataset
