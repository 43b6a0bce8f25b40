import { aboutText, type Language, sourceText, type Translate, translatorOf } from '../../../contract/language.js'
import { wordsIn } from '../../../contract/say.js'
import { version } from '../../../contract/version.js'
import type { PaperChange, PaperRun } from '../../backtest/paper-account.js'
import type { OrderPlan } from '../../backtest/plan-orders.js'
import type { RealAccount } from '../../backtest/real-fills.js'
import { sha256Text } from '../../backtest/run-hash.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, plain } from '../format-number.js'
import {
  type GridColumn,
  gridText,
  type Html,
  type HtmlPart,
  html,
  htmlGrid,
  lines,
  outside,
  type Section,
} from '../html.js'
import { htmlDocument } from '../html-document.js'
import { lineSeries } from '../plot.js'
import { sheetStyle } from '../tear-sheet/sheet-style.js'
import { planWords } from './plan-words.js'

/** All that is told of a plan, and of the paper account that it belongs to. */
export interface PlanView {
  readonly title: string
  /** The strategy's file, by name and checksum. */
  readonly code: { readonly name: string; readonly sha256: string }
  readonly params: Readonly<Record<string, unknown>>
  readonly source: { readonly name: string; readonly about?: string | undefined; readonly state?: string | undefined }
  readonly plan: OrderPlan
  /** Yuan at the start, days, and days that would be other now. */
  readonly account?: {
    readonly start: number
    readonly days: readonly PaperRun[]
    readonly changes: readonly PaperChange[]
    readonly real?: RealAccount
  }
}

/** Columns of the tables of a plan, in their order. */
// biome-ignore format: a table, one a line
const planColumns = {
  orders: ['symbol', 'name', 'side', 'shares', 'lots', 'lastClose', 'limitDown', 'limitUp', 'limit', 'value', 'reason', 'rank', 'score', 'weight', 'notes'],
  untraded: ['symbol', 'name', 'side', 'wanted', 'ordered', 'reason'],
  holdings: ['symbol', 'name', 'shares', 'lastClose', 'value'],
  unknown: ['symbol', 'shares'],
  fills: ['symbol', 'side', 'shares', 'price', 'amount', 'commission'],
  rejected: ['symbol', 'side', 'wanted', 'filled', 'reason'],
  events: ['symbol', 'event', 'before', 'after', 'cash'],
  changes: ['day', 'symbol', 'what', 'was', 'now'],
  real: ['day', 'symbol', 'side', 'ordered', 'paper', 'paperPrice', 'realShares', 'realPrice', 'slippage'],
  unequal: ['symbol', 'paper', 'realShares', 'told'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof planWords)[]>>

export type PlanTable = keyof typeof planColumns

/** Rows of a plan by table; those that it does not have are not there. */
export function planTables({ plan, account }: PlanView): Partial<Record<PlanTable, readonly object[]>> {
  const { orders, untraded, holdings, unknown } = plan
  const last = account?.days.at(-1)
  const realShares = <R extends { readonly real: number }>(rows: readonly R[]) =>
    rows.map((row) => ({ ...row, realShares: row.real }))
  return {
    orders,
    untraded,
    holdings,
    ...(unknown.length > 0 && { unknown }),
    ...(last && { fills: last.fills }),
    ...(last?.rejected.length && { rejected: last.rejected }),
    ...(last?.events.length && { events: last.events }),
    ...(account && { changes: account.changes }),
    ...(account?.real && { real: realShares(account.real.orders), unequal: realShares(account.real.holdings) }),
  }
}

/** Columns of a table in which some row has something. */
export function shownColumns(table: PlanTable, rows: readonly object[]): readonly (keyof typeof planWords)[] {
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
  return planColumns[table].filter((name) => rows.some((row) => !isEmpty((row as Record<string, unknown>)[name])))
}

type Say = Translate<keyof typeof planWords>

/** Columns whose texts are words of the page. */
export const wordedColumns: readonly string[] = ['side', 'reason', 'event', 'what', 'notes']

function gridOfRows(say: Say, table: PlanTable, rows: readonly object[]): Html {
  if (rows.length === 0) return html`<p class="absent">${say('none')}</p>`
  const columns = shownColumns(table, rows).map((name): GridColumn<Readonly<Record<string, unknown>>> => {
    const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[name])
    const isNumber = values.some((value) => typeof value === 'number')
    const cell = (row: Readonly<Record<string, unknown>>): HtmlPart => {
      const value = row[name]
      if (typeof value === 'number') return plain(Number(value.toPrecision(10)))
      if (Array.isArray(value)) return value.map((one) => say(one as never)).join(', ')
      if (wordedColumns.includes(name)) return say(String(value) as never)
      return name === 'day' ? day(String(value)) : outside(value as string | null)
    }
    return { ...gridText(say(name), cell), as: isNumber ? 'number' : table === 'changes' ? 'prose' : 'text' }
  })
  return htmlGrid(say(table), rows as readonly Readonly<Record<string, unknown>>[], columns)
}

async function curve(say: Say, { start, days }: NonNullable<PlanView['account']>): Promise<Html> {
  const equity = Float64Array.from(days, (one) => one.equity)
  const money = (value: number): string => fixed(value, 2)
  const places = {
    first: day(days[0]?.day),
    last: day(days.at(-1)?.day),
    start: money(start),
    end: money(equity.at(-1) ?? start),
  }
  return chartFigure(
    {
      id: 'plan-equity',
      title: say('account'),
      desc: say('account said', places),
      x: { dates: days.map((one) => one.day) },
      panels: [
        { name: say('equity'), height: 180, format: { digits: 0, exact: 2 }, series: [lineSeries(equity, 'one')] },
      ],
      rows: days,
      columns: [
        gridText(say('day'), (one: PaperRun) => day(one.day)),
        gridText(say('equity'), (one: PaperRun) => money(one.equity), 'number'),
      ],
    },
    { label: say('account'), summary: say('as table') },
  )
}

function lookaheadText(say: Say, { lookahead }: OrderPlan): string {
  if (!lookahead) return say('not run')
  if (lookahead.fault) return say('not checked')
  return lookahead.ok
    ? say('none in', { cuts: lookahead.cuts })
    : say('found at', { time: lookahead.firstDifference?.time ?? '' })
}

function header(say: Say, { title, source, plan }: PlanView, lang: Language): Html {
  const { orders, tradeDay, equity, cash, cashLeft, isDecided } = plan
  const places = {
    day: day(plan.day),
    tradeDay: day(tradeDay),
    orders: orders.length,
    equity: fixed(equity, 2),
    cash: fixed(cash, 2),
    left: fixed(cashLeft, 2),
  }
  return html`<header>
<p class="kicker">${say('plan')}</p>
<h1><bdi>${title}</bdi></h1>
${source.about !== undefined && html`<p class="about"><strong>${outside(aboutText(source.about, lang))}</strong></p>`}
<p class="lead">${say('lead', places)} ${!isDecided && say('undecided', places)}</p>
<dl>
<div><dt>${say('source')}</dt><dd>${outside(sourceText(source.name, lang))}, ${day(plan.day)}</dd></div>
<div><dt>${say('look-ahead')}</dt><dd>${lookaheadText(say, plan)}</dd></div>
<div><dt>Quotebook</dt><dd>${version}</dd></div>
${source.state !== undefined && html`<div class="whole"><dt>${say('state')}</dt><dd class="hash"><code>${source.state}</code></dd></div>`}
</dl></header>
`
}

/** The orders of an evening on one self-contained page, with the paper account where there is one. */
export async function planPage(view: PlanView, lang: Language, interactive = false): Promise<string> {
  const say = translatorOf(planWords, lang)
  const { plan, account, code, params, source } = view
  const sections = Object.entries(planTables(view)).map(([name, rows]): Section => {
    const real = account?.real
    const note =
      name === 'real' &&
      real &&
      html`<p class="note">${say('real said', { slippage: fixed(real.slippage, 2), fees: fixed(real.fees, 2), missed: real.missed })}</p>`
    return { id: name, title: say(name as PlanTable), body: html`${note}${gridOfRows(say, name as PlanTable, rows)}` }
  })
  const warned = plan.warnings.map((text) => wordsIn(text, lang))
  const first = warned.length ? [{ id: 'warnings', title: say('warnings'), body: lines(warned) }] : []
  const kept = account ? [{ id: 'account', title: say('account'), body: await curve(say, account) }] : []
  const [orders, untraded, holdings, ...more] = sections
  return htmlDocument({
    lang: lang === 'zh' ? 'zh-CN' : 'en',
    title: `${view.title} ${plan.tradeDay}`,
    manifest: {
      kind: 'plan',
      options: { ...params, lang, day: plan.day },
      source,
      code,
      inputs: [{ name: 'plan', rows: plan.orders.length, sha256: sha256Text(JSON.stringify([plan, account])) }],
    },
    ownStyle: sheetStyle,
    header: header(say, view, lang),
    contents: say('contents'),
    interactive,
    sections: [orders, ...first, untraded, holdings, ...kept, ...more].filter((one) => one !== undefined),
    footer: say(interactive && account ? 'live footer' : 'footer'),
  })
}
