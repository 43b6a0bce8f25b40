import type { Table } from 'apache-arrow'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { fact } from '../../contract/sentence.js'
import { unitInStatement } from '../../contract/statement-unit.js'
import { columnsOf } from '../../frame/read-columns.js'
import { cellOf } from '../../frame/table/values.js'
import { daysFigure } from '../../research/report/chart-figure.js'
import { day, formatCount, many } from '../../research/report/format-number.js'
import { grid, type Html, html, htmlGrid } from '../../research/report/html.js'
import { lineSeries } from '../../research/report/plot.js'
import { RefusedError } from '../service/refused-error.js'
import { type DeskColumn, deskCell, deskNumbers, deskTexts, gridNumbers, withUnit } from './desk-rows.js'
import { type DeskPage, type DeskVisit, deskHref, sameHref, tryHref } from './desk-visit.js'
import { pointChart } from './point-chart.js'

/** Rows of a result that are shown, and panels of a chart. */
const mostRows = 500
const mostPanels = 3
/** Characters of a statement that an address takes. */
const mostText = 6000

/** Statements to begin with. */
const examples = [
  'select code, name, close, cb_over_rate from convertible_daily where tradedate = (select max(tradedate) from convertible_daily) order by cb_over_rate limit 20',
  'select tradedate, median(cb_over_rate) as premium, sum(amount) as amount from convertible_daily group by 1 order by 1',
  'select close, cb_over_rate from convertible_daily where tradedate = (select max(tradedate) from convertible_daily)',
]

/** Numbers of a query as they are read: seven digits of the largest, two decimals at least; what is computed has no others that mean something. */
function readable(cells: DeskColumn['cells']): DeskColumn['cells'] {
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number' && Number.isFinite(cell))
  const most = numbers.reduce((top, one) => Math.max(top, Math.abs(one)), 0)
  const places = most === 0 ? 2 : Math.min(Math.max(6 - Math.floor(Math.log10(most)), 2), 12)
  return cells.map((cell) => (typeof cell === 'number' && Number.isFinite(cell) ? Number(cell.toFixed(places)) : cell))
}

/** The columns of a result: numbers by what they are, all else as text. */
function resultColumns(table: Table, sql: string, visit: DeskVisit): readonly DeskColumn[] {
  const { say } = visit
  return [...columnsOf(table).columns].map(([name, values]) => {
    const cells = Array.from({ length: table.numRows }, (_, row) => deskCell(cellOf(values, row)))
    const isNumber = cells.some((cell) => cell !== null) && cells.every((cell) => typeof cell !== 'string')
    if (!isNumber) return { ...deskTexts(name, cells, say), head: name }
    return { ...deskNumbers({ name }, readable(cells), say, unitInStatement(sql, name, say.language)), head: name }
  })
}

const cellsOf = ({ cells }: DeskColumn): Float64Array =>
  Float64Array.from(cells, (cell) => (typeof cell === 'number' ? cell : Number.NaN))

/** Numbers over the days of a result that has a day a row, or the first two numbers against each other. */
async function resultChart({ say }: DeskVisit, columns: readonly DeskColumn[]): Promise<Html | false> {
  const numbers = columns.filter(({ isNumber }) => isNumber)
  const dated = columns.find(({ cells }) =>
    cells.every((cell, at) => /^\d{8}$/.test(String(cell)) && (at === 0 || String(cell) > String(cells[at - 1]))),
  )
  const [x, y] = numbers
  if (dated && x && dated.cells.length > 1) {
    const some = numbers.slice(0, mostPanels)
    const title = say`${some.map(({ name }) => name).join(', ')} by day`
    return daysFigure(say, {
      isLive: true,
      id: 'sql-days',
      title,
      desc: `${title}: ${day(String(dated.cells[0]))} – ${day(String(dated.cells.at(-1)))}`,
      x: { dates: dated.cells.map(String) },
      panels: some.map((one) => ({
        name: withUnit(say, one.name, one.unit),
        height: 180,
        series: [lineSeries(cellsOf(one), 'one')],
      })),
      columns: some.map(gridNumbers),
    })
  }
  return x !== undefined && y !== undefined && pointChart(say, 'sql-points', [x, y], [...x.cells.keys()])
}

async function resultOf(visit: DeskVisit, text: string): Promise<Html> {
  const { say, sql } = visit
  const table = await sql(text)
  const columns = resultColumns(table, text, visit)
  const places = Array.from({ length: Math.min(table.numRows, mostRows) }, (_, at) => at)
  const title = say('Result')
  const codes = ['code', 'symbol']
  const gridColumns = columns.map((column) => {
    const cell = (at: number) => {
      const [value, said] = [column.cells[at] ?? null, column.show(column.cells[at] ?? null)]
      const isCode = codes.includes(column.name) && value !== null
      return isCode ? html`<a href="${deskHref(visit, ['code', String(value)])}">${said}</a>` : said
    }
    return column.isNumber
      ? grid.number<number>(column.name, column.unit, cell)
      : grid.text<number>(column.name, cell, 'name')
  })
  const rest = table.numRows > mostRows && say`The first ${formatCount(mostRows)} are shown.`
  return html`<section id="result"><h2>${title} <small>${say`${many(table.numRows, 'row')}`}</small></h2>${rest && html`<p class="note">${rest}</p>`}${await resultChart(visit, columns)}${htmlGrid(title, places, gridColumns)}</section>`
}

/** A statement in the address, its rows as a table, and a chart of them. It reads. */
export async function sqlPage(visit: DeskVisit): Promise<DeskPage> {
  const { say, asked } = visit
  const text = (asked.get('sql') ?? '').trim()
  const lang = asked.get('lang')
  const links = examples.map((one) => html`<li><a href="${sameHref(visit, { sql: one })}"><code>${one}</code></a></li>`)
  const form = html`<h1>SQL</h1>
<form class="sql" action="/desk/sql">${lang && html`<input type="hidden" name="lang" value="${lang}">`}
<label for="sql">${say('One query in the dialect of DuckDB over the datasets of the archive; it ends with a select.')}</label>
<textarea id="sql" name="sql" rows="5" maxlength="${mostText}" spellcheck="false" required>${text}</textarea>
<p><button>${say(fact('DESK', 'Run'))}</button> <a href="${tryHref(visit)}">${say('The same for other programs, and queries by form')}</a></p></form>
`
  const more = html`<details${text === '' && html` open`}><summary>${say('Examples')}</summary><ul>${links}</ul></details>`
  if (text === '') return { title: 'SQL', body: [form, more] }
  try {
    return { title: 'SQL', body: [form, more, await resultOf(visit, text.slice(0, mostText))] }
  } catch (error) {
    if (!(error instanceof QuotebookError || error instanceof RefusedError)) throw error
    const why = html`<p class="absent" role="alert">${say(messageOf(error))}</p>`
    return { title: 'SQL', status: 400, body: [form, why, more] }
  }
}
