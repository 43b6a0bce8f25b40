import type { Simulation } from './run-account.js'

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

/** What a run left, as figures are computed from it. Money is in yuan. */
export interface RunCurve {
  readonly equity: Float64Array
  /** Of each round trip, net of costs. */
  readonly trades: readonly { readonly pnl: number }[]
  /** One-sided, a year: bought and sold / 2 / mean equity of the days, per year of so many. */
  readonly turnover: number
  /** Params that this and the runs before it read; undefined where that is not known. */
  readonly read?: readonly string[] | undefined
}

/** What a run left as numbers alone, which threads and queues carry well: a large sweep has millions of trades. */
export interface RunNumbers {
  readonly turnover: number
  readonly equity: Float64Array
  /** Of each trade. */
  readonly pnl: Float64Array
  readonly read?: readonly string[] | undefined
}

export function runNumbers({ turnover, equity, trades, read }: RunCurve): RunNumbers {
  return { turnover, equity, pnl: Float64Array.from(trades, (one) => one.pnl), read }
}

export function curveOf({ turnover, equity, pnl, read }: RunNumbers): RunCurve {
  return {
    turnover,
    equity,
    read,
    // An object a trade only while they are looked at.
    get trades() {
      return Array.from(pnl, (one) => ({ pnl: one }))
    },
  }
}

/** @param from the first day that was run */
export function runCurve({ equity, traded, account }: Simulation, perYear: number, from = 0): RunCurve {
  let [sum, level] = [0, 0]
  for (let day = from; day < equity.length; day++) {
    sum += traded[day] as number
    level += equity[day] as number
  }
  return {
    equity: equity.slice(from).map((fen) => fen / 100),
    trades: account.trips.map(({ pnl }) => ({ pnl: pnl / 100 })),
    turnover: (sum / 2 / level) * perYear,
  }
}
