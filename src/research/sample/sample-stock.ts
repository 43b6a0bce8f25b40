import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type Board, boardOf } from '../../contract/trading-rules.js'
import { priceLimit } from '../checks/anomaly/anomaly-rules.js'
import { divideHalfUp } from './exact-quotient.js'
import { below, drawsFrom, fork, isChosen, level } from './random.js'
import type { Day } from './sample-days.js'
import { markedName, stockName } from './sample-names.js'

type Mark = 'ST' | '*ST'

interface Marks {
  /** Bears a mark at some time. */
  readonly ever: boolean
  readonly on: (date: string, t: number) => Mark | undefined
}

type Span = readonly [from: string, to: string, mark: Mark]

/** Marks of the named stocks: across 2026-07-06, when the limit of ST stocks of a main board rose from 5 to 10 %. */
const named: Readonly<Record<string, readonly Span[]>> = {
  '000725': [
    ['20220101', '20260430', 'ST'],
    ['20260501', '99991231', '*ST'],
  ],
  '600289': [['20220101', '20260612', '*ST']],
  '002569': [['20260601', '99991231', 'ST']],
  '601008': [['20260520', '20260710', 'ST']],
  '002304': [['20260706', '99991231', '*ST']],
  '300015': [['20220101', '99991231', 'ST']],
}

const blockDays = 80

function drawnOn(root: number): Marks['on'] {
  return (_date, t) => {
    const lot = below(fork(fork(root, 'mark'), Math.floor(t / blockDays)), 3)
    return lot === 0 ? undefined : lot === 1 ? 'ST' : '*ST'
  }
}

/** Named spans, or for one stock in 25 a mark drawn for every 80 trading days. Runners bear none. */
function makeMarks(code: string, place: number, root: number, runner: boolean): Marks {
  const spans = named[code]
  if (spans) return { ever: true, on: (date) => spans.find(([from, to]) => date >= from && date <= to)?.[2] }
  if (runner || place < 40 || !isChosen(fork(root, 'marked'), 25)) return { ever: false, on: () => undefined }
  return { ever: true, on: drawnOn(root) }
}

/** Trading days from one run of a runner to its next. */
const runCycle = 60

type RunKind = 'up10' | 'down10' | 'up30'

/** Daily factor and length of a run: far enough for the severe thresholds of its board, inside its price limit. */
function pace(kind: RunKind, board: string): { factor: number; length: number } {
  if (kind === 'up30') return { factor: board === 'BSE' ? 1.055 : 1.044, length: 28 }
  if (kind === 'down10') return board === 'BSE' ? { factor: 0.895, length: 10 } : { factor: 0.924, length: 11 }
  if (board === 'BSE') return { factor: 1.115, length: 10 }
  return board === 'STAR' || board === 'ChiNext' ? { factor: 1.09, length: 10 } : { factor: 1.081, length: 10 }
}

/**
 * What a run multiplies a price by, for each day of its cycle: 1, then a fixed factor a day, three days of rest,
 * then a straight way back to 1.
 */
function runShape(kind: RunKind, board: string): Float64Array {
  const { factor, length } = pace(kind, board)
  const shape = new Float64Array(runCycle).fill(1)
  let at = 1
  for (let day = 1; day <= length; day++) {
    at *= factor
    shape[day] = at
  }
  const rest = length + 3
  for (let day = length + 1; day < runCycle; day++) {
    const back = day <= rest ? 0 : (day - rest) / (runCycle - rest)
    shape[day] = at + (1 - at) * back
  }
  return shape
}

/** A stock with a hidden path of closes, in cents. Hidden: no dataset of the service carries stock quotes. */
export interface SampleStock {
  readonly code: string
  readonly board: Board
  readonly root: number
  readonly plainName: string
  /** What stands behind a mark. */
  readonly markedName: string
  readonly base: number
  /** Runs far up or down once in a cycle; the others never come near a severe threshold. */
  readonly run: { readonly shape: Float64Array; readonly phase: number } | undefined
  readonly swing: number
  readonly floatLots: number
  readonly mark: (date: string, t: number) => Mark | undefined
}

const namedRuns: Readonly<Record<string, readonly [RunKind, number]>> = {
  '001872': ['up10', 0],
  '002415': ['up10', 45],
  '002230': ['up30', 17],
  '300124': ['up10', 20],
  '300274': ['up10', 25],
  '300760': ['up30', 5],
  '301236': ['down10', 30],
  '600276': ['down10', 5],
  '600887': ['up10', 35],
  '601888': ['down10', 55],
  '603259': ['up10', 50],
  '605358': ['up30', 52],
  '688036': ['up10', 10],
  '688111': ['up30', 36],
  '920118': ['up10', 40],
  '920489': ['down10', 15],
}

function runOf(code: string, board: Board, place: number, root: number): SampleStock['run'] {
  const named = namedRuns[code]
  if (named) return { shape: runShape(named[0], board), phase: named[1] }
  if (place < 40 || !isChosen(fork(root, 'run'), 10)) return undefined
  const kind = (['up10', 'down10', 'up30'] as const)[below(fork(root, 'kind'), 3)] ?? 'up10'
  return { shape: runShape(kind, board), phase: below(fork(root, 'phase'), runCycle) }
}

export function makeStock(code: string, place: number, root: number): SampleStock {
  const board = boardOf(code)
  if (!board) throw new QuotebookError('INVALID_VALUE', sentence`${code} is not the code of a stock`)
  const run = runOf(code, board, place, root)
  const marks = makeMarks(code, place, root, run !== undefined)
  const base = marks.ever ? 450 + below(fork(root, 'base'), 400) : 1200 + below(fork(root, 'base'), 6000)
  return {
    code,
    board,
    root,
    plainName: stockName(place),
    markedName: markedName(place),
    base: code === '600519' ? 148_000 : run ? base + 1500 : base,
    run,
    swing: run ? 0.2 : marks.ever ? 0.5 : 0.8,
    floatLots: 2_000_000 + below(fork(root, 'float'), 40_000_000),
    mark: marks.on,
  }
}

/** Close of day t in cents, also of days without trading. */
export function closeOf(stock: SampleStock, t: number): number {
  const calm = level(stock.root, t, stock.base, stock.swing)
  if (!stock.run) return calm
  const place = (((t + stock.run.phase) % runCycle) + runCycle) % runCycle
  return Math.round(calm * (stock.run.shape[place] ?? 1))
}

/** A day without trading: single days, far apart, never of a runner. */
export function isSuspended(stock: SampleStock, t: number): boolean {
  if (stock.run || t % 5 !== 3) return false
  return stock.code !== '000001' && isChosen(fork(fork(stock.root, 'suspended'), t), 12)
}

/** The last day before t on which the stock traded. */
export function tradedBefore(stock: SampleStock, t: number): number {
  let before = t - 1
  while (isSuspended(stock, before)) before--
  return before
}

/** Open of day t in cents: part of the way from the close before to the close, within the price limit. */
export function openOf(stock: SampleStock, t: number): number {
  const before = closeOf(stock, tradedBefore(stock, t))
  const { int } = drawsFrom(fork(fork(stock.root, 'open'), t))
  const part = int(0, 60)
  const stray = divideHalfUp(before * int(-30, 30), 10_000)
  return before + divideHalfUp((closeOf(stock, t) - before) * part, 100) + stray
}

/** Volume of day t in lots. */
export function volumeOf(stock: SampleStock, t: number): number {
  return divideHalfUp(stock.floatLots * (50 + below(fork(fork(stock.root, 'volume'), t), 350)), 10_000)
}

/** Highest and lowest price of a day in cents, from the close before (half a cent up). */
export function dayPriceLimits(
  stock: SampleStock,
  before: number,
  day: Day,
): { readonly up: number; readonly down: number } {
  const percent = limitPercent(stock, day)
  return { up: divideHalfUp(before * (100 + percent), 100), down: divideHalfUp(before * (100 - percent), 100) }
}

export function limitPercent(stock: SampleStock, day: Day): number {
  return priceLimit(stock.board, stock.mark(day.date, day.t) !== undefined, day.date)
}

/** Name on a day, with the mark that it bears. */
export function nameOn(stock: SampleStock, day: Day): string {
  const mark = stock.mark(day.date, day.t)
  return mark ? mark + stock.markedName : stock.plainName
}
