import { fact } from '../../../contract/sentence.js'
import { chartFigure } from '../chart-figure.js'
import { fixed, formatCount } from '../format-number.js'
import { gridDays, gridNumber, gridText, gridValues, type Html, html, type Section } from '../html.js'
import { daySpan } from '../page-header.js'
import { barSeries, lineSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import type { SheetWalk } from './sheet-input.js'
import { percentText, shownDays, signedPercent } from './sheet-parts.js'

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
      gridText(say('training days'), ({ train }: Fold) => daySpan(say, ...train)),
      gridText(say('test days'), ({ test }: Fold) => daySpan(say, ...test)),
      gridText(say(fact('WALK_SECTION', 'params')), ({ params }: Fold) => paramsText(params), 'reason'),
      gridNumber(say('in sample'), undefined, ({ inSample }: Fold) => ratio(inSample)),
      gridNumber(say('out of sample'), undefined, ({ outOfSample }: Fold) => ratio(outOfSample)),
    ],
  })
}

function walkCurve(sheet: RunSheet, { days, equity, start }: SheetWalk): Promise<Html> {
  const { say } = sheet
  const levels = equity.map((value) => (100 * value) / start)
  return chartFigure(sheet.say, {
    id: 'sheet-walk',
    title: say('The account out of sample'),
    desc: say('The account out of sample'),
    x: { dates: days },
    panels: [
      {
        name: say('Start = 100'),
        height: 150,
        format: { digits: 1, exact: 2 },
        series: [lineSeries(levels, 'one')],
      },
    ],
    rows: shownDays(days),
    columns: [
      gridDays(say('day'), days),
      gridValues(say('out of sample'), undefined, levels, (value) => fixed(value, 2)),
    ],
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
