import type { Table } from 'apache-arrow'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { exactSum } from '../../../frame/verb/array-statistics.js'
import { type AttributedRun, attribution } from '../../backtest/attribution.js'
import { day, formatCount, formatSigned } from '../format-number.js'
import { gridNumber, gridText, type Html, type HtmlPart, html, htmlGrid, outside, type Section } from '../html.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { instrument, sentences, signedPercent } from './sheet-parts.js'
import { chineseClasses } from './sheet-words.js'

/** Instruments beyond which only the best and the worst half are shown. */
const most = 20

const sources = ['price', 'ex_rights', 'income', 'costs', 'sum'] as const
const against = ['benchmark', 'allocation', 'selection', 'costs', 'sum'] as const
type Part = (typeof sources)[number] | (typeof against)[number]

/** Sums of the parts by what a row is of; yuan, to the fen. */
function sumsBy(table: Table, keyOf: (row: number) => string): (readonly [key: string, sums: Record<Part, number>])[] {
  const parts = [...new Set([...sources, ...against])].map((part) => [part, numbers(table, part)] as const)
  return Array.from(groupItems(Array(table.numRows).keys(), keyOf), ([key, rows]) => {
    const sums = parts.map(([part, values]) => [part, exactSum(rows.map((row) => values[row] as number))])
    return [key, Object.fromEntries(sums)] as const
  })
}

function sumsTable(
  { say }: RunSheet,
  { label, head, parts }: { readonly label: string; readonly head: string; readonly parts: readonly Part[] },
  rows: ReturnType<typeof sumsBy>,
  name: (key: string) => HtmlPart,
): Html {
  const yuan = parts.map((part) =>
    gridNumber(say(`part ${part}`), say('yuan'), ([, sums]: (typeof rows)[number]) => formatSigned(sums[part], 2)),
  )
  return htmlGrid(label, rows, [gridText(head, ([key]) => name(key), 'reason'), ...yuan])
}

function sourceTable({ say, run }: RunSheet, sums: Record<Part, number>): Html {
  return htmlGrid(say('attribution'), sources, [
    gridText(say('kind'), (part) => say(`part ${part}`)),
    gridNumber(say('yuan'), undefined, (part) => formatSigned(sums[part], 2)),
    gridNumber(say('of start'), undefined, (part) => signedPercent(sums[part] / (run?.start ?? Number.NaN))),
  ])
}

function groupTable(sheet: RunSheet, rows: ReturnType<typeof sumsBy>): Html {
  const { say, benchmark } = sheet
  const columns = { label: say('against benchmark'), head: say('group'), parts: against }
  const classIn = (key: string): string => (sheet.at === 1 ? (chineseClasses[key] ?? key) : key)
  const name = (key: string): HtmlPart => (key === 'cash' ? say('cash') : html`<bdi>${classIn(key)}</bdi>`)
  return html`<h3>${columns.label}</h3>
<p class="note">${say('against note', { name: benchmark?.name ?? '' })}</p>
${sumsTable(sheet, columns, rows, name)}`
}

/** Whether all tables are there that the change of an account is read from. */
function isWhole(run: TearSheetRun | undefined): run is TearSheetRun & AttributedRun {
  return run?.fills !== undefined && run.positions !== undefined && run.events !== undefined
}

/** Where the change of the account came from; undefined where its tables are not known, or nothing was ever held. */
export function attributionSection(sheet: RunSheet): Section | undefined {
  const { say, run, options } = sheet
  const found = options.attribution ?? (isWhole(run) ? attribution(run) : undefined)
  const [whole] = found ? sumsBy(found, () => '') : []
  if (!found || !whole) return undefined
  const isCompared = options.attribution !== undefined && sheet.benchmark !== undefined
  const [dates, symbol, group] = [strings(found, 'tradedate'), strings(found, 'symbol'), strings(found, 'group')]
  const months = sumsBy(found, (row) => (dates[row] ?? '').replace(/(\d{4})(\d\d).*/, '$1-$2'))
  const all = sumsBy(found, (row) => symbol[row] ?? '').filter(([code]) => code !== 'cash')
  const ranked = all.sort(([a, one], [b, two]) => two.sum - one.sum || (a < b ? -1 : 1))
  const isCut = ranked.length > most
  const shown = isCut ? [...ranked.slice(0, most / 2), ...ranked.slice(-most / 2)] : ranked
  const told = say('contributions note', { sum: formatSigned(whole[1].sum, 2), count: formatCount(ranked.length) })
  const cut = isCut ? say('contributions cut', { count: most / 2 }) : ''
  const ofMonths = [...sources.slice(0, -1), ...(isCompared ? against.slice(0, 3) : []), 'sum' as const]
  const byMonth = { label: say('by month'), head: say('month of'), parts: ofMonths }
  const byCode = { label: say('contributions'), head: say('instrument'), parts: sources }
  const groups =
    isCompared &&
    groupTable(
      sheet,
      sumsBy(found, (row) => group[row] ?? ''),
    )
  const body = html`<p class="note">${say('attribution note')}</p>
${sourceTable(sheet, whole[1])}${groups}<h3>${byMonth.label}</h3>
${sumsTable(sheet, byMonth, months, (key) => key)}<h3>${byCode.label}</h3>
<p class="note">${sentences(sheet, told, cut)}</p>
${sumsTable(sheet, byCode, shown, (code) => instrument(sheet, code))}`
  return { id: 'attribution', title: say('attribution'), body }
}

/** Announcements that name a redemption of what was held; undefined without any. */
export function announcementSection(sheet: RunSheet): Section | undefined {
  const { say, options } = sheet
  const { announcements = [] } = options
  if (announcements.length === 0) return undefined
  const title = say('announcements')
  const body = html`<p class="note">${say('announcements note')}</p>
${htmlGrid(title, announcements, [
  gridText(say('day'), (one) => day(one.day)),
  gridText(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
  gridText(say('announcement'), (one) => outside(one.title), 'prose'),
])}`
  return { id: 'announcements', title, body }
}
