import { deviationOf, meanPerDeviation } from './return-moments.js'
import { calendarDays, type ReturnSeries } from './return-series.js'

/** The figures by which curves are compared; `Performance` says their formulas. */
export interface CurveRates {
  readonly total: number
  readonly cagr: number
  readonly volatility: number
  readonly sharpe: number
}

/** Sharpe ratio of returns. @param freePerDay risk-free return of a period */
export function sharpeRatio(returns: Float64Array, freePerDay: number, perYear: number): number {
  return meanPerDeviation(returns.map((r) => r - freePerDay)) * Math.sqrt(perYear)
}

export function curveRates(series: ReturnSeries, freePerDay: number, perYear: number): CurveRates {
  const { returns, curve } = series
  const growth = returns.length === 0 ? Number.NaN : (curve[returns.length] as number) / (curve[0] as number)
  const span = calendarDays(series)
  return {
    total: growth - 1,
    cagr: span > 0 ? growth ** (365.25 / span) - 1 : Number.NaN,
    volatility: deviationOf(returns) * Math.sqrt(perYear),
    sharpe: sharpeRatio(returns, freePerDay, perYear),
  }
}
