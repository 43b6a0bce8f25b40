import type { Data } from '../../frame/data.js'
import { numbers, strings } from '../../frame/read-columns.js'
import type { Side } from './execute.js'
import type { PaperRun } from './paper-account.js'
import { codeIn, type Holdings } from './plan-orders.js'
import { statementLines } from './statement-lines.js'

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

/** Codes and whole shares, a row each. */
export function holdingsIn(data: Data): Holdings[] {
  const [codes, held] = [strings(data, 'code'), numbers(data, 'held')]
  return codes.map((code, row) => ({ symbol: code ?? '', shares: held[row] as number }))
}

/** The trades of a statement. @throws QuotebookError as `statementLines` */
export function realFillsIn(data: Data): RealFill[] {
  return statementLines(data).lines.flatMap(({ day, code, side, shares, price, costs }) => {
    const fees = (costs.commission + costs.stamp + costs.transfer) / 100
    return side ? [{ day, symbol: code, side, shares: Math.abs(shares), price, fees }] : []
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
