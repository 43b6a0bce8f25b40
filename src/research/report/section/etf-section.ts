import type { Table } from 'apache-arrow'
import { etfNames } from '../../../contract/etf-names.js'
import { columnDecimalPlaces } from '../../checks/exact/decimal.js'
import { day, fixed, formatCount, formatSigned, many } from '../format-number.js'
import { folded, gridDays, gridNumber, gridText, gridValues, type Html, html, htmlGrid, outside } from '../html.js'
import { barSeries } from '../plot.js'
import { daysInTable, filled, titleOf } from '../report-tables.js'
import { moneyIn, type Say } from '../report-words.js'
import { barTurnover } from './day-figures.js'
import { type EtfDay, etfsOn } from './etf-bars.js'
import { briefNames, type ReportSection, reportFigure } from './report-section.js'

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
    gridText(say('code', '代码'), ({ symbol }: EtfDay) => symbol),
    gridText(say('name', '名称'), ({ symbol }: EtfDay) => outside(etfNames[symbol.slice(0, 6)]), 'name'),
    gridNumber(say('turnover', '成交额'), money.unit, ({ turnover }: EtfDay) =>
      fixed(turnover, money.digits + 1, money.power),
    ),
    gridNumber(say('share', '占比'), '%', ({ turnover }: EtfDay) =>
      total > 0 ? fixed((100 * turnover) / total, 1) : '—',
    ),
    gridNumber(say('close', '收盘'), say('yuan', '元'), ({ close }: EtfDay) => fixed(close, places)),
    gridNumber(say('change', '涨跌幅'), '%', ({ change }: EtfDay) => formatSigned(change, 2)),
    gridNumber('vwap', say('yuan', '元'), ({ vwap }: EtfDay) => fixed(vwap, 3)),
    gridNumber(say('close over vwap', '收盘偏离 vwap'), '%', ({ deviation }: EtfDay) => formatSigned(deviation, 2)),
    gridNumber(say('widest of a bar', '最大偏离'), '%', ({ widest }: EtfDay) => formatSigned(widest, 2)),
    gridText(say('bar to', '所在 K 线'), ({ at }: EtfDay) => clock(at)),
  ]
  return folded(shown, say, (some) => htmlGrid(say('ETFs of the day', '当日 ETF'), some, columns))
}

function turnoverChart(table: Table, dates: readonly string[], say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn('yuan', say)
  const sums = barTurnover(table)
  const values = dates.map((date) => sums.get(date) ?? Number.NaN)
  const written = (value: number | undefined): string => fixed(value, digits, power)
  const title = say('ETF turnover by day', 'ETF 成交额（逐日）')
  const [last, sum] = [day(dates.at(-1)), written(values.at(-1))]
  const scaled = values.map((value) => value / 10 ** power)
  return reportFigure(say, {
    id: 'etf-chart',
    title,
    desc: say(`ETF turnover on ${last}: ${sum} ${unit}.`, `${last} ETF 成交额 ${sum} ${unit}。`),
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
    columns: [gridDays(say('day', '日期'), dates), gridValues(say('turnover', '成交额'), unit, values, written)],
  })
}

/** ETFs: turnover, and how far their bars ended from the average price. */
export const etfSection: ReportSection = {
  title: ['ETFs', 'ETF'],
  missing: ['ETF bars (etf_minute)', 'ETF 分钟线（etf_minute）'],
  brief: ({ tables }, say) => {
    const table = filled(tables.etf_minute)
    const dates = table ? daysInTable('etf_minute', table) : []
    const last = dates.at(-1)
    const word = say('Most traded', '成交居前')
    const show = ({ symbol, change }: EtfDay) =>
      html`${outside(etfNames[symbol.slice(0, 6)] ?? symbol)} ${formatSigned(change, 2)} %`
    return table && last && briefNames(word, etfsOn(table, last, dates.at(-2)), show, say)
  },
  body: async ({ tables }, say) => {
    const table = filled(tables.etf_minute)
    const dates = table ? daysInTable('etf_minute', table) : []
    const last = dates.at(-1)
    if (!table || !last) return undefined
    const all = etfsOn(table, last, dates.at(-2))
    const few =
      all.length > most
        ? say(` The ${most} with the largest turnover are listed.`, `下表列成交额最大的 ${most} 只。`)
        : ''
    return html`<p>${say(`${day(last)}: ${many(all.length, 'ETF')}.${few}`, `${day(last)} 共 ${formatCount(all.length)} 只 ETF。${few}`)}</p>
${etfTable(all, say)}<p class="note">${say(
      'Change: against the last bar of the day before. Deviation: close of a bar over the average price (vwap) of the day so far; the widest is that of the bar named. Source:',
      '涨跌幅为与前一交易日最后一根 K 线收盘价之比；偏离为 K 线收盘价相对当日累计均价（vwap）的百分比，最大偏离取绝对值最大的一根。来源：',
    )} <code>${titleOf('etf_minute', table)}</code></p>
${await turnoverChart(table, dates.slice(-mostDays), say)}`
  },
}
