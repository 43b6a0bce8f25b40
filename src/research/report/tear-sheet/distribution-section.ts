import { dayNumber } from '../../../contract/date.js'
import { fact } from '../../../contract/sentence.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { binCounts, binOf } from '../bins.js'
import { chartFigure } from '../chart-figure.js'
import { formatCount } from '../format-number.js'
import { grid, type Html, html, htmlGrid, type Section } from '../html.js'
import { barSeries, extremes } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { percentText, signedPercent } from './sheet-parts.js'

/** 1, 2 or 5 times a power of ten, so that the span takes some 25 bins. */
function binWidth(span: number): number {
  const rough = span / 25
  if (!(rough > 0)) return 0.001
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((step) => step * power >= rough) ?? 10) * power
}

/** Bars of the distribution: from `low` up to the next, and how many of its days lie up to the value at risk. */
function binsOf(returns: Float64Array, valueAtRisk: number) {
  const { low, high } = extremes(returns)
  const width = binWidth(high - low)
  const first = binOf(low, width)
  const bins = { width, first, count: binOf(high, width) - first + 1 }
  const [tail, rest] = [true, false].map((isTail) =>
    binCounts(
      returns.filter((r) => r <= valueAtRisk === isTail),
      bins,
    ),
  ) as [Float64Array, Float64Array]
  return Array.from(tail, (count, at) => {
    const from = (first + at) * width
    return { low: from, high: from + width, tail: count, rest: rest[at] as number }
  })
}

type Bin = ReturnType<typeof binsOf>[number]

/** Returns of weeks from Monday to Sunday, their days compounded. */
function weeklyReturns(days: readonly string[], curve: Float64Array): number[] {
  const week = (at: number): number => Math.floor((dayNumber(days[at] as string) + 3) / 7)
  const found: number[] = []
  let from = 0
  days.forEach((_, at) => {
    if (at + 1 < days.length && week(at + 1) === week(at)) return
    found.push((curve[at + 1] as number) / (curve[from] as number) - 1)
    from = at + 1
  })
  return found
}

const shares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

function quantileTable({ say, own }: RunSheet): Html {
  const rows = [
    { name: say(fact('DISTRIBUTION_SECTION', 'days')), returns: Array.from(own.returns) },
    { name: say('weeks'), returns: weeklyReturns(own.days, own.curve) },
    { name: say('months'), returns: (own.performance.monthly ?? []).map((one) => one.return) },
  ]
  const words = [say('least'), '5%', '25%', say('median'), '75%', '95%', say('greatest')]
  return htmlGrid(say('Quantiles'), rows, [
    grid.text(say('Period'), ({ name }) => name),
    grid.number(say(fact('DISTRIBUTION_SECTION', 'number')), undefined, ({ returns }) => formatCount(returns.length)),
    ...shares.map((share, at) =>
      grid.number(words[at] ?? '', undefined, ({ returns }: (typeof rows)[number]) =>
        signedPercent(quantile(returns, share)),
      ),
    ),
  ])
}

/** How the returns of days lie, the worst twentieth apart. */
export async function distributionSection(sheet: RunSheet): Promise<Section> {
  const { say, own } = sheet
  const { valueAtRisk, conditionalValueAtRisk } = own.performance
  const bins = binsOf(own.returns, valueAtRisk)
  const counts = (name: 'tail' | 'rest'): number[] => bins.map((bin) => bin[name])
  const edge = (value: number): string => percentText(value, 2)
  const [tail, rest] = [say('up to the value at risk'), say('above it')]
  const title = say('Distribution of daily returns')
  const said = say`One day in twenty is at or below ${percentText(valueAtRisk)} (value at risk, historical); the mean of those days is ${percentText(conditionalValueAtRisk)} (expected shortfall).`
  const drawing = await chartFigure(sheet.say, {
    id: 'sheet-distribution',
    title,
    desc: said,
    x: { dates: bins.map(({ low }) => edge(low)), isText: true, every: bins.length <= 12 },
    panels: [
      {
        name: say('Days, by return'),
        height: 170,
        zero: true,
        series: [barSeries(counts('tail'), 'two', { hollow: true }), barSeries(counts('rest'), 'one')],
      },
    ],
    key: [
      { sign: 'hollow', ink: 'two', text: tail },
      { sign: 'solid', ink: 'one', text: rest },
    ],
    rows: bins,
    columns: [
      grid.number(say('from'), undefined, ({ low }: Bin) => edge(low)),
      grid.number(say('below'), undefined, ({ high }: Bin) => edge(high)),
      grid.number(tail, undefined, (bin: Bin) => formatCount(bin.tail)),
      grid.number(rest, undefined, (bin: Bin) => formatCount(bin.rest)),
    ],
  })
  const body = html`${drawing}<h3>${say('Quantiles')}</h3>
${quantileTable(sheet)}`
  return { id: 'distribution', title, body }
}
