import { bucketCloses, vwapSince } from '../../contract/session.js'
import { divideHalfUp } from './exact-quotient.js'
import { below, fork, isChosen } from './random.js'
import type { Day } from './sample-days.js'
import type { Instrument, Sample } from './sample-plan.js'
import type { Sheet } from './sample-sheet.js'
import { type Bucket, bondMarket, etfMarket, type SimulatedMarket, simulate } from './trading-session.js'

type Period = '15m' | '30m'

/** A bar before it becomes a row: the trades since the bar before, and the day's totals up to it. */
interface Bar {
  open: number | undefined
  high: number
  low: number
  close: number | undefined
  lots: number
  cents: number
  missing: boolean
  /** Totals up to the close of the bar are known. */
  known: boolean
  sumLots: number
  sumCents: number
}

function add(bar: Bar, bucket: Bucket | undefined): void {
  bar.known = !bucket?.missing
  if (!bucket) return
  bar.open ??= bucket.open
  bar.high = Math.max(bar.high, bucket.high)
  bar.low = Math.min(bar.low, bucket.low)
  bar.close = bucket.close
  bar.lots += bucket.lots
  bar.cents += bucket.cents
  bar.missing ||= bucket.missing
  bar.sumLots += bucket.lots
  bar.sumCents += bucket.cents
}

/** Bars of `step` quarters of an hour; the first bucket, with the opening auction, is a bar of its own. */
function bars(buckets: readonly (Bucket | undefined)[], step: 1 | 2): Bar[] {
  const out: Bar[] = []
  let before: Bar | undefined
  let bar: Bar | undefined
  buckets.forEach((bucket, at) => {
    bar ??= {
      open: undefined,
      high: 0,
      low: Number.MAX_SAFE_INTEGER,
      close: undefined,
      lots: 0,
      cents: 0,
      missing: false,
      known: true,
      sumLots: before?.sumLots ?? 0,
      sumCents: before?.sumCents ?? 0,
    }
    add(bar, bucket)
    if (at % step !== 0) return
    out.push(bar)
    before = bar
    bar = undefined
  })
  return out
}

/** Turnover / (lots x factor) in yuan, ROUND_HALF_UP to 3 decimals; null before the first trade. */
function vwapOf(market: SimulatedMarket, bar: Bar): number | null {
  if (bar.sumLots === 0 || !bar.known) return null
  return divideHalfUp(bar.sumCents * 10, bar.sumLots * market.factor) / 1000
}

/** Columns of a bar from `trademin` on. A bar without trades repeats the last price; before any, its prices are null. */
function cellsOf(market: SimulatedMarket, bar: Bar, price: number | undefined, backfilled: boolean): unknown[] {
  const yuan = (ticks: number | undefined): number | null => (ticks === undefined ? null : ticks / 1000)
  const traded = bar.open !== undefined
  return [
    yuan(traded ? bar.open : price),
    yuan(traded ? bar.high : price),
    yuan(traded ? bar.low : price),
    yuan(traded ? bar.close : price),
    bar.missing ? null : bar.lots,
    bar.missing ? null : bar.cents / 100,
    backfilled ? vwapOf(market, bar) : null,
  ]
}

/** Rows of one instrument, day and period. `time` is a second within the closing minute. */
function rowsOf(
  market: SimulatedMarket,
  one: Instrument,
  day: Day,
  buckets: readonly (Bucket | undefined)[],
  period: Period,
) {
  const seconds = fork(fork(one.root, 'seconds'), day.t)
  const backfilled = day.date >= vwapSince || isChosen(fork(one.root, 'backfilled'), 2)
  let price: number | undefined
  return bars(buckets, period === '15m' ? 1 : 2).map((bar, at) => {
    const minute = bucketCloses[period][at] ?? ''
    const second = minute === '1500' ? 0 : below(fork(seconds, Number(minute)), 4)
    const time = `${minute.slice(0, 2)}:${minute.slice(2)}:0${second}`
    const row = [day.date, one.symbol, minute, time, ...cellsOf(market, bar, price, backfilled)]
    price = bar.close ?? price
    return row
  })
}

function minuteDays(sample: Sample): readonly Day[] {
  return [...sample.extra, ...sample.days]
}

function bySymbol(instruments: readonly Instrument[]): Instrument[] {
  return [...instruments].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
}

/** Both periods of a day, from the same buckets: what they share in a closing minute is equal. */
function* etfRows(sample: Sample, day: Day): Iterable<unknown[]> {
  for (const etf of bySymbol(sample.etfs)) {
    const buckets = simulate(etfMarket, etf, day.t)
    if (!buckets) continue
    const long = rowsOf(etfMarket, etf, day, buckets, '30m')
    for (const [at, row] of rowsOf(etfMarket, etf, day, buckets, '15m').entries()) {
      row.push('15m')
      yield row
      const other = at % 2 === 0 ? long[at / 2] : undefined
      if (!other) continue
      other.push('30m')
      yield other
    }
  }
}

function* bondRows(sample: Sample, day: Day): Iterable<unknown[]> {
  for (const bond of bySymbol(sample.bonds)) {
    const buckets = simulate(bondMarket, bond, day.t)
    if (buckets) yield* rowsOf(bondMarket, bond, day, buckets, '30m')
  }
}

/** 15- and 30-minute bars of ETFs. */
export const etfMinuteSheet: Sheet = {
  dataset: 'etf_minute',
  days: minuteDays,
  rows: (sample, days) => days.flatMap((day) => [...etfRows(sample, day)]),
}

/** 30-minute bars of convertible bonds. */
export const convertibleMinuteSheet: Sheet = {
  dataset: 'convertible_minute',
  days: minuteDays,
  rows: (sample, days) => days.flatMap((day) => [...bondRows(sample, day)]),
}
