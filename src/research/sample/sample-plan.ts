import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { fork } from './random.js'
import { bondCodes, etfCodes, stockCodes } from './sample-codes.js'
import { type Day, nextDay, sampleDays, sampleDaysBetween } from './sample-days.js'
import { bondName, fundName } from './sample-names.js'
import { makeStock, type SampleStock } from './sample-stock.js'

export const defaultSeed = 20_260_706
const mostSymbols = 2000

/** Size of a synthetic sample. */
export interface SampleOptions {
  /** Whole number within 32 bits (default: 20260706). The same seed gives the same rows everywhere. */
  readonly seed?: number
  /** Trading days (default: 60). More days reach further back and leave the later ones as they are. */
  readonly days?: number
  /** ETFs (default: 10). Bonds are twice as many, stocks four times, at least 40. */
  readonly symbols?: number
  /** First day, `YYYYMMDD`; absent, the days end on 20260729. */
  readonly start?: string
  /** Mixes markup, formulas and odd characters into the texts, and changes nothing else. */
  readonly hostile?: boolean
}

/** An ETF or a bond: its full code and the root of all that is drawn for it. */
export interface Instrument {
  readonly symbol: string
  readonly root: number
  readonly name: string
  /** Trades every day: named codes of the documentation. */
  readonly steady: boolean
}

/** Everything that the sheets of one sample share. */
export interface Sample {
  readonly seed: number
  readonly hostile: boolean
  readonly days: readonly Day[]
  /** Days around the first vwap date (2025-08-21) that only the minute datasets have. */
  readonly extra: readonly Day[]
  readonly latest: Day
  /** The day that a forecast speaks of. */
  readonly next: Day
  readonly etfs: readonly Instrument[]
  readonly bonds: readonly Instrument[]
  readonly stocks: readonly SampleStock[]
}

function whole(name: string, value: number, from: number, to: number): number {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return value
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`${name} must be a whole number from ${from} to ${to}, not ${value}`,
  )
}

function instruments(
  seed: number,
  kind: string,
  codes: readonly string[],
  nameOf: (place: number) => string,
): Instrument[] {
  const root = fork(seed, kind)
  return codes.map((symbol, place) => ({
    symbol,
    root: fork(root, symbol),
    name: nameOf(place),
    steady: place < 2,
  }))
}

/**
 * The plan of a sample: its days and its instruments, nothing drawn yet.
 * @throws QuotebookError INVALID_VALUE for a size out of range or days that the trading calendar does not know
 */
export function planSample(options: SampleOptions = {}): Sample {
  const seed = whole('seed', options.seed ?? defaultSeed, -0x80000000, 0xffffffff)
  const count = whole('days', options.days ?? 60, 1, 100_000)
  const symbols = whole('symbols', options.symbols ?? 10, 1, mostSymbols)
  const days = sampleDays(count, options.start)
  const first = days[0] as Day
  const latest = days[days.length - 1] as Day
  const extra = sampleDaysBetween('20250819', '20250825').filter((day) => day.date < first.date)
  const stockRoot = fork(seed, 'stock')
  return {
    seed,
    hostile: options.hostile === true,
    days,
    extra,
    latest,
    next: nextDay(latest),
    etfs: instruments(seed, 'etf', etfCodes(symbols), fundName),
    bonds: instruments(seed, 'bond', bondCodes(symbols * 2), bondName),
    stocks: stockCodes(Math.max(40, symbols * 4)).map((code, place) => makeStock(code, place, fork(stockRoot, code))),
  }
}
