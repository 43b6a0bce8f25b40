import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import {
  always,
  type Board,
  beijing,
  chiNext,
  chiNextBefore,
  type Dated,
  type DatedLimit,
  type DatedListing,
  from2023,
  inForce,
  listingDays,
  main2026,
  mainBoards,
  priceLimits,
  star,
  twoExchanges,
} from '../../../contract/trading-rules.js'

type Direction = 'up' | 'down'

/** A rule of deviation in words, as the severe rules of the service's rows are taken to be worded. */
function deviationText(days: number, direction: Direction, threshold: number): string {
  const [word, sign] = direction === 'up' ? ['涨幅', '+'] : ['跌幅', '-']
  return `连续${days}个交易日内日收盘价格${word}偏离值累计达到${sign}${Math.abs(threshold)}%`
}

/** A rule that counts abnormal movements in words. It has no threshold of its own, so `parseRule` does not read it. */
export function countText(days: number, times: number, direction: Direction): string {
  return `连续${days}个交易日内${times}次出现同向异常波动（${direction === 'up' ? '涨' : '跌'}）`
}

export interface ParsedRule {
  readonly days: number
  readonly direction: Direction
  /** Percent, signed by the direction. */
  readonly threshold: number
}

const windowWords =
  /([一二两三四五六七八九十百]+|\d+)\s*-?\s*(?:个)?\s*(?:consecutive\s+)?(?:有效)?(?:股票)?(?:交易)?\s*(?:日|天|(?:trading|stock)?[\s-]*(?:days?|d)\b)/gi
const percent = /([+＋\-－−])?\s*(\d+(?:\.\d+)?)\s*(?:[%％]|percent)/gi
const upWords = /涨|上升|\b(?:up|ris\w*|gain\w*|above)\b/i
const downWords = /跌|下降|\b(?:down|fall\w*|drop\w*|declin\w*|loss\w*|below)\b/i
const chineseDigits = '零一二三四五六七八九'

/** A number below 100 in Chinese or Arabic digits: 十 10, 二十 20, 三十五 35. NaN for any other text. */
function countOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const parts = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text.replace('两', '二'))
  if (!parts) return Number.NaN
  const [, first, ten, last] = parts
  const digit = (one: string | undefined): number => (one === undefined ? 0 : chineseDigits.indexOf(one))
  if (ten !== undefined) return (first === undefined ? 1 : digit(first)) * 10 + digit(last)
  return first !== undefined && last !== undefined ? Number.NaN : digit(first) + digit(last)
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}

/**
 * Window, direction and threshold of a rule in Chinese or English words. Undefined when one of them is missing, when
 * one is named twice, or when the sign of the threshold and the direction in words contradict each other.
 */
export function parseRule(text: string): ParsedRule | undefined {
  const days = only([...new Set(Array.from(text.matchAll(windowWords), ([, n = '']) => countOf(n)))])
  const size = only(Array.from(text.matchAll(percent)))
  if (days === undefined || !(days >= 1) || !size) return undefined
  const directions = new Set<Direction>()
  if (upWords.test(text.replace(/涨跌/g, ''))) directions.add('up')
  if (downWords.test(text.replace(/涨跌/g, ''))) directions.add('down')
  if (size[1] !== undefined) directions.add(/[+＋]/.test(size[1]) ? 'up' : 'down')
  const direction = only([...directions])
  const amount = Number(size[2])
  if (direction === undefined || amount === 0) return undefined
  return { days, direction, threshold: direction === 'up' ? amount : -amount }
}

/**
 * Rules of abnormal and severe abnormal price movement, price limits and benchmark indices, by board and day.
 *
 * Sources: trading rules of the Shanghai and Shenzhen exchanges, 2023 revision (in force 2023-04-10) and 2026 revision
 * (in force 2026-07-06), SSE clauses 5.4.2 and 5.4.3, SZSE 5.4.3 and 5.4.4; for Beijing its notice 2021-15, the texts of
 * its published lists and a vendor's rule codes, all second hand. The exchanges' own texts were read in
 * quotations only. The rule of turnover on the main boards (30 times the mean of five days) needs volumes and is not here.
 */

/** Thresholds of cumulative deviation, in percent, signed; reaching one counts. Shorter intervals count as well. */
export interface DatedThreshold extends Dated {
  /** The window, in trading days. */
  readonly days: number
  readonly up: number
  readonly down: number
  /** Which stocks the row is of: those marked ST or *ST, the others, or (absent) all. */
  readonly of?: 'ST' | 'others'
}

/** So many abnormal movements in the same direction within the window make a severe one. */
export interface DatedCount extends Dated {
  readonly days: number
  readonly times: number
}

export interface Benchmark {
  readonly code: string
  readonly name: string
}

export interface DatedBenchmark extends Dated, Benchmark {}

/** Which days a window holds: those on which the stock has a close, or all of the market's. */
export interface DayCounting extends Pick<Dated, 'boards' | 'source'> {
  readonly days: 'stock' | 'market'
}

/** Everything that `computeAnomalies` takes from a rule book. Of several rows that hold, the first counts, but for thresholds. */
export interface AnomalyRules {
  /** Abnormal movement. All rows that hold are measured. */
  readonly abnormal: readonly DatedThreshold[]
  /** Severe abnormal movement by deviation. All rows that hold are measured. */
  readonly severe: readonly DatedThreshold[]
  /** Severe abnormal movement by repetition. */
  readonly counts: readonly DatedCount[]
  readonly limits: readonly DatedLimit[]
  readonly listings: readonly DatedListing[]
  readonly benchmarks: readonly DatedBenchmark[]
  readonly counting: readonly DayCounting[]
}

const beijingLists: Dated = {
  boards: ['BSE'],
  from: '20230410',
  source: 'text of the lists that the Beijing exchange publishes; the first day is an assumption',
}
const beijingVendor = (and: string): Dated => ({
  ...beijingLists,
  source: `rule codes of a data vendor, and ${and}; the first day is an assumption`,
})

const threeDays = (percent: number) => ({ days: 3, up: percent, down: -percent })

/** Abnormal deviation thresholds, percent. */
const abnormalThresholds: readonly DatedThreshold[] = [
  {
    boards: mainBoards,
    from: always,
    ...threeDays(20),
    of: 'others',
    source: 'SSE and SZSE trading rules; the same in the revisions of 2023 and 2026',
  },
  {
    boards: ['SSE main'],
    from: always,
    until: '20230410',
    ...threeDays(15),
    of: 'ST',
    source:
      "text of SSE's published lists before full registration; a vendor's dictionary of reasons has 12 from then on, so the border is taken to be 2023-04-10",
  },
  {
    boards: ['SSE main'],
    from: '20230410',
    until: '20260706',
    ...threeDays(12),
    of: 'ST',
    source:
      'SSE trading rules, 2023 revision, as published lists quote them; one public program has 15 for the same days',
  },
  {
    boards: ['SZSE main'],
    from: always,
    until: '20260706',
    ...threeDays(12),
    of: 'ST',
    source: "text of SZSE's published lists, before and after 2023; one public program has 15 for the same days",
  },
  { ...main2026, ...threeDays(20), of: 'ST' },
  {
    ...chiNextBefore,
    ...threeDays(20),
    source: `${chiNextBefore.source}; an inference, as no text of that time was read`,
  },
  { ...chiNext, ...threeDays(30) },
  { ...star, ...threeDays(30) },
  { ...beijing, ...threeDays(40) },
]

/** Severe deviation thresholds, percent. STAR and ChiNext had them before 2023 too; those years are not in the table. */
export const severeThresholds: readonly DatedThreshold[] = [
  { ...from2023, boards: twoExchanges, days: 10, up: 100, down: -50 },
  { ...from2023, boards: twoExchanges, days: 30, up: 200, down: -70 },
  { ...beijingLists, days: 10, up: 150, down: -60 },
  { ...beijingVendor('lists as portals quote them'), days: 30, up: 300, down: -75 },
]

/** Abnormal movements in one direction that make a severe one. */
const severeCounts: readonly DatedCount[] = [
  { ...from2023, boards: mainBoards, days: 10, times: 4 },
  { ...from2023, boards: ['ChiNext', 'STAR'], days: 10, times: 3 },
  { ...beijingVendor('the wording of lists'), days: 10, times: 3 },
]

/** Indices whose return is taken off. */
export const benchmarks: readonly DatedBenchmark[] = [
  {
    boards: ['SSE main'],
    code: '000002.SH',
    name: '上证A股指数',
    from: always,
    source:
      'the rules name the index of the class of shares; of four public programs two take 000002, the A-share index, and two 000001, the composite',
  },
  {
    boards: ['SZSE main'],
    code: '399107.SZ',
    name: '深证A股指数',
    from: always,
    source: 'SZSE trading rules, as quoted',
  },
  {
    boards: ['ChiNext'],
    code: '399102.SZ',
    name: '创业板综合指数',
    from: always,
    source: 'SZSE special rules for ChiNext, as quoted: the composite, not 399006',
  },
  {
    boards: ['STAR'],
    code: '000688.SH',
    name: '科创50指数',
    from: '20200723',
    source: 'SSE special rules for STAR, as quoted; from the day on which the index began, none is known before',
  },
  {
    boards: ['BSE'],
    code: 'BSE-MEAN',
    name: 'the mean change of all stocks of the Beijing exchange as levels, day chained to day',
    from: '20211115',
    until: '20221121',
    source:
      'BSE notice 2021-15: the arithmetic mean of the changes of all its stocks, until there is an index; that means of days are chained over an interval is an assumption. Nobody publishes it: it has to be given',
  },
  {
    boards: ['BSE'],
    code: '899050.BJ',
    name: '北证50指数',
    from: '20221121',
    source: 'BSE trading rules, as quoted; from the day on which the index began',
  },
]

/** How days are counted. */
const dayCountings: readonly DayCounting[] = [
  {
    boards: ['BSE'],
    days: 'stock',
    source: 'text of the lists that the Beijing exchange publishes: 最近3个有成交的交易日',
  },
  {
    boards: twoExchanges,
    days: 'stock',
    source:
      "the service counts the stock's own trading days; the exchanges' texts say 连续N个交易日, which one public program reads as days of the market",
  },
]

/** Lists the rules of abnormal movement that apply by default. */
export const anomalyRules: AnomalyRules = {
  abnormal: abnormalThresholds,
  severe: severeThresholds,
  counts: severeCounts,
  limits: priceLimits,
  listings: listingDays,
  benchmarks,
  counting: dayCountings,
}

/** One threshold in one direction, in force on some day. */
export interface DeviationRule {
  /** The window, in trading days of the stock. Shorter intervals count as well. */
  readonly days: number
  readonly direction: Direction
  /** Cumulative deviation in percent, signed; reaching it counts. */
  readonly threshold: number
  /** The rule in words. The wording is an assumption: the service says only "window, direction and threshold". */
  readonly text: string
  readonly source: string
}

/** A severe rule by deviation. */
export type SevereRule = DeviationRule

/** Both directions of rows that hold, shorter window first, up before down. */
function deviationRules(rows: readonly DatedThreshold[]): DeviationRule[] {
  const sorted = [...rows].sort((a, b) => a.days - b.days)
  return sorted.flatMap(({ days, up, down, source }) => [
    { days, direction: 'up', threshold: up, text: deviationText(days, 'up', up), source },
    { days, direction: 'down', threshold: down, text: deviationText(days, 'down', down), source },
  ])
}

function ofStock(rows: readonly DatedThreshold[], isST: boolean): DatedThreshold[] {
  return rows.filter(({ of }) => of === undefined || (of === 'ST') === isST)
}

/** The severe-movement rules of a board on a day, shorter window first, up before down; none before 2023-04-10. */
export function severeRules(
  board: Board,
  date: string,
  isST = false,
  rules: AnomalyRules = anomalyRules,
): readonly SevereRule[] {
  return deviationRules(ofStock(inForce(rules.severe, board, date), isST))
}

/** The rules of abnormal movement of a board on a day, up before down. */
export function abnormalRules(
  board: Board,
  date: string,
  isST: boolean,
  rules: AnomalyRules = anomalyRules,
): readonly DeviationRule[] {
  return deviationRules(ofStock(inForce(rules.abnormal, board, date), isST))
}

/** A severe rule that counts abnormal movements in one direction. */
export interface CountRule {
  readonly days: number
  readonly times: number
  readonly direction: Direction
  readonly text: string
  readonly source: string
}

/** The counting rules of a board on a day, up before down; none before 2023-04-10. */
export function countRules(board: Board, date: string, rules: AnomalyRules = anomalyRules): readonly CountRule[] {
  const [row] = inForce(rules.counts, board, date)
  if (!row) return []
  const { days, times, source } = row
  const of = (direction: Direction): CountRule => ({
    days,
    times,
    direction,
    text: countText(days, times, direction),
    source,
  })
  return [of('up'), of('down')]
}

/**
 * Daily price limit in percent, either way. ST of a main board: 5 until 2026-07-05, 10 from 2026-07-06.
 * @throws RangeError where the rules have none
 */
export function priceLimit(board: Board, isST: boolean, date: string, rules: AnomalyRules = anomalyRules): number {
  const [row] = inForce(rules.limits, board, date)
  if (!row) throw worded(RangeError, sentence`no price limit is known for ${board} on ${date}`)
  return isST ? row.st : row.percent
}

/** How many of its first trading days a stock has no price limit on. @param listed its first trading day */
export function daysWithoutLimit(board: Board, listed: string, rules: AnomalyRules = anomalyRules): number {
  return inForce(rules.listings, board, listed)[0]?.days ?? 0
}

/**
 * The index whose return is taken off on a day, the last known where no day is given. Public sources disagree for the Shanghai
 * main board (000001 or 000002); the A-share index is taken, as the rules name the index of the class of shares.
 * @throws RangeError where none is known: STAR before 2020-07-23, BSE before it opened on 2021-11-15
 */
export function benchmarkOf(board: Board, date = '99999999', rules: AnomalyRules = anomalyRules): Benchmark {
  const [row] = inForce(rules.benchmarks, board, date)
  if (!row) throw worded(RangeError, sentence`no benchmark is known for ${board} on ${date}`)
  return { code: row.code, name: row.name }
}

/**
 * Which days the windows of a board hold.
 * @throws RangeError where the rules do not say
 */
export function daysCounted(board: Board, rules: AnomalyRules = anomalyRules): 'stock' | 'market' {
  const row = rules.counting.find(({ boards }) => boards.includes(board))
  if (!row) throw worded(RangeError, sentence`the rules do not say how days of ${board} are counted`)
  return row.days
}
