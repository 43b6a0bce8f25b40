import type { Column } from './column.js'
import type { CacheRule, RenewalRule } from './dataset.js'
import type { Param } from './param.js'
import { vwapSince } from './session.js'

/** Params and columns that several operations spell alike. */
export const tradedate = {
  kind: 'date',
  role: 'day',
  meaning: 'One trading day; the latest one when no date is given.',
} as const satisfies Param

export const startdate = {
  kind: 'date',
  role: 'from',
  meaning: 'First day of a range; alone, the range runs to the latest trading day.',
} as const satisfies Param

export const enddate = {
  kind: 'date',
  role: 'to',
  meaning: 'Last day of a range; alone, that one day is meant.',
} as const satisfies Param

/** `limit` and `offset` of the operations that page. */
export const pageLimit = {
  kind: 'integer',
  role: 'limit',
  min: 1,
  max: 2000,
  default: 100,
  meaning: 'Records of this call.',
} as const satisfies Param
export const pageOffset = {
  kind: 'integer',
  role: 'offset',
  min: 0,
  default: 0,
  meaning: 'Records skipped.',
} as const satisfies Param
export const paging =
  'Newest first; `limit` (default 100), `offset` (default 0) and the `total` of the reply page through it.'

export const dayOrRange = [[['tradedate'], ['startdate', 'enddate']]] as const
export const startToEnd = [['startdate', 'enddate']] as const

export const tradingDay = { kind: 'date', isTrading: true, meaning: 'Trading day.' } as const satisfies Column

/** A bar of 15 or 30 minutes (section 2.6). */
// biome-ignore format: a table, one column a line
export const minuteBar = {
  tradedate: tradingDay,
  symbol: { kind: 'code', spelling: 'full', meaning: 'Full code with market suffix, `.SZ` or `.SH`.' },
  trademin: { kind: 'minute', meaning: 'Minute at which the bucket closes.' },
  time: { kind: 'clock', meaning: 'Clock time of the last quote in the bucket.' },
  open: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'First price of the bucket.' },
  high: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Highest price of the bucket.' },
  low: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Lowest price of the bucket.' },
  close: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Close, or latest price of the running bucket.' },
  vol: { kind: 'number', unit: 'lot', nullable: true, meaning: 'Volume: difference of adjacent cumulative volumes; null when data is missing.' },
  amount: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Turnover: difference of adjacent cumulative turnovers; null when data is missing.' },
  vwap: { kind: 'number', unit: 'yuan', nullable: true, meaning: 'Average price of the day up to the bucket: cumulative turnover / (cumulative volume x factor), ROUND_HALF_UP to 3 decimals.' },
} as const satisfies Record<string, Column>

/** What the two minute operations share beside their bars (section 4.5). */
export const minuteRules = [
  'One trading day a call: there is no `startdate` or `enddate`.',
  'With `symbols` and no `trademin`: their series of the day.',
  'With `trademin` and no `symbols`: all instruments at that minute.',
  'With neither: the latest bucket of the day.',
  'At most 6,000 rows, by symbol, then trademin; the service keeps the first 6,000 without a word. Split `symbols`.',
] as const

/** Earlier bars may still get a vwap. */
export const minuteCache = {
  buckets: true,
  never: ['trademin'],
  since: vwapSince,
  spellings: ['full'],
  latest: 'latest',
} as const satisfies CacheRule

export const minuteKnownAt = {
  day: 'tradedate',
  minute: 'trademin',
  note: 'when its bucket closes; the running bucket changes every 3 seconds',
} as const

/** Bars are deposited in a midday and a close batch. */
export const minuteBatches = { at: ['11:40', '15:40'] } as const satisfies RenewalRule

/** The contract says of a day that it is over with the close; no more. */
export const afterCloseBatch = { at: ['15:30'] } as const satisfies RenewalRule

export const afterClose = { day: 'tradedate', at: '15:00:00', note: 'after the close' } as const
