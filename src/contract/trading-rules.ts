import { parseCode } from './symbol.js'

/**
 * Trading rules of the mainland exchanges as dated tables: price limits, first days of a listing, lots, settlement, costs.
 *
 * Sources: trading rules of the Shanghai and Shenzhen exchanges, 2023 revision (in force 2023-04-10) and 2026 revision
 * (in force 2026-07-06); of the Beijing exchange; the rules for convertible bonds in force 2022-08-01. The exchanges' own texts
 * were read in quotations only.
 */

export type Board = 'SSE main' | 'SZSE main' | 'ChiNext' | 'STAR' | 'BSE'

/** What the rules tell apart. `ETF 20%` follows ChiNext or STAR; `ETF T+0` is cross-border, of bonds, gold or money. */
export type InstrumentClass = Board | 'ETF' | 'ETF 20%' | 'ETF T+0' | 'convertible bond'

/** A row of a table of rules: where and when it holds, and how that is known. */
export interface Dated<C extends string = Board> {
  readonly boards: readonly C[]
  /** First day on which the row holds. */
  readonly from: string
  /** First day on which it holds no more. */
  readonly until?: string
  readonly source: string
}

export interface DatedLimit<C extends string = Board> extends Dated<C> {
  /** Percent of the previous close, either way. */
  readonly percent: number
  /** Percent for a stock marked ST or *ST. */
  readonly st: number
  /** How a limit comes to whole ticks: half up unless given, or towards the previous close, so that no order beyond the percent is valid. */
  readonly rounding?: 'inward'
  /** Percent that prices of the class may move where its number does not tell what it follows (default: `percent`). */
  readonly most?: number
}

/** First trading days of a new listing, without a price limit or with one of their own; `from` and `until` are of the day of listing. */
export interface DatedListing<C extends string = Board> extends Dated<C> {
  readonly days: number
  /** Percent of the previous close (on the first day the issue price), signed; absent: no limit. */
  readonly up?: number
  readonly down?: number
}

/** The trading days of a delisting period, the first of which has no price limit. */
export interface DatedDelisting<C extends string = Board> extends Dated<C> {
  readonly days: number
}

/**
 * What the exchange's adjusted previous close may be of the last close, as shares of it: dividends, bonus shares, rights and splits lower it; `merges`, where
 * fund shares are merged, is the least that a higher one may be.
 */
export interface DatedAdjustment<C extends string> extends Dated<C> {
  readonly least: number
  readonly merges?: number
}

/** Quantities of an order, and the price step. */
export interface DatedLot<C extends string> extends Dated<C> {
  /** The least that may be ordered, in shares, bonds or units; all of a smaller holding may be sold. */
  readonly min: number
  /** What an order above it grows by. */
  readonly step: number
  /** Shares, bonds or units in one lot of the `vol` column. */
  readonly unit: number
  /** Yuan. */
  readonly tick: number
}

/** When bought shares may be sold: 0 on the same day, 1 on the next. */
export interface DatedSettlement<C extends string> extends Dated<C> {
  readonly days: 0 | 1
}

/** A charge that the state or the exchange takes. */
export interface DatedCharge<C extends string> extends Dated<C> {
  readonly charge: 'stamp' | 'transfer'
  readonly side: 'sell' | 'both'
  /** Share of the amount: 0.0005 is 0.05 %. */
  readonly rate: number
}

/** Tax on what an instrument pays, by how long it was held. Of several rows the first that fits counts. */
export interface DatedIncomeTax<C extends string> extends Dated<C> {
  readonly income: 'dividend' | 'coupon'
  /** Held up to so many calendar months from the day of purchase; absent: any time. */
  readonly months?: number
  readonly percent: number
}

/** What a broker takes for a fill; negotiated, so the table is an assumption. */
export interface DatedCommission<C extends string> extends Dated<C> {
  readonly rate: number
  /** Yuan. */
  readonly min: number
}

/** The trading rules of a market, in dated tables. If several rows apply, the first counts. */
export interface TradingRules<C extends string = string> {
  readonly name: string
  /** The class of a code; undefined if the rules do not know it. */
  readonly classOf: (symbol: string) => C | undefined
  readonly limits: readonly DatedLimit<C>[]
  readonly listings: readonly DatedListing<C>[]
  readonly lots: readonly DatedLot<C>[]
  readonly settlement: readonly DatedSettlement<C>[]
  readonly charges: readonly DatedCharge<C>[]
  readonly commission: readonly DatedCommission<C>[]
  /** By ex day; nothing is taxed without it. */
  readonly incomeTax?: readonly DatedIncomeTax<C>[]
  /** By the first day of the period; limits hold on all days without it. */
  readonly delisting?: readonly DatedDelisting<C>[]
  /** Any previous close may follow any close without it. */
  readonly adjustments?: readonly DatedAdjustment<C>[]
}

/** A day before all others. */
export const always = '00000000'
export const mainBoards: readonly Board[] = ['SSE main', 'SZSE main']
export const twoExchanges: readonly Board[] = [...mainBoards, 'ChiNext', 'STAR']
const stocks: readonly Board[] = [...twoExchanges, 'BSE']
const funds: readonly InstrumentClass[] = ['ETF', 'ETF 20%', 'ETF T+0']

// Where and when several rows hold, with the source of all of them.
export const from2023 = {
  from: '20230410',
  source: 'SSE and SZSE trading rules, 2023 revision, in force 2023-04-10; unchanged in the 2026 revision',
}
export const main2026: Dated = {
  boards: mainBoards,
  from: '20260706',
  source: 'SSE and SZSE trading rules, 2026 revision, in force 2026-07-06',
}
export const chiNextBefore: Dated = {
  boards: ['ChiNext'],
  from: always,
  until: '20200824',
  source: 'SZSE trading rules before the ChiNext reform of 2020-08-24',
}
export const chiNext: Dated = {
  boards: ['ChiNext'],
  from: '20200824',
  source: 'SZSE special rules for ChiNext, 2020-08-24',
}
export const star: Dated = { boards: ['STAR'], from: always, source: 'SSE special rules for STAR, since it opened' }
export const beijing: Dated = { boards: ['BSE'], from: always, source: 'BSE trading rules, since it opened' }

/** Daily price limits of stocks. */
export const priceLimits: readonly DatedLimit[] = [
  {
    boards: mainBoards,
    from: always,
    until: '20260706',
    percent: 10,
    st: 5,
    source: 'SSE and SZSE trading rules before the 2026 revision',
  },
  { ...main2026, percent: 10, st: 10 },
  { ...chiNextBefore, percent: 10, st: 5 },
  { ...chiNext, percent: 20, st: 20 },
  { ...star, percent: 20, st: 20 },
  {
    ...beijing,
    percent: 30,
    st: 30,
    rounding: 'inward',
    source:
      'BSE trading rules, since it opened: an order beyond 30 % is void, so its published limits are cut to the fen',
  },
]

/** First days after listing of stocks. */
export const listingDays: readonly DatedListing[] = [
  {
    boards: mainBoards,
    from: always,
    until: '20230410',
    days: 1,
    up: 44,
    down: -36,
    source: 'SSE and SZSE trading rules before full registration: the first day alone has limits of its own',
  },
  { ...from2023, boards: mainBoards, days: 5 },
  { ...chiNextBefore, days: 1 },
  { ...chiNext, days: 5 },
  { ...star, days: 5 },
  { ...beijing, days: 1 },
]

const bonds2022: Dated<InstrumentClass> = {
  boards: ['convertible bond'],
  from: '20220801',
  source:
    'SSE and SZSE rules for convertible bonds, in force 2022-08-01, as the press quotes them; none before, only halts',
}
const exchangeRules = (boards: readonly InstrumentClass[]): Dated<InstrumentClass> => ({
  boards,
  from: always,
  source: 'SSE, SZSE and BSE trading rules, as brokers quote them',
})

/** Number ranges of stocks by board. */
const numbering: readonly (readonly [Board, RegExp, string])[] = [
  ['STAR', /^68[89]\d{3}$/, 'SH'],
  ['SSE main', /^60\d{4}$/, 'SH'],
  ['SZSE main', /^00[0-4]\d{3}$/, 'SZ'],
  ['ChiNext', /^30\d{4}$/, 'SZ'],
  ['BSE', /^(92\d{4}|8[37]\d{4}|43\d{4})$/, 'BJ'],
]

/** Number ranges of bonds and funds. Of Shenzhen's 159 no digit tells what a fund follows, so they are plain unless a user says otherwise. */
const otherNumbering: readonly (readonly [InstrumentClass, RegExp, string])[] = [
  ['convertible bond', /^11[0138]\d{3}$/, 'SH'],
  ['convertible bond', /^12[378]\d{3}$/, 'SZ'],
  ['ETF T+0', /^51[138]\d{3}$/, 'SH'],
  ['ETF 20%', /^58[89]\d{3}$/, 'SH'],
  ['ETF', /^5[16]\d{4}$/, 'SH'],
  ['ETF', /^159\d{3}$/, 'SZ'],
]

function classByNumber<C extends string>(
  symbol: string,
  table: readonly (readonly [C, RegExp, string])[],
): C | undefined {
  const { bare, exchange } = parseCode(symbol)
  const found = table.find(([, number]) => number.test(bare))
  return found && (exchange === undefined || exchange === found[2]) ? found[0] : undefined
}

/** Board of an A share by its number, with or without suffix; undefined for B shares, indices, funds and bonds. */
export function boardOf(symbol: string): Board | undefined {
  return classByNumber(symbol, numbering)
}

/** Class of an A share, convertible bond or ETF by its number; undefined for anything else. */
export function instrumentClassOf(symbol: string): InstrumentClass | undefined {
  return boardOf(symbol) ?? classByNumber(symbol, otherNumbering)
}

/** Rows of a table that hold for a board or class on a day. */
export function inForce<C extends string, R extends Dated<C>>(rows: readonly R[], board: C, date: string): R[] {
  return rows.filter(
    (row) => row.boards.includes(board) && date >= row.from && (row.until === undefined || date < row.until),
  )
}

/**
 * What the rules say of a class from a first to a last day: by table, the rows that hold on one of these days, without their sources and
 * without the days on which they begin and end outside. No other row can move a result, so checksums are of these.
 */
export function rulesOf(rules: TradingRules, board: string, first: string, last: string): object {
  const tables = Object.entries(rules).filter((table): table is [string, readonly Dated<string>[]] =>
    Array.isArray(table[1]),
  )
  const rows = tables.flatMap(([name, table]) =>
    table.flatMap(({ boards, from, until, source: _, ...values }) => {
      if (!boards.includes(board) || from > last || (until !== undefined && until <= first)) return []
      const within = { ...(from > first && { from }), ...(until !== undefined && until <= last && { until }) }
      return [[name, ...Object.entries({ ...values, ...within }).sort(([a], [b]) => (a < b ? -1 : 1))] as const]
    }),
  )
  return rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

const adjusted = 'SSE, SZSE and BSE trading rules: the reference price on an ex-rights or ex-dividend day'

const ofStocks = (from: string, until?: string) => ({ boards: stocks, from, ...(until !== undefined && { until }) })
const stampSource =
  'Ministry of Finance and State Taxation Administration, announcement 2023-39: halved from 2023-08-28'
const transferSource = 'China Securities Depository and Clearing, notice of April 2022: halved from 2022-04-29'
const dividends2013: Dated<InstrumentClass> = {
  boards: stocks,
  from: '20130101',
  until: '20150908',
  source:
    'Ministry of Finance, State Taxation Administration and CSRC, 财税〔2012〕85号, from 2013-01-01: of individuals',
}
const dividends2015: Dated<InstrumentClass> = {
  boards: stocks,
  from: '20150908',
  source:
    'Ministry of Finance, State Taxation Administration and CSRC, 财税〔2015〕101号, from 2015-09-08: of individuals; after a year none',
}
const negotiated = 'negotiated with the broker; this is a common offer, not a rule'

/**
 * Provides the rules of the mainland exchanges for stocks, convertible bonds and ETFs. It does not cover halts within a
 * day. The number of an ETF of Shenzhen does not show that it may be sold on the day it was bought, or has limits of 20
 * %: give such codes as `classes`.
 */
export const chinaRules: TradingRules<InstrumentClass> = {
  name: 'China',
  classOf: instrumentClassOf,
  limits: [
    ...priceLimits,
    { ...exchangeRules(['ETF']), percent: 10, st: 10, most: 20 },
    { ...exchangeRules(['ETF T+0']), percent: 10, st: 10 },
    { ...exchangeRules(['ETF 20%']), percent: 20, st: 20 },
    { ...bonds2022, percent: 20, st: 20 },
  ],
  listings: [...listingDays, { ...bonds2022, days: 1, up: 57.3, down: -43.3 }],
  lots: [
    { ...exchangeRules(['SSE main', 'SZSE main', 'ChiNext']), min: 100, step: 100, unit: 100, tick: 0.01 },
    { ...star, min: 200, step: 1, unit: 100, tick: 0.01 },
    { ...beijing, min: 100, step: 1, unit: 100, tick: 0.01 },
    { ...exchangeRules(funds), min: 100, step: 100, unit: 100, tick: 0.001 },
    { ...exchangeRules(['convertible bond']), min: 10, step: 10, unit: 10, tick: 0.001 },
  ],
  delisting: [
    {
      boards: stocks,
      from: '20201231',
      days: 15,
      source:
        'SSE and SZSE listing rules of 2020-12-31, BSE listing rules: 15 trading days, no price limit on the first',
    },
  ],
  adjustments: [
    { boards: stocks, from: always, least: 0.1, source: adjusted },
    {
      boards: funds,
      from: always,
      least: 0.01,
      merges: 1.5,
      source: 'splits and merges of fund shares, and dividends',
    },
    {
      boards: ['convertible bond'],
      from: always,
      least: 1,
      source: 'convertible bonds trade with their interest, so that no coupon moves the previous close: an assumption',
    },
  ],
  settlement: [
    { ...exchangeRules([...stocks, 'ETF', 'ETF 20%']), days: 1 },
    { ...exchangeRules(['ETF T+0', 'convertible bond']), days: 0 },
  ],
  charges: [
    { ...ofStocks(always, '20230828'), charge: 'stamp', side: 'sell', rate: 0.001, source: stampSource },
    { ...ofStocks('20230828'), charge: 'stamp', side: 'sell', rate: 0.0005, source: stampSource },
    { ...ofStocks(always, '20220429'), charge: 'transfer', side: 'both', rate: 0.00002, source: transferSource },
    { ...ofStocks('20220429'), charge: 'transfer', side: 'both', rate: 0.00001, source: transferSource },
  ],
  commission: [
    { boards: [...stocks, ...funds], from: always, rate: 0.00025, min: 5, source: negotiated },
    { boards: ['convertible bond'], from: always, rate: 0.0002, min: 1, source: negotiated },
  ],
  incomeTax: [
    { ...dividends2013, income: 'dividend', months: 1, percent: 20 },
    { ...dividends2013, income: 'dividend', months: 12, percent: 10 },
    { ...dividends2013, income: 'dividend', percent: 5 },
    { ...dividends2015, income: 'dividend', months: 1, percent: 20 },
    { ...dividends2015, income: 'dividend', months: 12, percent: 10 },
    {
      boards: ['convertible bond'],
      from: always,
      income: 'coupon',
      percent: 20,
      source: 'Individual Income Tax Law: interest, withheld by who pays it; of individuals',
    },
  ],
}
