import { formatCount, type NumberForm, writeNumber } from '../format-number.js'
import { gridText, gridValues, type Section } from '../html.js'
import { barSeries, lineSeries, type PlotPanel, type PlotSeries } from '../plot.js'
import { sheetChart, shownDays } from '../tear-sheet/sheet-parts.js'
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
  readonly key?: Parameters<typeof sheetChart>[1]['key']
}

async function section(
  sheet: FactorSheet,
  { id, title, said, places, strips, key = [] }: FactorChart,
): Promise<Section> {
  const { times } = sheet.study.signal
  const height = strips.length > 2 ? 105 : strips.length > 1 ? 140 : 180
  const body = await sheetChart(sheet, {
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
    const [name, values] = [say('axis IC', { ahead: ahead(horizon) }), { [ahead(horizon)]: ic }]
    return { name, zero: true, format: numbersOf(1), values, series: [barSeries(ic, 'one'), ...band] }
  })
  const said = say('information said', { left: formatCount(study.leftOut) })
  const mean = { sign: 'line', ink: 'two', text: say('mean') } as const
  const key = [{ sign: 'solid', ink: 'one', text: 'IC' } as const, mean]
  return section(sheet, { id: 'information', title: say('information'), said, strips, key })
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
  const values = { [say('mean IC')]: meanIc, [say('error')]: error }
  const series = [barSeries(meanIc, 'one', { hollow: true }), ends(-2), ends(2)]
  const strips = [{ name: say('axis decay'), zero: true, format: numbersOf(2), values, series }]
  const places = study.horizons.map(({ horizon }) => sheet.ahead(horizon))
  const said = say('decay said', { dates: formatCount(dates) })
  return section(sheet, { id: 'decay', title: say('decay'), said, places, strips })
}

/** Returns of quantiles before and after costs. */
export function quantileChart(sheet: FactorSheet): Promise<Section> {
  const { say, shown, first, ahead } = sheet
  const [gross, net] = [say('gross'), say('net')]
  const strips = shown.map(({ horizon, quantileReturns: own, netQuantileReturns: after }): Strip => {
    const name = say('axis quantiles', { ahead: ahead(horizon) })
    const values = { [`${gross}, ${ahead(horizon)}`]: own, [`${net}, ${ahead(horizon)}`]: after }
    const series = [barSeries(own, 'one', { beside: true }), barSeries(after, 'two', { beside: true, hollow: true })]
    return { name, zero: true, format: percentOf(2), values, series }
  })
  const places = Array.from(first.quantileReturns, (_, at) => String(at + 1))
  const hollow = { sign: 'hollow', ink: 'two', text: net } as const
  const key = [{ sign: 'solid', ink: 'one', text: gross } as const, hollow]
  const { quantileDates: dates } = first
  const uneven = dates.some((one) => one !== dates[0])
    ? ` ${say('quantile dates', { dates: [...dates].join(', ') })}`
    : ''
  const said = `${say('quantiles said')}${uneven}`
  return section(sheet, { id: 'quantiles', title: say('quantiles'), said, places, strips, key })
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
  const values = { [say('gross')]: gross, ...(isNet && { [say('net')]: net }) }
  const strips = [
    { name: say('axis cumulative'), zero: true, format: { ...percentOf(1), signed: true }, values, series },
  ]
  const line = { sign: 'line', ink: 'one', text: say('gross') } as const
  const key = [line, isNet && ({ sign: 'dashed', ink: 'two', text: say('net') } as const)]
  const said = say('cumulative said', { ahead: ahead(first.horizon) })
  return section(sheet, { id: 'spread', title: say('cumulative'), said, strips, key })
}

/** Turnover, autocorrelation and coverage by date. */
export function stabilityChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { turnover, rankAutocorrelation, names, coverage } = study
  const [top, bottom] = [turnover.at(-1) as Values, turnover[0] as Values]
  const strip = (name: string, own: Values, format: NumberForm): Strip => {
    return { name, format, values: { [name]: own }, series: [lineSeries(own, 'one')] }
  }
  const turned = strip(say('axis turnover of'), top, percentOf(0))
  const strips = [
    {
      ...turned,
      zero: true,
      values: { [say('top')]: top, [say('bottom')]: bottom },
      series: [...turned.series, lineSeries(bottom, 'two', dashed)],
    },
    strip(say('autocorrelation'), rankAutocorrelation, numbersOf(3)),
    strip(say('axis names'), names, { digits: 0 }),
    ...(coverage.every(Number.isNaN) ? [] : [strip(say('axis coverage'), coverage, percentOf(1))]),
  ]
  return section(sheet, { id: 'stability', title: say('stability'), said: say('stability said'), strips })
}
