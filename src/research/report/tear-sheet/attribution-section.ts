import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { exactSum } from '../../../frame/verb/array-statistics.js'
import { type AttributedRun, attribution } from '../../backtest/attribution.js'
import { day, formatCount, formatSigned, signedTwo } from '../format-number.js'
import { grid, type Html, type HtmlPart, html, htmlGrid, outside, type Section } from '../html.js'
import { compareTexts, sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'
import { classIn, instrument, signedPercent } from './sheet-parts.js'

/** Instruments beyond which only the best and the worst half are shown. */
const most = 20

const sources = ['price', 'ex_rights', 'income', 'costs', 'sum'] as const
const against = ['benchmark', 'allocation', 'selection', 'costs', 'sum'] as const
type Part = (typeof sources)[number] | (typeof against)[number]

const partTitles: Readonly<Record<Part, (say: Say) => string>> = {
  price: (say) => say('price'),
  ex_rights: (say) => say('ex-rights'),
  income: (say) => say('income'),
  costs: (say) => say(fact('ATTRIBUTION_SECTION', 'costs')),
  sum: (say) => say('sum'),
  benchmark: (say) => say('benchmark'),
  allocation: (say) => say('allocation'),
  selection: (say) => say('selection'),
}

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
    grid.change(partTitles[part](say), say('yuan'), ([, sums]: (typeof rows)[number]) => sums[part], signedTwo),
  )
  return htmlGrid(label, rows, [grid.text(head, ([key]) => name(key), 'reason'), ...yuan])
}

function sourceTable({ say, run }: RunSheet, sums: Record<Part, number>): Html {
  return htmlGrid(say('What brought the change'), sources, [
    grid.text(say(fact('ATTRIBUTION_SECTION', 'kind')), (part) => partTitles[part](say)),
    grid.number(say('yuan'), undefined, (part) => formatSigned(sums[part], 2)),
    grid.number(say('of the start'), undefined, (part) => signedPercent(sums[part] / (run?.start ?? Number.NaN))),
  ])
}

function groupTable(sheet: RunSheet, rows: ReturnType<typeof sumsBy>): Html {
  const { say, benchmark } = sheet
  const columns = {
    label: say('Against the benchmark, by group'),
    head: say('group'),
    parts: against,
  }
  const name = (key: string): HtmlPart =>
    key === 'cash' ? say(fact('ATTRIBUTION_SECTION', 'cash')) : html`<bdi>${classIn(key, say)}</bdi>`
  return html`<h3>${columns.label}</h3>
<p class="note">${say`Day by day. Benchmark: what the value at the open would have brought in ${benchmark?.name ?? ''}. Allocation: that value times what the group’s mean return was above it. Selection: what was brought before costs, above that mean.`}</p>
${sumsTable(sheet, columns, rows, name)}`
}

/** Whether all tables are there that the change of an account is read from. */
function isWhole(run: TearSheetRun | undefined): run is TearSheetRun & AttributedRun {
  return run?.fills !== undefined && run.positions !== undefined && run.events !== undefined
}

function attributed({ run, options }: RunSheet): Table | undefined {
  return options.attribution ?? (isWhole(run) ? attribution(run) : undefined)
}

/** What each instrument brought, in yuan: what moved the account most first. */
export function broughtByCode(sheet: RunSheet): (readonly [code: string, yuan: number])[] {
  const found = attributed(sheet)
  if (!found) return []
  const symbol = strings(found, 'symbol')
  const all = sumsBy(found, (row) => symbol[row] ?? '').filter(([code]) => code !== 'cash')
  const sums = all.map(([code, { sum }]) => [code, sum] as const)
  return sums.sort(([a, one], [b, two]) => Math.abs(two) - Math.abs(one) || compareTexts(a, b))
}

/** Where the change of the account came from; undefined where its tables are not known, or nothing was ever held. */
export function attributionSection(sheet: RunSheet): Section | undefined {
  const { say, options } = sheet
  const found = attributed(sheet)
  const [whole] = found ? sumsBy(found, () => '') : []
  if (!found || !whole) return undefined
  const isCompared = options.attribution !== undefined && sheet.benchmark !== undefined
  const [dates, symbol, group] = [strings(found, 'tradedate'), strings(found, 'symbol'), strings(found, 'group')]
  const months = sumsBy(found, (row) => (dates[row] ?? '').replace(/(\d{4})(\d\d).*/, '$1-$2'))
  const all = sumsBy(found, (row) => symbol[row] ?? '').filter(([code]) => code !== 'cash')
  const ranked = all.sort(([a, one], [b, two]) => two.sum - one.sum || (a < b ? -1 : 1))
  const isCut = ranked.length > most
  const shown = isCut ? [...ranked.slice(0, most / 2), ...ranked.slice(-most / 2)] : ranked
  const told = say`${formatCount(ranked.length)} instruments, ${formatSigned(whole[1].sum, 2)} yuan in all: the change of the account.`
  const cut = isCut ? say`The ${most / 2} best and the ${most / 2} worst are shown.` : ''
  const ofMonths = [...sources.slice(0, -1), ...(isCompared ? against.slice(0, 3) : []), 'sum' as const]
  const byMonth = { label: say('By month'), head: say('month'), parts: ofMonths }
  const byCode = {
    label: say('What each instrument brought'),
    head: say('instrument'),
    parts: sources,
  }
  const groups =
    isCompared &&
    groupTable(
      sheet,
      sumsBy(found, (row) => group[row] ?? ''),
    )
  const body = html`<p class="note">${say('Each table sums to the change of the account, to the fen. Price is what prices brought, with redemptions and slippage; ex-rights are the shares and cash that made up for a lower previous close; income is dividends and coupons less tax.')}</p>
${sourceTable(sheet, whole[1])}${groups}<h3>${byMonth.label}</h3>
${sumsTable(sheet, byMonth, months, (key) => key)}<h3>${byCode.label}</h3>
<p class="note">${sentences(sheet.say, told, cut)}</p>
${sumsTable(sheet, byCode, shown, (code) => instrument(sheet, code))}`
  return { id: 'attribution', title: say('What brought the change'), body }
}

/** Announcements that name a redemption of what was held; undefined without any. */
export function announcementSection(sheet: RunSheet): Section | undefined {
  const { say, options } = sheet
  const { announcements = [] } = options
  if (announcements.length === 0) return undefined
  const title = say('Announcements of redemptions')
  const body = html`<p class="note">${say('Of what was held on any day. Whether they came true, and on which day, is for terms to say.')}</p>
${htmlGrid(title, announcements, [
  grid.text(say('day'), (one) => day(one.day)),
  grid.text(say('instrument'), ({ symbol }) => instrument(sheet, symbol), 'reason'),
  grid.text(say('title'), (one) => outside(one.title), 'prose'),
])}`
  return { id: 'announcements', title, body }
}
