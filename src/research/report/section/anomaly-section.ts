import type { Table } from 'apache-arrow'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { parseRule } from '../../checks/anomaly/anomaly-rules.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { day, fixed, formatCount, formatSigned, many, plain } from '../format-number.js'
import { folded, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { asOf, daysInTable, filled, rowsOn } from '../report-tables.js'
import type { Say } from '../report-words.js'
import { briefNames, type ReportSection } from './report-section.js'

/** Candidates listed for a day at most. */
const most = 60

/** Whether a day of the table had not happened when its rows were computed; undefined when nothing tells. */
function isForecast(table: Table, date: string, latest: string | undefined): boolean | undefined {
  if (has(table, 'computed_on')) {
    const computed = strings(table, 'computed_on')
    return rowsOn(table, 'tradedate', date).every((row) => (computed[row] ?? date) < date)
  }
  return latest === undefined ? undefined : date > latest
}

/** Rows of a day: what was triggered first, then by the change that is still needed. */
function candidates(table: Table, date: string): number[] {
  const [status, symbol, rule] = ['status', 'symbol', 'rule'].map((name) => strings(table, name))
  const required = numbers(table, 'required_pct_chg')
  const first = (row: number): number => (status?.[row] === 'triggered' ? 0 : 1)
  const key = (row: number): string => `${symbol?.[row]} ${rule?.[row]}`
  return rowsOn(table, 'tradedate', date).sort(
    (a, b) =>
      first(a) - first(b) ||
      Math.abs(required[a] ?? 0) - Math.abs(required[b] ?? 0) ||
      (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0),
  )
}

/** Percentage points that the deviation lacks to the threshold, 0 or less once it is reached; NaN where the rule can't be read. */
function distance(rule: string | null | undefined, deviation: number | undefined): number {
  const parsed = parseRule(rule ?? '')
  if (!parsed || deviation === undefined || Number.isNaN(deviation)) return Number.NaN
  return parsed.threshold > 0
    ? exactDifference(parsed.threshold, deviation)
    : exactDifference(deviation, parsed.threshold)
}

/** What is said of a day besides its count. */
function markOf(forecast: boolean | undefined, say: Say): HtmlPart {
  if (forecast === true) return html` <span class="mark">${say('forecast', '预测')}</span>`
  return (
    forecast === undefined &&
    html` <span class="mark">${say('day or forecast: cannot be told', '无法判断是当日还是预测')}</span>`
  )
}

function candidateTable(table: Table, date: string, rows: readonly number[], say: Say): Html {
  const [symbol, name, rule, status] = ['symbol', 'name', 'rule', 'status'].map((column) => strings(table, column))
  const [elapsed, deviation, required, price, change] = [
    'elapsed_days',
    'deviation_pct',
    'required_pct_chg',
    'trigger_price',
    'pct_chg',
  ].map((column) => numbers(table, column))
  const state = (row: number): HtmlPart =>
    status?.[row] === 'triggered' ? html`<b>▲ ${say('triggered', '已触发')}</b>` : html`△ ${say('reachable', '可触发')}`
  const label = say(`Candidates of ${day(date)}`, `${day(date)} 异动候选`)
  const columns = [
    gridText(say('code', '代码'), (row: number) => symbol?.[row]),
    gridText(say('name', '名称'), (row: number) => outside(name?.[row]), 'name'),
    gridText(say('status', '状态'), state),
    gridText(say('rule', '规则'), (row: number) => outside(rule?.[row]), 'prose'),
    gridNumber(say('elapsed', '区间天数'), say('days', '日'), (row: number) => plain(elapsed?.[row])),
    gridNumber(say('deviation', '偏离值'), '%', (row: number) => formatSigned(deviation?.[row], 2)),
    gridNumber(say('to threshold', '距阈值'), say('% points', '百分点'), (row: number) =>
      fixed(distance(rule?.[row], deviation?.[row]), 2),
    ),
    gridNumber(say('required', '所需涨跌幅'), '%', (row: number) => formatSigned(required?.[row], 2)),
    gridNumber(say('trigger price', '触发价'), say('yuan', '元'), (row: number) => plain(price?.[row])),
    gridNumber(say('change', '当日涨跌幅'), '%', (row: number) => formatSigned(change?.[row], 2)),
  ]
  return folded(rows, say, (shown) => htmlGrid(label, shown, columns))
}

function dayTable(table: Table, date: string, forecast: boolean | undefined, say: Say): Html {
  const rows = candidates(table, date)
  const status = strings(table, 'status')
  const triggered = rows.filter((row) => status[row] === 'triggered').length
  const [all, hit, near] = [rows.length, triggered, rows.length - triggered].map(formatCount)
  const cut =
    rows.length > most
      ? say(` The ${most} nearest to their threshold are listed.`, `下表列最接近阈值的 ${most} 行。`)
      : ''
  const unchanged = say(
    ' The day has not happened: the benchmark is taken as unchanged.',
    '该日尚未到来，假定基准指数不变。',
  )
  return html`<h3>${day(date)}${markOf(forecast, say)}</h3>
<p>${say(`${many(rows.length, 'candidate')}: ${hit} triggered, ${near} within reach.`, `候选 ${all} 行：已触发 ${hit}，可触发 ${near}。`)}${cut}${forecast === true && unchanged}</p>
${candidateTable(table, date, rows.slice(0, most), say)}`
}

/** The latest days of the table: the last that had happened, and a forecast where there is one. */
function lastDays(table: Table, latest: string | undefined): { date: string; forecast: boolean | undefined }[] {
  const days = daysInTable('anomaly_forecast', table).map((date) => ({
    date,
    forecast: isForecast(table, date, latest),
  }))
  const happened = days.filter((one) => one.forecast === false).slice(-1)
  const ahead = days.filter((one) => one.forecast === true)
  return happened.length + ahead.length > 0 ? [...happened, ...ahead] : days.slice(-2)
}

/** Candidates for severe abnormal movement on the latest day, their distance to the threshold, and the forecast. */
export const anomalySection: ReportSection = {
  title: ['Candidates for severe abnormal movement', '严重异常波动候选'],
  missing: ['candidates (anomaly_forecast)', '异动预测（anomaly_forecast）'],
  brief: (input, say) => {
    const table = filled(input.tables.anomaly_forecast)
    if (!table) return undefined
    const [code, name, status] = ['symbol', 'name', 'status'].map((column) => strings(table, column))
    return lastDays(table, asOf(input)).map(({ date, forecast }) => {
      const rows = candidates(table, date)
      const triggered = rows.filter((row) => status?.[row] === 'triggered')
      const word = forecast
        ? say(`Forecast for ${day(date)}`, `${day(date)} 预测`)
        : say(`Triggered on ${day(date)}`, `${day(date)} 已触发`)
      return briefNames(word, forecast ? rows : triggered, (row) => outside(name?.[row] ?? code?.[row]), say)
    })
  },
  body: (input, say) => {
    const table = filled(input.tables.anomaly_forecast)
    if (!table) return undefined
    return html`${lastDays(table, asOf(input)).map((one) => dayTable(table, one.date, one.forecast, say))}<p class="note">${say(
      'Computed by the vendor, not a ruling of an exchange. Deviation: return of the stock over the interval less that of its benchmark index. To threshold: what the deviation lacks; at 0 or below it is reached. Required: change that the day needs, or needed, to reach it. Source:',
      '由数据商测算，并非交易所认定。偏离值为区间内股票涨跌幅减基准指数涨跌幅；距阈值为偏离值所差的百分点，不大于 0 即已达到；所需涨跌幅为当日达到阈值所需。来源：',
    )} <code>anomaly_forecast</code></p>
`
  },
}
