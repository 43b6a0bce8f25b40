import type { Table } from 'apache-arrow'
import { has, numbers, texts } from '../../frame/read-columns.js'
import { day, formatCount, formatSigned, many, plain } from '../format-number.js'
import { absent, gridNumber, gridText, type Html, html, htmlGrid, outside, type Section } from '../html.js'
import { asOf, daysInTable, filled, type ReportInput, rowsOn } from '../report-tables.js'

/** Candidates listed for a day at most. */
const most = 60

/** Whether a day of the table had not happened when its rows were computed; undefined when nothing tells. */
function isForecast(table: Table, date: string, latest: string | undefined): boolean | undefined {
  if (has(table, 'computed_on')) {
    const computed = texts(table, 'computed_on')
    return rowsOn(table, 'tradedate', date).every((row) => (computed[row] ?? date) < date)
  }
  return latest === undefined ? undefined : date > latest
}

/** Rows of a day: what was triggered first, then by the change that is still needed. */
function candidates(table: Table, date: string): number[] {
  const [status, symbol, rule] = ['status', 'symbol', 'rule'].map((name) => texts(table, name))
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

function dayTable(table: Table, date: string, forecast: boolean | undefined): Html {
  const rows = candidates(table, date)
  const [symbol, name, rule, status] = ['symbol', 'name', 'rule', 'status'].map((column) => texts(table, column))
  const [elapsed, deviation, required, price, change] = [
    'elapsed_days',
    'deviation_pct',
    'required_pct_chg',
    'trigger_price',
    'pct_chg',
  ].map((column) => numbers(table, column))
  const triggered = rows.filter((row) => status?.[row] === 'triggered').length
  const mark =
    forecast === true
      ? html` <span class="mark">forecast</span>`
      : forecast === undefined && html` <span class="mark">day or forecast: cannot be told</span>`
  const cut = rows.length > most ? ` The ${formatCount(most)} nearest to their threshold are listed.` : ''
  return html`<h3>${day(date)}${mark}</h3>
<p>${many(rows.length, 'candidate')}: ${formatCount(triggered)} triggered, ${formatCount(rows.length - triggered)} within reach.${cut} ${
    forecast === true && 'The day had not happened: the benchmark is taken as unchanged.'
  }</p>
${htmlGrid(`Candidates of ${day(date)}`, rows.slice(0, most), [
  gridText('status', (row) => (status?.[row] === 'triggered' ? html`<b>▲ triggered</b>` : html`△ ${status?.[row]}`)),
  gridText('code', (row) => symbol?.[row]),
  gridText('name', (row) => outside(name?.[row]), 'name'),
  gridText('rule', (row) => outside(rule?.[row]), 'prose'),
  gridNumber('elapsed', 'days', (row) => plain(elapsed?.[row])),
  gridNumber('deviation', '%', (row) => formatSigned(deviation?.[row], 2)),
  gridNumber('required', '%', (row) => formatSigned(required?.[row], 2)),
  gridNumber('trigger price', 'yuan', (row) => plain(price?.[row])),
  gridNumber('change', '% of the day', (row) => formatSigned(change?.[row], 2)),
])}`
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

/** Candidates for severe abnormal movement on the latest day, and the forecast for the next. */
export function anomalySection(input: ReportInput): Section {
  const title = 'Candidates for abnormal movement'
  const table = filled(input.tables.anomaly_forecast)
  if (!table) return { id: 'anomaly', title, body: absent('anomaly_forecast') }
  const body = html`<p>Computed by the vendor from the trading rules and adjusted quotes; no exchange has ruled on any of them. Deviation: return
of the stock since the interval began, minus that of its benchmark index. Elapsed: trading days of the interval. Required: the change that the day needs, or
needed, to reach the threshold.</p>
${lastDays(table, asOf(input)).map((one) => dayTable(table, one.date, one.forecast))}<p class="note">Source:
<code>anomaly_forecast</code>.</p>
`
  return { id: 'anomaly', title, body }
}
