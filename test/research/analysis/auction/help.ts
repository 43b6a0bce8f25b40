import type { Table } from 'apache-arrow'
import { fromRows } from '../../../../src/frame/table/from-rows.js'

/** A snapshot as the sample's files have it. */
export type Tick = Record<'tradedate' | 'symbol' | 'time', string> &
  Record<'m_price' | 'auc_pct_chg' | 'auc_vol' | 'auc_amt' | 'um_vol', number | null> & { um_side: string | null }

export const plain: Tick = {
  tradedate: '20260729',
  symbol: '000001.SZ',
  time: '09:25:00',
  m_price: 10.1,
  auc_pct_chg: 1,
  auc_vol: 100,
  auc_amt: 101_000,
  um_vol: 50,
  um_side: 'b',
}

export function ticksOf(rows: readonly Partial<Tick>[]): Table {
  const all = rows.map((row) => ({ ...plain, ...row }))
  return fromRows(all, { columns: Object.keys(plain) as (keyof Tick)[] })
}

/** |(price / close - 1) x 100 - change| rounded half away from zero to so many places; prices in cents. */
export function changeOf(cents: number, close: number, places: number): number {
  const [n, d] = [BigInt(cents - close) * 100n * 10n ** BigInt(places), BigInt(close)]
  const size = ((n < 0n ? -n : n) * 2n + d) / (d * 2n)
  return Number(`${n < 0n ? -size : size}e-${places}`)
}
