import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has, strings } from '../../../frame/read-columns.js'
import { parseRule } from '../../checks/anomaly/anomaly-rules.js'
import { exactDifference } from '../../checks/exact/decimal.js'
import { day, fixed, formatCount, formatSigned, many, plain, signedTwo } from '../format-number.js'
import { folded, grid, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { onceOf } from '../report-day.js'
import { recordsOf, rowsOn } from '../report-tables.js'
import { compareTexts } from '../report-words.js'
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

/** Candidates of a day: what was triggered first, then by the change that is still needed. */
function candidates(table: Table, date: string) {
  const texts = ['symbol', 'name', 'rule', 'status'] as const
  const figures = ['elapsed_days', 'deviation_pct', 'required_pct_chg', 'trigger_price', 'pct_chg'] as const
  const first = ({ status }: { status: string }): number => (status === 'triggered' ? 0 : 1)
  return recordsOf(table, texts, figures, rowsOn(table, 'tradedate', date)).sort(
    (a, b) =>
      first(a) - first(b) ||
      Math.abs(a.required_pct_chg) - Math.abs(b.required_pct_chg) ||
      compareTexts(`${a.symbol} ${a.rule}`, `${b.symbol} ${b.rule}`),
  )
}

type Candidate = ReturnType<typeof candidates>[number]

/** Percentage points that the deviation lacks to the threshold, 0 or less once it is reached; NaN where the rule can't be read. */
function distance({ rule, deviation_pct: deviation }: Candidate): number {
  const parsed = parseRule(rule)
  if (!parsed || Number.isNaN(deviation)) return Number.NaN
  return parsed.threshold > 0
    ? exactDifference(parsed.threshold, deviation)
    : exactDifference(deviation, parsed.threshold)
}

/** What is said of a day besides its count. */
function markOf(forecast: boolean | undefined, say: Say): HtmlPart {
  if (forecast === true) return html` <span class="mark">${say('forecast')}</span>`
  return forecast === undefined && html` <span class="mark">${say('day or forecast: cannot be told')}</span>`
}

/** Whether a candidate has reached its threshold, in a sign and a word; of a day with quotes, that it has not, of one ahead that it may. */
export function candidateState(status: string, change: unknown, say: Say): Html {
  if (status === 'triggered') return html`<b>▲ ${say('triggered')}</b>`
  const hasQuotes = typeof change === 'number' && !Number.isNaN(change)
  return html`△ ${hasQuotes ? say('not reached') : say('reachable')}`
}

/** A rule of the vendor, whose own words are Chinese, in the language of the page where it can be read. */
export function ruleText(rule: string, say: Say): Html {
  const parsed = say.language === 'zh' ? undefined : parseRule(rule)
  if (!parsed) return outside(rule)
  const { days, threshold } = parsed
  const read = say`${formatSigned(threshold, 0)}% in ${many(days, 'day')}`
  return html`<span title="${rule}">${read}</span>`
}

function candidateTable(date: string, all: readonly Candidate[], say: Say): Html {
  return folded(all, say, (shown) =>
    htmlGrid(say`Candidates of ${day(date)}`, shown, [
      grid.text(say('code'), ({ symbol }) => symbol),
      grid.text(say('name'), ({ name }) => outside(name), 'name'),
      grid.text(say('status'), ({ status, pct_chg: change }) => candidateState(status, change, say)),
      grid.text(say('rule'), ({ rule }) => ruleText(rule, say), 'reason'),
      grid.number(say('elapsed'), say(fact('ANOMALY_SECTION', 'days')), (one) => plain(one.elapsed_days)),
      grid.change(say('deviation'), '%', (one) => one.deviation_pct, signedTwo),
      grid.number(say('to threshold'), say('% points'), (one) => fixed(distance(one), 2)),
      grid.change(say(fact('ANOMALY_SECTION', 'required')), '%', (one) => one.required_pct_chg, signedTwo),
      grid.number(say('trigger price'), say('yuan'), (one) => plain(one.trigger_price)),
      grid.change(say(fact('ANOMALY_SECTION', 'change')), '%', (one) => one.pct_chg, signedTwo),
    ]),
  )
}

const triggeredOf = (all: readonly Candidate[]) => all.filter(({ status }) => status === 'triggered')

function dayTable({ date, forecast, all }: CandidateDay, say: Say): Html {
  const triggered = triggeredOf(all).length
  const [hit, near] = [triggered, all.length - triggered].map(formatCount)
  const cut = all.length > most ? say` The ${most} nearest to their threshold are listed.` : ''
  const unchanged = say(' The day has not happened: the benchmark is taken as unchanged.')
  return html`<h3>${day(date)}${markOf(forecast, say)}</h3>
<p>${forecast === false ? say`${many(all.length, 'candidate')}: ${hit} triggered, ${near} not.` : say`${many(all.length, 'candidate')}: ${hit} triggered, ${near} within reach.`}${cut}${forecast === true && unchanged}</p>
${candidateTable(date, all.slice(0, most), say)}`
}

/** The latest days of the table: the last that had happened, and a forecast where there is one. */
const lastDays = onceOf(({ of, date: latest }) => {
  const { table, days = [] } = of('anomaly_forecast') ?? {}
  if (!table) return []
  const all = days.map((date) => ({ date, forecast: isForecast(table, date, latest) }))
  const happened = all.filter((one) => one.forecast === false).slice(-1)
  const ahead = all.filter((one) => one.forecast === true)
  const shown = happened.length + ahead.length > 0 ? [...happened, ...ahead] : all.slice(-2)
  return shown.map((one) => ({ ...one, all: candidates(table, one.date) }))
})

type CandidateDay = ReturnType<typeof lastDays>[number]

/** Candidates for severe abnormal movement on the latest day, their distance to the threshold, and the forecast. */
export const anomalySection: ReportSection = {
  title: (say) => say('Candidates for severe abnormal movement'),
  reads: ['anomaly_forecast'],
  missing: (say) => say('candidates (anomaly_forecast)'),
  brief: (today) => {
    const { say } = today
    return lastDays(today).map(({ date, forecast, all }) => {
      const word = forecast ? say`Forecast for ${day(date)}` : say`Triggered on ${day(date)}`
      return briefNames(word, forecast ? all : triggeredOf(all), ({ name, symbol }) => outside(name || symbol), say)
    })
  },
  body: (today) => {
    const { say, of } = today
    if (!of('anomaly_forecast')) return undefined
    return html`${lastDays(today).map((one) => dayTable(one, say))}<p class="note">${say('Computed by the vendor, not a ruling of an exchange. Deviation: return of the stock over the interval less that of its benchmark index. To threshold: what the deviation lacks; at 0 or below it is reached. Required: change that the day needs, or needed, to reach it. Source:')} <code>anomaly_forecast</code></p>
`
  },
}
