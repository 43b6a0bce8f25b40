import type { Language } from '../../../contract/language.js'
import type { Say } from '../../../contract/say.js'
import { sayIn, wordsIn } from '../../../contract/say.js'
import type { PaperChange, PaperRun } from '../../backtest/paper-account.js'
import type { OrderPlan } from '../../backtest/plan-orders.js'
import type { RealAccount } from '../../backtest/real-fills.js'
import { sha256Text } from '../../backtest/run-hash.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, many, plain } from '../format-number.js'
import {
  type GridColumn,
  grid,
  type Html,
  type HtmlPart,
  html,
  htmlGrid,
  lines,
  outside,
  type Section,
} from '../html.js'
import { htmlDocument } from '../html-document.js'
import { type PageSource, type PageTop, pageTop } from '../page-header.js'
import { lineSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import { underwater } from '../tear-sheet/measured-series.js'
import { percentText } from '../tear-sheet/sheet-parts.js'
import { type PlanWord, planWordIn, planWords } from './plan-words.js'

/** All that is told of a plan, and of the paper account that it belongs to. */
export interface PlanView {
  readonly title: string
  /** The strategy's file, by name and checksum. */
  readonly code: { readonly name: string; readonly sha256: string }
  readonly params: Readonly<Record<string, unknown>>
  readonly source: PageSource
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
} as const satisfies Readonly<Record<string, readonly (PlanWord)[]>>

export type PlanTable = keyof typeof planColumns

type PlanRow = Readonly<Record<string, unknown>>

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
export function shownColumns(table: PlanTable, rows: readonly object[]): readonly PlanWord[] {
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
  return planColumns[table].filter((name) => rows.some((row) => !isEmpty((row as PlanRow)[name])))
}

/** Columns whose texts are words of the page. */
export const wordedColumns: readonly string[] = ['side', 'reason', 'event', 'what', 'notes']

function gridOfRows(say: Say, table: PlanTable, rows: readonly object[]): Html {
  if (rows.length === 0) return html`<p class="absent">${say('None.')}</p>`
  const columns = shownColumns(table, rows).map((name): GridColumn<PlanRow> => {
    const isNumber = rows.some((row) => typeof (row as PlanRow)[name] === 'number')
    const cell = (row: PlanRow): HtmlPart => {
      const value = row[name]
      if (name === 'weight') return percentText(value as number)
      if (typeof value === 'number') return plain(Number(value.toPrecision(10)))
      if (name === 'side')
        return html`<span class="${value === 'buy' ? 'up' : 'down'}">${planWordIn(String(value), say)}</span>`
      if (Array.isArray(value)) return value.map((one) => planWordIn(String(one), say)).join(', ')
      if (wordedColumns.includes(name)) return planWordIn(String(value), say)
      return name === 'day' ? day(String(value)) : outside(value as string | null)
    }
    return {
      ...grid.text(planWords[name](say), cell),
      as: isNumber ? 'number' : table === 'changes' ? 'prose' : 'text',
    }
  })
  return htmlGrid(planWords[table](say), rows as readonly PlanRow[], columns)
}

function curve(say: Say, { start, days }: NonNullable<PlanView['account']>): Promise<Html> {
  const equity = Float64Array.from(days, (one) => one.equity)
  const money = (value: number): string => fixed(value, 2)
  const [first, last, end] = [day(days[0]?.day), day(days.at(-1)?.day), money(equity.at(-1) ?? start)]
  const name = planWords.equity(say)
  const under = say('Below the highest value before, percent')
  const falls = underwater(start, equity)
  return chartFigure(say, {
    id: 'plan-equity',
    title: say('The paper account'),
    desc: say`From ${first} to ${last}: ${money(start)} yuan became ${end} yuan.`,
    x: { dates: days.map((one) => one.day) },
    panels: [
      { name, height: 180, format: { digits: 0, exact: 2 }, series: [lineSeries(equity, 'one')] },
      {
        name: under,
        height: 80,
        zero: true,
        format: { percent: true, digits: 1, exact: 2 },
        series: [lineSeries(falls, 'one')],
      },
    ],
    rows: days,
    columns: [
      grid.text(planWords.day(say), (one: PaperRun) => day(one.day)),
      grid.text(name, (one: PaperRun) => money(one.equity), 'number'),
      grid.text(say('below high'), (one: PaperRun) => percentText(falls[days.indexOf(one)]), 'number'),
    ],
  })
}

function lookaheadText(say: Say, { lookahead }: OrderPlan): string {
  if (!lookahead) return say('not run')
  if (lookahead.fault) return say('cannot be checked, see the warnings')
  const time = lookahead.firstDifference?.time ?? ''
  return lookahead.ok ? say`none in ${lookahead.cuts} cuts` : say`USES THE FUTURE at ${time}`
}

function topOf(say: Say, { title, source, plan }: PlanView): PageTop {
  const { orders, isDecided } = plan
  const [date, next] = [day(plan.day), day(plan.tradeDay)]
  const [equity, cash, left] = [plan.equity, plan.cash, plan.cashLeft].map((value) => fixed(value, 2))
  const lead = say`Decided at the close of ${date}: ${many(orders.length, 'order')} for ${next}. Worth ${equity} yuan, of which ${cash} in cash; ${left} in cash when all is filled at the last close.`
  const undecided = say`The strategy decides nothing on ${date}: by its schedule, or because it has no order.`
  return pageTop(say, {
    kicker: say('Orders for the next trading day'),
    title,
    source,
    lead: sentences(say, lead, isDecided ? '' : undecided),
    facts: [
      [say('Decided at the close of'), date],
      [say('Look-ahead check'), lookaheadText(say, plan)],
    ],
    hash: source.state === undefined ? undefined : [say('State of the archive, sha256'), source.state],
  })
}

function realNote(say: Say, { slippage, fees, missed }: RealAccount): Html {
  const [slip, fee] = [fixed(slippage, 2), fixed(fees, 2)]
  return html`<p class="note">${say`Slippage against the paper account ${slip} yuan; fees ${fee} yuan; ${missed} orders were not filled at all.`}</p>`
}

/** The parts of a page of orders: its top, what stands on its first screen, and the rest. */
export async function planParts(view: PlanView, lang: Language) {
  const say = sayIn(lang)
  const { plan, account } = view
  const tables = Object.entries(planTables(view)) as [PlanTable, readonly object[]][]
  const sections = tables.map(([name, rows]): Section => {
    const note = name === 'real' && account?.real && realNote(say, account.real)
    return { id: name, title: planWords[name](say), body: html`${note}${gridOfRows(say, name, rows)}` }
  })
  const warned = plan.warnings.map((text) => wordsIn(text, lang))
  const minded = warned.length ? [{ id: 'warnings', title: say('Mind this'), body: lines(warned) }] : []
  const kept = account ? [{ id: 'account', title: say('The paper account'), body: await curve(say, account) }] : []
  const [orders, untraded, holdings, ...more] = sections
  return {
    top: topOf(say, view),
    first: [orders, ...kept].filter((one) => one !== undefined),
    sections: [...minded, untraded, holdings, ...more].filter((one) => one !== undefined),
  }
}

/** The orders of an evening on one self-contained page, with the paper account where there is one. */
export async function planPage(view: PlanView, lang: Language, interactive = false): Promise<string> {
  const say = sayIn(lang)
  const { plan, account, code, params, source } = view
  return htmlDocument({
    say,
    title: `${view.title} ${plan.tradeDay}`,
    manifest: {
      kind: 'plan',
      options: { ...params, lang, day: plan.day },
      source,
      code,
      inputs: [{ name: 'plan', rows: plan.orders.length, sha256: sha256Text(JSON.stringify([plan, account])) }],
    },
    interactive,
    ...(await planParts(view, lang)),
    footer: say('Nothing was sent to a broker. '),
  })
}
