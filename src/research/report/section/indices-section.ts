import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { day, formatCount, formatSigned, many, plain } from '../format-number.js'
import { absent, gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { lineSeries } from '../plot.js'
import { daysInTable, filled, rowsOn } from '../report-tables.js'
import type { Say } from '../report-words.js'
import { indexSeries } from './day-figures.js'
import { type IndexDay, indexHeatMap } from './index-heat-map.js'
import { type ReportSection, reportFigure } from './report-section.js'

/** Days drawn at most. */
const most = 250

/** The indices drawn by day, with what their panels call them. */
const drawn = [
  { name: '涨跌家数', english: 'Advances and declines', ink: 'one' },
  { name: '停板家数', english: 'Stocks at their price limit', ink: 'two' },
  { name: '全A等权', english: 'All A shares, equal weight', ink: 'three' },
  { name: '可转债', english: 'Convertible bonds', ink: 'ink' },
] as const

function linesOf(table: Table) {
  const all = drawn.map((one) => ({
    ...one,
    close: indexSeries(table, one.name, 'close'),
    change: indexSeries(table, one.name, 'pct_chg'),
  }))
  return all.filter(({ close }) => close.size > 0)
}

async function byDay(table: Table, say: Say): Promise<Html> {
  const all = linesOf(table)
  if (all.length === 0) return absent(drawn.map((one) => one.name).join(say(', ', '、')), say)
  const known = [...new Set(all.flatMap((line) => [...line.close.keys()]))].sort()
  const dates = known.slice(-most)
  const last = dates.at(-1) ?? ''
  const said = all.map(
    (line) => `${line.name} ${plain(line.close.get(last))} (${formatSigned(line.change.get(last), 2)} %)`,
  )
  const desc = say(`On ${day(last)}: ${said.join('; ')}.`, `${day(last)}：${said.join('；')}。`)
  const cut = say(
    ` The last ${formatCount(dates.length)} of ${many(known.length, 'day')} are drawn.`,
    `图中为最近 ${formatCount(dates.length)} 日。`,
  )
  return reportFigure(say, {
    id: 'indices-chart',
    title: say('Statistical indices of the whole market by day', '全市场统计指数（逐日）'),
    desc,
    x: { dates },
    panels: all.map(({ name, english, ink, close }) => ({
      name: say(`${name}  ${english}, points`, `${name}（点）`),
      height: 84,
      series: [
        lineSeries(
          dates.map((date) => close.get(date)),
          ink,
        ),
      ],
    })),
    caption: html`${desc}${dates.length < known.length && cut} ${say(
      'Each panel has a scale of its own, which need not begin at zero. How the counts are made is not specified. Source:',
      '各图纵轴独立，不一定从零开始；家数类指数的统计口径接口规范未说明。来源：',
    )} <code>theme_daily</code>`,
    table: say('Statistical indices by day', '统计指数（逐日）'),
    rows: dates,
    columns: [
      gridText(say('day', '日期'), (date: string) => day(date)),
      ...all.flatMap(({ name, close, change }) => [
        gridNumber(name, say('point', '点'), (date: string) => plain(close.get(date))),
        gridNumber(say('change', '涨跌幅'), '%', (date: string) => formatSigned(change.get(date), 2)),
      ]),
    ],
  })
}

interface IndexRow extends IndexDay {
  readonly symbol: string
}

function rowsOfDay(table: Table, date: string): IndexRow[] {
  const [symbol, name] = [strings(table, 'symbol'), strings(table, 'name')]
  const [close, change] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  return rowsOn(table, 'tradedate', date).map((row) => ({
    symbol: symbol[row] ?? '',
    name: name[row] ?? '',
    close: close[row] ?? Number.NaN,
    change: change[row] ?? Number.NaN,
  }))
}

function allOfDay(rows: readonly IndexRow[], date: string, say: Say): Html {
  const title = say('All statistical indices of the latest day', '当日全部统计指数')
  return html`<details><summary>${title} (${day(date)}, ${formatCount(rows.length)})</summary>
${htmlGrid(title, rows, [
  gridText(say('symbol', '代码'), ({ symbol }) => symbol),
  gridText(say('name', '名称'), ({ name }) => outside(name), 'name'),
  gridNumber(say('close', '收盘'), say('point', '点'), ({ close }) => plain(close)),
  gridNumber(say('change', '涨跌幅'), '%', ({ change }) => formatSigned(change, 2)),
])}</details>
`
}

/** Indices and breadth: the statistical indices of the day by board, and four of them by day. */
export const indicesSection: ReportSection = {
  title: ['Indices and breadth', '指数与涨跌'],
  missing: ['index quotes (theme_daily)', '统计指数（theme_daily）'],
  body: async ({ tables }, say) => {
    const table = filled(tables.theme_daily)
    const date = table && daysInTable('theme_daily', table).at(-1)
    if (!table || !date) return undefined
    const rows = rowsOfDay(table, date)
    const map = indexHeatMap(new Map(rows.map((row) => [row.name, row])), date, say)
    return [map, await byDay(table, say), allOfDay(rows, date, say)]
  },
}
