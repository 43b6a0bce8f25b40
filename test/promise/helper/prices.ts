import type { BacktestResult } from '../../src/backtest/backtest.js'
import { type PanelOptions, panel } from '../../src/backtest/make-panel.js'
import type { Panel } from '../../src/backtest/panel.js'
import { tradingDays } from '../../src/contract/calendar.js'
import type { Data } from '../../src/frame/data.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { fromRows } from '../../src/table/from-rows.js'

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

/** A row a day: all prices the close, the previous close that of the row before; no row where a close is null. */
export function rowsOf(
  code: string,
  closes: readonly (number | null)[],
  change: (at: number) => Partial<PriceRow> = () => ({}),
): PriceRow[] {
  let before: number | null = null
  return closes.flatMap((close, at) => {
    if (close === null) return []
    const row = {
      tradedate: days[at] as string,
      code,
      open: close,
      high: close,
      low: close,
      close,
      pre_close: before ?? close,
      vol: 1e6,
    }
    before = close
    return [{ ...row, ...change(at) }]
  })
}

/** Bars of a day for each list of closes; no previous closes. */
export function barsOf(
  code: string,
  minutes: readonly string[],
  closes: readonly (readonly (number | null)[])[],
): PriceRow[] {
  return closes.flatMap((day, at) =>
    day.flatMap((close, bar) =>
      close === null
        ? []
        : [
            {
              tradedate: days[at] as string,
              trademin: minutes[bar] as string,
              code,
              open: close,
              high: close,
              low: close,
              close,
              vol: 1e6,
            },
          ],
    ),
  )
}

export function marketOf(
  rows: readonly PriceRow[],
  options: Partial<PanelOptions<Data, PriceName>> = {},
): Panel<PriceName> {
  const columns = priceNames.filter((name) => rows.some((row) => row[name] !== undefined))
  return panel(fromRows(rows) as Data, { columns, ...options })
}

/** Nothing but the price: no slippage, costs, or share of the volume. */
export const free = { cash: 1e6, slippageTicks: 0, maxVolumeShare: null, commission: { rate: 0, min: 0 } } as const

/** Day (and minute), code, side, shares and price of each fill, in a line. */
export function fillsOf(result: BacktestResult): string[] {
  return objectsOf(result.fills).map((row) =>
    ['tradedate', 'trademin', 'symbol', 'side', 'shares', 'price'].flatMap((name) => row[name] ?? []).join(' '),
  )
}

/** The same of what was not filled: wanted, filled, reason. */
export function rejectedOf(result: BacktestResult): string[] {
  return objectsOf(result.rejected).map((row) =>
    ['tradedate', 'trademin', 'symbol', 'side', 'wanted', 'filled', 'reason']
      .flatMap((name) => row[name] ?? [])
      .join(' '),
  )
}

/** What a call throws, as code and message. */
export function thrownBy(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    return `${code}: ${message}`
  }
  throw new Error('it did not fail')
}
