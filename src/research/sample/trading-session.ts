import { divideHalfUp } from './exact-quotient.js'
import { below, type Draw, drawsFrom, fork, isChosen, level, wave } from './random.js'
import type { Instrument } from './sample-plan.js'

/** What a class of instruments trades like. Prices are whole ticks of 0.001 yuan. */
export interface SimulatedMarket {
  /** Cents that one lot costs per tick of its price: 10 for ETFs (100 units), 1 for bonds (10 bonds). */
  readonly centsPerTick: number
  /** Units in a lot. */
  readonly factor: number
  readonly lowest: number
  readonly spread: number
  /** Lots of a busy bucket, at most. */
  readonly busy: number
}

export const etfMarket: SimulatedMarket = { centsPerTick: 10, factor: 100, lowest: 700, spread: 4300, busy: 60_000 }
export const bondMarket: SimulatedMarket = { centsPerTick: 1, factor: 10, lowest: 98_000, spread: 60_000, busy: 9_000 }

/** A bucket of 15 minutes: prices in ticks, turnover in cents. */
export interface Bucket {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly lots: number
  readonly cents: number
  /** Trades happened, but the feed lost their volume and turnover. */
  readonly missing: boolean
}

const last = 16

/** Close of day t in ticks. */
export function closeTicks(market: SimulatedMarket, { root }: Instrument, t: number): number {
  return level(root, t, market.lowest + below(fork(root, 'base'), market.spread), 0.7)
}

/** A day without any row: about one in 150, never two in a row. */
function isHalted(instrument: Instrument, t: number): boolean {
  return !instrument.steady && t % 3 === 1 && isChosen(fork(fork(instrument.root, 'halted'), t), 50)
}

/** The last day before t on which the instrument traded. */
export function quotedBefore(instrument: Instrument, t: number): number {
  let before = t - 1
  while (isHalted(instrument, before)) before--
  return before
}

/** A price between two, near a straight line in time, that strays least at both ends of the day. */
function onTheWay(open: number, close: number, bucket: number, { int }: Draw): number {
  const room = divideHalfUp(open * 6 * Math.min(bucket, last - bucket), 8_000)
  return open + divideHalfUp((close - open) * bucket, last) + int(-room, room)
}

function trade(
  market: SimulatedMarket,
  from: number,
  to: number,
  size: number,
  missing: boolean,
  { int }: Draw,
): Bucket {
  const stray = 1 + divideHalfUp(from, 1000)
  const prices = [from, from + int(-stray, stray), to + int(-stray, stray), to]
  let lots = 0
  let cents = 0
  for (const price of prices) {
    const part = int(1, size)
    lots += part
    cents += part * price * market.centsPerTick
  }
  return { open: from, high: Math.max(...prices), low: Math.min(...prices), close: to, lots, cents, missing }
}

/**
 * The 17 buckets of a day; undefined where nothing traded, nothing at all on a halted day. The last bucket always
 * trades, at the close of the path. One day in 40 has no trade until 10:00, thin instruments skip buckets, and one day
 * in 120 has a bucket whose volume is missing.
 */
export function simulate(
  market: SimulatedMarket,
  instrument: Instrument,
  t: number,
): (Bucket | undefined)[] | undefined {
  if (isHalted(instrument, t)) return undefined
  const { root } = instrument
  const draws = drawsFrom(fork(fork(root, 'session'), t))
  const close = closeTicks(market, instrument, t)
  const before = closeTicks(market, instrument, quotedBefore(instrument, t))
  const open =
    before + divideHalfUp((close - before) * draws.int(0, 50), 100) + divideHalfUp(before * draws.int(-2, 2), 1000)
  const thin = isChosen(fork(root, 'thin'), 4) && !instrument.steady
  const first = draws.once(40) ? 3 : 0
  const missing = draws.once(120) ? draws.int(1, 15) : -1
  const busy = 8 + below(fork(root, 'busy'), thin ? 60 : market.busy)
  const interest = Math.round(busy * (1 + wave(fork(root, 'interest'), t) * 3))
  let price = open
  return Array.from({ length: last + 1 }, (_, bucket) => {
    const idle = draws.once(thin ? 6 : 500)
    const to = bucket === last ? close : onTheWay(open, close, bucket, draws)
    if (bucket < first || (idle && bucket < last && bucket !== missing)) return undefined
    const crowd = bucket === 0 || bucket > 14 ? 2 : 1
    const bar = trade(market, price, to, 1 + interest * crowd, bucket === missing, draws)
    price = to
    return bar
  })
}
