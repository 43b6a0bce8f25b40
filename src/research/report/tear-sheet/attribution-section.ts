import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { exactSum } from '../../../frame/verb/array-statistics.js'
import { type Attribution, attribution } from '../../backtest/attribution.js'
import { formatCount, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrument, sentences, signedPercent } from './sheet-parts.js'

/** Instruments beyond which only the best and the worst half are shown. */
const most = 20

const sources = ['price', 'ex_rights', 'income', 'costs'] as const
const against = ['benchmark', 'allocation', 'selection', 'costs'] as const
type Part = (typeof sources)[number] | (typeof against)[number] | 'sum'

/** A table of parts in yuan, signed. */
function partTable(
  { say }: RunSheet,
  label: string,
  table: Table,
  {
    head,
    name,
    parts,
    rows,
  }: { head: string; name: (row: number) => HtmlPart; parts: readonly Part[]; rows: readonly number[] },
): Html {
  const yuan = [...parts, 'sum' as const].map((part) => {
    const values = numbers(table, part)
    return gridNumber(say(`part ${part}`), say('yuan'), (row: number) => formatSigned(values[row] as number, 2))
  })
  return htmlGrid(label, rows, [gridText(head, name, 'reason'), ...yuan])
}

function sourceTable({ say, run }: RunSheet, { byMonth, change }: Attribution): Html {
  const rows = [...sources.map((part) => [part, exactSum(numbers(byMonth, part))] as const), ['sum', change] as const]
  return htmlGrid(say('attribution'), rows, [
    gridText(say('kind'), ([part]) => say(`part ${part}`)),
    gridNumber(say('yuan'), undefined, ([, value]) => formatSigned(value, 2)),
    gridNumber(say('of start'), undefined, ([, value]) => signedPercent(value / (run?.start ?? Number.NaN))),
  ])
}

function instrumentTable(sheet: RunSheet, { byInstrument, change }: Attribution): Html | undefined {
  const { say } = sheet
  const count = byInstrument.numRows
  if (count === 0) return undefined
  const symbols = strings(byInstrument, 'symbol')
  const isCut = count > most
  const rows = [...symbols.keys()].filter((row) => row < most / 2 || row >= count - most / 2)
  const note = say('contributions note', { sum: formatSigned(change, 2), count: formatCount(count) })
  const cut = isCut ? say('contributions cut', { count: most / 2 }) : ''
  const name = (row: number): Html => instrument(sheet, symbols[row] as string)
  return html`<h3>${say('contributions')}</h3>
<p class="note">${sentences(sheet, note, cut)}</p>
${partTable(sheet, say('contributions'), byInstrument, { head: say('instrument'), name, parts: sources, rows })}`
}

function groupTable(sheet: RunSheet, { byGroup }: Attribution): Html | undefined {
  if (!byGroup || !sheet.benchmark) return undefined
  const { say } = sheet
  const names = strings(byGroup, 'group')
  const name = (row: number): HtmlPart => (names[row] === 'cash' ? say('cash') : html`<bdi>${names[row]}</bdi>`)
  return html`<h3>${say('against benchmark')}</h3>
<p class="note">${say('against note', { name: sheet.benchmark.name })}</p>
${partTable(sheet, say('against benchmark'), byGroup, { head: say('group'), name, parts: against, rows: [...names.keys()] })}`
}

function monthTable(sheet: RunSheet, { byMonth, byGroup }: Attribution): Html {
  const { say } = sheet
  const months = strings(byMonth, 'month')
  const name = (row: number): string => (months[row] as string).replace(/(\d{4})/, '$1-')
  const parts = byGroup ? ([...sources, 'benchmark', 'allocation', 'selection'] as const) : sources
  return html`<h3>${say('by month')}</h3>
${partTable(sheet, say('by month'), byMonth, { head: say('month of'), name, parts, rows: [...months.keys()] })}`
}

/** Whether all tables are there that the change of the account is read from. */
function isWhole(run: TearSheetRun | undefined): run is TearSheetRun & Parameters<typeof attribution>[0] {
  return run?.fills !== undefined && run.positions !== undefined && run.events !== undefined
}

/** Where the change of the account came from; undefined where its tables are not known. */
export function attributionSection(sheet: RunSheet): Section | undefined {
  const { say, run, options } = sheet
  if (!isWhole(run)) return undefined
  const found = options.attribution ?? attribution(run)
  const body = html`<p class="note">${say('attribution note')}</p>
${sourceTable(sheet, found)}${groupTable(sheet, found)}${monthTable(sheet, found)}${instrumentTable(sheet, found)}`
  return { id: 'attribution', title: say('attribution'), body }
}
