import type { Dataset } from '../dataset.js'
import { minuteBar, minuteKnownAt, tradedate } from '../shared.js'

export const convertibleMinute = {
  name: 'convertible_minute',
  title: 'Convertible bond bars, 30 minutes',
  about: '30-minute bars of convertible bonds; nine a day, from 0930 (with the opening auction) to 1500.',
  shape: 'rows',
  columns: minuteBar,
  key: ['tradedate', 'symbol', 'trademin'],
  order: ['symbol', 'trademin'],
  params: {
    symbols: {
      kind: 'codes',
      role: 'match',
      columns: ['symbol'],
      meaning: 'Bond codes; absent, all bonds at one minute.',
    },
    tradedate,
    trademin: {
      kind: 'minute',
      role: 'own',
      period: 'period',
      columns: ['trademin'],
      meaning: 'Close of a 30-minute bucket.',
    },
    period: { kind: 'choice', role: 'own', values: ['30m'], default: '30m', meaning: 'Bar period.' },
  },
  limit: { kind: 'cap', rows: 6000 },
  knownAt: minuteKnownAt,
  day: 'tradedate',
  partition: 'day',
  nodes: 'production',
  rules: [
    'One trading day a call: there is no `startdate` or `enddate`.',
    'With `symbols` and no `trademin`: their series of the day.',
    'With `trademin` and no `symbols`: all bonds at that minute.',
    'With neither: the latest bucket of the day.',
    'At most 6,000 rows, by symbol, then trademin; the service keeps the first 6,000 without a word. Split `symbols`.',
    'vwap factor 10: a lot is 10 bonds.',
  ],
  example: { symbols: ['123124.SZ'], tradedate: '20260701' },
} as const satisfies Dataset
