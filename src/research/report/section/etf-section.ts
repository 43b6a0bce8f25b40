import type { Table } from 'apache-arrow'
import { etfNames } from '../../../contract/etf-names.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { columnDecimalPlaces, sumDecimals } from '../../checks/exact/decimal.js'
import { daysFigure } from '../chart-figure.js'
import { day, fixed, formatSigned, many, signedTwo } from '../format-number.js'
import { folded, grid, type Html, html, htmlGrid, outside } from '../html.js'
import { barSeries } from '../plot.js'
import { onceOf } from '../report-day.js'
import { rowsOn, titleOf } from '../report-tables.js'
import { moneyIn } from '../report-words.js'
import { barTurnover } from './day-figures.js'
import { briefNames, type ReportSection } from './report-section.js'

/** How far a price lies above another, percent. */
export const changeOver = (price: number, base = Number.NaN): number =>
  price > 0 && base > 0 ? 100 * (price / base - 1) : Number.NaN

/** Some rows by symbol, in the order of their buckets. */
function rowsBySymbol(table: Table, rows: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const [symbol, minute] = [strings(table, 'symbol'), strings(table, 'trademin')]
  const bySymbol = groupItems(rows, (row) => symbol[row] ?? '')
  for (const list of bySymbol.values()) list.sort((a, b) => ((minute[a] ?? '') < (minute[b] ?? '') ? -1 : 1))
  return bySymbol
}

function lastKnown(rows: readonly number[], values: Float64Array): number {
  const row = rows.findLast((one) => !Number.isNaN(values[one]))
  return row === undefined ? Number.NaN : (values[row] as number)
}

/** The ETFs of the day by turnover, the largest first; undefined without any bars. */
export const etfsOf = onceOf(({ of }) => {
  const { table, date, before, rows = [] } = of('etf_minute') ?? {}
  if (!table || !date) return undefined
  const minute = strings(table, 'trademin')
  const [close, vwap, amount] = [numbers(table, 'close'), numbers(table, 'vwap'), numbers(table, 'amount')]
  const earlier = rowsBySymbol(table, before === undefined ? [] : rowsOn(table, 'tradedate', before))
  const found = Array.from(rowsBySymbol(table, rows), ([symbol, rows]) => {
    const amounts = rows.flatMap((row) => (Number.isNaN(amount[row]) ? [] : [amount[row] as number]))
    const [price, average] = [lastKnown(rows, close), lastKnown(rows, vwap)]
    const deviations = rows.map((row) => changeOver(close[row] as number, vwap[row] as number))
    let place = -1
    deviations.forEach((one, i) => {
      if (!Number.isNaN(one) && (place < 0 || Math.abs(one) > Math.abs(deviations[place] as number))) place = i
    })
    return {
      symbol,
      /** Yuan; NaN where no bar has any. */
      turnover: amounts.length > 0 ? sumDecimals(amounts) : Number.NaN,
      close: price,
      /** Against the last close of the day before among these bars, percent. */
      change: changeOver(price, lastKnown(earlier.get(symbol) ?? [], close)),
      /** Average price of the day, as sent with its last bar, and the close over it in percent. */
      vwap: average,
      deviation: changeOver(price, average),
      /** The largest deviation of a bar by size, with its sign, and the close of its bucket. */
      widest: deviations[place] ?? Number.NaN,
      at: minute[rows[place] ?? -1] ?? '',
    }
  })
  const size = ({ turnover }: (typeof found)[number]): number => (Number.isNaN(turnover) ? -1 : turnover)
  return found.sort((a, b) => size(b) - size(a) || (a.symbol < b.symbol ? -1 : 1))
})

/** The bars of an ETF on a day. */
type EtfDay = NonNullable<ReturnType<typeof etfsOf>>[number]

/** ETFs listed at most, by turnover. */
const most = 20
/** Days drawn at most. */
const mostDays = 250

function etfTable(all: readonly EtfDay[], say: Say): Html {
  const total = all.reduce((sum, { turnover }) => sum + (Number.isNaN(turnover) ? 0 : turnover), 0)
  const shown = all.slice(0, most)
  const money = moneyIn('yuan', say)
  const places = columnDecimalPlaces(shown.flatMap(({ close }) => (Number.isNaN(close) ? [] : [close])))
  const clock = (minute: string): string => (minute === '' ? '' : `${minute.slice(0, 2)}:${minute.slice(2)}`)
  return folded(shown, say, (some) =>
    htmlGrid(say('ETFs of the day'), some, [
      grid.text(say('code'), ({ symbol }) => symbol),
      grid.text(say('name'), ({ symbol }) => outside(etfNames[symbol.slice(0, 6)]), 'name'),
      grid.number(say(fact('ETF_SECTION', 'turnover')), money.unit, ({ turnover }) =>
        fixed(turnover, money.digits + 1, money.power),
      ),
      grid.number(say('share'), '%', ({ turnover }) => (total > 0 ? fixed((100 * turnover) / total, 1) : '—')),
      grid.number(say(fact('ETF_SECTION', 'close')), say('yuan'), ({ close }) => fixed(close, places)),
      grid.change(say('change'), '%', ({ change }) => change, signedTwo),
      grid.number('vwap', say('yuan'), ({ vwap }) => fixed(vwap, 3)),
      grid.change(say('close over vwap'), '%', ({ deviation }) => deviation, signedTwo),
      grid.change(say('widest of a bar'), '%', ({ widest }) => widest, signedTwo),
      grid.text(say('bar to'), ({ at }) => clock(at)),
    ]),
  )
}

function turnoverChart(table: Table, dates: readonly string[], say: Say): Promise<Html> {
  const { unit, power, digits, write } = moneyIn('yuan', say)
  const sums = barTurnover(table)
  const values = dates.map((date) => sums.get(date) ?? Number.NaN)
  const title = say('ETF turnover by day')
  const [last, sum] = [day(dates.at(-1)), write(values.at(-1))]
  const series = [
    barSeries(
      values.map((value) => value / 10 ** power),
      'one',
    ),
  ]
  return daysFigure(say, {
    id: 'etf-chart',
    title,
    desc: say`ETF turnover on ${last}: ${sum} ${unit}.`,
    x: { dates },
    panels: [{ name: `${title} (${unit})`, height: 120, zero: true, format: { exact: digits }, series }],
    columns: [grid.values(say(fact('ETF_SECTION', 'turnover')), unit, values, write)],
  })
}

/** ETFs: turnover, and how far their bars ended from the average price. */
export const etfSection: ReportSection = {
  title: (say) => say('ETFs'),
  reads: ['etf_minute'],
  missing: (say) => say('ETF bars (etf_minute)'),
  brief: (today) => {
    const { say } = today
    const show = ({ symbol, change }: EtfDay) =>
      html`${outside(etfNames[symbol.slice(0, 6)] ?? symbol)} ${formatSigned(change, 2)}%`
    return briefNames(say('Most traded'), etfsOf(today) ?? [], show, say)
  },
  body: async (today) => {
    const { say, of } = today
    const [own, all] = [of('etf_minute'), etfsOf(today)]
    if (!own || !all) return undefined
    const few = all.length > most ? say` The ${most} with the largest turnover are listed.` : ''
    return html`<p>${say`${day(own.date)}: ${many(all.length, 'ETF')}.${few}`}</p>
${etfTable(all, say)}<p class="note">${say('Change: against the last bar of the day before. Deviation: close of a bar over the average price (vwap) of the day so far; the widest is that of the bar named. Source:')} <code>${titleOf('etf_minute', own.table)}</code></p>
${await turnoverChart(own.table, own.days.slice(-mostDays), say)}`
  },
}
