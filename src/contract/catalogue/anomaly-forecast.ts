import type { Dataset } from '../dataset.js'
import { tradingDay } from '../shared.js'

export const anomalyForecast = {
  name: 'anomaly_forecast',
  title: 'Candidates for abnormal movement',
  about:
    'Stocks that reached, or can reach on the day, a threshold of severe abnormal price movement. Computed by the service, not a ruling of an exchange.',
  shape: 'rows',
  // biome-ignore format: a table, one column a line
  columns: {
    tradedate: { ...tradingDay, meaning: 'Day that the row speaks of; after the latest completed day, a forecast.' },
    symbol: { kind: 'code', spelling: 'bare', meaning: 'Stock code, 6 digits.' },
    name: { kind: 'label', nullable: true, meaning: 'Short name of the stock.' },
    pct_chg: { kind: 'number', unit: 'percent', nullable: true, isChange: true, meaning: 'Change of the day; null before any quote.' },
    rule: { kind: 'label', meaning: 'The rule in words: window, direction and threshold.' },
    elapsed_days: { kind: 'integer', unit: 'trading day', meaning: 'Days of the stock in the present extreme interval.' },
    deviation_pct: { kind: 'number', unit: 'percent', isChange: true, meaning: 'Return of the stock since the interval began minus that of its benchmark index.' },
    required_pct_chg: { kind: 'number', unit: 'percent', isChange: true, meaning: 'Change that the day needs to reach the threshold; a forecast takes the benchmark as unchanged.' },
    trigger_price: { kind: 'number', unit: 'yuan', meaning: 'Price at which the day reaches the threshold.' },
    status: { kind: 'label', values: ['triggered', 'reachable'], meaning: 'triggered: the threshold is reached. reachable: not yet, and within the price limit.' },
  },
  // biome-ignore format: a table, one column a line
  stored: {
    computed_on: { kind: 'date', meaning: 'Completed day that the row was computed from; earlier than tradedate in a forecast.', from: 'computed_on', key: true },
  },
  key: ['tradedate', 'symbol', 'rule'],
  order: ['tradedate', 'symbol', 'rule'],
  first: ['symbol', 'name', 'pct_chg', 'rule', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'status'],
  // biome-ignore format: a table, one param a line
  params: {
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Stock codes; absent, the whole market.' },
    tradedate: { kind: 'date', role: 'own', meaning: 'The latest completed day (or no date) also gives the forecast for the next; another day, only itself.' },
  },
  limit: { kind: 'none' },
  knownAt: {
    day: 'computed_on',
    or: 'tradedate',
    at: '15:30:00',
    note: 'after the close of the day it was computed from',
  },
  live: 60,
  renewed: { at: ['18:30'] },
  day: 'tradedate',
  instruments: 'stock',
  names: { code: 'symbol', name: 'name' },
  partition: 'month',
  archiveRule: 'candidates',
  load: { kind: 'candidates' },
  cache: { spellings: ['bare'], latest: 'completed' },
  nodes: 'intraday',
  rules: ['One day a call.'],
  subject: 'risk',
  example: { tradedate: '20260710' },
} as const satisfies Dataset
