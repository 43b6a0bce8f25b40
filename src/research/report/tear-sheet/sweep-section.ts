import { fact } from '../../../contract/sentence.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { chartFigure, daysFigure } from '../chart-figure.js'
import { fixed, formatCount } from '../format-number.js'
import { type GridColumn, grid, type Html, html, htmlGrid, type Section } from '../html.js'
import { daySpan } from '../page-header.js'
import { barSeries, lineSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import type { SheetSweep, SheetWalk } from './sheet-input.js'
import { type HeatCell, heatTable, levelShade, percentText, signedPercent } from './sheet-parts.js'

type Fold = SheetWalk['folds'][number]

function paramsText(params: Fold['params']): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ')
}

function foldChart(sheet: RunSheet, { folds }: SheetWalk): Promise<Html> {
  const { say } = sheet
  const ratio = (value: number): string => fixed(value, 2)
  const [inside, outside] = [folds.map((fold) => fold.inSample), folds.map((fold) => fold.outOfSample)]
  return chartFigure(sheet.say, {
    id: 'sheet-folds',
    title: say('In sample against out of sample'),
    desc: folds.map((fold) => `${ratio(fold.inSample)} / ${ratio(fold.outOfSample)}`).join('; '),
    x: { dates: folds.map(({ test: [first] }) => first), every: folds.length <= 10 },
    panels: [
      {
        name: say('Sharpe ratio by fold, at its first test day'),
        height: 160,
        zero: true,
        format: { digits: 2 },
        series: [barSeries(inside, 'one', { beside: true }), barSeries(outside, 'two', { beside: true, hollow: true })],
      },
    ],
    key: [
      { sign: 'solid', ink: 'one', text: say('in sample') },
      { sign: 'hollow', ink: 'two', text: say('out of sample') },
    ],
    caption: say(
      'Sharpe ratios by fold: of the days by which the params were chosen, and of the days after them on which they were held.',
    ),
    rows: folds,
    columns: [
      grid.text(say('training days'), ({ train }: Fold) => daySpan(say, ...train)),
      grid.text(say('test days'), ({ test }: Fold) => daySpan(say, ...test)),
      grid.text(say(fact('WALK_SECTION', 'params')), ({ params }: Fold) => paramsText(params), 'reason'),
      grid.number(say('in sample'), undefined, ({ inSample }: Fold) => ratio(inSample)),
      grid.number(say('out of sample'), undefined, ({ outOfSample }: Fold) => ratio(outOfSample)),
    ],
  })
}

function walkCurve({ say }: RunSheet, { days, equity, start }: SheetWalk): Promise<Html> {
  const levels = equity.map((value) => (100 * value) / start)
  const title = say('The account out of sample')
  const panel = { name: say('Start = 100'), height: 150, format: { digits: 1, exact: 2 } }
  return daysFigure(say, {
    id: 'sheet-walk',
    title,
    desc: title,
    x: { dates: days },
    panels: [{ ...panel, series: [lineSeries(levels, 'one')] }],
    columns: [grid.values(say('out of sample'), undefined, levels, (value) => fixed(value, 2))],
  })
}

/** Params chosen on some days and held on the next. */
export async function walkSection(sheet: RunSheet): Promise<Section | undefined> {
  const { say } = sheet
  const walk = sheet.options.walkForward
  if (!walk) return undefined
  const said = say`${formatCount(walk.folds.length)} folds, ${formatCount(walk.days.length)} days out of sample: ${signedPercent(walk.performance.total)}. The mean Sharpe ratio of the choices is ${fixed(walk.inSample, 2)} in sample; the account that they made has ${fixed(walk.performance.sharpe, 2)}.`
  const lost = Number.isNaN(walk.degradation)
    ? say('With nothing gained in sample there is nothing to lose.')
    : say`Lost: ${percentText(walk.degradation, 0)}.`
  const body = html`<p>${sentences(sheet.say, said, lost)}</p>
${await foldChart(sheet, walk)}${await walkCurve(sheet, walk)}`
  return { id: 'walk-forward', title: say('In sample against out of sample'), body }
}

type Trial = SheetSweep['trials'][number]

/** Values of a param in the order in which they were tried. */
function valuesOf(trials: readonly Trial[], name: string): string[] {
  return [...new Set(trials.map(({ params }) => String(params[name])))]
}

/** Params of which more than one value was tried. */
function variedParams({ trials }: SheetSweep): string[] {
  return Object.keys(trials[0]?.params ?? {}).filter((name) => valuesOf(trials, name).length > 1)
}

/** A map of the Sharpe ratio over two params; others are held at those of the best trial. */
function pairMap(
  { say }: RunSheet,
  { trials, best }: SheetSweep,
  [down, across]: readonly [string, string | undefined],
): Html {
  const fixedAt = best ?? trials[0]
  const varied = variedParams({ trials }).filter((name) => name !== down && name !== across)
  const isHere = ({ params }: Trial): boolean => varied.every((name) => params[name] === fixedAt?.params[name])
  const here = trials.filter(isHere)
  const at = (row: string, column: string | undefined): Trial | undefined =>
    here.find(
      ({ params }) => String(params[down]) === row && (across === undefined || String(params[across]) === column),
    )
  const sharpes = here.map(({ performance }) => performance.sharpe).filter((x) => !Number.isNaN(x))
  const [low, high] = [Math.min(...sharpes), Math.max(...sharpes)]
  const columns = across === undefined ? [undefined] : valuesOf(here, across)
  const rows = valuesOf(here, down).map((row) => ({
    head: `${down} = ${row}`,
    cells: columns.map((column): HeatCell | undefined => {
      const trial = at(row, column)
      if (!trial) return undefined
      const { sharpe } = trial.performance
      return { text: fixed(sharpe, 2), shade: levelShade(sharpe, low, high), isChosen: trial.params === best?.params }
    }),
  }))
  const heads = columns.map((column) => (column === undefined ? say('Sharpe') : `${across} = ${column}`))
  const held = varied.map((name) => `${name} = ${String(fixedAt?.params[name])}`).join(', ')
  const label = across === undefined ? down : `${down} × ${across}`
  return html`<h3>${label}</h3>
${held !== '' && html`<p class="note">${say`${held}, as in the best trial.`}</p>`}${heatTable(label, ['', ...heads], rows)}`
}

/** The first three pairs of params that were varied, or the only one. */
function mapsOf(sheet: RunSheet, sweep: SheetSweep): Html[] {
  const names = variedParams(sweep)
  const [first] = names
  if (first === undefined) return []
  if (names.length === 1) return [pairMap(sheet, sweep, [first, undefined])]
  const pairs = names.flatMap((down, at) => names.slice(at + 1).map((across) => [down, across] as const))
  return pairs.slice(0, 3).map((pair) => pairMap(sheet, sweep, pair))
}

const most = 50

function trialTable({ say }: RunSheet, { trials }: SheetSweep): Html {
  const rated = trials
    .map((trial, place) => ({ ...trial, place }))
    .sort((a, b) => (b.performance.sharpe || -1e9) - (a.performance.sharpe || -1e9) || a.place - b.place)
  const shown = rated.slice(0, most)
  const params: GridColumn<(typeof rated)[number]>[] = Object.keys(trials[0]?.params ?? {}).map((name) =>
    grid.text(name, (trial) => String(trial.params[name])),
  )
  return html`<details><summary>${say`The ${formatCount(shown.length)} best of ${formatCount(trials.length)} trials`}</summary>
${htmlGrid(say('Trials'), shown, [
  ...params,
  grid.number(say('Sharpe'), undefined, ({ performance }) => fixed(performance.sharpe, 2)),
  grid.number(say(fact('SWEEP_SECTION', 'total')), undefined, ({ performance }) => signedPercent(performance.total)),
  grid.number(say('drawdown'), undefined, ({ performance }) => percentText(performance.maxDrawdown.depth)),
  grid.number(say('turnover'), undefined, ({ performance }) => fixed(performance.turnover, 2)),
])}</details>`
}

/** How the Sharpe ratio hangs on the params that were tried. */
export function sweepSection(sheet: RunSheet): Section | undefined {
  const { say } = sheet
  const { sweep } = sheet.options
  if (!sweep || sweep.trials.length === 0) return undefined
  const sharpes = sweep.trials.map(({ performance }) => performance.sharpe).filter((x) => !Number.isNaN(x))
  const said = say`${formatCount(sweep.trials.length)} trials: the best Sharpe ratio is ${fixed(sweep.best?.performance.sharpe ?? Number.NaN, 2)}, the median ${fixed(quantile(sharpes, 0.5), 2)}; ${formatCount(sweep.trials.filter(({ performance }) => performance.total > 0).length)} of them gained.`
  const body = html`<p>${said}</p>
<p class="note">${say('Sharpe ratios; the best trial is marked. A good cell among bad neighbours is luck more often than skill.')}</p>
${mapsOf(sheet, sweep)}${trialTable(sheet, sweep)}`
  return { id: 'sweep', title: say('Sensitivity to the params'), body }
}
