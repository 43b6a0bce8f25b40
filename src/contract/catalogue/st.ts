import type { Dataset } from '../dataset.js'
import { afterClose, enddate, startdate, startToEnd, tradingDay } from '../shared.js'

export const st = {
  name: 'st',
  title: 'ST marks',
  about: 'Which stocks stood under special treatment (ST or *ST) on a trading day.',
  shape: 'rows',
  columns: {
    tradedate: tradingDay,
    symbol: { kind: 'code', spelling: 'bare', meaning: 'Stock code, 6 digits.' },
    name: { kind: 'label', nullable: true, meaning: 'Short name of the stock on that day.' },
    type: { kind: 'label', values: ['ST', '*ST'], nullable: true, meaning: 'ST, or *ST (risk of delisting).' },
    type_name: { kind: 'label', nullable: true, meaning: 'Chinese description of the mark.' },
  },
  key: ['tradedate', 'symbol'],
  order: ['tradedate', 'symbol'],
  // biome-ignore format: a table, one param a line
  params: {
    type: { kind: 'choices', role: 'match', values: ['ST', '*ST'], columns: ['type'], meaning: 'Marks wanted; both when absent.' },
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Stock codes; absent, the whole market.' },
    startdate,
    enddate,
  },
  ranges: startToEnd,
  limit: { kind: 'none' },
  knownAt: { ...afterClose, at: '09:00:00', note: 'before the open of its day' },
  renewed: { at: ['09:05'] },
  day: 'tradedate',
  everyTradingDay: true,
  instruments: 'stock',
  names: { code: 'symbol', name: 'name' },
  partition: 'month',
  archiveRule: 'dated',
  load: { kind: 'range' },
  cache: { filters: ['type'], spellings: ['bare'], latest: 'latest' },
  nodes: 'production',
  rules: ['Without a date: the latest trading day.'],
  // biome-ignore format: a table, one law a line
  laws: [
    { code: 'ST_SYMBOL', rule: 'symbol', law: 'symbol is a code of six digits' },
  ],
  subject: 'risk',
  example: { type: '*ST', startdate: '20260701', enddate: '20260710' },
} as const satisfies Dataset
