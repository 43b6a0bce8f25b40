import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { has, numbers } from '../../../frame/read-columns.js'
import { chartFigure } from '../chart-figure.js'
import { day, formatCount, formatSigned, many, plain, signedTwo } from '../format-number.js'
import { absent, grid, type Html, html, htmlGrid, outside } from '../html.js'
import { lineSeries } from '../plot.js'
import type { DatedTable } from '../report-day.js'
import { recordsOf } from '../report-tables.js'
import { indexSeries } from './day-figures.js'
import type { ReportSection } from './report-section.js'

/** A statistical index on the day, its change in percent and as a difference. */
type IndexDay = ReturnType<typeof rowsOfDay>[number]

const wholeMarket = '总市值 流通市值 平均股价 成交均价 涨跌家数 停板家数 活筹市值 全A等权 全A中位'.split(' ')

/** The boards, and what the names of their indices begin with. */
const boards: readonly (readonly [name: (say: Say) => string, start: string | undefined])[] = [
  [(say) => say('All A shares'), undefined],
  [(say) => say('Main boards'), '主板'],
  [(say) => say(fact('INDEX_HEAT_MAP', 'ChiNext')), '创业'],
  [(say) => say(fact('INDEX_HEAT_MAP', 'STAR')), '科创'],
  [(say) => say('Beijing'), '北证'],
]

const measures: readonly (readonly [name: (say: Say) => string, end: string])[] = [
  [(say) => say('Total value'), '总值'],
  [(say) => say('Float value'), '流通'],
  [(say) => say('Mean price'), '平均'],
  [(say) => say('Traded price'), '均价'],
  [(say) => say('Advances–declines'), '涨跌'],
  [(say) => say('Price limits'), '停板'],
  [(say) => say('Active shares'), '活筹'],
  [(say) => say('Equal weight'), '等权'],
  [(say) => say('Median'), '中位'],
]

const others = ['ETF等权', 'REITs', '可转债', '通用回购']

/** Changes in percent from which on a cell is darker; counts move more than prices. */
const steps = [0.1, 0.3, 1]
const countSteps = [5, 20, 50]

function heatOf(change: number, isCount: boolean): string {
  const level = (isCount ? countSteps : steps).filter((step) => Math.abs(change) >= step).length
  return level === 0 || Number.isNaN(change) ? '' : ` ${change > 0 ? 'up' : 'down'}-${level}`
}

function cell(index: IndexDay | undefined, isCount: boolean): Html {
  if (!index) return html`<td class="heat none">—</td>`
  const changed = isCount ? formatSigned(index.difference, 0) : formatSigned(index.change, 2)
  return html`<td class="heat${heatOf(index.change, isCount)}" title="${index.name}"><b>${changed}</b><small>${plain(index.close)}</small></td>`
}

/** The statistical indices of a day by board, coloured by their change: red up, green down. */
function indexHeatMap(indices: ReadonlyMap<string, IndexDay>, date: string, say: Say): Html {
  const label = say('Statistical indices by board')
  const head = boards.map(([name]) => html`<th scope="col">${name(say)}</th>`)
  const rows = measures.map(([name, end], place) => {
    const cells = boards.map(([, start]) => {
      const index = start === undefined ? wholeMarket[place] : start + end
      return cell(indices.get(index ?? ''), place === 4 || place === 5)
    })
    const original = say.language === 'en' && html` <bdi lang="zh">${end}</bdi>`
    return html`<tr><th scope="row">${name(say)}${original}</th>${cells}</tr>
`
  })
  const rest = others.map((name) => {
    const index = indices.get(name)
    return html`<tr><th scope="row">${outside(name)}</th>${cell(index, false)}</tr>
`
  })
  return html`<div class="heat-maps">
<div class="wide" role="group" aria-label="${label}" tabindex="0"><table class="heat-map"><caption>${label}${say(', ')}${day(date)}</caption>
<thead><tr><td></td>${head}</tr></thead>
<tbody>
${rows}</tbody></table></div>
<div class="wide" role="group" aria-label="${say('Other statistical indices')}" tabindex="0"><table class="heat-map"><caption>${say('Others')}</caption>
<tbody>
${rest}</tbody></table></div>
</div>
<p class="note">${say('Change against the day before in percent, the close in points below it; of advances–declines and price limits the change and the number of stocks. Red is up, green is down, darker from 0.1, 0.3 and 1% (of the numbers of stocks: 5, 20 and 50%).')}</p>
`
}

/** Days drawn at most. */
const most = 250

/** The indices drawn by day, with what their panels call them. */
const drawn = [
  ['涨跌家数', 'one', (say: Say) => say('涨跌家数  Advances and declines, stocks')],
  ['停板家数', 'two', (say: Say) => say('停板家数  Stocks at their price limit')],
  ['全A等权', 'three', (say: Say) => say('全A等权  All A shares, equal weight, points')],
  ['可转债', 'ink', (say: Say) => say('可转债  Convertible bonds, points')],
] as const

function linesOf(table: Table) {
  const all = drawn.map(([name, ink, panel]) => {
    return { name, ink, panel, close: indexSeries(table, name, 'close'), change: indexSeries(table, name, 'pct_chg') }
  })
  return all.filter(({ close }) => close.size > 0)
}

async function byDay(table: Table, say: Say): Promise<Html> {
  const all = linesOf(table)
  if (all.length === 0) return absent(drawn.map(([name]) => name).join(say(fact('INDICES_SECTION', ', '))), say)
  const known = [...new Set(all.flatMap((line) => [...line.close.keys()]))].sort()
  const dates = known.slice(-most)
  const last = dates.at(-1) ?? ''
  const said = all.map(
    (line) => `${line.name} ${plain(line.close.get(last))} (${formatSigned(line.change.get(last), 2)}%)`,
  )
  const desc = say`On ${day(last)}: ${said.join(say('; '))}.`
  const cut = say` The last ${formatCount(dates.length)} of ${many(known.length, 'day')} are drawn.`
  return chartFigure(say, {
    id: 'indices-chart',
    title: say('Statistical indices of the whole market by day'),
    desc,
    x: { dates },
    panels: all.map(({ panel, ink, close }) => {
      const values = dates.map((date) => close.get(date))
      return { name: panel(say), height: 84, series: [lineSeries(values, ink)] }
    }),
    caption: html`${desc}${dates.length < known.length && cut} ${say('Each panel has a scale of its own, which need not begin at zero. How the counts are made is not specified. Source:')} <code>theme_daily</code>`,
    table: say('Statistical indices by day'),
    rows: dates,
    columns: [
      grid.text(say('day'), (date: string) => day(date)),
      ...all.flatMap(({ name, close, change }) => [
        grid.number(name, say('point'), (date: string) => plain(close.get(date))),
        grid.change(say('change'), '%', (date: string) => change.get(date), signedTwo),
      ]),
    ],
  })
}

function rowsOfDay({ table, rows }: DatedTable) {
  const all = recordsOf(table, ['symbol', 'name'], ['close', 'pct_chg'], rows)
  const differences = has(table, 'change') ? numbers(table, 'change') : undefined
  return all.map(({ pct_chg: change, ...one }, at) => {
    return { ...one, change, difference: differences?.[rows[at] as number] ?? Number.NaN }
  })
}

function allOfDay(rows: ReturnType<typeof rowsOfDay>, date: string, say: Say): Html {
  const title = say('All statistical indices of the latest day')
  return html`<details><summary>${title} (${day(date)}, ${formatCount(rows.length)})</summary>
${htmlGrid(title, rows, [
  grid.text(say('symbol'), ({ symbol }) => symbol),
  grid.text(say('name'), ({ name }) => outside(name), 'name'),
  grid.number(say(fact('INDICES_SECTION', 'close')), say('point'), ({ close }) => plain(close)),
  grid.change(say('change'), '%', ({ change }) => change, signedTwo),
])}</details>
`
}

/** Indices and breadth: the statistical indices of the day by board, and four of them by day. */
export const indicesSection: ReportSection = {
  title: (say) => say('Indices and breadth'),
  reads: ['theme_daily'],
  missing: (say) => say('index quotes (theme_daily)'),
  body: async ({ say, of }) => {
    const own = of('theme_daily')
    if (!own?.date) return undefined
    const rows = rowsOfDay(own)
    const map = indexHeatMap(new Map(rows.map((row) => [row.name, row])), own.date, say)
    return [map, await byDay(own.table, say), allOfDay(rows, own.date, say)]
  },
}
