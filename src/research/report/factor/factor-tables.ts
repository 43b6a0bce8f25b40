import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { presentNumbers } from '../../../frame/table/quantiles.js'
import { timesNeeded } from '../../analysis/performance/factor-quantiles.js'
import type { SignalHorizon } from '../../analysis/performance/factor-study.js'
import { neweyWest } from '../../analysis/performance/newey-west.js'
import { meanOf } from '../../analysis/performance/return-moments.js'
import { fixed, formatCount } from '../format-number.js'
import { type GridColumn, gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
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
interface HorizonFigure {
  readonly name: (say: Say) => string
  readonly of: (horizon: SignalHorizon, sheet: FactorSheet) => string
}

// biome-ignore format: a table, one figure a line
const horizonFigures: readonly HorizonFigure[] = [
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
export function factorFigures(sheet: FactorSheet): Section {
  const { say, shown, ahead } = sheet
  const title = say('Figures')
  const grid = htmlGrid(title, horizonFigures, [
    gridText<HorizonFigure>(say('figure'), ({ name }) => name(say), 'name'),
    ...shown.map((one) => gridNumber<HorizonFigure>(ahead(one.horizon), undefined, ({ of }) => of(one, sheet))),
  ])
  const note = say(
    'Returns run from the next price at which the score could be traded. IC is Spearman’s correlation at each time with at least 5 names. The factor’s weights are (x − mean) / Σ|x − mean|.',
  )
  return { id: 'figures', title, body: html`<p class="note">${note}</p>\n${grid}` }
}

const thirds: Readonly<Record<string, (by: string, say: Say) => string>> = {
  low: (by, say) => say`${by}: low`,
  middle: (by, say) => say`${by}: middle`,
  high: (by, say) => say`${by}: high`,
}

/** Where the factor holds: groups, years, and without what it is exposed to. */
export function factorParts(sheet: FactorSheet): Section {
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
    gridNumber(say('Mean IC'), ahead(horizon), ({ figures }) => fixed(figures[at]?.meanIc, 4)),
    gridNumber('t', ahead(horizon), ({ figures }) => fixed(figures[at]?.t, 2)),
    gridNumber(say('Spread, top less bottom'), ahead(horizon), ({ figures }) => signedPercent(figures[at]?.spread, 3)),
  ])
  const grid = htmlGrid(say('Where it holds'), rows, [
    gridText<FactorPart>(say('part'), ({ name }) => name),
    gridNumber<FactorPart>(say('names'), undefined, ({ names }) => fixed(names, 1)),
    ...columns,
  ])
  const exposures =
    study.exposures.length > 0 &&
    html`<h3>${say(fact('FACTOR_TABLES', 'Exposure'))}</h3>
<p class="note">${say('Mean Spearman correlation of the score with each column, and what is left after it is taken out.')}</p>
${htmlGrid(say(fact('FACTOR_TABLES', 'Exposure')), study.exposures, [
  gridText(say('column'), ({ name }) => html`<bdi>${name}</bdi>`),
  gridNumber(say('with the score'), undefined, ({ mean }) => fixed(mean, 3)),
  gridNumber(say('neutral'), undefined, ({ neutral: left }) => fixed(left, 3)),
])}`
  return {
    id: 'parts',
    title: say('Where it holds'),
    body: html`<p class="note">${say('The same figures within groups, by year, and of the score with the groups and the ranks of the columns below taken out: residuals of least squares of its ranks at each time.')}</p>\n${grid}${exposures}`,
  }
}
