import { presentNumbers } from '../../../frame/table/quantiles.js'
import { timesNeeded } from '../../analysis/performance/factor-quantiles.js'
import type { SignalHorizon } from '../../analysis/performance/factor-study.js'
import { neweyWest } from '../../analysis/performance/newey-west.js'
import { meanOf } from '../../analysis/performance/return-moments.js'
import { fixed, formatCount } from '../format-number.js'
import { type GridColumn, gridNumber, gridText, html, htmlGrid, type Section } from '../html.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { type FactorSheet, spreadDatesText } from './factor-sheet.js'
import type { factorWords } from './factor-words.js'

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

const forms: readonly (readonly [keyof typeof factorWords, (of: SignalHorizon, sheet: FactorSheet) => string])[] = [
  ['dates', ({ dates }) => formatCount(dates)],
  ['mean IC', ({ meanIc }) => fixed(meanIc, 4)],
  ['error', ({ error }) => fixed(error, 4)],
  ['t', ({ t }) => fixed(t, 2)],
  ['plain t', ({ plainT }) => fixed(plainT, 2)],
  ['std', ({ stdIc }) => fixed(stdIc, 4)],
  ['ir', ({ ir }) => fixed(ir, 2)],
  ['positive', ({ positive }) => percentText(positive, 1)],
  ['spread', ({ spread }) => signedPercent(spread, 3)],
  ['spread dates', (of, sheet) => spreadDatesText(sheet, of)],
  ['net spread', ({ netSpread }) => signedPercent(netSpread, 3)],
  ['monotonicity', ({ monotonicity }) => fixed(monotonicity, 2)],
  ['factor return', ({ meanFactorReturn }) => signedPercent(meanFactorReturn, 3)],
  ['alpha', ({ alpha }) => signedPercent(alpha)],
  ['beta', ({ beta }) => fixed(beta, 2)],
]

/** All figures of each horizon. */
export function factorFigures(sheet: FactorSheet): Section {
  const { say, shown, ahead } = sheet
  const columns = shown.map((one) =>
    gridNumber(ahead(one.horizon), undefined, ([, write]: (typeof forms)[number]) => write(one, sheet)),
  )
  const grid = htmlGrid(say('figures'), forms, [gridText(say('figure'), ([name]) => say(name), 'name'), ...columns])
  return { id: 'figures', title: say('figures'), body: html`<p class="note">${say('figures said')}</p>\n${grid}` }
}

/** Where the factor holds: groups, years, and without what it is exposed to. */
export function factorParts(sheet: FactorSheet): Section {
  const { say, study, shown, ahead } = sheet
  const of = (all: readonly SignalHorizon[]) =>
    all.filter((one) => shown.some(({ horizon }) => horizon === one.horizon))
  const by = study.signal.groups?.by ?? ''
  const groups = study.groups.map(({ name, names, horizons }): FactorPart => {
    const isThird = name === 'low' || name === 'middle' || name === 'high'
    return { name: isThird ? say(name, { by }) : name, names, figures: of(horizons) }
  })
  const neutral = study.neutral ? [{ name: say('neutral'), figures: of(study.neutral) }] : []
  const rows = [{ name: say('all'), figures: shown }, ...groups, ...neutral, ...yearsOf(sheet)]
  const columns = shown.flatMap(({ horizon }, at): GridColumn<FactorPart>[] => [
    gridNumber(say('mean IC'), ahead(horizon), ({ figures }) => fixed(figures[at]?.meanIc, 4)),
    gridNumber('t', ahead(horizon), ({ figures }) => fixed(figures[at]?.t, 2)),
    gridNumber(say('spread'), ahead(horizon), ({ figures }) => signedPercent(figures[at]?.spread, 3)),
  ])
  const grid = htmlGrid(say('parts'), rows, [
    gridText<FactorPart>(say('part'), ({ name }) => name),
    gridNumber<FactorPart>(say('names'), undefined, ({ names }) => fixed(names, 1)),
    ...columns,
  ])
  const exposures =
    study.exposures.length > 0 &&
    html`<h3>${say('exposure')}</h3>
<p class="note">${say('exposure said')}</p>
${htmlGrid(say('exposure'), study.exposures, [
  gridText(say('column'), ({ name }) => html`<bdi>${name}</bdi>`),
  gridNumber(say('with score'), undefined, ({ mean }) => fixed(mean, 3)),
  gridNumber(say('neutral'), undefined, ({ neutral: left }) => fixed(left, 3)),
])}`
  return { id: 'parts', title: say('parts'), body: html`<p class="note">${say('parts said')}</p>\n${grid}${exposures}` }
}
