import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { chartFigure } from '../chart-figure.js'
import { day, formatCount, formatSigned, many, plain } from '../format-number.js'
import { absent, gridNumber, gridText, type Html, html, htmlGrid, outside } from '../html.js'
import { lineSeries } from '../plot.js'
import type { DatedTable } from '../report-day.js'
import { indexSeries } from './day-figures.js'
import { type IndexDay, indexHeatMap } from './index-heat-map.js'
import type { ReportSection } from './report-section.js'

/** Days drawn at most. */
const most = 250

/** The indices drawn by day, with what their panels call them. */
const drawn = [
  {
    name: '涨跌家数',
    panel: (say: Say) => say('涨跌家数  Advances and declines, points'),
    ink: 'one',
  },
  {
    name: '停板家数',
    panel: (say: Say) => say('停板家数  Stocks at their price limit, points'),
    ink: 'two',
  },
  {
    name: '全A等权',
    panel: (say: Say) => say('全A等权  All A shares, equal weight, points'),
    ink: 'three',
  },
  { name: '可转债', panel: (say: Say) => say('可转债  Convertible bonds, points'), ink: 'ink' },
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
  if (all.length === 0) return absent(drawn.map((one) => one.name).join(say(fact('INDICES_SECTION', ', '))), say)
  const known = [...new Set(all.flatMap((line) => [...line.close.keys()]))].sort()
  const dates = known.slice(-most)
  const last = dates.at(-1) ?? ''
  const said = all.map(
    (line) => `${line.name} ${plain(line.close.get(last))} (${formatSigned(line.change.get(last), 2)} %)`,
  )
  const desc = say`On ${day(last)}: ${said.join(say('; '))}.`
  const cut = say` The last ${formatCount(dates.length)} of ${many(known.length, 'day')} are drawn.`
  return chartFigure(say, {
    id: 'indices-chart',
    title: say('Statistical indices of the whole market by day'),
    desc,
    x: { dates },
    panels: all.map(({ panel, ink, close }) => ({
      name: panel(say),
      height: 84,
      series: [
        lineSeries(
          dates.map((date) => close.get(date)),
          ink,
        ),
      ],
    })),
    caption: html`${desc}${dates.length < known.length && cut} ${say('Each panel has a scale of its own, which need not begin at zero. How the counts are made is not specified. Source:')} <code>theme_daily</code>`,
    table: say('Statistical indices by day'),
    rows: dates,
    columns: [
      gridText(say('day'), (date: string) => day(date)),
      ...all.flatMap(({ name, close, change }) => [
        gridNumber(name, say('point'), (date: string) => plain(close.get(date))),
        gridNumber(say('change'), '%', (date: string) => formatSigned(change.get(date), 2)),
      ]),
    ],
  })
}

interface IndexRow extends IndexDay {
  readonly symbol: string
}

function rowsOfDay({ table, rows }: DatedTable): IndexRow[] {
  const [symbol, name] = [strings(table, 'symbol'), strings(table, 'name')]
  const [close, change] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  return rows.map((row) => ({
    symbol: symbol[row] ?? '',
    name: name[row] ?? '',
    close: close[row] ?? Number.NaN,
    change: change[row] ?? Number.NaN,
  }))
}

function allOfDay(rows: readonly IndexRow[], date: string, say: Say): Html {
  const title = say('All statistical indices of the latest day')
  return html`<details><summary>${title} (${day(date)}, ${formatCount(rows.length)})</summary>
${htmlGrid(title, rows, [
  gridText(say('symbol'), ({ symbol }) => symbol),
  gridText(say('name'), ({ name }) => outside(name), 'name'),
  gridNumber(say(fact('INDICES_SECTION', 'close')), say('point'), ({ close }) => plain(close)),
  gridNumber(say('change'), '%', ({ change }) => formatSigned(change, 2)),
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
