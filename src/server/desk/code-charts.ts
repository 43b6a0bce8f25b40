import type { DatasetName } from '../../contract/catalogue.js'
import { fact } from '../../contract/sentence.js'
import { numbers, strings } from '../../frame/read-columns.js'
import { rolling } from '../../frame/verb/rolling.js'
import { chartFigure, daysFigure } from '../../research/report/chart-figure.js'
import { day, fixed, plain } from '../../research/report/format-number.js'
import { grid, type Html } from '../../research/report/html.js'
import { barSeries, type CandleSeries, type Ink, lineSeries, type PlotPanel } from '../../research/report/plot.js'
import { moneyIn } from '../../research/report/report-words.js'
import type { CodeQuotes } from './code-quotes.js'
import type { DeskVisit } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'
import { storedDays } from './stored-days.js'

const averages: readonly (readonly [days: number, ink: Ink])[] = [
  [5, 'one'],
  [10, 'two'],
  [20, 'three'],
]

type Columns = CodeQuotes['columns']

function candlesOf({ open, high, low, close }: Columns): CandleSeries {
  const at = Array.from(close ?? [], (value, place) => {
    const bar = [open?.[place], value, low?.[place], high?.[place]].map((one) => one ?? Number.NaN)
    return bar.every(Number.isFinite) ? (bar as unknown as CandleSeries['at'][number]) : null
  })
  return { kind: 'candles', at, rise: 'up', fall: 'down' }
}

/** Volume: of days that rose hollow, of those that fell full. */
function volumePanel(
  { say }: DeskVisit,
  { open = new Float64Array(), close = new Float64Array(), vol }: Columns,
): PlotPanel[] {
  if (!vol) return []
  const half = (falls: boolean) =>
    Float64Array.from(vol, (value, at) => ((close[at] as number) < (open[at] as number) === falls ? value : Number.NaN))
  const series = [barSeries(half(false), 'up', { hollow: true }), barSeries(half(true), 'down')]
  return [{ name: say(fact('DESK', 'Volume')), height: 70, zero: true, series }]
}

/** What stands below prices: of bonds the premium and the conversion value, of southbound stocks the net buys. */
function belowPanels(
  { say }: DeskVisit,
  { cb_over_rate: premium, cb_value: value, net_amount: net }: Columns,
): PlotPanel[] {
  const money = moneyIn('yuan', say)
  const scaled = net && Float64Array.from(net, (one) => one / 10 ** money.power)
  return [
    ...(premium ? [{ name: say('Conversion premium, %'), height: 110, series: [lineSeries(premium, 'one')] }] : []),
    ...(value ? [{ name: say('Conversion value, yuan'), height: 80, series: [lineSeries(value, 'two')] }] : []),
    ...(scaled
      ? [{ name: say`Net buys, ${money.unit}`, height: 90, zero: true, series: [barSeries(scaled, 'one')] }]
      : []),
  ]
}

/** The days of a range as K-lines with their averages, volume, and what stands below. */
export async function priceChart(visit: DeskVisit, instrument: DeskInstrument, quotes: CodeQuotes): Promise<Html> {
  const { say } = visit
  const cut = <T extends Float64Array>(values: T): T => values.slice(quotes.from) as T
  const columns: Columns = Object.fromEntries(
    Object.entries(quotes.columns).map(([name, values]) => [name, cut(values)]),
  )
  const close = quotes.columns.close ?? new Float64Array()
  const days = quotes.days.slice(quotes.from)
  const means = averages.map(([n, ink]) => {
    const values = Float64Array.from(rolling(close, n, 'mean') as ArrayLike<number>)
    return { n, ink, values: cut(values) }
  })
  const hasBars = columns.open !== undefined
  const prices = hasBars ? candlesOf(columns) : lineSeries(columns.close ?? [], 'ink')
  const title = say`${instrument.name ?? instrument.code}: price by day`
  const [first, last] = [
    columns.close?.find((one) => !Number.isNaN(one)),
    columns.close?.findLast((one) => !Number.isNaN(one)),
  ]
  const number = (name: string, text: string, unit?: string) =>
    columns[name] ? [grid.values(text, unit, columns[name], plain)] : []
  return daysFigure(say, {
    isLive: true,
    id: 'code-prices',
    title,
    desc: say`From ${day(days[0])} to ${day(days.at(-1))} the close went from ${plain(first)} to ${plain(last)}.`,
    x: { dates: days },
    panels: [
      {
        name: hasBars ? say('Price; hollow: closed above its open, full: below') : say(fact('DESK', 'Price')),
        height: 280,
        series: [
          prices,
          ...(hasBars ? means.map(({ n, ink, values }) => lineSeries(values, ink, { name: `MA${n}` })) : []),
        ],
      },
      ...volumePanel(visit, columns),
      ...belowPanels(visit, columns),
    ],
    columns: [
      ...number('open', say('open')),
      ...number('high', say('high')),
      ...number('low', say('low')),
      ...number('close', say('close')),
      ...(hasBars
        ? means.map(({ n, values }) => grid.values(`MA${n}`, undefined, values, (value) => fixed(value, 3)))
        : []),
      ...number('vol', say('volume')),
      ...number('cb_over_rate', say('premium'), '%'),
      ...number('cb_value', say('conversion value')),
    ],
  })
}

const barsOf: Readonly<Partial<Record<DeskInstrument['kind'], DatasetName>>> = {
  bond: 'convertible_minute',
  fund: 'etf_minute',
}

/** The bars of the latest day that has any, with the average price; nothing where the archive has none. */
export async function minuteChart(visit: DeskVisit, { kind, code }: DeskInstrument): Promise<Html | false> {
  const { say, market } = visit
  const name = barsOf[kind]
  const latest = name && (await storedDays(visit, name)).at(-1)
  if (!name || latest === undefined) return false
  const period = kind === 'fund' ? '15m' : '30m'
  const table = await market.query(name, { symbols: [code], tradedate: latest, period })
  if (table.numRows === 0) return false
  const minutes = strings(table, 'trademin').map((one) => `${one?.slice(0, 2)}:${one?.slice(2)}`)
  const columns: Columns = Object.fromEntries(
    ['open', 'high', 'low', 'close', 'vol', 'vwap'].map((one) => [one, numbers(table, one as never)]),
  )
  const vwap = columns.vwap ?? new Float64Array()
  const title = say`Bars of ${period} on ${day(latest)}`
  const rows = [...minutes.keys()]
  const values = (text: string, of: Float64Array | undefined) =>
    grid.values(text, undefined, of ?? new Float64Array(), plain)
  return chartFigure<number>(say, {
    isLive: true,
    id: 'code-minutes',
    title,
    desc: say`${title}: the last close is ${plain(columns.close?.at(-1))}, the average price of the day ${plain(vwap.at(-1))}.`,
    x: { dates: minutes, isText: true, every: true },
    panels: [
      {
        name: say('Price and average price (vwap)'),
        height: 200,
        series: [candlesOf(columns), lineSeries(vwap, 'two', { name: 'vwap' })],
      },
      ...volumePanel(visit, columns),
    ],
    rows,
    columns: [
      grid.text(say('time'), (at) => minutes[at]),
      values(say('open'), columns.open),
      values(say('high'), columns.high),
      values(say('low'), columns.low),
      values(say('close'), columns.close),
      values('vwap', vwap),
      values(say('volume'), columns.vol),
    ],
  })
}
