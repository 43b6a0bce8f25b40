import { fixed, formatCount } from '../format-number.js'
import { gridDays, gridNumber, gridText, gridValues, type Html, html, type Section } from '../html.js'
import { barSeries, lineSeries } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import type { SheetWalk } from './sheet-input.js'
import { daySpan, percentText, sentences, sheetChart, shownDays, signedPercent } from './sheet-parts.js'

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
  return sheetChart(sheet, {
    id: 'sheet-folds',
    title: say('walk'),
    desc: folds.map((fold) => `${ratio(fold.inSample)} / ${ratio(fold.outOfSample)}`).join('; '),
    x: { dates: folds.map(({ test: [first] }) => first), every: folds.length <= 10 },
    panels: [
      {
        name: say('axis folds'),
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
    caption: say('walk note'),
    rows: folds,
    columns: [
      gridText(say('train'), ({ train }: Fold) => daySpan(say, ...train)),
      gridText(say('test'), ({ test }: Fold) => daySpan(say, ...test)),
      gridText(say('params'), ({ params }: Fold) => paramsText(params), 'reason'),
      gridNumber(say('in sample'), undefined, ({ inSample }: Fold) => ratio(inSample)),
      gridNumber(say('out of sample'), undefined, ({ outOfSample }: Fold) => ratio(outOfSample)),
    ],
  })
}

function walkCurve(sheet: RunSheet, { days, equity, start }: SheetWalk): Promise<Html> {
  const { say } = sheet
  const levels = equity.map((value) => (100 * value) / start)
  return sheetChart(sheet, {
    id: 'sheet-walk',
    title: say('walk curve'),
    desc: say('walk curve'),
    x: { dates: days },
    panels: [
      {
        name: say('axis linear'),
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
  const said = say('walk said', {
    folds: formatCount(walk.folds.length),
    inside: fixed(walk.inSample, 2),
    outside: fixed(walk.performance.sharpe, 2),
    total: signedPercent(walk.performance.total),
    days: formatCount(walk.days.length),
  })
  const lost = Number.isNaN(walk.degradation)
    ? say('walk lost none')
    : say('walk lost', { lost: percentText(walk.degradation, 0) })
  const body = html`<p>${sentences(sheet, said, lost)}</p>
${await foldChart(sheet, walk)}${await walkCurve(sheet, walk)}`
  return { id: 'walk-forward', title: say('walk'), body }
}
