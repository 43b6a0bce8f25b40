import { invalid, QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { Data } from '../../frame/data.js'
import { toObjects } from '../../frame/read-columns.js'
import type { Side } from './execute.js'
import { usualColumn } from './join-columns.js'
import type { PaperRun } from './paper-account.js'
import { codeIn, type Holdings } from './plan-orders.js'

/** What was really filled: shares and yuan. */
export interface RealFill {
  readonly day: string
  readonly symbol: string
  readonly side: Side
  readonly shares: number
  readonly price: number
  /** Commission and charges together. */
  readonly fees: number
}

/** Heads of files of brokers, the first that is there counts. */
const heads = {
  day: ['day', 'tradedate', '成交日期', '日期', '交易日期'],
  symbol: ['code', 'symbol', '证券代码', '代码'],
  side: ['side', '买卖标志', '操作', '方向', '买卖方向'],
  shares: ['shares', 'quantity', '成交数量', '数量', '持仓', '持仓数量', '证券数量', '股份余额', '当前持仓'],
  price: ['price', '成交价格', '成交均价', '价格'],
  fees: ['fees', '费用', '手续费', '佣金'],
} as const

type Head = keyof typeof heads

/** The cells of each row of a file by head; empty for a head that is not there. */
function cellsOf<H extends Head>(data: Data, what: string, wanted: readonly H[]): Record<H, string>[] {
  const names = wanted.map((head) => [head, usualColumn(data, heads[head])] as const)
  const [missing] = names.find(([head, name]) => name === undefined && head !== 'fees') ?? []
  if (missing) throw new QuotebookError('MISSING_COLUMN', sentence`${what}: no column ${heads[missing].join(', ')}`)
  const plain = (cell: unknown): string => String(cell ?? '').replace(/^[="']+|["'\s]+$/g, '')
  const cells = (row: Record<string, unknown>) => names.map(([head, name]) => [head, plain(row[name ?? ''])])
  return toObjects(data).map((row) => Object.fromEntries(cells(row)) as Record<H, string>)
}

/** A code as it is written where a program took it for a number. */
const codeOf = (text: string): string => (/^\d+$/.test(text) ? text.padStart(6, '0') : text.toUpperCase())

/** Codes and whole shares, a row each. @throws QuotebookError MISSING_COLUMN */
export function holdingsIn(data: Data): Holdings[] {
  return cellsOf(data, 'holdings', ['symbol', 'shares']).map(({ symbol, shares }) => ({
    symbol: codeOf(symbol),
    shares: Number(shares || Number.NaN),
  }))
}

/** @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a row that is no fill */
export function realFillsIn(data: Data): RealFill[] {
  return cellsOf(data, 'fills', ['day', 'symbol', 'side', 'shares', 'price', 'fees']).map((cells, row) => {
    const day = cells.day.replaceAll('-', '')
    const side = /^(buy|b$|.*买)/i.test(cells.side) ? 'buy' : /^(sell|s$|.*卖)/i.test(cells.side) ? 'sell' : undefined
    const [shares, price, fees] = [Math.abs(Number(cells.shares)), Number(cells.price), Number(cells.fees)]
    if (!/^\d{8}$/.test(day) || !side || !(shares > 0 && price > 0 && fees >= 0))
      throw invalid(sentence`fills: row ${row + 1} needs a day, buy or sell, and shares and a price above 0`)
    return { day, symbol: codeOf(cells.symbol), side, shares, price, fees }
  })
}

/** An order, what the paper account had of it, and what was really had. */
export interface RealOrder {
  readonly day: string
  readonly symbol: string
  readonly side: Side
  readonly ordered: number
  readonly paper: number
  readonly paperPrice: number | null
  readonly real: number
  /** Mean by shares. */
  readonly realPrice: number | null
  /** Yuan by which the real price was worse than the paper's; null where one of them is missing. */
  readonly slippage: number | null
}

/** A holding by real fills beside the paper account's. */
export interface RealHolding {
  readonly symbol: string
  readonly paper: number
  readonly real: number
  /** Shares that the holdings of the broker have; null where they were not given. */
  readonly told: number | null
}

/** The real account beside the paper one. */
export interface RealAccount {
  readonly orders: readonly RealOrder[]
  /** Only those that do not add up. */
  readonly holdings: readonly RealHolding[]
  readonly slippage: number
  readonly fees: number
  /** Orders of which nothing was really filled. */
  readonly missed: number
}

type Piece = { readonly shares: number; readonly price: number }
const total = (all: readonly Piece[]): number => all.reduce((sum, { shares }) => sum + shares, 0)
function mean(all: readonly Piece[]): number | null {
  const amount = all.reduce((sum, { shares, price }) => sum + shares * price, 0)
  return all.length ? Number((amount / total(all)).toPrecision(12)) : null
}

/** Orders of the days of a paper account beside what was really filled on the days after them. @param told holdings of the broker */
export function compareReal(
  days: readonly PaperRun[],
  given: readonly RealFill[],
  told?: readonly Holdings[],
): RealAccount {
  const planned = days
    .slice(0, -1)
    .flatMap(({ plan }) => plan.orders.map((order) => ({ ...order, day: plan.tradeDay })))
  const fills = days.flatMap((one) => one.fills.map((row) => ({ ...row, day: one.day }) as unknown as RealFill))
  const symbols = [...new Set([...fills, ...planned].map(({ symbol }) => symbol))]
  const real = given.map((one) => ({ ...one, symbol: codeIn(symbols, one.symbol) ?? one.symbol }))
  const keyOf = ({ day, symbol, side }: Pick<RealFill, 'day' | 'symbol' | 'side'>): string => `${day} ${side} ${symbol}`
  const orders = [...new Set([...planned, ...fills, ...real].map(keyOf))].sort().map((key): RealOrder => {
    const [day = '', side, symbol = ''] = key.split(' ') as [string, Side, string]
    const of = <T extends Pick<RealFill, 'day' | 'symbol' | 'side'>>(all: readonly T[]): T[] =>
      all.filter((one) => keyOf(one) === key)
    const [own, had] = [of(fills), of(real)]
    const [paperPrice, realPrice] = [mean(own), mean(had)]
    const worse =
      paperPrice === null || realPrice === null ? null : (realPrice - paperPrice) * (side === 'buy' ? 1 : -1)
    const ordered = of(planned).reduce((sum, { shares }) => sum + shares, 0)
    const slippage = worse === null ? null : Math.round(worse * total(had) * 100) / 100
    return { day, symbol, side, ordered, paper: total(own), paperPrice, real: total(had), realPrice, slippage }
  })
  const signed = (symbol: string): number =>
    real.reduce((sum, one) => sum + (one.symbol === symbol ? (one.side === 'buy' ? one.shares : -one.shares) : 0), 0)
  const held = new Map(days.at(-1)?.state.held.map(({ symbol, shares }) => [symbol, shares]))
  const broker = told?.map((one) => ({ ...one, symbol: codeIn(symbols, one.symbol) ?? one.symbol }))
  const all = new Set([...held.keys(), ...[...real, ...(broker ?? [])].map(({ symbol }) => symbol)])
  const holdings = [...all].sort().map((symbol): RealHolding => {
    const own = broker?.find((one) => one.symbol === symbol)?.shares ?? 0
    return { symbol, paper: held.get(symbol) ?? 0, real: signed(symbol), told: broker ? own : null }
  })
  return {
    orders,
    holdings: holdings.filter(({ paper, real, told }) => paper !== real || (told !== null && told !== real)),
    slippage: Math.round(orders.reduce((sum, { slippage }) => sum + (slippage ?? 0), 0) * 100) / 100,
    fees: Math.round(real.reduce((sum, { fees }) => sum + fees, 0) * 100) / 100,
    missed: orders.filter(({ ordered, real }) => ordered > 0 && real === 0).length,
  }
}
