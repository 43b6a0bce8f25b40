import { sentence, type Words } from '../../contract/sentence.js'
import { type TripWay, tripsOf } from './lot-book.js'
import type { Simulation } from './run-account.js'

/** That a run is too short for its figures; nothing of 20 days and more. */
export function fewDays(length: number): Words[] {
  if (length >= 20) return []
  return [sentence`only ${length} day${length === 1 ? '' : 's'}: figures of fewer than 20 days are mostly chance`]
}

/** equity / equity of the day before - 1; the first day's against the start. */
export function dailyReturns(start: number, equity: Float64Array): Float64Array {
  const returns = new Float64Array(equity.length)
  let last = start
  for (let day = 0; day < equity.length; day++) {
    returns[day] = (equity[day] as number) / last - 1
    last = equity[day] as number
  }
  return returns
}

/** What a run left, in numbers alone, which threads and queues carry well: a large sweep has millions of trades. Money is in yuan. */
export interface RunCurve {
  readonly equity: Float64Array
  /** Of each round trip, net of costs. */
  readonly pnl: Float64Array
  /** One-sided, a year: bought and sold / 2 / mean equity of the days, per year of so many. */
  readonly turnover: number
  /** Params that this and the runs before it read; undefined where that is not known. */
  readonly read?: readonly string[] | undefined
}

/** @param from the first day that was run */
export function runCurve(run: Simulation, perYear: number, from = 0, trips?: TripWay): RunCurve {
  const { equity, traded } = run
  let [sum, level] = [0, 0]
  for (let day = from; day < equity.length; day++) {
    sum += traded[day] as number
    level += equity[day] as number
  }
  return {
    equity: equity.slice(from).map((fen) => fen / 100),
    pnl: tripsOf(run, trips)
      .column('pnl')
      .map((fen) => fen / 100),
    turnover: (sum / 2 / level) * perYear,
  }
}
