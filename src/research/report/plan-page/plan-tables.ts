import { kindsOfNumber } from '../../../contract/code-spelling.js'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import type { PaperChange, PaperRun } from '../../backtest/paper-account.js'
import type { OrderPlan } from '../../backtest/plan-orders.js'
import type { RealAccount } from '../../backtest/real-fills.js'
import { day, fixed, formatCount, plain, signedTwo } from '../format-number.js'
import { type GridColumn, grid, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import type { PageSource } from '../page-header.js'
import { paidByCode } from '../tear-sheet/holdings-section.js'
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
  fills: ['symbol', 'name', 'side', 'shares', 'price', 'amount', 'commission'],
  rejected: ['symbol', 'name', 'side', 'wanted', 'filled', 'reason'],
  events: ['symbol', 'name', 'event', 'before', 'after', 'cash'],
  changes: ['day', 'symbol', 'what', 'was', 'now'],
  real: ['day', 'symbol', 'side', 'ordered', 'paper', 'paperPrice', 'realShares', 'realPrice', 'slippage'],
  unequal: ['symbol', 'paper', 'realShares', 'told'],
} as const satisfies Readonly<Record<string, readonly (PlanWord)[]>>

export type PlanTable = keyof typeof planColumns

type PlanRow = Readonly<Record<string, unknown>>

/** The rows of a day with the names that the plans of an account tell of their codes; null of others. */
function named(rows: readonly object[], account: NonNullable<PlanView['account']>): readonly object[] {
  const told = account.days.flatMap(({ plan }) => [...plan.orders, ...plan.untraded, ...plan.holdings])
  const names = new Map(told.map(({ symbol, name }) => [symbol, name]))
  return rows.map((row) => ({ ...row, name: names.get(String((row as PlanRow).symbol)) ?? null }))
}

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
    ...(account && last && { fills: named(last.fills, account) }),
    ...(account && last?.rejected.length && { rejected: named(last.rejected, account) }),
    ...(account && last?.events.length && { events: named(last.events, account) }),
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

/** How a code is shown: as it is, or as a link. */
export type CodeShown = (symbol: string) => HtmlPart

/** Yuan to the fen, and prices as they are. */
const [sums, prices] = [
  ['value', 'amount', 'commission', 'cash', 'slippage'],
  ['lastClose', 'limitDown', 'limitUp', 'limit', 'price', 'paperPrice', 'realPrice'],
] as const
const counts: readonly string[] = ['shares', 'wanted', 'ordered', 'filled', 'paper', 'realShares', 'told']

const among = (name: string, names: readonly string[]): boolean => names.includes(name)

/** What the securities of some rows are counted in: bonds, units of funds, shares. */
export function quantityUnit(say: Say, symbols: readonly string[]): string {
  const words = symbols.map((symbol) => {
    const kinds = kindsOfNumber(parseCode(symbol).bare)
    if (kinds.includes('bond')) return say(fact('QUANTITY', 'bonds'))
    return kinds.includes('fund') ? say(fact('QUANTITY', 'units')) : say('shares')
  })
  return [...new Set(words)].join(' / ')
}

function unitOf(say: Say, name: PlanWord, rows: readonly PlanRow[]): string | undefined {
  if (among(name, sums) || among(name, prices)) return say('yuan')
  if (among(name, counts))
    return quantityUnit(
      say,
      rows.map(({ symbol }) => String(symbol)),
    )
  if (name !== 'lots') return undefined
  const sizes = new Set(rows.map(({ shares, lots }) => Number(shares) / Number(lots)))
  const [size] = sizes
  return sizes.size === 1 && Number.isInteger(size)
    ? say(fact('LOTS', 'of {size}', { size: formatCount(size as number) }))
    : undefined
}

function planCell(say: Say, name: PlanWord, value: unknown, codeOf: CodeShown): HtmlPart {
  if (name === 'symbol') return codeOf(String(value))
  if (name === 'weight') return percentText(value as number)
  if (typeof value === 'number') return among(name, sums) ? fixed(value, 2) : plain(Number(value.toPrecision(10)))
  if (name === 'side') return html`<b class="${value === 'buy' ? 'up' : 'down'}">${planWordIn(String(value), say)}</b>`
  if (Array.isArray(value)) return value.map((one) => planWordIn(String(one), say)).join(', ')
  if (wordedColumns.includes(name)) return planWordIn(String(value), say)
  return name === 'day' ? day(String(value)) : outside(value as string | null)
}

/** The rows of a table of a plan. @param names the columns that may be shown (default: all) */
export function planGrid(
  say: Say,
  table: PlanTable,
  rows: readonly object[],
  codeOf: CodeShown = outside,
  names: readonly PlanWord[] = planColumns[table],
): Html {
  if (rows.length === 0) return html`<p class="absent">${say('None.')}</p>`
  const all = rows as readonly PlanRow[]
  const columns = shownColumns(table, rows)
    .filter((name) => names.includes(name))
    .map((name): GridColumn<PlanRow> => {
      const isNumber = all.some((row) => typeof row[name] === 'number')
      return {
        ...grid.text(planWords[name](say), (row: PlanRow) => planCell(say, name, row[name], codeOf)),
        unit: unitOf(say, name, all),
        as: isNumber ? 'number' : table === 'changes' ? 'prose' : 'text',
      }
    })
  return htmlGrid(planWords[table](say), all, columns)
}

/** What is held, with what was paid for it and what it gained by the fills of the account. */
export function heldGrid(say: Say, { plan, account }: PlanView, codeOf: CodeShown = outside): Html {
  const days = account?.days ?? []
  const paid = paidByCode(days.flatMap(({ fills }) => fills) as never, days.flatMap(({ events }) => events) as never)
  const rows = plan.holdings.map((one) => ({ ...one, cost: paid.get(one.symbol) ?? Number.NaN }))
  if (rows.length === 0) return html`<p class="absent">${say('Nothing is held.')}</p>`
  const unit = quantityUnit(
    say,
    rows.map(({ symbol }) => symbol),
  )
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
    grid.text(planWords.symbol(say), ({ symbol }) => codeOf(symbol)),
    grid.text(planWords.name(say), ({ name }) => outside(name)),
    grid.number(planWords.shares(say), unit, ({ shares }) => plain(shares)),
    grid.number(planWords.lastClose(say), say('yuan'), ({ lastClose }) => plain(lastClose)),
    grid.number(planWords.value(say), say('yuan'), ({ value }) => fixed(value, 2)),
    ...known,
    grid.number(planWords.weight(say), undefined, ({ value }) => percentText(value / plan.equity)),
  ])
}
