import type { Dataset } from '../dataset.js'
import {
  chineseMinuteBar,
  chineseMinuteRules,
  minuteBar,
  minuteCache,
  minuteKnownAt,
  minuteRules,
  tradedate,
} from '../shared.js'

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
  everyTradingDay: true,
  partition: 'day',
  cache: minuteCache,
  nodes: 'production',
  rules: [...minuteRules, 'vwap factor 10: a lot is 10 bonds.'],
  subject: 'quotes',
  chinese: {
    title: '可转债 30 分钟线',
    about: '可转债的 30 分钟 K 线；每日九根，从 0930（含开盘集合竞价）到 1500。',
    rules: [...chineseMinuteRules, 'vwap 系数为 10：一手为 10 张。'],
    columns: chineseMinuteBar,
    params: { symbols: '转债代码；不给时为某一分钟的全部转债。', trademin: '30 分钟桶的收盘分钟。' },
  },
  example: { symbols: ['123124.SZ'], tradedate: '20260701' },
} as const satisfies Dataset
