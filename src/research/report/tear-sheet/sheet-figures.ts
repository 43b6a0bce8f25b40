import type { Say } from '../../../contract/say.js'
import { correlation, exactSum, quantile } from '../../../frame/verb/array-statistics.js'
import { probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { capture, deviation, type Measured, mean, measuredOf, overSize } from './measured-series.js'
import type { RunSheet } from './sheet-context.js'

/** How a figure is written: percent, percent with its sign, a number with two decimals, days, a count, money. */
export type FigureForm = 'percent' | 'signed' | 'number' | 'days' | 'count' | 'yuan'

interface FigureEntry {
  readonly group: keyof typeof groupTitles
  readonly form: FigureForm
  /** NaN where it is not defined, undefined where nothing is known of it. */
  readonly of: (measured: Measured) => number | undefined
  /** What it is called, and how it is computed. */
  readonly words: (say: Say) => readonly [name: string, formula: string]
}

/** Groups of figures in reading order. */
export const groupTitles = {
  return: (say: Say) => say('Return'),
  risk: (say: Say) => say('Risk'),
  ratio: (say: Say) => say('Return for risk'),
  shape: (say: Say) => say('Shape of the returns'),
  against: (say: Say) => say('Against the benchmark'),
  trading: (say: Say) => say('Trading'),
}

/** Keeps the names of entries and widens the entries, so that the declarations hold no inferred types. */
function entriesOf<Name extends string>(
  entries: Readonly<Record<Name, FigureEntry>>,
): Readonly<Record<Name, FigureEntry>> {
  return entries
}

/**
 * All figures of a tear sheet, one an entry. In formulas r are returns, E the curve with its start, N periods a year, n their number,
 * rf the risk-free return of a period.
 */
// biome-ignore format: a table, one figure an entry
export const figureEntries = entriesOf({
  total: { group: 'return', form: 'signed', of: ({ performance }) => performance.total,
    words: (say) => [say('Total return'), say('E(n) / E(0) − 1. The start is the cash before the first day.')] },
  cagr: { group: 'return', form: 'signed', of: ({ performance }) => performance.cagr,
    words: (say) => [say('CAGR'), say('(E(n) / E(0))^(365.25 / calendar days) − 1, from the first day to the last.')] },
  annualReturn: { group: 'return', form: 'signed', of: ({ performance }) => performance.annualReturn,
    words: (say) => [say('Annual return by periods'), say('(E(n) / E(0))^(N / n) − 1.')] },
  bestDay: { group: 'return', form: 'signed', of: ({ performance: { best } }) => best?.return ?? Number.NaN,
    words: (say) => [say('Best day'), say('The greatest r(t) = E(t) / E(t − 1) − 1.')] },
  worstDay: { group: 'return', form: 'signed', of: ({ performance: { worst } }) => worst?.return ?? Number.NaN,
    words: (say) => [say('Worst day'), say('The least r(t).')] },
  bestMonth: { group: 'return', form: 'signed', of: ({ months }) => Math.max(...months),
    words: (say) => [say('Best month'), say('The greatest return of a calendar month, its days compounded. First and last month may be partial.')] },
  worstMonth: { group: 'return', form: 'signed', of: ({ months }) => Math.min(...months),
    words: (say) => [say('Worst month'), say('The least of the same.')] },
  dayWinRate: { group: 'return', form: 'percent', of: ({ performance }) => performance.dayWinRate,
    words: (say) => [say('Days with a gain'), say('Days with r > 0 over all n; days without a move count as no gain.')] },
  monthWinRate: { group: 'return', form: 'percent', of: ({ months }) => months.filter((one) => one > 0).length / months.length,
    words: (say) => [say('Months with a gain'), say('Months with a return above 0, of all months.')] },
  volatility: { group: 'risk', form: 'percent', of: ({ performance }) => performance.volatility,
    words: (say) => [say('Volatility, a year'), say('std(r) √N, divided by n − 1.')] },
  downside: { group: 'risk', form: 'percent', of: ({ returns, periodsPerYear }) => Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2)) * periodsPerYear),
    words: (say) => [say('Downside deviation, a year'), say('√(mean(min(r, 0)²)) √N, over all n.')] },
  maxDrawdown: { group: 'risk', form: 'percent', of: ({ performance }) => performance.maxDrawdown.depth,
    words: (say) => [say('Maximum drawdown'), say('min over t of E(t) / max(E(0) … E(t)) − 1. The start counts as a high.')] },
  averageDrawdown: { group: 'risk', form: 'percent', of: ({ drawdowns }) => (drawdowns.length === 0 ? 0 : mean(drawdowns.map(({ depth }) => depth))),
    words: (say) => [say('Average drawdown'), say('Mean depth of all drawdowns, each from a high to its recovery or the end.')] },
  longestDrawdown: { group: 'risk', form: 'days', of: ({ drawdowns }) => Math.max(0, ...drawdowns.map(({ calendarDays }) => calendarDays)),
    words: (say) => [say('Longest drawdown'), say('Calendar days from a high until it was reached again, or until the end: the most of all.')] },
  underShare: { group: 'risk', form: 'percent', of: ({ falls }) => falls.filter((fall) => fall < -1e-12).length / falls.length,
    words: (say) => [say('Time under water'), say('Days with E(t) below a high before, of all n.')] },
  ulcer: { group: 'risk', form: 'percent', of: ({ falls }) => Math.sqrt(mean(falls.map((fall) => fall * fall))),
    words: (say) => [say('Ulcer index'), say('√(mean(d²)), d(t) = E(t) / max(E(0) … E(t)) − 1.')] },
  longestLosingRun: { group: 'risk', form: 'days', of: ({ performance }) => performance.longestLosingRun,
    words: (say) => [say('Longest losing run'), say('The most trading days with r < 0 that follow each other.')] },
  sharpe: { group: 'ratio', form: 'number', of: ({ performance }) => performance.sharpe,
    words: (say) => [say('Sharpe ratio'), say('mean(r − rf) / std(r − rf) √N; rf = (1 + risk-free)^(1/N) − 1. Interval: stationary bootstrap, 1,000 resamples, mean block n^(1/3), seed 1.')] },
  psr: { group: 'ratio', form: 'percent', of: ({ performance }) => probabilisticSharpe(performance),
    words: (say) => [say('Probabilistic Sharpe ratio'), say('Φ(SR √(n − 1) / √(1 − skew SR + (kurtosis + 2) / 4 SR²)), SR per period: the probability that the true ratio is above 0. Bailey and López de Prado 2012.')] },
  sortino: { group: 'ratio', form: 'number', of: ({ performance }) => performance.sortino,
    words: (say) => [say('Sortino ratio'), say('mean(r) √N / √(mean(min(r, 0)²)), all n in both.')] },
  calmar: { group: 'ratio', form: 'number', of: ({ performance }) => performance.calmar,
    words: (say) => [say('Calmar ratio'), say('CAGR / |maximum drawdown|.')] },
  omega: { group: 'ratio', form: 'number', of: ({ returns }) => overSize(exactSum(returns.filter((r) => r > 0)), -exactSum(returns.filter((r) => r < 0))),
    words: (say) => [say('Omega ratio'), say('Sum of the gains over sum of the losses of days, threshold 0.')] },
  valueAtRisk: { group: 'shape', form: 'percent', of: ({ performance }) => performance.valueAtRisk,
    words: (say) => [say('Value at risk, 95%, a day'), say('The 5% quantile of r, linear between neighbours; historical, no distribution assumed. Below 0 is a loss.')] },
  conditionalValueAtRisk: { group: 'shape', form: 'percent', of: ({ performance }) => performance.conditionalValueAtRisk,
    words: (say) => [say('Expected shortfall, 95%, a day'), say('Mean of the returns up to that quantile: the lowest ⌊0.05 (n − 1)⌋ + 1.')] },
  skew: { group: 'shape', form: 'number', of: ({ performance }) => performance.skew,
    words: (say) => [say('Skewness'), say('G1, adjusted for the size of the sample, as pandas.')] },
  kurtosis: { group: 'shape', form: 'number', of: ({ performance }) => performance.kurtosis,
    words: (say) => [say('Excess kurtosis'), say('G2, adjusted for the size of the sample; 0 of a normal distribution.')] },
  tailRatio: { group: 'shape', form: 'number', of: ({ returns }) => overSize(Math.abs(quantile(returns, 0.95)), Math.abs(quantile(returns, 0.05))),
    words: (say) => [say('Tail ratio'), say('|95% quantile of r| / |5% quantile of r|.')] },
  excess: { group: 'against', form: 'signed', of: ({ against }) => against && against.own - against.total,
    words: (say) => [say('Excess total return'), say('Total return less that of the benchmark, both of the days on which the benchmark has returns.')] },
  beta: { group: 'against', form: 'number', of: ({ against, performance }) => against && performance.beta,
    words: (say) => [say('Beta'), say('cov(r, b) / var(b), b the returns of the benchmark.')] },
  alpha: { group: 'against', form: 'signed', of: ({ against, performance }) => against && performance.alpha,
    words: (say) => [say('Alpha, a year'), say('(mean(r − rf) − beta mean(b − rf)) N, arithmetic.')] },
  correlation: { group: 'against', form: 'number', of: ({ against, returns }) => against && correlation(returns, against.returns),
    words: (say) => [say('Correlation'), say('Pearson’s correlation of r and b by day.')] },
  trackingError: { group: 'against', form: 'percent', of: ({ against, periodsPerYear }) => against && deviation(against.apart) * Math.sqrt(periodsPerYear),
    words: (say) => [say('Tracking error, a year'), say('std(r − b) √N, divided by n − 1.')] },
  informationRatio: { group: 'against', form: 'number', of: ({ against, performance }) => against && performance.informationRatio,
    words: (say) => [say('Information ratio'), say('mean(r − b) / std(r − b) √N.')] },
  upCapture: { group: 'against', form: 'percent', of: ({ against, returns }) => against && capture(returns, against.returns, (b) => b > 0),
    words: (say) => [say('Up capture'), say('mean(r) / mean(b) over the days with b > 0.')] },
  downCapture: { group: 'against', form: 'percent', of: ({ against, returns }) => against && capture(returns, against.returns, (b) => b < 0),
    words: (say) => [say('Down capture'), say('mean(r) / mean(b) over the days with b < 0.')] },
  exposure: { group: 'trading', form: 'percent', of: ({ paid }) => paid?.exposure,
    words: (say) => [say('Mean exposure'), say('Mean over days of 1 − cash / equity at the close.')] },
  held: { group: 'trading', form: 'number', of: ({ paid }) => paid?.held,
    words: (say) => [say('Mean number of holdings'), say('Holdings at the close, mean over all days.')] },
  turnover: { group: 'trading', form: 'number', of: ({ paid }) => paid && (paid.traded / 2 / paid.equity) * paid.perYear,
    words: (say) => [say('Turnover, a year, one-sided'), say('(Bought + sold) / 2 / mean equity × N / n.')] },
  costs: { group: 'trading', form: 'yuan', of: ({ paid }) => paid?.costs,
    words: (say) => [say('Costs'), say('Commission, stamp duty and transfer fee of all fills. Slippage is in the prices.')] },
  costDrag: { group: 'trading', form: 'percent', of: ({ paid }) => paid && (paid.costs / paid.equity) * paid.perYear,
    words: (say) => [say('Costs a year, of mean equity'), say('Costs / mean equity × N / n.')] },
  costShare: { group: 'trading', form: 'percent', of: ({ paid }) => paid && paid.costs / paid.traded,
    words: (say) => [say('Costs, of what was traded'), say('Costs / (bought + sold).')] },
  fills: { group: 'trading', form: 'count', of: ({ run }) => run?.fills?.numRows,
    words: (say) => [say('Fills'), say('Rows of the table of fills.')] },
  rejected: { group: 'trading', form: 'count', of: ({ run }) => run?.rejected?.numRows,
    words: (say) => [say('Orders refused or cut'), say('Rows of the table of refusals: orders that were not filled, or not wholly.')] },
  roundTrips: { group: 'trading', form: 'count', of: ({ trades }) => trades?.all.length,
    words: (say) => [say('Closed round trips'), say('From the first purchase until the last share went; with trips fifo, each sale with the purchases that it is of, first in first out. What is still held does not count.')] },
  winRate: { group: 'trading', form: 'percent', of: ({ trades }) => trades && trades.gains.length / trades.all.length,
    words: (say) => [say('Round trips with a gain'), say('Closed round trips with a result above 0, net of costs, of all closed.')] },
  profitFactor: { group: 'trading', form: 'number', of: ({ trades }) => trades && overSize(exactSum(trades.gains), -exactSum(trades.losses)),
    words: (say) => [say('Profit factor'), say('Sum of the gains / sum of the losses of closed round trips, in yuan.')] },
  payoff: { group: 'trading', form: 'number', of: ({ trades }) => trades && overSize(mean(trades.gains), -mean(trades.losses)),
    words: (say) => [say('Payoff ratio'), say('Mean gain / mean loss of closed round trips.')] },
  meanTrip: { group: 'trading', form: 'yuan', of: ({ trades }) => trades && exactSum(trades.all) / trades.all.length,
    words: (say) => [say('Mean result of a round trip'), say('Sum of the results of closed round trips / their number.')] },
  holding: { group: 'trading', form: 'days', of: ({ trades, trips }) => trades && trips && quantile(trips.map(({ held }) => held), 0.5),
    words: (say) => [say('Median holding period'), say('Median over closed round trips of the trading days from the first purchase to the last sale.')] },
})

export type FigureName = keyof typeof figureEntries

/** A figure of the run, and of the benchmark where it has one. */
export interface SheetFigure {
  readonly name: FigureName
  readonly entry: FigureEntry
  readonly value: number
  readonly benchmark: number | undefined
}

/** Figures by group, in reading order. */
export type GroupedFigures = readonly (readonly [group: keyof typeof groupTitles, figures: readonly SheetFigure[]])[]

/** The figures of the run that are known, by group, and beside them those of the benchmark. */
export function sheetFigures(sheet: RunSheet): GroupedFigures {
  const { benchmark } = sheet
  const own = measuredOf(sheet)
  const other = benchmark && benchmark.series.returns.length > 0 ? measuredOf(sheet, benchmark.series) : undefined
  const all = (Object.entries(figureEntries) as [FigureName, FigureEntry][]).flatMap(([name, entry]): SheetFigure[] => {
    const value = entry.of(own)
    return value === undefined ? [] : [{ name, entry, value, benchmark: other && entry.of(other) }]
  })
  return (Object.keys(groupTitles) as (keyof typeof groupTitles)[]).flatMap((group) => {
    const known = all.filter(({ entry }) => entry.group === group)
    return known.length > 0 ? [[group, known] as const] : []
  })
}
