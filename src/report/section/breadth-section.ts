import type { Table } from 'apache-arrow'
import { numbers, texts } from '../../frame/read-columns.js'
import { drawPlot } from '../draw-plot.js'
import { day, formatSigned, many, plain } from '../format-number.js'
import { absent, figure, gridNumber, gridText, type Html, html, htmlGrid, outside, type Section } from '../html.js'
import { type Plot, type PlotPanel, plotPair } from '../plot.js'
import { filled, type ReportInput } from '../report-tables.js'

const most = 250

/** The indices shown, with what the panel calls them. */
const wanted = [
  { name: '涨跌家数', english: 'Advances and declines', ink: 'one' },
  { name: '停板家数', english: 'Stocks at their price limit', ink: 'two' },
  { name: '全A等权', english: 'All A shares, equal weight', ink: 'three' },
  { name: '可转债', english: 'Convertible bonds', ink: 'ink' },
] as const

interface Line {
  readonly name: string
  readonly english: string
  readonly ink: (typeof wanted)[number]['ink']
  readonly close: ReadonlyMap<string, number>
  readonly change: ReadonlyMap<string, number>
}

function linesOf(table: Table): Line[] {
  const [dates, names] = [texts(table, 'tradedate'), texts(table, 'name')]
  const [close, change] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  return wanted.flatMap((one): Line[] => {
    const line = { ...one, close: new Map<string, number>(), change: new Map<string, number>() }
    names.forEach((name, row) => {
      const date = dates[row]
      if (name !== one.name || !date) return
      line.close.set(date, close[row] ?? Number.NaN)
      line.change.set(date, change[row] ?? Number.NaN)
    })
    return line.close.size > 0 ? [line] : []
  })
}

function plotOf(lines: readonly Line[], dates: readonly string[], desc: string): Plot {
  const panels = lines.map((line): PlotPanel => {
    const at = dates.map((date, place) => plotPair(place, line.close.get(date)))
    return {
      name: `${line.name}  ${line.english}, points at the close`,
      height: 84,
      series: [{ kind: 'line', at, ink: line.ink }],
    }
  })
  return {
    id: 'breadth-chart',
    title: 'Statistical indices of the whole market by day',
    desc,
    x: { dates },
    panels,
  }
}

function numbersByDay(lines: readonly Line[], dates: readonly string[]): Html {
  const columns = lines.flatMap(({ name, close, change }) => [
    gridNumber(name, 'point', (date: string) => plain(close.get(date))),
    gridNumber('change', '%', (date: string) => formatSigned(change.get(date), 2)),
  ])
  return htmlGrid('Statistical indices by day', dates, [gridText('day', (date) => day(date)), ...columns])
}

async function indices(table: Table): Promise<Html> {
  const lines = linesOf(table)
  if (lines.length === 0) return absent(`none of ${wanted.map((one) => one.name).join(', ')} is in theme_daily`)
  const all = [...new Set(lines.flatMap((line) => [...line.close.keys()]))].sort()
  const dates = all.slice(-most)
  const last = dates.at(-1) ?? ''
  const said = lines.map(
    (line) => `${line.name} ${plain(line.close.get(last))} (${formatSigned(line.change.get(last), 2)} %)`,
  )
  const desc = `On ${day(last)}: ${said.join('; ')}.`
  const cut =
    dates.length < all.length ? ` The last ${many(dates.length, 'day')} of ${many(all.length, 'day')} are drawn.` : ''
  return figure({
    drawing: await drawPlot(plotOf(lines, dates, desc)),
    key: [],
    caption: html`${desc} Points as the vendor sends them; each panel has a scale of its own, which need not begin at zero, and the
specification does not say how the counts are made.${cut} A snapshot, where the last day had not closed. Source:
<code>theme_daily</code>.`,
    numbers: numbersByDay(lines, dates),
    rows: dates.length,
  })
}

function latestTable(table: Table): Html {
  const dates = texts(table, 'tradedate')
  const last = dates
    .filter((date) => date !== null)
    .sort()
    .at(-1)
  const [symbol, name] = [texts(table, 'symbol'), texts(table, 'name')]
  const [close, change] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  const rows = dates.flatMap((date, row) => (date === last ? [row] : []))
  return html`<details><summary>All statistical indices of ${day(last)} (${many(rows.length, 'row')})</summary>
${htmlGrid('All statistical indices of the latest day', rows, [
  gridText('symbol', (row) => symbol[row] ?? ''),
  gridText('name', (row) => outside(name[row]), 'name'),
  gridNumber('close', 'point', (row) => plain(close[row])),
  gridNumber('change', '%', (row) => formatSigned(change[row], 2)),
])}</details>
`
}

/** Breadth of the market from the statistical indices. */
export async function breadthSection(input: ReportInput): Promise<Section> {
  const table = filled(input.tables.theme_daily)
  const body = table ? html`${await indices(table)}${latestTable(table)}` : absent('theme_daily')
  return { id: 'breadth', title: 'Breadth of the market', body }
}
