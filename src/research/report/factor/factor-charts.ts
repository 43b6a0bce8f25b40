import { type ChartFigure, chartFigure } from '../chart-figure.js'
import { formatCount, type NumberForm, writeNumber } from '../format-number.js'
import { gridText, gridValues, type Section } from '../html.js'
import { barSeries, lineSeries, type PlotPanel, type PlotSeries } from '../plot.js'
import { shownDays } from '../tear-sheet/sheet-parts.js'
import type { FactorSheet } from './factor-sheet.js'

type Values = Float64Array

/** A strip of a chart: what is drawn, and its numbers by their heads in the table. */
interface Strip extends Omit<PlotPanel, 'height'> {
  readonly format: NumberForm
  readonly values: Readonly<Record<string, Values>>
}

interface FactorChart {
  readonly id: string
  readonly title: string
  readonly said: string
  /** What its places are; the times unless given. */
  readonly places?: readonly string[]
  readonly strips: readonly Strip[]
  readonly key?: ChartFigure<unknown>['key']
}

async function section(
  sheet: FactorSheet,
  { id, title, said, places, strips, key = [] }: FactorChart,
): Promise<Section> {
  const { times } = sheet.study.signal
  const height = strips.length > 2 ? 105 : strips.length > 1 ? 140 : 180
  const body = await chartFigure(sheet.say, {
    id: `factor-${id}`,
    title,
    desc: said,
    key,
    x: places ? { dates: places, isText: true, every: true } : { dates: times },
    panels: strips.map(({ values: _, ...panel }) => ({ ...panel, height })),
    rows: places ? [...places.keys()] : shownDays(times),
    columns: [
      gridText(places ? '' : sheet.say('day'), (at: number) => (places ?? times)[at]),
      ...strips.flatMap(({ format, values }) =>
        Object.entries(values).map(([head, own]) =>
          gridValues(head, undefined, own, (v) => writeNumber(v, format, true)),
        ),
      ),
    ],
  })
  return { id, title, body }
}

const numbersOf = (digits: number): NumberForm => ({ digits, exact: digits + 2 })
const percentOf = (digits: number): NumberForm => ({ ...numbersOf(digits), percent: true })
const dashed = { dash: 'dashed' } as const

/** Coefficients by date with their mean and two errors about it. */
export function informationChart(sheet: FactorSheet): Promise<Section> {
  const { say, study, shown, ahead } = sheet
  const strips = shown.map(({ horizon, ic, meanIc, error }): Strip => {
    const flat = (errors: number): Values => ic.map(() => meanIc + errors * error)
    const band = [lineSeries(flat(0), 'two'), lineSeries(flat(-2), 'two', dashed), lineSeries(flat(2), 'two', dashed)]
    const [name, values] = [say`IC, ${ahead(horizon)}`, { [ahead(horizon)]: ic }]
    return { name, zero: true, format: numbersOf(1), values, series: [barSeries(ic, 'one'), ...band] }
  })
  const said = say`Bars: IC of each time; line: its mean; dashed: two standard errors either way. ${formatCount(study.leftOut)} times with scores have fewer than two names a quantile, or equal scores alone, and no quantiles.`
  const mean = { sign: 'line', ink: 'two', text: say('mean') } as const
  const key = [{ sign: 'solid', ink: 'one', text: 'IC' } as const, mean]
  return section(sheet, { id: 'information', title: say('Information by date'), said, strips, key })
}

/** How information decays, with its errors. */
export function decayChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { dates, meanIc, error } = study.decay
  const ends = (errors: number): PlotSeries => ({
    kind: 'points',
    ink: 'two',
    mark: 'diamond',
    size: 8,
    at: Array.from(meanIc, (mean, at) => [at, mean + errors * (error[at] as number)] as const),
  })
  const values = {
    [say('Mean IC')]: meanIc,
    [say('Standard error (Newey-West)')]: error,
  }
  const series = [barSeries(meanIc, 'one', { hollow: true }), ends(-2), ends(2)]
  const strips = [{ name: say('Mean IC, by horizon'), zero: true, format: numbersOf(2), values, series }]
  const places = study.horizons.map(({ horizon }) => sheet.ahead(horizon))
  const said = say`Mean IC by horizon over the same ${formatCount(dates)} times; diamonds: two standard errors either way.`
  return section(sheet, { id: 'decay', title: say('Decay'), said, places, strips })
}

/** Returns of quantiles before and after costs. */
export function quantileChart(sheet: FactorSheet): Promise<Section> {
  const { say, shown, first, ahead } = sheet
  const [gross, net] = [say('before costs'), say('after costs')]
  const strips = shown.map(({ horizon, quantileReturns: own, netQuantileReturns: after }): Strip => {
    const name = say`Mean return over ${ahead(horizon)}, by quantile`
    const values = { [`${gross}, ${ahead(horizon)}`]: own, [`${net}, ${ahead(horizon)}`]: after }
    const series = [barSeries(own, 'one', { beside: true }), barSeries(after, 'two', { beside: true, hollow: true })]
    return { name, zero: true, format: percentOf(2), values, series }
  })
  const places = Array.from(first.quantileReturns, (_, at) => String(at + 1))
  const hollow = { sign: 'hollow', ink: 'two', text: net } as const
  const key = [{ sign: 'solid', ink: 'one', text: gross } as const, hollow]
  const { quantileDates: dates } = first
  const uneven = dates.some((one) => one !== dates[0])
    ? ` ${say`Dates behind the quantiles, from 1: ${[...dates].join(', ')}.`}`
    : ''
  const said = `${say('Mean over names, then over times; 1 has the lowest scores. After costs: equal weights, turned over each horizon, names that enter are bought and names that leave sold with commission, slippage, stamp and transfer of their class; the least commission of an order is left out.')}${uneven}`
  return section(sheet, { id: 'quantiles', title: say('Quantile returns'), said, places, strips, key })
}

/** The spread added up. */
export function spreadChart(sheet: FactorSheet): Promise<Section> {
  const { say, first, ahead } = sheet
  const running = (spreads: Values): Values => {
    let sum = 0
    return spreads.map((one) => {
      sum += (one || 0) / first.horizon
      return sum
    })
  }
  const isNet = !Number.isNaN(first.netSpread)
  const [gross, net] = [running(first.spreads), running(first.netSpreads)]
  const series = [lineSeries(gross, 'one'), ...(isNet ? [lineSeries(net, 'two', dashed)] : [])]
  const values = { [say('before costs')]: gross, ...(isNet && { [say('after costs')]: net }) }
  const strips = [
    {
      name: say('Sum of spreads'),
      zero: true,
      format: { ...percentOf(1), signed: true },
      values,
      series,
    },
  ]
  const line = { sign: 'line', ink: 'one', text: say('before costs') } as const
  const key = [line, isNet && ({ sign: 'dashed', ink: 'two', text: say('after costs') } as const)]
  const said = say`Sum of the spreads over ${ahead(first.horizon)}, each divided by its length: not compounded. The bottom is sold short at no fee, which nobody offers for most names.`
  return section(sheet, { id: 'spread', title: say('Cumulative spread'), said, strips, key })
}

/** Turnover, autocorrelation and coverage by date. */
export function stabilityChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { turnover, rankAutocorrelation, names, coverage } = study
  const [top, bottom] = [turnover.at(-1) as Values, turnover[0] as Values]
  const strip = (name: string, own: Values, format: NumberForm): Strip => {
    return { name, format, values: { [name]: own }, series: [lineSeries(own, 'one')] }
  }
  const turned = strip(say('New names: top; dashed: bottom'), top, percentOf(0))
  const strips = [
    {
      ...turned,
      zero: true,
      values: { [say('top')]: top, [say('bottom')]: bottom },
      series: [...turned.series, lineSeries(bottom, 'two', dashed)],
    },
    strip(say('Autocorrelation of ranks'), rankAutocorrelation, numbersOf(3)),
    strip(say('Names with a score'), names, { digits: 0 }),
    ...(coverage.every(Number.isNaN) ? [] : [strip(say('Coverage'), coverage, percentOf(1))]),
  ]
  return section(sheet, {
    id: 'stability',
    title: say('Turnover and coverage'),
    said: say(
      'Share of the names of top and bottom that are new, rank autocorrelation with the time before, names with a score, and their share of the names that traded at the fill.',
    ),
    strips,
  })
}
