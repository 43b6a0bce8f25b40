import { numbers } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { grid, type Html } from '../html.js'
import { lineSeries, seriesForm, seriesInks } from '../plot.js'
import { compareTexts } from '../report-words.js'
import { holdingsOf } from './activity-section.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrumentText, percentText, runChart } from './sheet-parts.js'

type Weights = readonly [name: string, weights: Float64Array]

/** Weights by day of each instrument that was ever held, the heaviest first; beyond as many as inks tell apart the rest as one. */
function weightsByCode(sheet: RunSheet, account: NonNullable<TearSheetRun['account']>): readonly Weights[] {
  const equity = numbers(account, 'equity')
  const byCode = groupItems(holdingsOf(sheet), ({ symbol }) => symbol)
  const weights = Array.from(byCode, ([code, held]): Weights => {
    const own = new Float64Array(sheet.own.days.length)
    for (const { at, value } of held) own[at] = value / (equity[at] as number)
    return [code, own]
  })
  const sum = (list: Float64Array): number => list.reduce((a, b) => a + b, 0)
  const sorted = weights.sort(([a, one], [b, two]) => sum(two) - sum(one) || compareTexts(a, b))
  const named = sorted.map(([code, own]): Weights => [instrumentText(sheet, code), own])
  if (sorted.length <= seriesInks.length) return named
  const [first, rest] = [named.slice(0, seriesInks.length - 1), named.slice(seriesInks.length - 1)]
  const others = rest.reduce(
    (all, [, own]) => all.map((value, at) => value + (own[at] as number)),
    new Float64Array(sheet.own.days.length),
  )
  return [...first, [sheet.say`${rest.length} others`, others]]
}

/** What was held over time: weights of instruments, one on the other. */
export async function weightsStrip(
  sheet: RunSheet,
  account: NonNullable<TearSheetRun['account']>,
): Promise<Html | false> {
  const { say } = sheet
  const all = weightsByCode(sheet, account).map(([name, weights], at) => ({
    name,
    weights,
    ink: seriesForm(at).ink,
  }))
  if (all.length === 0) return false
  const name = say('Holdings by instrument')
  return runChart(sheet, {
    id: 'sheet-weights',
    title: name,
    desc: say('Value at the close as a share of equity, one on the other, in the order of the key from below.'),
    panels: [
      {
        name,
        height: 130,
        zero: true,
        format: { percent: true, digits: 0, exact: 2 },
        series: all.map(({ weights, ink }) => lineSeries(weights, ink, { area: 0.7 })),
      },
    ],
    key: all.map((one) => ({ sign: 'solid', ink: one.ink, text: one.name })),
    columns: all.map((one) => grid.values(one.name, undefined, one.weights, percentText)),
  })
}
