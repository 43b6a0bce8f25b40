import type { Language } from '../../../contract/language.js'
import type { Say } from '../../../contract/say.js'
import { sayIn, wordsIn } from '../../../contract/say.js'
import type { PaperChange, PaperRun } from '../../backtest/paper-account.js'
import type { OrderPlan } from '../../backtest/plan-orders.js'
import type { RealAccount } from '../../backtest/real-fills.js'
import { sha256Text } from '../../backtest/run-hash.js'
import { daysFigure } from '../chart-figure.js'
import { day, fixed, many, plain, signedTwo } from '../format-number.js'
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
import { headTile, type PageSource, type PageTop, pageTop, sparkline } from '../page-header.js'
import { lineSeries } from '../plot.js'
import { sentences } from '../report-words.js'
import { paidByCode } from '../tear-sheet/holdings-section.js'
import { underwater } from '../tear-sheet/measured-series.js'
import { percentText, signedPercent } from '../tear-sheet/sheet-parts.js'
import { type PlanWord, planWordIn, planWords } from './plan-words.js'

/** All that is told of a plan, and of the paper account that it belongs to. */
export interface PlanView {
  readonly title: string
  /** The strategy's file, by name and checksum. */
  readonly code: { readonly name: string; readonly sha256: string }
  readonly params: Readonly<Record<string, unknown>>
  readonly source: PageSource
  readonly plan: OrderPlan
  /** The next day at whose close the strategy decides, where that is known. */
  readonly nextDecision?: string | undefined
  /** Yuan at the start, days, and days that would be other now. */
  readonly account?: {
    readonly start: number
    readonly days: readonly PaperRun[]
    readonly changes: readonly PaperChange[]
    readonly real?: RealAccount
    /** Levels by day of what it is held against. */
    readonly benchmark?:
      | { readonly name: string; readonly days: readonly string[]; readonly levels: readonly number[] }
      | undefined
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

/** What the benchmark would have made of the start, by day of the account; undefined where it lacks one of them. */
function benchmarkCurve({ start, days, benchmark }: NonNullable<PlanView['account']>): Float64Array | undefined {
  if (!benchmark) return undefined
  const levels = new Map(benchmark.days.map((one, at) => [one, benchmark.levels[at] ?? Number.NaN]))
  const own = Float64Array.from(days, (one) => levels.get(one.day) ?? Number.NaN)
  return own.some(Number.isNaN) ? undefined : own.map((level) => (start * level) / (own[0] as number))
}

function curve(say: Say, account: NonNullable<PlanView['account']>): Promise<Html> {
  const { start, days } = account
  const equity = Float64Array.from(days, (one) => one.equity)
  const money = (value: number | undefined): string => fixed(value, 2)
  const [first, last, end] = [day(days[0]?.day), day(days.at(-1)?.day), money(equity.at(-1) ?? start)]
  const [name, under] = [planWords.equity(say), say('Below the highest value before, percent')]
  const other = benchmarkCurve(account)
  const [falls, otherFalls] = [underwater(start, equity), other && underwater(start, other)]
  const lines = (own: Float64Array, beside: Float64Array | undefined) => [
    ...(beside ? [lineSeries(beside, 'two', { dash: 'dashed' })] : []),
    lineSeries(own, 'one'),
  ]
  const called = account.benchmark?.name ?? ''
  return daysFigure(say, {
    id: 'plan-equity',
    title: say('The paper account'),
    desc: say`From ${first} to ${last}: ${money(start)} yuan became ${end} yuan.`,
    x: { dates: days.map((one) => one.day) },
    panels: [
      { name, height: 170, format: { digits: 0, exact: 2 }, series: lines(equity, other) },
      {
        name: under,
        height: 80,
        zero: true,
        format: { percent: true, digits: 1, exact: 2 },
        series: lines(falls, otherFalls),
      },
    ],
    key: other
      ? [
          { sign: 'line', ink: 'one', text: say('Account') },
          { sign: 'dashed', ink: 'two', text: called },
        ]
      : [],
    columns: [
      grid.values(name, undefined, equity, money),
      grid.values(say('below high'), undefined, falls, (value) => percentText(value)),
      ...(other ? [grid.values(called, undefined, other, money)] : []),
    ],
  })
}

/** What is held, with what was paid for it and what it gained by the fills of the account. */
function heldGrid(say: Say, { plan, account }: PlanView): Html {
  const days = account?.days ?? []
  const paid = paidByCode(days.flatMap(({ fills }) => fills) as never, days.flatMap(({ events }) => events) as never)
  const rows = plan.holdings.map((one) => ({ ...one, cost: paid.get(one.symbol) ?? Number.NaN }))
  if (rows.length === 0) return html`<p class="absent">${say('Nothing is held.')}</p>`
  const gain = ({ value, cost }: (typeof rows)[number]): number => value - cost
  const known = account
    ? [
        grid.number(say('cost'), say('yuan a share'), ({ cost, shares }: (typeof rows)[number]) =>
          fixed(cost / shares, 3),
        ),
        grid.change(say('gain'), say('yuan'), gain, signedTwo),
        grid.change(say('gain'), '%', (one: (typeof rows)[number]) => (100 * gain(one)) / one.cost, signedTwo),
      ]
    : []
  return htmlGrid(planWords.holdings(say), rows, [
    grid.text(planWords.symbol(say), ({ symbol }) => outside(symbol)),
    grid.text(planWords.name(say), ({ name }) => outside(name)),
    grid.number(planWords.shares(say), undefined, ({ shares }) => plain(shares)),
    grid.number(planWords.lastClose(say), say('yuan'), ({ lastClose }) => plain(lastClose)),
    grid.number(planWords.value(say), say('yuan'), ({ value }) => fixed(value, 2)),
    ...known,
    grid.number(planWords.weight(say), undefined, ({ value }) => percentText(value / plan.equity)),
  ])
}

function lookaheadText(say: Say, { lookahead }: OrderPlan): string {
  if (!lookahead) return say('not run')
  if (lookahead.fault) return say('cannot be checked, see the warnings')
  const time = lookahead.firstDifference?.time ?? ''
  return lookahead.ok ? say`none in ${lookahead.cuts} cuts` : say`USES THE FUTURE at ${time}`
}

/** Figures of the account: what it is worth with its days as a line, the change since its start, cash, holdings, and when it decides next. */
function planTiles(say: Say, { plan, account, nextDecision: next }: PlanView): Html[] {
  const figure = (value: number, text: string, side = ''): Html =>
    html`<data value="${value}" class="${side}">${text}</data>`
  const gained = account && plan.equity / account.start - 1
  const line =
    account &&
    sparkline(
      account.days.map(({ equity }) => equity),
      'span',
    )
  return [
    headTile(planWords.equity(say), html`${figure(plan.equity, fixed(plan.equity, 0))}${line}`),
    ...(gained === undefined
      ? []
      : [
          headTile(
            say('since the start'),
            figure(gained, signedPercent(gained), gained > 0 ? 'up' : gained < 0 ? 'down' : ''),
          ),
        ]),
    headTile(planWords.cash(say), figure(plan.cash, fixed(plan.cash, 0))),
    headTile(planWords.orders(say), figure(plan.orders.length, String(plan.orders.length))),
    ...(next === undefined ? [] : [headTile(say('next decision, at the close of'), figure(Number(next), day(next)))]),
  ]
}

function topOf(say: Say, view: PlanView): PageTop {
  const { title, source, plan, nextDecision: decides } = view
  const { orders, isDecided } = plan
  const [date, next] = [day(plan.day), day(plan.tradeDay)]
  const [equity, cash, left] = [plan.equity, plan.cash, plan.cashLeft].map((value) => fixed(value, 2))
  const lead = say`Decided at the close of ${date}: ${many(orders.length, 'order')} for ${next}. Worth ${equity} yuan, of which ${cash} in cash; ${left} in cash when all is filled at the last close.`
  const undecided = say`The strategy decides nothing on ${date}: by its schedule, or because it has no order.`
  const idle =
    decides === undefined
      ? say('There is nothing to do.')
      : say`There is nothing to do. The next decision falls at the close of ${day(decides)}.`
  return pageTop(say, {
    kicker: say('Orders for the next trading day'),
    title,
    source,
    lead: sentences(say, lead, isDecided ? '' : undecided, orders.length === 0 ? idle : ''),
    tiles: planTiles(say, view),
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
    return {
      id: name,
      title: planWords[name](say),
      body: html`${note}${name === 'holdings' ? heldGrid(say, view) : gridOfRows(say, name, rows)}`,
    }
  })
  const warned = plan.warnings.map((text) => wordsIn(text, lang))
  const minded = warned.length ? [{ id: 'warnings', title: say('Mind this'), body: lines(warned) }] : []
  const kept = account ? [{ id: 'account', title: say('The paper account'), body: await curve(say, account) }] : []
  const [orders, untraded, holdings, ...more] = sections
  return {
    top: topOf(say, view),
    first: (plan.orders.length > 0 ? [orders, ...kept] : [...kept, orders]).filter((one) => one !== undefined),
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
