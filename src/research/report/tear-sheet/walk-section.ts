import { day, fixed, formatCount } from '../format-number.js'
import { gridNumber, gridText, type Html, html, type Section } from '../html.js'
import { plotPair } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import type { SheetWalk } from './sheet-input.js'
import { daySpan, percentText, sentences, sheetFigure, signedPercent } from './sheet-parts.js'

function paramsText(params: SheetWalk['folds'][number]['params']): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ')
}

async function foldChart(sheet: RunSheet, { folds }: SheetWalk): Promise<Html> {
  const { say } = sheet
  const ratio = (value: number): string => fixed(value, 2)
  return sheetFigure(
    sheet,
    {
      plot: {
        id: 'sheet-folds',
        title: say('walk'),
        desc: folds.map((fold) => `${ratio(fold.inSample)} / ${ratio(fold.outOfSample)}`).join('; '),
        x: { dates: folds.map(({ test: [first] }) => first), every: folds.length <= 10 },
        panels: [
          {
            name: say('axis folds'),
            height: 160,
            zero: true,
            format: ratio,
            series: [
              { kind: 'bar', at: folds.map((fold, at) => plotPair(at, fold.inSample)), ink: 'one', beside: true },
              {
                kind: 'bar',
                at: folds.map((fold, at) => plotPair(at, fold.outOfSample)),
                ink: 'two',
                beside: true,
                hollow: true,
              },
            ],
          },
        ],
      },
      key: [
        { sign: 'solid', ink: 'one', text: say('in sample') },
        { sign: 'hollow', ink: 'two', text: say('out of sample') },
      ],
      caption: say('walk note'),
    },
    folds,
    [
      gridText(say('train'), ({ train }) => daySpan(say, ...train)),
      gridText(say('test'), ({ test }) => daySpan(say, ...test)),
      gridText(say('params'), ({ params }) => paramsText(params), 'reason'),
      gridNumber(say('in sample'), undefined, ({ inSample }) => ratio(inSample)),
      gridNumber(say('out of sample'), undefined, ({ outOfSample }) => ratio(outOfSample)),
    ],
  )
}

async function walkCurve(sheet: RunSheet, { days, equity, start }: SheetWalk): Promise<Html> {
  const { say } = sheet
  const levels = equity.map((value) => (100 * value) / start)
  const rows = days.map((_, at) => at)
  const shown = rows.length <= 260 ? rows : rows.filter((at) => days[at]?.slice(0, 6) !== days[at + 1]?.slice(0, 6))
  return sheetFigure(
    sheet,
    {
      plot: {
        id: 'sheet-walk',
        title: say('walk curve'),
        desc: say('walk curve'),
        x: { dates: days },
        panels: [
          {
            name: say('axis linear'),
            height: 150,
            format: (value) => fixed(value, 1),
            series: [{ kind: 'line', at: Array.from(levels, (value, at) => plotPair(at, value)), ink: 'one' }],
          },
        ],
      },
      key: [],
      caption: say('walk curve'),
    },
    shown,
    [
      gridText(say('day'), (at) => day(days[at])),
      gridNumber(say('out of sample'), undefined, (at) => fixed(levels[at], 2)),
    ],
  )
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
