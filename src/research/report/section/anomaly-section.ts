import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { parseRule } from '../../checks/anomaly/anomaly-rules.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { day, fixed, formatCount, formatSigned, many, plain } from '../format-number.js'
import { folded, gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { onceOf } from '../report-day.js'
import { rowsOn } from '../report-tables.js'
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
  if (forecast === true) return html` <span class="mark">${say('forecast')}</span>`
  return forecast === undefined && html` <span class="mark">${say('day or forecast: cannot be told')}</span>`
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
    status?.[row] === 'triggered' ? html`<b>▲ ${say('triggered')}</b>` : html`△ ${say('reachable')}`
  const label = say`Candidates of ${day(date)}`
  const columns = [
    gridText(say('code'), (row: number) => symbol?.[row]),
    gridText(say('name'), (row: number) => outside(name?.[row]), 'name'),
    gridText(say('status'), state),
    gridText(say('rule'), (row: number) => outside(rule?.[row]), 'prose'),
    gridNumber(say('elapsed'), say(fact('ANOMALY_SECTION', 'days')), (row: number) => plain(elapsed?.[row])),
    gridNumber(say('deviation'), '%', (row: number) => formatSigned(deviation?.[row], 2)),
    gridNumber(say('to threshold'), say('% points'), (row: number) =>
      fixed(distance(rule?.[row], deviation?.[row]), 2),
    ),
    gridNumber(say(fact('ANOMALY_SECTION', 'required')), '%', (row: number) => formatSigned(required?.[row], 2)),
    gridNumber(say('trigger price'), say('yuan'), (row: number) => plain(price?.[row])),
    gridNumber(say(fact('ANOMALY_SECTION', 'change')), '%', (row: number) => formatSigned(change?.[row], 2)),
  ]
  return folded(rows, say, (shown) => htmlGrid(label, shown, columns))
}

function dayTable({ table, date, forecast, rows }: CandidateDay, say: Say): Html {
  const status = strings(table, 'status')
  const triggered = rows.filter((row) => status[row] === 'triggered').length
  const [hit, near] = [triggered, rows.length - triggered].map(formatCount)
  const cut = rows.length > most ? say` The ${most} nearest to their threshold are listed.` : ''
  const unchanged = say(' The day has not happened: the benchmark is taken as unchanged.')
  return html`<h3>${day(date)}${markOf(forecast, say)}</h3>
<p>${say`${many(rows.length, 'candidate')}: ${hit} triggered, ${near} within reach.`}${cut}${forecast === true && unchanged}</p>
${candidateTable(table, date, rows.slice(0, most), say)}`
}

/** The latest days of the table: the last that had happened, and a forecast where there is one. */
const lastDays = onceOf(({ of, date: latest }) => {
  const { table, days = [] } = of('anomaly_forecast') ?? {}
  if (!table) return []
  const all = days.map((date) => ({ date, table, forecast: isForecast(table, date, latest) }))
  const happened = all.filter((one) => one.forecast === false).slice(-1)
  const ahead = all.filter((one) => one.forecast === true)
  const shown = happened.length + ahead.length > 0 ? [...happened, ...ahead] : all.slice(-2)
  return shown.map((one) => ({ ...one, rows: candidates(table, one.date) }))
})

type CandidateDay = ReturnType<typeof lastDays>[number]

/** Candidates for severe abnormal movement on the latest day, their distance to the threshold, and the forecast. */
export const anomalySection: ReportSection = {
  title: (say) => say('Candidates for severe abnormal movement'),
  reads: ['anomaly_forecast'],
  missing: (say) => say('candidates (anomaly_forecast)'),
  brief: (today) => {
    const { say } = today
    return lastDays(today).map(({ date, table, forecast, rows }) => {
      const [code, name, status] = ['symbol', 'name', 'status'].map((column) => strings(table, column))
      const triggered = rows.filter((row) => status?.[row] === 'triggered')
      const word = forecast ? say`Forecast for ${day(date)}` : say`Triggered on ${day(date)}`
      return briefNames(word, forecast ? rows : triggered, (row) => outside(name?.[row] ?? code?.[row]), say)
    })
  },
  body: (today) => {
    const { say, of } = today
    if (!of('anomaly_forecast')) return undefined
    return html`${lastDays(today).map((one) => dayTable(one, say))}<p class="note">${say('Computed by the vendor, not a ruling of an exchange. Deviation: return of the stock over the interval less that of its benchmark index. To threshold: what the deviation lacks; at 0 or below it is reached. Required: change that the day needs, or needed, to reach it. Source:')} <code>anomaly_forecast</code></p>
`
  },
}
