import type { Table } from 'apache-arrow'
import { expect } from 'vitest'
import type { BacktestResult } from '../../src/backtest/backtest.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { bandOf, type Kind, kinds, type RandomMarket } from './random-market.js'

interface FillRow {
  readonly tradedate: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly shares: number
  readonly price: number
  readonly amount: number
  readonly commission: number
  readonly stamp: number
  readonly transfer: number
}

const fen = (yuan: number): number => Math.round(yuan * 100)
const mills = (yuan: number): number => Math.round(yuan * 1000)
/** Half up, as decimals of so many digits; far from where doubles round otherwise. */
const halfUp = (value: number): number => Math.floor(value + 0.5 + 1e-7)

function commissionOf({ symbol, amount }: FillRow, { options: { commission = {} } }: BacktestResult): number {
  const isBond = /^1[12]/.test(symbol)
  const usual = isBond ? { rate: 0.0002, min: 1 } : { rate: 0.00025, min: 5 }
  const own = (isBond && commission.byClass?.['convertible bond']) || { ...usual, ...commission }
  return Math.max(fen(own.min), halfUp(fen(amount) * own.rate))
}

/** The rules that a fill has to keep, by the rows of the market alone. */
function checkFill(fill: FillRow, market: RandomMarket, result: BacktestResult): void {
  const { symbol, side, shares, tradedate } = fill
  const kind = kinds[symbol] as Kind
  const what = JSON.stringify(fill)
  const row = market.rows.find((one) => one.code === symbol && one.tradedate === tradedate)
  if (!row) throw new Error(`filled where it does not trade: ${what}`)
  const { exec, slippageTicks = 1 } = result.options
  const raw = mills((exec?.fill === 'nextOpen' ? row.open : row.close) as number)
  const [down, up] = bandOf(
    symbol,
    result.days.indexOf(tradedate),
    market.starts[symbol] as number,
    mills(row.pre_close as number),
  )
  const price = mills(fill.price)
  expect(row.vol, what).not.toBe(0)
  expect(price % kind.tick, what).toBe(0)
  if (side === 'buy') {
    expect(raw < up || price < up, what).toBe(true)
    expect(price <= Math.min(up, raw + slippageTicks * kind.tick), what).toBe(true)
    expect(shares >= kind.min && shares % kind.step === 0, what).toBe(true)
  } else {
    expect(raw > down || price > down, what).toBe(true)
    expect(price >= Math.max(down, raw - slippageTicks * kind.tick), what).toBe(true)
  }
  expect(fen(fill.amount), what).toBe(halfUp((shares * price) / 10))
  expect(fen(fill.commission), what).toBe(commissionOf(fill, result))
  expect(fen(fill.stamp), what).toBe(kind.isStock && side === 'sell' ? halfUp(fen(fill.amount) * 0.0005) : 0)
  expect(fen(fill.transfer), what).toBe(kind.isStock ? halfUp(fen(fill.amount) * 0.00001) : 0)
}

function checkVolume(fills: readonly FillRow[], market: RandomMarket, result: BacktestResult): void {
  const share = result.options.maxVolumeShare
  if (share === null || share === undefined) return
  for (const symbol of new Set(fills.map((one) => one.symbol))) {
    const own = fills.filter((one) => one.symbol === symbol)
    const row = market.rows.find((one) => one.code === symbol && one.tradedate === own[0]?.tradedate)
    const most = (row?.vol ?? 0) * (kinds[symbol] as Kind).unit * share
    expect(own.reduce((sum, { shares }) => sum + shares, 0)).toBeLessThanOrEqual(most + 1e-6)
  }
}

function byDay<R>(table: Table): Map<string, R[]> {
  const days = new Map<string, R[]>()
  for (const row of objectsOf(table)) {
    const day = row['tradedate'] as string
    days.set(day, [...(days.get(day) ?? []), row as R])
  }
  return days
}

/** Replays fills and events of a result day by day and holds cash, holdings, equity and rules against the rows of the market. */
export function audit(market: RandomMarket, result: BacktestResult): void {
  const [all, events, positions, account] = [
    byDay<FillRow>(result.fills),
    byDay<{ symbol: string; before: number; after: number; cash: number }>(result.events),
    byDay<{ symbol: string; shares: number; sellable: number; value: number }>(result.positions),
    byDay<{ cash: number; equity: number }>(result.account),
  ]
  const held = new Map<string, number>()
  const closes = new Map<string, number>()
  let cash = fen(result.start)
  result.days.forEach((day, at) => {
    for (const { symbol, before, after, cash: came } of events.get(day) ?? []) {
      expect(held.get(symbol)).toBe(before)
      held.set(symbol, after)
      cash += fen(came)
    }
    const atOpen = new Map(held)
    const fills = all.get(day) ?? []
    for (const fill of fills) {
      checkFill(fill, market, result)
      const sign = fill.side === 'buy' ? 1 : -1
      held.set(fill.symbol, (held.get(fill.symbol) ?? 0) + sign * fill.shares)
      cash -= sign * fen(fill.amount) + fen(fill.commission) + fen(fill.stamp) + fen(fill.transfer)
      expect(cash, day).toBeGreaterThanOrEqual(0)
      expect(held.get(fill.symbol), day).toBeGreaterThanOrEqual(0)
    }
    checkVolume(fills, market, result)
    const sum = (symbol: string, side: string): number =>
      fills.reduce((total, one) => total + (one.symbol === symbol && one.side === side ? one.shares : 0), 0)
    for (const row of market.rows) if (row.tradedate === day) closes.set(row.code, mills(row.close as number))
    let value = 0
    const shown: unknown[] = []
    for (const [symbol, shares] of [...held].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const isLocked = (kinds[symbol] as Kind).isLocked
      if (isLocked) expect(sum(symbol, 'sell'), `${day} ${symbol} T+1`).toBeLessThanOrEqual(atOpen.get(symbol) ?? 0)
      if (shares === 0) continue
      const own = halfUp((shares * (closes.get(symbol) as number)) / 10)
      value += own
      shown.push([symbol, shares, isLocked ? shares - sum(symbol, 'buy') : shares, own])
    }
    const rows = positions.get(day) ?? []
    expect(
      rows.map((row) => [row.symbol, row.shares, row.sellable, fen(row.value)]),
      day,
    ).toEqual(shown)
    const [row] = account.get(day) ?? []
    expect([fen(row?.cash ?? Number.NaN), fen(row?.equity ?? Number.NaN)], day).toEqual([cash, cash + value])
    expect(fen(result.equity[at] as number), day).toBe(cash + value)
  })
}
