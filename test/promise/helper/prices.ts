import {
  type BacktestResult,
  type Data,
  fromRows,
  type Panel,
  type PanelOptions,
  panel,
  type Table,
  toObjects,
  tradingDays,
} from 'quotebook'

/** The trading days of July and August 2026; 20260701 is a Wednesday. */
export const days = tradingDays('20260701', '20260831')

export interface PriceRow {
  readonly tradedate: string
  readonly trademin?: string
  readonly code: string
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
  readonly pre_close?: number | null
  readonly vol: number | null
}

export const priceNames = ['open', 'high', 'low', 'close', 'pre_close', 'vol'] as const
export type PriceName = (typeof priceNames)[number]
type Closes = readonly (number | null)[]

/** A row a day: all prices the close, the previous close that of the row before; no row where a close is null. */
export function rowsOf(
  code: string,
  closes: Closes,
  change: (at: number) => Partial<PriceRow> = () => ({}),
  on: readonly string[] = days,
): PriceRow[] {
  let before: number | null = null
  return closes.flatMap((close, at) => {
    if (close === null) return []
    const prices = { open: close, high: close, low: close, close, pre_close: before ?? close, vol: 1e6 }
    before = close
    return [{ tradedate: on[at] as string, code, ...prices, ...change(at) }]
  })
}

/** Bars of a day for each list of closes; no previous closes. */
export function barsOf(code: string, minutes: readonly string[], closes: readonly Closes[]): PriceRow[] {
  return closes.flatMap((own, at) =>
    own.flatMap((close, bar) => {
      const place = { tradedate: days[at] as string, trademin: minutes[bar] as string, code }
      return close === null ? [] : [{ ...place, open: close, high: close, low: close, close, vol: 1e6 }]
    }),
  )
}

export function marketOf(
  rows: readonly PriceRow[],
  options: Partial<PanelOptions<Data, PriceName>> = {},
): Panel<PriceName> {
  const columns = priceNames.filter((name) => rows.some((row) => row[name] !== undefined))
  return panel(fromRows(rows) as Data, { columns, ...options })
}

/** Nothing but the price: no slippage, costs, or share of the volume; and no look ahead. */
export const free = { cash: 1e6, slippageTicks: 0, maxVolumeShare: null, commission: { rate: 0, min: 0 } } as const
export const bare = { ...free, lookahead: false } as const

const inLines = (table: Table, names: readonly string[]): string[] =>
  toObjects(table).map((row) => names.flatMap((name) => (row as Record<string, unknown>)[name] ?? []).join(' '))

/** Day (and minute), code, side, shares and price of each fill, in a line. */
export const fillsOf = ({ fills }: BacktestResult): string[] =>
  inLines(fills, ['tradedate', 'trademin', 'symbol', 'side', 'shares', 'price'])

/** The same of what was not filled: wanted, filled, reason. */
export const rejectedOf = ({ rejected }: BacktestResult): string[] =>
  inLines(rejected, ['tradedate', 'trademin', 'symbol', 'side', 'wanted', 'filled', 'reason'])

/** Code and message of what a call throws. */
export function thrownBy(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    return `${code}: ${message}`
  }
  throw new Error('it did not fail')
}

/** The same of a promise. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return thrownBy(() => {
    if (error !== undefined) throw error
  })
}
