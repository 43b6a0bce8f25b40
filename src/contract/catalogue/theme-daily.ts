import type { Dataset } from '../dataset.js'
import { afterClose, dayOrRange, enddate, startdate, startToEnd, tradedate, tradingDay } from '../shared.js'

const wholeMarket = '总市值 流通市值 平均股价 成交均价 涨跌家数 停板家数 活筹市值 全A等权 全A中位'.split(' ')
const parts = '总值 流通 平均 均价 涨跌 停板 活筹 等权 中位'.split(' ')
const beijing = parts.filter((part) => part !== '流通')

/** The 48 statistical indices in use (section 2.7). */
export const indexNames: readonly string[] = [
  ...wholeMarket,
  ...['主板', '创业', '科创'].flatMap((board) => parts.map((part) => board + part)),
  ...beijing.map((part) => `北证${part}`),
  'ETF等权',
  'REITs',
  '可转债',
  '通用回购',
]

/** Whether an index counts stocks: its numbers are no points, and a provider may put other counts in the place of open, high and low. */
export const countsStocks = (name: string | null | undefined): boolean => /(家数|涨跌|停板)$/.test(name ?? '')

export const themeDaily = {
  name: 'theme_daily',
  title: 'Statistical index quotes',
  about: '48 statistical indices of the market (values, averages, breadth, equal weight), one row a day each.',
  shape: 'rows',
  columns: {
    tradedate: tradingDay,
    symbol: { kind: 'code', isOwn: true, meaning: 'Unique code of the index.' },
    name: { kind: 'label', nullable: true, meaning: 'Chinese name of the index, one of 48.' },
    type: { kind: 'label', nullable: true, meaning: 'Class of data; `tj` is a statistical index.' },
    open: { kind: 'number', unit: 'point', nullable: true, meaning: 'Opening point.' },
    high: { kind: 'number', unit: 'point', nullable: true, meaning: 'High of the day, so far on the latest day.' },
    low: { kind: 'number', unit: 'point', nullable: true, meaning: 'Low of the day, so far on the latest day.' },
    close: { kind: 'number', unit: 'point', nullable: true, meaning: 'Close; latest point on the latest day.' },
    pre_close: { kind: 'number', unit: 'point', nullable: true, meaning: 'Close of the trading day before.' },
    change: { kind: 'number', unit: 'point', nullable: true, isChange: true, meaning: 'close - pre_close.' },
    pct_chg: {
      kind: 'number',
      unit: 'percent',
      nullable: true,
      isChange: true,
      meaning: '(close - pre_close) / pre_close x 100.',
    },
    vol: { kind: 'number', unit: 'lot', nullable: true, meaning: 'Cumulative volume of the day.' },
    amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Cumulative turnover of the day.' },
    servertime: { kind: 'clock', nullable: true, meaning: 'Snapshot time of the quote source, HH:MM:SS.mmm.' },
  },
  key: ['tradedate', 'symbol'],
  order: ['tradedate', 'symbol'],
  first: ['symbol', 'name', 'close', 'pct_chg', 'amount', 'tradedate', 'vol'],
  params: {
    type: { kind: 'choice', role: 'match', required: true, values: ['tj'], columns: ['type'], meaning: 'Always `tj`.' },
    symbols: { kind: 'codes', role: 'match', columns: ['symbol'], meaning: 'Index codes; absent, all.' },
    tradedate,
    startdate,
    enddate,
  },
  exclusive: dayOrRange,
  ranges: startToEnd,
  needsParams: true,
  limit: { kind: 'none' },
  knownAt: afterClose,
  live: 60,
  day: 'tradedate',
  everyTradingDay: true,
  instruments: 'index',
  names: { code: 'symbol', name: 'name' },
  partition: 'month',
  archiveRule: 'dated',
  load: { kind: 'range', params: { type: 'tj' }, showsLatestDay: true },
  cache: { spellings: ['bare'], latest: 'latest' },
  nodes: 'intraday',
  rules: ['The latest trading day is a snapshot until its close.', 'Without a date: the latest trading day.'],
  // biome-ignore format: a table, one law a line
  laws: [
    { code: 'INDEX_TYPE', rule: 'type', law: 'type is tj or null' },
    { code: 'INDEX_SIGN', rule: 'sign', law: 'vol, amount >= 0' },
    { code: 'INDEX_NAME', rule: 'name', law: 'name is one of the names or null', verdict: 'warn' },
  ],
  subject: 'quotes',
  valueTitles: { tj: 'statistical index' },
  example: { type: 'tj', startdate: '20260701', enddate: '20260710' },
} as const satisfies Dataset
