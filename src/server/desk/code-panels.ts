import { countsStocks } from '../../contract/catalogue/theme-daily.js'
import { datasetOf } from '../../contract/catalogue.js'
import { contractColumn, unitText } from '../../contract/dataset-text.js'
import { fact } from '../../contract/sentence.js'
import type { GridColumn } from '../../research/report/html.js'
import { barSeries, type CandleSeries, lineSeries, type PlotPanel } from '../../research/report/plot.js'
import { moneyFor } from '../../research/report/report-words.js'
import type { CodeQuotes } from './code-quotes.js'
import { deskCell, deskNumbers, gridNumbers, withUnit } from './desk-rows.js'
import type { DeskVisit } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'

type Columns = CodeQuotes['columns']

/** The unit of a column of a dataset as it is read: an index that counts stocks has no points. */
export function unitOf({ say }: DeskVisit, dataset: string, name: string, of?: DeskInstrument): string | undefined {
  const column = contractColumn(datasetOf(dataset), name)
  return column?.unit === 'point' && countsStocks(of?.name) ? say('stocks') : unitText(column, say.language)
}

/** Prices by place: open, close, low and high of those that have all four. */
export function candlesOf({ open, high, low, close }: Columns): CandleSeries {
  const at = Array.from(close ?? [], (value, place) => {
    const bar = [open?.[place], value, low?.[place], high?.[place]].map((one) => one ?? Number.NaN)
    return bar.every(Number.isFinite) ? (bar as unknown as CandleSeries['at'][number]) : null
  })
  return { kind: 'candles', at, rise: 'up', fall: 'down' }
}

/** Volume: of days that rose hollow, of those that fell full. */
export function volumePanel(
  visit: DeskVisit,
  dataset: string,
  { open = new Float64Array(), close = new Float64Array(), vol }: Columns,
): PlotPanel[] {
  if (!vol) return []
  const half = (falls: boolean) =>
    Float64Array.from(vol, (value, at) => ((close[at] as number) < (open[at] as number) === falls ? value : Number.NaN))
  const series = [barSeries(half(false), 'up', { hollow: true }), barSeries(half(true), 'down')]
  const name = withUnit(visit.say, visit.say(fact('DESK', 'Volume')), unitOf(visit, dataset, 'vol'))
  return [{ name, height: 70, zero: true, series }]
}

/** What stands below prices: of bonds both premiums and both values, of southbound stocks the net buys. */
export function belowPanels(
  { say }: DeskVisit,
  { cb_over_rate: over, cb_value: value, bond_over_rate: overBond, bond_value: bond, net_amount: net }: Columns,
): PlotPanel[] {
  const money = net && moneyFor(net, say)
  const line = (values: Float64Array | undefined, ink: 'one' | 'two') => (values ? [lineSeries(values, ink)] : [])
  const panel = (name: string, height: number, series: PlotPanel['series']): PlotPanel[] =>
    series.length > 0 ? [{ name, height, series }] : []
  return [
    ...panel(say('Conversion premium, %'), 110, line(over, 'one')),
    ...panel(say('Conversion value, yuan'), 80, line(value, 'two')),
    ...panel(say('Pure-bond premium, %'), 80, line(overBond, 'one')),
    ...panel(say('Pure-bond value, yuan'), 80, line(bond, 'two')),
    ...(net && money
      ? [
          {
            name: say`Net buys, ${money.unit}`,
            height: 90,
            zero: true,
            series: [
              barSeries(
                net.map((one) => one / 10 ** money.power),
                'one',
              ),
            ],
          },
        ]
      : []),
  ]
}

/** Columns of quotes by place, as a table below a chart has them. */
export function quoteColumns(
  visit: DeskVisit,
  dataset: string,
  columns: Columns,
  of?: DeskInstrument,
): GridColumn<number>[] {
  return Object.entries(columns).map(([name, values]) => {
    // Of bars the change is computed.
    const { unit, isChange = false } = contractColumn(datasetOf(dataset), name) ?? { unit: 'percent', isChange: true }
    const cells = Array.from(values, deskCell)
    return gridNumbers(deskNumbers({ name, unit, isChange }, cells, visit.say, unitOf(visit, dataset, name, of)))
  })
}
