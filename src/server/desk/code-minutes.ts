import type { DatasetName } from '../../contract/catalogue.js'
import { numbers, strings } from '../../frame/read-columns.js'
import { chartFigure } from '../../research/report/chart-figure.js'
import { day, plain } from '../../research/report/format-number.js'
import { grid, type Html } from '../../research/report/html.js'
import { lineSeries } from '../../research/report/plot.js'
import { candlesOf, quoteColumns, unitOf, volumePanel } from './code-panels.js'
import { withUnit } from './desk-rows.js'
import type { DeskVisit } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'
import { storedDays } from './stored-days.js'

const barsOf: Readonly<Partial<Record<DeskInstrument['kind'], DatasetName>>> = {
  bond: 'convertible_minute',
  fund: 'etf_minute',
}

/** The bars of the latest day that has any, with the average price; nothing where the archive has none. */
export async function minuteChart(visit: DeskVisit, { kind, code }: DeskInstrument): Promise<Html | false> {
  const { say, market } = visit
  const dataset = barsOf[kind]
  const latest = dataset && (await storedDays(visit, dataset)).at(-1)
  if (!dataset || latest === undefined) return false
  const period = kind === 'fund' ? '15m' : '30m'
  const table = await market.query(dataset, { symbols: [code], tradedate: latest, period })
  if (table.numRows === 0) return false
  const minutes = strings(table, 'trademin').map((one) => `${one?.slice(0, 2)}:${one?.slice(2)}`)
  const columns = Object.fromEntries(
    ['open', 'high', 'low', 'close', 'vwap', 'vol', 'amount'].map((one) => [one, numbers(table, one as never)]),
  )
  const vwap = columns.vwap ?? new Float64Array()
  const title = say`Bars of ${period} on ${day(latest)}`
  const rows = [...minutes.keys()]
  return chartFigure<number>(say, {
    isLive: true,
    id: 'code-minutes',
    title,
    desc: say`${title}: the last close is ${plain(columns.close?.at(-1))}, the average price of the day ${plain(vwap.at(-1))}.`,
    x: { dates: minutes, isText: true, every: true },
    panels: [
      {
        name: withUnit(say, say('Price and average price (vwap)'), unitOf(visit, dataset, 'close')),
        height: 200,
        series: [candlesOf(columns), lineSeries(vwap, 'two', { name: 'vwap' })],
      },
      ...volumePanel(visit, dataset, columns),
    ],
    rows,
    columns: [grid.text(say('time'), (at) => minutes[at]), ...quoteColumns(visit, dataset, columns)],
  })
}
