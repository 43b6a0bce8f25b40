import type { Table } from 'apache-arrow'
import { etfNames } from '../../../contract/etf-names.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { columnDecimalPlaces } from '../../checks/exact/decimal.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, formatSigned, many } from '../format-number.js'
import { folded, gridDays, gridNumber, gridText, gridValues, type Html, html, htmlGrid, outside } from '../html.js'
import { barSeries } from '../plot.js'
import { titleOf } from '../report-tables.js'
import { moneyIn } from '../report-words.js'
import { barTurnover } from './day-figures.js'
import { type EtfDay, etfsOf } from './etf-bars.js'
import { briefNames, type ReportSection } from './report-section.js'

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
  const columns = [
    gridText(say('code'), ({ symbol }: EtfDay) => symbol),
    gridText(say('name'), ({ symbol }: EtfDay) => outside(etfNames[symbol.slice(0, 6)]), 'name'),
    gridNumber(say(fact('ETF_SECTION', 'turnover')), money.unit, ({ turnover }: EtfDay) =>
      fixed(turnover, money.digits + 1, money.power),
    ),
    gridNumber(say('share'), '%', ({ turnover }: EtfDay) => (total > 0 ? fixed((100 * turnover) / total, 1) : '—')),
    gridNumber(say(fact('ETF_SECTION', 'close')), say('yuan'), ({ close }: EtfDay) => fixed(close, places)),
    gridNumber(say('change'), '%', ({ change }: EtfDay) => formatSigned(change, 2)),
    gridNumber('vwap', say('yuan'), ({ vwap }: EtfDay) => fixed(vwap, 3)),
    gridNumber(say('close over vwap'), '%', ({ deviation }: EtfDay) => formatSigned(deviation, 2)),
    gridNumber(say('widest of a bar'), '%', ({ widest }: EtfDay) => formatSigned(widest, 2)),
    gridText(say('bar to'), ({ at }: EtfDay) => clock(at)),
  ]
  return folded(shown, say, (some) => htmlGrid(say('ETFs of the day'), some, columns))
}

function turnoverChart(table: Table, dates: readonly string[], say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn('yuan', say)
  const sums = barTurnover(table)
  const values = dates.map((date) => sums.get(date) ?? Number.NaN)
  const written = (value: number | undefined): string => fixed(value, digits, power)
  const title = say('ETF turnover by day')
  const [last, sum] = [day(dates.at(-1)), written(values.at(-1))]
  const scaled = values.map((value) => value / 10 ** power)
  return chartFigure(say, {
    id: 'etf-chart',
    title,
    desc: say`ETF turnover on ${last}: ${sum} ${unit}.`,
    x: { dates },
    panels: [
      {
        name: `${title} (${unit})`,
        height: 120,
        zero: true,
        format: { exact: digits },
        series: [barSeries(scaled, 'one')],
      },
    ],
    rows: [...dates.keys()],
    columns: [gridDays(say('day'), dates), gridValues(say(fact('ETF_SECTION', 'turnover')), unit, values, written)],
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
      html`${outside(etfNames[symbol.slice(0, 6)] ?? symbol)} ${formatSigned(change, 2)} %`
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
