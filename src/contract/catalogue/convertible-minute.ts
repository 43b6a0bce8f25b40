import type { Dataset } from '../dataset.js'
import { minuteBar, minuteBatches, minuteCache, minuteKnownAt, minuteRules, tradedate } from '../shared.js'

export const convertibleMinute = {
  name: 'convertible_minute',
  title: 'Convertible bond bars, 30 minutes',
  about: '30-minute bars of convertible bonds; nine a day, from 0930 (with the opening auction) to 1500.',
  shape: 'rows',
  columns: minuteBar,
  key: ['tradedate', 'symbol', 'trademin'],
  order: ['symbol', 'trademin'],
  first: ['symbol', 'trademin', 'close', 'vwap', 'vol', 'amount', 'tradedate'],
  // biome-ignore format: a table, one param a line
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Bond codes; absent, all bonds at one minute.' },
    tradedate,
    trademin: { kind: 'minute', role: 'own', period: 'period', columns: ['trademin'], meaning: 'Close of a 30-minute bucket.' },
    period: { kind: 'choice', role: 'own', values: ['30m'], default: '30m', meaning: 'Bar period.' },
  },
  limit: { kind: 'cap', rows: 6000 },
  knownAt: minuteKnownAt,
  live: 3,
  renewed: minuteBatches,
  day: 'tradedate',
  everyTradingDay: true,
  instruments: 'bond',
  partition: 'day',
  archiveRule: 'bars',
  load: { kind: 'bars', periods: ['30m'], showsLatestDay: true },
  cache: minuteCache,
  nodes: 'production',
  rules: [...minuteRules, 'vwap factor 10: a lot is 10 bonds.'],
  subject: 'quotes',
  example: { symbols: ['123124.SZ'], tradedate: '20260701' },
} as const satisfies Dataset
