import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { presentNumbers } from '../../../frame/table/quantiles.js'
import { timesNeeded } from '../../analysis/performance/factor-quantiles.js'
import type { SignalHorizon } from '../../analysis/performance/factor-study.js'
import { neweyWest } from '../../analysis/performance/newey-west.js'
import { meanOf } from '../../analysis/performance/return-moments.js'
import { fixed, formatCount, type NumberForm } from '../format-number.js'
import { type GridColumn, grid, html, htmlGrid, type Section } from '../html.js'
import { barSeries, lineSeries, type PlotSeries } from '../plot.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { courseSections, cumulativeChart, icHistogram } from './factor-course.js'
import { dashedLine, type FactorValues, factorFigure, percentForm, plainForm, type Strip } from './factor-figure.js'
import { type FactorSheet, spreadDatesText } from './factor-sheet.js'

type Figures = Pick<SignalHorizon, 'horizon' | 'meanIc' | 't' | 'spread' | 'netSpread'>

/** A part of the names or of the times, and its figures at the horizons that are shown. */
interface FactorPart {
  readonly name: string
  readonly names?: number
  readonly figures: readonly Figures[]
}

/** Figures of each year; none where times are no dates. */
export function yearsOf({ study, shown }: FactorSheet): readonly FactorPart[] {
  const { times } = study.signal
  const years = [...new Set(times.flatMap((time) => (/^\d{8}/.test(time) ? [time.slice(0, 4)] : [])))]
  return years.map((year) => {
    const within = (x: Float64Array): Float64Array => presentNumbers(x.filter((_, t) => times[t]?.startsWith(year)))
    const figures = shown.map(({ horizon, ic, spreads, netSpreads }): Figures => {
      const own = within(ic)
      const { error } = neweyWest(own, horizon)
      const t = error > 0 ? meanOf(own) / error : Number.NaN
      const spreadOf = (all: Float64Array): number => {
        const there = within(all)
        return there.length < timesNeeded(own.length) ? Number.NaN : meanOf(there)
      }
      return { horizon, meanIc: meanOf(own), t, spread: spreadOf(spreads), netSpread: spreadOf(netSpreads) }
    })
    return { name: year, figures }
  })
}

/** A figure of a horizon: what it is called, and how it is written. */
export interface HorizonFigure {
  readonly name: (say: Say) => string
  readonly of: (horizon: SignalHorizon, sheet: FactorSheet) => string
}

// biome-ignore format: a table, one figure a line
export const horizonFigures: readonly HorizonFigure[] = [
  { name: (say) => say('Times with an IC'), of: ({ dates }) => formatCount(dates) },
  { name: (say) => say('Mean IC'), of: ({ meanIc }) => fixed(meanIc, 4) },
  { name: (say) => say('Standard error (Newey-West)'), of: ({ error }) => fixed(error, 4) },
  { name: (say) => say('t (Newey-West)'), of: ({ t }) => fixed(t, 2) },
  { name: (say) => say('t as if nothing overlapped'), of: ({ plainT }) => fixed(plainT, 2) },
  { name: (say) => say('Standard deviation of the IC'), of: ({ stdIc }) => fixed(stdIc, 4) },
  { name: (say) => say('IR, mean / deviation'), of: ({ ir }) => fixed(ir, 2) },
  { name: (say) => say('Share of times above 0'), of: ({ positive }) => percentText(positive, 1) },
  { name: (say) => say('Spread, top less bottom'), of: ({ spread }) => signedPercent(spread, 3) },
  { name: (say) => say('Spread: dates with both top and bottom'), of: (one, sheet) => spreadDatesText(sheet, one) },
  { name: (say) => say('Spread after costs'), of: ({ netSpread }) => signedPercent(netSpread, 3) },
  { name: (say) => say('Monotonicity of the quantiles'), of: ({ monotonicity }) => fixed(monotonicity, 2) },
  { name: (say) => say('Return of the factor, a horizon'), of: ({ meanFactorReturn }) => signedPercent(meanFactorReturn, 3) },
  { name: (say) => say(fact('FACTOR_TABLES', 'Alpha, a year')), of: ({ alpha }) => signedPercent(alpha) },
  { name: (say) => say('Beta to the mean of all names'), of: ({ beta }) => fixed(beta, 2) },
]

/** All figures of each horizon. */
function factorFigures(sheet: FactorSheet): Section {
  const { say, shown, ahead } = sheet
  const title = say('Figures')
  const table = htmlGrid(title, horizonFigures, [
    grid.text<HorizonFigure>(say('figure'), ({ name }) => name(say), 'name'),
    ...shown.map((one) => grid.number<HorizonFigure>(ahead(one.horizon), undefined, ({ of }) => of(one, sheet))),
  ])
  const note = say(
    'Returns run from the next price at which the score could be traded. IC is Spearman’s correlation at each time with at least 5 names. The factor’s weights are (x − mean) / Σ|x − mean|.',
  )
  return { id: 'figures', title, body: html`<p class="note">${note}</p>\n${table}` }
}

const thirds: Readonly<Record<string, (by: string, say: Say) => string>> = {
  low: (by, say) => say`${by}: low`,
  middle: (by, say) => say`${by}: middle`,
  high: (by, say) => say`${by}: high`,
}

/** Where the factor holds: groups, years, and without what it is exposed to. */
function factorParts(sheet: FactorSheet): Section {
  const { say, study, shown, ahead } = sheet
  const of = (all: readonly SignalHorizon[]) =>
    all.filter((one) => shown.some(({ horizon }) => horizon === one.horizon))
  const by = study.signal.groups?.by ?? ''
  const groups = study.groups.map(
    ({ name, names, horizons }): FactorPart => ({
      name: thirds[name]?.(by, say) ?? name,
      names,
      figures: of(horizons),
    }),
  )
  const neutral = study.neutral ? [{ name: say('neutral'), figures: of(study.neutral) }] : []
  const rows = [{ name: say('all'), figures: shown }, ...groups, ...neutral, ...yearsOf(sheet)]
  const columns = shown.flatMap(({ horizon }, at): GridColumn<FactorPart>[] => [
    grid.number(say('Mean IC'), ahead(horizon), ({ figures }) => fixed(figures[at]?.meanIc, 4)),
    grid.number('t', ahead(horizon), ({ figures }) => fixed(figures[at]?.t, 2)),
    grid.number(say('Spread, top less bottom'), ahead(horizon), ({ figures }) => signedPercent(figures[at]?.spread, 3)),
  ])
  const table = htmlGrid(say('Where it holds'), rows, [
    grid.text<FactorPart>(say('part'), ({ name }) => name),
    grid.number<FactorPart>(say('names'), undefined, ({ names }) => fixed(names, 1)),
    ...columns,
  ])
  const exposures =
    study.exposures.length > 0 &&
    html`<h3>${say(fact('FACTOR_TABLES', 'Exposure'))}</h3>
<p class="note">${say('Mean Spearman correlation of the score with each column, and what is left after it is taken out.')}</p>
${htmlGrid(say(fact('FACTOR_TABLES', 'Exposure')), study.exposures, [
  grid.text(say('column'), ({ name }) => html`<bdi>${name}</bdi>`),
  grid.number(say('with the score'), undefined, ({ mean }) => fixed(mean, 3)),
  grid.number(say('neutral'), undefined, ({ neutral: left }) => fixed(left, 3)),
])}`
  return {
    id: 'parts',
    title: say('Where it holds'),
    body: html`<p class="note">${say('The same figures within groups, by year, and of the score with the groups and the ranks of the columns below taken out: residuals of least squares of its ranks at each time.')}</p>\n${table}${exposures}`,
  }
}

/** Coefficients by date with their mean and two errors about it. */
function informationChart(sheet: FactorSheet): Promise<Section> {
  const { say, study, shown, ahead } = sheet
  const strips = shown.map(({ horizon, ic, meanIc, error }): Strip => {
    const flat = (errors: number): FactorValues => ic.map(() => meanIc + errors * error)
    const band = [
      lineSeries(flat(0), 'two'),
      lineSeries(flat(-2), 'two', dashedLine),
      lineSeries(flat(2), 'two', dashedLine),
    ]
    const [name, head] = [say`IC, ${ahead(horizon)}`, ahead(horizon)]
    return {
      name,
      zero: true,
      format: plainForm(1),
      values: [[head, ic] as const],
      series: [barSeries(ic, 'one'), ...band],
    }
  })
  const said = say`Bars: IC of each time; line: its mean; dashed: two standard errors either way. ${formatCount(study.leftOut)} times with scores have fewer than two names a quantile, or equal scores alone, and no quantiles.`
  const mean = { sign: 'line', ink: 'two', text: say('mean') } as const
  const key = [{ sign: 'solid', ink: 'one', text: 'IC' } as const, mean]
  return factorFigure(sheet, { id: 'information', title: say('Information by date'), said, strips, key })
}

/** How information decays, with its errors. */
function decayChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { dates, meanIc, error } = study.decay
  const ends: PlotSeries = {
    kind: 'whiskers',
    ink: 'two',
    at: Array.from(meanIc, (mean, at) => {
      const two = 2 * (error[at] as number)
      return Number.isNaN(mean + two) ? null : [mean - two, mean, mean + two]
    }),
  }
  const values = [
    [say('Mean IC'), meanIc],
    [say('Standard error (Newey-West)'), error],
  ] as const
  const series = [barSeries(meanIc, 'one', { hollow: true }), ends]
  const strips = [{ name: say('Mean IC, by horizon'), zero: true, format: plainForm(2), values, series }]
  const places = study.horizons.map(({ horizon }) => sheet.ahead(horizon))
  const said = say`Mean IC by horizon over the same ${formatCount(dates)} times; whiskers: two standard errors either way.`
  const key = [
    { sign: 'hollow', ink: 'one', text: say('Mean IC') },
    { sign: 'line', ink: 'two', text: say('two standard errors either way') },
  ] as const
  return factorFigure(sheet, { id: 'decay', title: say('Decay'), said, places, strips, key })
}

/** Returns of quantiles before and after costs. */
function quantileChart(sheet: FactorSheet): Promise<Section> {
  const { say, shown, first, ahead } = sheet
  const [gross, net] = [say('before costs'), say('after costs')]
  const strips = shown.map(({ horizon, quantileReturns: own, netQuantileReturns: after }): Strip => {
    const name = say`Mean return over ${ahead(horizon)}, by quantile`
    const values = [
      [`${gross}${say(', ')}${ahead(horizon)}`, own],
      [`${net}${say(', ')}${ahead(horizon)}`, after],
    ] as const
    const series = [barSeries(own, 'one', { beside: true }), barSeries(after, 'two', { beside: true, hollow: true })]
    return { name, zero: true, format: percentForm(2), values, series }
  })
  const places = Array.from(first.quantileReturns, (_, at) => String(at + 1))
  const hollow = { sign: 'hollow', ink: 'two', text: net } as const
  const key = [{ sign: 'solid', ink: 'one', text: gross } as const, hollow]
  const { quantileDates: dates } = first
  const uneven = dates.some((one) => one !== dates[0])
    ? ` ${say`Dates behind the quantiles, from 1: ${[...dates].join(', ')}.`}`
    : ''
  const said = `${say('Mean over names, then over times; 1 has the lowest scores. After costs: equal weights, turned over each horizon, names that enter are bought and names that leave sold with commission, slippage, stamp and transfer of their class; the least commission of an order is left out.')}${uneven}`
  return factorFigure(sheet, { id: 'quantiles', title: say('Quantile returns'), said, places, strips, key })
}

/** Turnover, autocorrelation and coverage by date. */
function stabilityChart(sheet: FactorSheet): Promise<Section> {
  const { say, study } = sheet
  const { turnover, rankAutocorrelation, names, coverage } = study
  const [top, bottom] = [turnover.at(-1) as FactorValues, turnover[0] as FactorValues]
  const strip = (name: string, own: FactorValues, format: NumberForm): Strip => {
    return { name, format, values: [[name, own] as const], series: [lineSeries(own, 'one')] }
  }
  const turned = strip(say('New names: top; dashed: bottom'), top, percentForm(0))
  const strips = [
    {
      ...turned,
      zero: true,
      values: [[say('top'), top] as const, [say('bottom'), bottom] as const],
      series: [...turned.series, lineSeries(bottom, 'two', dashedLine)],
    },
    strip(say('Autocorrelation of ranks'), rankAutocorrelation, plainForm(3)),
    strip(say('Names with a score'), names, { digits: 0 }),
    ...(coverage.every(Number.isNaN) ? [] : [strip(say('Coverage'), coverage, percentForm(1))]),
  ]
  return factorFigure(sheet, {
    id: 'stability',
    title: say('Turnover and coverage'),
    said: say(
      'Share of the names of top and bottom that are new, rank autocorrelation with the time before, names with a score, and their share of the names that traded at the fill.',
    ),
    strips,
  })
}

/** The sections of the page, in reading order: first what it earned. */
export async function factorSections(
  sheet: FactorSheet,
): Promise<{ readonly first: readonly Section[]; readonly sections: readonly Section[] }> {
  const drawn: Section[] = []
  drawn.push(await quantileChart(sheet), await informationChart(sheet), ...(await courseSections(sheet)))
  for (const chart of [icHistogram, decayChart, stabilityChart]) drawn.push(await chart(sheet))
  return { first: [await cumulativeChart(sheet)], sections: [...drawn, factorFigures(sheet), factorParts(sheet)] }
}
