import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { chartFigure } from '../chart-figure.js'
import { fixed, formatCount, formatSigned } from '../format-number.js'
import { grid, type Html, html, type Section } from '../html.js'
import { lineSeries, type PlotSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import { broughtByCode } from './attribution-section.js'
import { fillsOf } from './fills-section.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetOptions } from './sheet-input.js'
import { instrumentText } from './sheet-parts.js'

/** Instruments drawn, days drawn before the first fill and after the last, and the most days of which each has a bar of its own. */
const [shown, around, mostBars] = [3, 15, 260]

type Prices = NonNullable<TearSheetOptions['prices']>
type Fill = ReturnType<typeof fillsOf>[number]

/** The days about the fills of an instrument, with its prices: missing ones are NaN. */
function barsOf({ days, symbols, cols }: Prices, symbol: string, fills: readonly Fill[]) {
  const at = symbols.indexOf(symbol)
  const [first = '', last = ''] = [fills[0]?.tradedate, fills.at(-1)?.tradedate]
  const from = Math.max(0, days.findIndex((one) => one >= first) - around)
  const to = days.findLastIndex((one) => one <= last) + around + 1
  const own = days.slice(from, to)
  const all: Partial<Prices['cols']> = cols
  const of = (name: string) => own.map((_, t) => all[name]?.[(from + t) * symbols.length + at] ?? Number.NaN)
  return { days: own, open: of('open'), high: of('high'), low: of('low'), close: of('close') }
}

type Bars = ReturnType<typeof barsOf>

/** Bars where all four prices are known, and the days are few enough to be told apart; else the closes. */
function priceSeries({ days, open, high, low, close }: Bars): PlotSeries {
  const isWhole = [open, high, low].every((prices) => prices.some((price) => !Number.isNaN(price)))
  if (!isWhole || days.length > mostBars) return lineSeries(close, 'one')
  const at = days.map((_, t) => {
    const bar = [open[t], close[t], low[t], high[t]] as [number, number, number, number]
    return bar.some(Number.isNaN) ? null : bar
  })
  return { kind: 'candles', at, rise: 'up', fall: 'down' }
}

function movedChart(
  sheet: RunSheet,
  prices: Prices,
  [symbol, brought]: readonly [string, number],
  at: number,
): Promise<Html> {
  const { say, run } = sheet
  const fills = (run ? fillsOf(run) : []).filter((one) => one.symbol === symbol)
  const bars = barsOf(prices, symbol, fills)
  const place = new Map(bars.days.map((one, t) => [one, t]))
  const sideOf = (side: string) => fills.filter((one) => one.side === side)
  const marks = (side: string, mark: 'rise' | 'fall', ink: 'one' | 'two', name: string): PlotSeries => ({
    kind: 'points',
    name,
    mark,
    ink,
    size: 9,
    at: sideOf(side).map((one) => [place.get(one.tradedate) ?? -1, one.price] as const),
  })
  const byDay = groupItems(fills, ({ tradedate }) => tradedate)
  const traded = (one: string): number =>
    (byDay.get(one) ?? []).reduce((sum, { side, shares }) => sum + (side === 'buy' ? shares : -shares), 0)
  const [buys, sells] = [formatCount(sideOf('buy').length), formatCount(sideOf('sell').length)]
  const title = instrumentText(sheet, symbol)
  const price = (value: number | undefined): string => fixed(value, 3)
  return chartFigure(say, {
    id: `sheet-moved-${at + 1}`,
    title,
    desc: say`${title} brought ${formatSigned(brought, 2)} yuan: ${buys} buys, ${sells} sells.`,
    x: { dates: bars.days },
    panels: [
      {
        name: say`${title}, yuan`,
        height: 200,
        format: { exact: 3 },
        series: [
          priceSeries(bars),
          marks('buy', 'rise', 'one', say('bought')),
          marks('sell', 'fall', 'two', say('sold')),
        ],
      },
    ],
    rows: [...bars.days.keys()],
    columns: [
      grid.days(say('day'), bars.days),
      grid.values(say(fact('LIVE_CHART', 'open')), undefined, bars.open, price),
      grid.values(say(fact('LIVE_CHART', 'high')), undefined, bars.high, price),
      grid.values(say(fact('LIVE_CHART', 'low')), undefined, bars.low, price),
      grid.values(say(fact('LIVE_CHART', 'close')), undefined, bars.close, price),
      grid.number(say('bought less sold'), undefined, (t: number) => formatSigned(traded(bars.days[t] ?? ''), 0)),
    ],
  })
}

/** Prices of what moved the account most, with what was bought and sold; undefined without prices of days. */
export async function movedSection(sheet: RunSheet): Promise<Section | undefined> {
  const { say, run, options } = sheet
  const { prices } = options
  if (prices?.minutes.length !== 1 || !run?.fills || run.fills.numRows === 0) return undefined
  const moved = broughtByCode(sheet).slice(0, shown)
  const drawn: Html[] = []
  for (const [at, one] of moved.entries()) drawn.push(await movedChart(sheet, prices, one, at))
  if (drawn.length === 0) return undefined
  const note = sentences(
    say,
    say('Of all instruments these brought most, or cost most.'),
    say('Hollow bars closed above their open, full ones below; triangles stand beside the price of the fill.'),
  )
  return { id: 'moved', title: say('What moved most'), body: html`<p class="note">${note}</p>\n${drawn}` }
}
