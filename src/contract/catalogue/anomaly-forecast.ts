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
    pct_chg: { kind: 'number', unit: 'percent', nullable: true, meaning: 'Change of the day; null before any quote.' },
    rule: { kind: 'label', meaning: 'The rule in words: window, direction and threshold.' },
    elapsed_days: { kind: 'integer', unit: 'trading day', meaning: 'Days of the stock in the present extreme interval.' },
    deviation_pct: { kind: 'number', unit: 'percent', meaning: 'Return of the stock since the interval began minus that of its benchmark index.' },
    required_pct_chg: { kind: 'number', unit: 'percent', meaning: 'Change that the day needs to reach the threshold; a forecast takes the benchmark as unchanged.' },
    trigger_price: { kind: 'number', unit: 'yuan', meaning: 'Price at which the day reaches the threshold.' },
    status: { kind: 'label', values: ['triggered', 'reachable'], meaning: 'triggered: the threshold is reached. reachable: not yet, and within the price limit.' },
  },
  // biome-ignore format: a table, one column a line
  stored: {
    computed_on: { kind: 'date', meaning: 'Completed day that the row was computed from; earlier than tradedate in a forecast.', from: 'computed_on', key: true },
  },
  key: ['tradedate', 'symbol', 'rule'],
  order: ['tradedate', 'symbol', 'rule'],
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
  chinese: {
    title: '异动预测',
    about: '已达到或当日可能达到严重异常波动阈值的股票。由服务自行测算，并非交易所认定。',
    rules: ['一次查询一个交易日。'],
    columns: {
      tradedate: '该行所属的交易日；在最近完成日之后的为预测。',
      symbol: '6 位股票代码。',
      name: '股票简称。',
      pct_chg: '当日涨跌幅；尚无行情时为空。',
      rule: '规则文字：窗口、方向与阈值。',
      elapsed_days: '当前极值区间内的有效交易日数。',
      deviation_pct: '区间起点以来股票累计涨幅减基准指数累计涨幅。',
      required_pct_chg: '当日达到阈值所需的涨跌幅；预测时假定基准不变。',
      trigger_price: '当日达到阈值的价格。',
      status: 'triggered：已触发。reachable：尚未触发，但在涨跌停范围内可达。',
    },
    params: {
      symbols: '股票代码；默认全市场。',
      tradedate: '最近一个已完成的交易日（或未指定日期）时，同时返回下一交易日的预测；其他日期只返回当日。',
    },
    beside: { computed_on: '测算所依据的已完成交易日；预测行的该日早于 tradedate。' },
    known: '测算所依据交易日的收盘后',
  },
  example: { tradedate: '20260710' },
} as const satisfies Dataset
