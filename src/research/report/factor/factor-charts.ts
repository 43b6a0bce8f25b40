import { day, fixed, formatCount } from '../format-number.js'
import { type GridColumn, gridDays, gridText, gridValues, type Section } from '../html.js'
import { barSeries, lineSeries, type Plot, type PlotPanel } from '../plot.js'
import { percentText, sheetChart, shownDays, signedPercent } from '../tear-sheet/sheet-parts.js'
import type { FactorSheet } from './factor-sheet.js'

interface FactorChart {
  readonly id: string
  readonly title: string
  readonly said: string
  readonly x: Plot['x']
  readonly rows: readonly number[]
  readonly panels: readonly PlotPanel[]
  readonly key?: Parameters<typeof sheetChart>[1]['key']
  readonly columns: readonly GridColumn<number>[]
}

async function section(sheet: FactorSheet, { id, said, key = [], ...chart }: FactorChart): Promise<Section> {
  const body = await sheetChart(sheet, { ...chart, key, id: `factor-${id}`, desc: said, caption: said })
  return { id, title: chart.title, body }
}

const ratio = (value: number | undefined): string => fixed(value, 3)
const share = (value: number | undefined): string => percentText(value, 1)
const signed = (value: number | undefined): string => signedPercent(value, 3)

/** Coefficients by date with their mean and two errors about it. */
export function informationChart(sheet: FactorSheet): Promise<Section> {
  const { say, study, shown, ahead } = sheet
  const { times } = study.signal
  const flat = (value: number): Float64Array => new Float64Array(times.length).fill(value)
  const panels = shown.map(({ horizon, ic, meanIc, error }): PlotPanel => {
    const [line, dash] = [{}, { dash: 'dashed' as const }]
    const lines = [
      lineSeries(flat(meanIc), 'two', line),
      ...[-2, 2].map((n) => lineSeries(flat(meanIc + n * error), 'two', dash)),
    ]
    const name = say('axis IC', { ahead: ahead(horizon) })
    return { name, height: 120, zero: true, format: (v) => fixed(v, 1), series: [barSeries(ic, 'one'), ...lines] }
  })
  return section(sheet, {
    id: 'information',
    title: say('information'),
    said: say('information said', { left: formatCount(study.leftOut) }),
    x: { dates: times },
    panels,
    key: [
      { sign: 'solid', ink: 'one', text: 'IC' },
      { sign: 'line', ink: 'two', text: say('mean') },
    ],
    rows: shownDays(times),
    columns: [
      gridDays(say('day'), times),
      ...shown.map((one) => gridValues(ahead(one.horizon), undefined, one.ic, ratio)),
    ],
  })
}

/** How information decays, with its errors. */
export function decayChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { dates, meanIc, error } = study.decay
  const heads = study.horizons.map(({ horizon }) => sheet.ahead(horizon))
  const whiskers = Array.from(meanIc, (mean, at): readonly [number, number, number, number] | null => {
    const far = 2 * (error[at] as number)
    return Number.isNaN(far) ? null : [mean, mean, mean - far, mean + far]
  })
  const series = [barSeries(meanIc, 'one'), { kind: 'candles', at: whiskers, rise: 'two', fall: 'two' } as const]
  return section(sheet, {
    id: 'decay',
    title: say('decay'),
    said: say('decay said', { dates: formatCount(dates) }),
    x: { dates: heads, label: (place) => place, every: true },
    panels: [{ name: say('axis decay'), height: 170, zero: true, format: (v) => fixed(v, 2), series }],
    rows: [...heads.keys()],
    columns: [
      gridText('', (at) => heads[at]),
      gridValues(say('mean IC'), undefined, meanIc, (v) => fixed(v, 4)),
      gridValues(say('error'), undefined, error, (v) => fixed(v, 4)),
    ],
  })
}

/** Returns of quantiles before and after costs. */
export function quantileChart(sheet: FactorSheet): Promise<Section> {
  const { say, shown, first, ahead } = sheet
  const numbers = [...first.quantileReturns.keys()]
  const panels = shown.map(({ horizon, quantileReturns, netQuantileReturns }): PlotPanel => {
    const net = barSeries(netQuantileReturns, 'two', { beside: true, hollow: true })
    const series = [barSeries(quantileReturns, 'one', { beside: true }), net]
    const name = say('axis quantiles', { ahead: ahead(horizon) })
    return { name, height: 120, zero: true, format: (v) => percentText(v), series }
  })
  return section(sheet, {
    id: 'quantiles',
    title: say('quantiles'),
    said: say('quantiles said'),
    x: { dates: numbers.map((at) => String(at + 1)), label: (place) => place, every: true },
    panels,
    key: [
      { sign: 'solid', ink: 'one', text: say('gross') },
      { sign: 'hollow', ink: 'two', text: say('net') },
    ],
    rows: numbers,
    columns: [
      gridText('', (at) => String(at + 1)),
      ...shown.flatMap(({ horizon, quantileReturns, netQuantileReturns }) => [
        gridValues(say('gross'), ahead(horizon), quantileReturns, signed),
        gridValues(say('net'), ahead(horizon), netQuantileReturns, signed),
      ]),
    ],
  })
}

/** The spread added up. */
export function spreadChart(sheet: FactorSheet): Promise<Section> {
  const { say, study, first } = sheet
  const { times } = study.signal
  const running = (spreads: Float64Array): Float64Array => {
    let sum = 0
    return spreads.map((one) => {
      sum += Number.isNaN(one) ? 0 : one / first.horizon
      return sum
    })
  }
  const isNet = !Number.isNaN(first.netSpread)
  const [gross, net] = [running(first.spreads), running(first.netSpreads)]
  const nets = isNet ? [lineSeries(net, 'two', { dash: 'dashed' })] : []
  return section(sheet, {
    id: 'spread',
    title: say('cumulative'),
    said: say('cumulative said', { ahead: sheet.ahead(first.horizon) }),
    x: { dates: times },
    panels: [
      {
        name: say('axis cumulative'),
        height: 190,
        zero: true,
        format: (v) => percentText(v, 1),
        series: [lineSeries(gross, 'one'), ...nets],
      },
    ],
    key: [{ sign: 'line', ink: 'one', text: say('gross') }, isNet && { sign: 'dashed', ink: 'two', text: say('net') }],
    rows: shownDays(times),
    columns: [
      gridDays(say('day'), times),
      gridValues(say('gross'), undefined, gross, signed),
      ...(isNet ? [gridValues(say('net'), undefined, net, signed)] : []),
    ],
  })
}

/** Turnover, autocorrelation and coverage by date. */
export function stabilityChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { turnover, rankAutocorrelation, names, coverage } = study
  const { times } = study.signal
  const [top, bottom] = [turnover.at(-1) as Float64Array, turnover[0] as Float64Array]
  const line = (name: string, values: Float64Array, format: (value: number | undefined) => string): PlotPanel => ({
    name,
    height: 100,
    format,
    series: [lineSeries(values, 'one')],
  })
  const turned = line(say('axis turnover of'), top, (v) => percentText(v, 0))
  const known = coverage.some((one) => !Number.isNaN(one))
  const panels = [
    { ...turned, zero: true, series: [...turned.series, lineSeries(bottom, 'two', { dash: 'dashed' })] },
    line(say('autocorrelation'), rankAutocorrelation, ratio),
    line(say('axis names'), names, (v) => fixed(v, 0)),
    ...(known ? [line(say('axis coverage'), coverage, share)] : []),
  ]
  return section(sheet, {
    id: 'stability',
    title: say('stability'),
    said: say('stability said'),
    x: { dates: times },
    panels,
    rows: shownDays(times),
    columns: [
      gridText(say('day'), (at) => day(times[at])),
      gridValues(say('top'), undefined, top, share),
      gridValues(say('bottom'), undefined, bottom, share),
      gridValues(say('autocorrelation'), undefined, rankAutocorrelation, ratio),
      gridValues(say('names'), undefined, names, (v) => fixed(v, 0)),
      ...(known ? [gridValues(say('axis coverage'), undefined, coverage, share)] : []),
    ],
  })
}
