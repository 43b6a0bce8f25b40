import { parseCode } from '../../contract/symbol.js'

/**
 * Thresholds of severe abnormal price movement, price limits and benchmark indices, by board and day.
 *
 * Sources: trading rules of the Shanghai and Shenzhen exchanges, 2023 revision (in force 2023-04-10) and 2026 revision
 * (in force 2026-07-06), SSE clauses 5.4.2 and 5.4.3, SZSE 5.4.3 and 5.4.4; for Beijing the texts of its published
 * lists (10 days) and a vendor's rule codes (30 days), which are second hand. The rules that count repeated abnormal
 * movements need the announcements of the exchanges and are not here.
 */

export type Board = 'SSE main' | 'SZSE main' | 'ChiNext' | 'STAR' | 'BSE'
export type Direction = 'up' | 'down'

export interface SevereRule {
  /** The window, in trading days of the stock. Shorter intervals count as well. */
  readonly days: 10 | 30
  readonly direction: Direction
  /** Cumulative deviation in percent, signed; reaching it counts. */
  readonly threshold: number
  /** The rule in words. The wording is an assumption: the service says only "window, direction and threshold". */
  readonly text: string
}

interface Dated {
  readonly boards: readonly Board[]
  /** First day on which the row holds. */
  readonly from: string
  /** First day on which it holds no more. */
  readonly until?: string
  readonly source: string
}

export interface DatedThreshold extends Dated {
  readonly days: 10 | 30
  readonly up: number
  readonly down: number
}

export interface DatedLimit extends Dated {
  /** Percent of the previous close, either way. */
  readonly percent: number
  /** Percent for a stock marked ST or *ST. */
  readonly st: number
}

const mainBoards: readonly Board[] = ['SSE main', 'SZSE main']
const twoExchanges: readonly Board[] = [...mainBoards, 'ChiNext', 'STAR']
const revision2023 = 'SSE and SZSE trading rules, 2023 revision, in force 2023-04-10; unchanged in the 2026 revision'
const beijingFrom = '20230410'

/** Severe deviation thresholds, percent. */
export const severeThresholds: readonly DatedThreshold[] = [
  { boards: twoExchanges, days: 10, up: 100, down: -50, from: '20230410', source: revision2023 },
  { boards: twoExchanges, days: 30, up: 200, down: -70, from: '20230410', source: revision2023 },
  {
    boards: ['BSE'],
    days: 10,
    up: 150,
    down: -60,
    from: beijingFrom,
    source: 'text of the lists that the Beijing exchange publishes; its first day is an assumption',
  },
  {
    boards: ['BSE'],
    days: 30,
    up: 300,
    down: -75,
    from: beijingFrom,
    source: 'rule codes of a data vendor; its first day is an assumption',
  },
]

/** Daily price limits. The first days of a new listing, which have none, are not told by board and day. */
export const priceLimits: readonly DatedLimit[] = [
  {
    boards: mainBoards,
    percent: 10,
    st: 5,
    from: '00000000',
    until: '20260706',
    source: 'SSE and SZSE trading rules before the 2026 revision',
  },
  {
    boards: mainBoards,
    percent: 10,
    st: 10,
    from: '20260706',
    source: 'SSE and SZSE trading rules, 2026 revision, in force 2026-07-06',
  },
  {
    boards: ['ChiNext'],
    percent: 10,
    st: 5,
    from: '00000000',
    until: '20200824',
    source: 'SZSE trading rules before the ChiNext reform of 2020-08-24',
  },
  { boards: ['ChiNext'], percent: 20, st: 20, from: '20200824', source: 'SZSE special rules for ChiNext, 2020-08-24' },
  { boards: ['STAR'], percent: 20, st: 20, from: '00000000', source: 'SSE special rules for STAR, since it opened' },
  { boards: ['BSE'], percent: 30, st: 30, from: '00000000', source: 'BSE trading rules, since it opened' },
]

export interface Benchmark {
  readonly code: string
  readonly name: string
}

const benchmarks: Readonly<Record<Board, Benchmark>> = {
  'SSE main': { code: '000002.SH', name: '上证A股指数' },
  'SZSE main': { code: '399107.SZ', name: '深证A股指数' },
  ChiNext: { code: '399102.SZ', name: '创业板综合指数' },
  STAR: { code: '000688.SH', name: '科创50指数' },
  BSE: { code: '899050.BJ', name: '北证50指数' },
}

const numbering: readonly (readonly [Board, RegExp, string])[] = [
  ['STAR', /^68[89]\d{3}$/, 'SH'],
  ['SSE main', /^60\d{4}$/, 'SH'],
  ['SZSE main', /^00[0-4]\d{3}$/, 'SZ'],
  ['ChiNext', /^30\d{4}$/, 'SZ'],
  ['BSE', /^(92\d{4}|8[2378]\d{4}|4[23]\d{4})$/, 'BJ'],
]

/** Board of an A share by its number, with or without suffix; undefined for B shares, indices, funds and bonds. */
export function boardOf(symbol: string): Board | undefined {
  const { bare, exchange } = parseCode(symbol)
  const found = numbering.find(([, number]) => number.test(bare))
  return found && (exchange === undefined || exchange === found[2]) ? found[0] : undefined
}

function inForce<R extends Dated>(rows: readonly R[], board: Board, date: string): R[] {
  return rows.filter(
    (row) => row.boards.includes(board) && date >= row.from && (row.until === undefined || date < row.until),
  )
}

function wording(days: number, direction: Direction, threshold: number): string {
  const [word, sign] = direction === 'up' ? ['涨幅', '+'] : ['跌幅', '-']
  return `连续${days}个交易日内日收盘价格${word}偏离值累计达到${sign}${Math.abs(threshold)}%`
}

/** The severe-movement rules of a board on a day, shorter window first, up before down; none before 2023-04-10. */
export function severeRules(board: Board, date: string): readonly SevereRule[] {
  return inForce(severeThresholds, board, date).flatMap(({ days, up, down }) => [
    { days, direction: 'up', threshold: up, text: wording(days, 'up', up) },
    { days, direction: 'down', threshold: down, text: wording(days, 'down', down) },
  ])
}

/** Daily price limit in percent, either way. ST of a main board: 5 until 2026-07-05, 10 from 2026-07-06. */
export function priceLimit(board: Board, isST: boolean, date: string): number {
  const [row] = inForce(priceLimits, board, date)
  if (!row) throw new RangeError(`no price limit is known for ${board} on ${date}`)
  return isST ? row.st : row.percent
}

/**
 * The index whose return is taken off. Public sources disagree for the Shanghai main board (000001 or 000002);
 * the A-share index is taken, as the rules name the index of the class of shares.
 */
export function benchmarkOf(board: Board): Benchmark {
  return benchmarks[board]
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
  const said = new Set<Direction>()
  if (upWords.test(text.replace(/涨跌/g, ''))) said.add('up')
  if (downWords.test(text.replace(/涨跌/g, ''))) said.add('down')
  if (size[1] !== undefined) said.add(/[+＋]/.test(size[1]) ? 'up' : 'down')
  const direction = only([...said])
  const amount = Number(size[2])
  if (direction === undefined || amount === 0) return undefined
  return { days, direction, threshold: direction === 'up' ? amount : -amount }
}
